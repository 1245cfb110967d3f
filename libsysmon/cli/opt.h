/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt: one option table per tool.  cli layer.
 *
 * The table gives the parser (POSIX clusters of short letters, GNU long options with
 * --name=value, --name value and unambiguous abbreviations, "--"), --help, and the
 * completions for bash, zsh and fish; a test compares it with the man page.  A value is
 * parsed whole, checked against its range and stored at an offset of the tool's
 * configuration struct; the last occurrence wins.  Every error names the option and the
 * value, goes to stderr with "Try 'TOOL --help'" and ends with exit code 2.
 */
#ifndef SM_OPT_H
#define SM_OPT_H

#include <stdio.h>
#include "base/base.h"
#include "base/buf.h"

enum sm_opt_kind {
	SM_OPT_GROUP = 0, /* a heading of the help; only .help is used */
	SM_OPT_FLAG,      /* bool: set to true */
	SM_OPT_STR,       /* const char *: not empty */
	SM_OPT_U64,       /* uint64_t in [min, max] */
	SM_OPT_DURATION,  /* uint64_t nanoseconds in [min, max], see units.h */
	SM_OPT_SIZE,      /* uint64_t bytes in [min, max] */
	SM_OPT_CHOICE,    /* int: index into choices */
	SM_OPT_TO,        /* struct sm_opt_to: --json[=FILE] */
	SM_OPT_CALL,      /* .call parses and stores it */
	SM_OPT_HELP,
	SM_OPT_VERSION,
};

/* Without a value the rows go to where the table would go, with one beside it into the file. */
struct sm_opt_to {
	bool here;
	const char *file; /* NULL: none */
};

/* What a shell can complete the value with, besides choices. */
enum sm_opt_complete {
	SM_COMPLETE_NONE = 0,
	SM_COMPLETE_FILE,
	SM_COMPLETE_DIR,
	SM_COMPLETE_PID,
	SM_COMPLETE_USER,
	SM_COMPLETE_LIST, /* comma-separated list of choices */
};

struct sm_opt {
	char letter;            /* 0: no short form */
	const char *name;       /* long name, NULL: none */
	enum sm_opt_kind kind;
	const char *arg;        /* metavariable: "SECS"; NULL: takes no value */
	bool arg_optional;      /* --name[=ARG], TO and CALL only; a short form then never
				 * takes a value */
	bool apart;             /* --name ARG, too, for an optional value, unless ARG begins with '-' */
	bool hidden;            /* alias: parsed, but not in help, completions and man page */
	bool detail;            /* one of too many for the help: only in completions and man page */
	size_t offset;          /* offsetof(struct cfg, field) */
	uint64_t min, max;      /* U64, DURATION, SIZE; max 0: no upper bound */
	const char *unit;       /* DURATION: of a number without a unit, "ns"; NULL: seconds */
	bool repeats;           /* each occurrence counts, also in a file of options after the command line */
	bool not_in_file;       /* only the command line may have it */
	const char *const *choices; /* NULL-terminated; CHOICE, or for completion */
	const char *const *former;  /* CHOICE: pairs of a value that was removed and the reason that the error
				     * gives, NULL-terminated; NULL: none */
	enum sm_opt_complete complete;
	/* CALL: 0, or -errno with the reason in *why ("unknown event 'x'"). arg may be NULL
	 * when it is optional. */
	int (*call)(void *cfg, const char *arg, struct sm_buf *why);
	/* CALL: the same, for tables made at run time: with the row, whose offset and limits mean what the
	 * function makes of them.  HELP with a value: what to print instead, into *why. */
	int (*call_row)(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why);
	const char *help;       /* may hold newlines; continuation lines are indented */
};

enum sm_opt_rest {
	SM_REST_NONE,    /* operands are errors */
	SM_REST_COMMAND, /* only after "--": a command and its arguments */
	SM_REST_OPERANDS,/* handed to .operand one by one */
	SM_REST_BOTH     /* operands, and a command after "--" */
};

