/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opt_rig: a table with every kind of option, and the output of a run of the parser.
 */
#ifndef OPT_RIG_H
#define OPT_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/err.h"
#include "cli/opt.h"
#include "unit.h"

struct cfg {
	bool all, quiet, summary;
	const char *file;
	struct sm_opt_to csv;
	uint64_t count, duration_ns, size;
	int color;
	unsigned int events;   /* calls of call_event */
	unsigned int operands; /* calls of on_operand */
	char last[64];
};

static inline int call_event(void *cfg, const char *arg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	if (strcmp(arg, "mute") == 0)
		return -EINVAL;
	if (strcmp(arg, "fork") != 0) {
		sm_buf_printf(why, "unknown event '%s'", arg);
		return -EINVAL;
	}
	c->events++;
	return 0;
}

static inline int on_operand(void *cfg, unsigned int index, const char *arg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	ck_assert_uint_eq(index, c->operands);
	if (strcmp(arg, "bad") == 0) {
		sm_buf_str(why, "no such thing");
		return -ENOENT;
	}
	snprintf(c->last, sizeof(c->last), "%s", arg);
	c->operands++;
	return 0;
}

static inline int on_finish(void *cfg, struct sm_buf *why)
{
	struct cfg *c = cfg;

	if (!c->quiet || !c->all)
		return 0;
	sm_buf_str(why, "--quiet and --all exclude each other");
	return -EINVAL;
}

#define AT(field) offsetof(struct cfg, field)
static const char *const when[] = {"auto", "always", "never", NULL};
static const char *const once[] = {"ansi", "ansi was removed; use always", NULL};
static const char *const kinds[] = {"fork", "exec", "exit", NULL};
static const struct sm_opt opts[] = {
	{.kind = SM_OPT_GROUP, .help = "What"},
	{'a', "all", SM_OPT_FLAG, .offset = AT(all), .help = "everything"},
	{'c', "count", SM_OPT_U64, "N", .offset = AT(count), .min = 1, .max = 100,
		.help = "stop after N rows"},
	{'D', "duration", SM_OPT_DURATION, "SECS", .offset = AT(duration_ns),
		.min = SM_NSEC_PER_MSEC, .max = 3600 * SM_NSEC_PER_SEC,
		.help = "run for SECS; a fraction and a unit of time may be given, as in "
			"1.5s or 2m, "
			"and the run ends then\nsecond 'line' [x]: y"},
	{'s', "size", SM_OPT_SIZE, "BYTES", .offset = AT(size), .min = 4096},
	{'e', NULL, SM_OPT_CALL, "EVENT", .call = call_event, .choices = kinds,
		.complete = SM_COMPLETE_LIST, .help = "events"},
	{.kind = SM_OPT_GROUP, .help = "How"},
	{'q', "quiet", SM_OPT_FLAG, .offset = AT(quiet), .help = "no rows"},
	{0, "summary", SM_OPT_FLAG, .offset = AT(summary), .help = "totals"},
	{0, "color", SM_OPT_CHOICE, "WHEN", .offset = AT(color), .choices = when,
		.former = once, .help = "colours"},
	{0, "colour", SM_OPT_CHOICE, "WHEN", .hidden = true, .offset = AT(color),
		.choices = when},
	{'f', "file", SM_OPT_STR, "FILE", .offset = AT(file),
		.complete = SM_COMPLETE_FILE, .help = "output"},
	{'C', "csv", SM_OPT_TO, "FILE", .arg_optional = true, .offset = AT(csv),
		.complete = SM_COMPLETE_FILE, .help = "CSV"},
	{'p', "pid", SM_OPT_U64, "PID", .offset = AT(count), .complete = SM_COMPLETE_PID},
	{'h', "help", SM_OPT_HELP, .help = "this text"},
	{'V', "version", SM_OPT_VERSION, .help = "the version"},
};
static const char *const examples[] = {"demo -D 5", "five seconds", NULL};

static inline struct sm_opt_spec spec(enum sm_opt_rest rest)
{
	return (struct sm_opt_spec){
		.tool = "demo",
		.version = "1.2.3",
		.summary = "show what a table can do",
		.synopsis = "[OPTION]... [-- COMMAND [ARG]...]",
		.opts = opts,
		.nopts = SM_ARRAY_SIZE(opts),
		.rest = rest,
		.operand = on_operand,
		.finish = on_finish,
		.examples = examples,
		.exit_notes = "Exit codes: 0 ok.",
	};
}

/* Output and return value of a run. */
static struct result {
	int r, status, command, argc;
	char out[32768], err[32768];
} got;
static struct cfg cfg;

static inline void slurp(int fd, char *to, size_t size)
{
	ssize_t n = pread(fd, to, size - 1, 0);

	ck_assert_int_ge(n, 0);
	to[n] = '\0';
}

static inline int scratch(int as)
{
	char name[] = "/tmp/sm_test_opt_XXXXXX";
	int saved = dup(as), fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(dup2(fd, as), as);
	close(fd);
	return saved;
}

static inline void restore(int saved, int as)
{
	ck_assert_int_eq(dup2(saved, as), as);
	close(saved);
}

static inline void run(enum sm_opt_rest rest, char **argv)
{
	struct sm_opt_spec s = spec(rest);
	int out, err;

	for (got.argc = 0; argv[got.argc]; got.argc++)
		;
	cfg = (struct cfg){.color = -1};
	sm_err_init("demo");
	out = scratch(STDOUT_FILENO);
	err = scratch(STDERR_FILENO);
	got.r = sm_opt_parse(&s, &cfg, got.argc, argv, &got.command, &got.status);
	slurp(STDOUT_FILENO, got.out, sizeof(got.out));
	slurp(STDERR_FILENO, got.err, sizeof(got.err));
	restore(out, STDOUT_FILENO);
	restore(err, STDERR_FILENO);
}

#define ARGV(...)  ((char *[]){(char[]){"demo"}, __VA_ARGS__, NULL})
#define A(literal) ((char[]){literal})

static inline void accepted(enum sm_opt_rest rest, char **argv)
{
	run(rest, argv);
	ck_assert_str_eq(got.err, "");
	ck_assert_int_eq(got.r, 0);
	ck_assert_int_eq(got.status, SM_EXIT_OK);
	ck_assert_str_eq(got.out, "");
}

static inline void refused(enum sm_opt_rest rest, char **argv, const char *message)
{
	char want[16384];

	run(rest, argv);
	snprintf(want, sizeof(want),
		"demo: %s\nTry 'demo --help' for more information.\n", message);
	ck_assert_str_eq(got.err, want);
	ck_assert_str_eq(got.out, "");
	ck_assert_int_eq(got.r, 1);
	ck_assert_int_eq(got.status, SM_EXIT_USAGE);
}

#define OK(...)		  accepted(SM_REST_NONE, ARGV(__VA_ARGS__))
#define BAD(message, ...) refused(SM_REST_NONE, ARGV(__VA_ARGS__), message)

#endif
