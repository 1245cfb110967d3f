/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt: one option table per tool.  cli layer.
 *
 * The table defines the parser (POSIX clusters of short letters, GNU long options with --name=value,
 * --name value and unambiguous abbreviations, "--"), --help, and the completions for bash, zsh and
 * fish; a test compares it with the man page.  A value is parsed as a whole, checked against its range
 * and stored at an offset of the tool's configuration struct; the last occurrence of an option
 * overrides earlier ones.  Every error names the option and the value, is printed to stderr with "Try
 * 'TOOL --help'", and ends the tool with exit code 2.
 */
#ifndef SM_OPT_H
#define SM_OPT_H

#include <stdio.h>
#include "base/base.h"
#include "base/buf.h"

enum sm_opt_kind {
	SM_OPT_GROUP = 0, /* a heading in the help; only .help is used */
	SM_OPT_FLAG,      /* bool: set to true */
	SM_OPT_STR,       /* const char *: not empty */
	SM_OPT_U64,       /* uint64_t in [min, max] */
	SM_OPT_DURATION,  /* uint64_t nanoseconds in [min, max], see units.h */
	SM_OPT_SIZE,      /* uint64_t bytes in [min, max] */
	SM_OPT_CHOICE,    /* int: index into choices */
	SM_OPT_TO,        /* struct sm_opt_to: --json[=FILE] */
	SM_OPT_PIDS,      /* struct sm_opt_list (opt_value.h): process IDs; values add up */
	SM_OPT_USERS,     /* struct sm_opt_list: users, given as names or numbers; values add up */
	SM_OPT_CALL,      /* .call parses and stores it */
	SM_OPT_HELP,
	SM_OPT_VERSION,
};

/* --json without a value writes the rows where the table would be written; with a value, in addition to
 * the table, to that file. */
struct sm_opt_to {
	bool here;
	const char *file; /* NULL: no file */
};

/* Completion of the value in a shell, in addition to choices. */
enum sm_opt_complete {
	SM_COMPLETE_NONE = 0,
	SM_COMPLETE_FILE,
	SM_COMPLETE_DIR,
	SM_COMPLETE_PID,
	SM_COMPLETE_COMM,    /* comm of a process */
	SM_COMPLETE_PROCESS, /* PID or comm */
	SM_COMPLETE_USER,
	SM_COMPLETE_LIST, /* comma-separated list of choices */
};

struct sm_opt {
	char letter;            /* 0: no short form */
	const char *name;       /* long name, or NULL */
	enum sm_opt_kind kind;
	const char *arg;        /* metavariable: "SECS"; NULL: takes no value */
	bool arg_optional;      /* --name[=ARG], TO and CALL only; the short form then never
	                         * takes a value */
	bool apart;             /* --name ARG is accepted for an optional value, unless ARG begins with '-' */
	bool hidden;            /* alias: parsed, but not in help, completions and man page */
	bool detail;            /* not in the help, only in completions and man page */
	size_t offset;          /* offsetof(struct cfg, field) */
	uint64_t min, max;      /* U64, DURATION, SIZE; max 0: no upper bound */
	const char *unit;       /* DURATION: unit of a number without one, "ns"; NULL: seconds */
	bool repeats;           /* each occurrence counts, including those in a file of options */
	bool not_in_file;       /* allowed only on the command line */
	const char *const *choices; /* NULL-terminated; CHOICE, or for completion */
	const char *const *former;  /* CHOICE: pairs of a removed value and the reason for the error message,
	                             * NULL-terminated, or NULL */
	enum sm_opt_complete complete;
	/* CALL: parses and stores the value.  Returns 0, or -errno with the reason in *why ("unknown
	 * event 'x'").  arg may be NULL if it is optional. */
	int (*call)(void *cfg, const char *arg, struct sm_buf *why);
	/* CALL: replaces call() in tables made at run time.  It gets the row, whose offset and limits
	 * it interprets itself.  HELP with a value: appends to *why the text to print instead of the
	 * help. */
	int (*call_row)(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why);
	const char *help;       /* may contain newlines; continuation lines are indented */
};