struct sm_opt_spec {
	const char *tool, *version;
	const char *summary;    /* one line, no full stop */
	const char *synopsis;   /* "[OPTION]... [-- COMMAND [ARG]...]" */
	const struct sm_opt *opts;
	size_t nopts;
	/* nopts elements, all 0: the parser notes where each row was given, SM_OPT_IN_LINE and
	 * SM_OPT_IN_FILE.  NULL: it does not. */
	unsigned char *given;
	int usage_status;       /* exit status of a usage error; 0: SM_EXIT_USAGE */
	enum sm_opt_rest rest;
	bool nearest;           /* an unknown long option is answered with the one that is nearest to it */
	/* Appends the reason why there is no option of this name (without dashes) or letter; false: it is
	 * not known.  NULL: none is. */
	bool (*unknown)(struct sm_str name, struct sm_buf *why);
	int (*operand)(void *cfg, unsigned int index, const char *arg, struct sm_buf *why);
	/* After the last one: conflicts between options.  0 or -errno with *why. */
	int (*finish)(void *cfg, struct sm_buf *why);
	const char *const *examples; /* pairs: command, what it does; NULL-terminated */
	const char *exit_notes; /* extra line(s) at the end of the help, or NULL */
};

/*
 * 0: go on; *command is the index in argv of the command (SM_REST_COMMAND) or argc.
 * 1: done, *status is the exit code (help, version, or an error that has been reported).
 */
int sm_opt_parse(const struct sm_opt_spec *s, void *cfg, int argc, char **argv, int *command,
	int *status) SM_MUST;
void sm_opt_help(const struct sm_opt_spec *s, struct sm_buf *b, unsigned int columns);

enum { SM_OPT_IN_LINE = 1, SM_OPT_IN_FILE = 2 };
/* SM_OPT_IN_LINE if the command line has had this row, or'ed with SM_OPT_IN_FILE if a file has; 0 without
 * spec.given. */
unsigned int sm_opt_given(const struct sm_opt_spec *s, const char *name);
/*
 * Takes an option of a file of options, to be called from finish(): name is a whole long name without dashes;
 * value NULL: none.  The command line goes before the file: a row that it has had is not taken again, nor is
 * one of the same kind for the same field (an alias), unless the row repeats.  In the file, too, the last
 * occurrence wins.  0, or -EINVAL with the reason in *why.  The reason quotes nothing of the file but names
 * of options that exist: messages go to logs, and the file may be a secret that was named by mistake.
 */
int sm_opt_take_line(const struct sm_opt_spec *s, void *cfg, const char *name, const char *value,
	struct sm_buf *why) SM_MUST;

/*
 * How many letters must be changed, added, left out or exchanged with their neighbour to make one word of
 * the other; UINT_MAX for words of more than SM_OPT_WORD bytes.
 */
#define SM_OPT_WORD 64
unsigned int sm_opt_distance(struct sm_str a, struct sm_str b);
/* The visible long option that is nearest to a name (without --); NULL if over a third of it differs.
 * A part before the first '-' is the same in both. */
const struct sm_opt *sm_opt_nearest(const struct sm_opt_spec *s, struct sm_str name);

enum sm_opt_shell { SM_SHELL_BASH, SM_SHELL_ZSH, SM_SHELL_FISH };
void sm_opt_completion(const struct sm_opt_spec *s, enum sm_opt_shell shell, struct sm_buf *b);
/* One line per visible option: "-D<TAB>--duration<TAB>SECS", "-" for a missing part,
 * "[FILE]" when the value is optional: what the drift test reads. */
void sm_opt_dump(const struct sm_opt_spec *s, struct sm_buf *b);

/* What each tool's opts.c defines and the build-time generator of completions links. */
const struct sm_opt_spec *sm_tool_spec(void);

#endif