enum sm_opt_rest {
	SM_REST_NONE,    /* operands are errors */
	SM_REST_COMMAND, /* only after "--": a command and its arguments */
	SM_REST_OPERANDS,/* passed to .operand one by one */
	SM_REST_BOTH     /* operands, and a command after "--" */
};

struct sm_opt_spec {
	const char *tool, *version;
	const char *summary;    /* one line, no full stop */
	const char *synopsis;   /* "[OPTION]... [-- COMMAND [ARG]...]" */
	const struct sm_opt *opts;
	size_t nopts;
	/* nopts elements, all 0: the parser records where each row was given, SM_OPT_IN_LINE and
	 * SM_OPT_IN_FILE.  NULL: not recorded. */
	unsigned char *given;
	int usage_status;       /* exit status of a usage error; 0: SM_EXIT_USAGE */
	enum sm_opt_rest rest;
	/* Appends the reason why there is no option of this name (without dashes) or letter.  Returns
	 * false if the reason is unknown.  NULL: no reasons. */
	bool (*unknown)(struct sm_str name, struct sm_buf *why);
	enum sm_opt_complete complete; /* operands; NONE: files, if SM_REST_OPERANDS */
	int (*operand)(void *cfg, unsigned int index, const char *arg, struct sm_buf *why);
	/* Called after the last option, to check for conflicts.  Returns 0, or -errno with the reason
	 * in *why. */
	int (*finish)(void *cfg, struct sm_buf *why);
	const char *const *examples; /* pairs of a command and its description; NULL-terminated */
	const char *exit_notes; /* extra line(s) at the end of the help, or NULL */
};

/* Parses the command line.  Returns 0 if the tool is to continue; *command is the index in argv of the
 * command (SM_REST_COMMAND), or argc.  Returns 1 if it is to exit with *status (after help, version, or
 * an error that has been reported). */
int sm_opt_parse(const struct sm_opt_spec *s, void *cfg, int argc, char **argv, int *command,
	int *status) SM_MUST;
void sm_opt_help(const struct sm_opt_spec *s, struct sm_buf *b, unsigned int columns);

enum { SM_OPT_IN_LINE = 1, SM_OPT_IN_FILE = 2 };
/* Returns SM_OPT_IN_LINE if the row was given on the command line, or'ed with SM_OPT_IN_FILE if it was
 * given in a file; 0 without spec.given. */
unsigned int sm_opt_given(const struct sm_opt_spec *s, const char *name);
/* Parses an option of a file of options; to be called from finish().  name is a whole long name without
 * dashes; value NULL: without a value.  The command line overrides the file: unless the row repeats, an
 * option is ignored if its row, or an alias (a row of the same kind for the same field), was given on the
 * command line.  Within the file, the last occurrence overrides earlier ones.  Returns 0, or -EINVAL with
 * the reason in *why.  The reason quotes nothing from the file except names of existing options: messages
 * are logged, and the file may be a secret that was named by mistake. */
int sm_opt_take_line(const struct sm_opt_spec *s, void *cfg, const char *name, const char *value,
	struct sm_buf *why) SM_MUST;

enum sm_opt_shell { SM_SHELL_BASH, SM_SHELL_ZSH, SM_SHELL_FISH };
void sm_opt_completion(const struct sm_opt_spec *s, enum sm_opt_shell shell, struct sm_buf *b);
/* Appends one line per visible option, for the test that compares it with the man page:
 * "-D<TAB>--duration<TAB>SECS", with "-" for a missing part and "[FILE]" for an optional value. */
void sm_opt_dump(const struct sm_opt_spec *s, struct sm_buf *b);

/* Defined in each tool's opts.c; the build-time generator of completions links it. */
const struct sm_opt_spec *sm_tool_spec(void);

#endif
