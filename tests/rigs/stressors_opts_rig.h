/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stressors_opts_rig: command lines and job files as the start of the program takes them,
 * the plan that comes of them, and what is printed.
 */
#ifndef STRESSORS_OPTS_RIG_H
#define STRESSORS_OPTS_RIG_H

#include "base/file.h"
#include "cli/tty.h"
#include "opt_rig.h"
#include "stressors/list.h"
#include "stressors/opts.h"

static struct config *c;
static char dir[UNIT_DIR], job[UNIT_DIR + 8];

static inline void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(job, sizeof(job), "%s/job", dir);
}

static inline void teardown(void)
{
	unlink(job);
	rmdir(dir);
}

enum todo { RUN, DONE };

static inline int usage_error(struct sm_buf *why)
{
	sm_buf_chr(why, '\0');
	sm_err("%s\nTry 'stressors --help' for more information.", why->p);
	return STRESSORS_USAGE;
}

/* As the start of the program does it: options, plan, lists. */
static inline enum todo plan(void)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};
	struct sm_root root = SM_ROOT_INIT;
	enum todo todo = RUN;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	if (opts_plan(c, &root, &text) < 0) {
		got.status = usage_error(&text);
		todo = DONE;
	} else if (opts_show(c, &root, &text)) {
		ck_assert_int_eq(sm_file_write(STDOUT_FILENO, text.p, text.len), 0);
		todo = DONE;
	}
	sm_root_close(&root);
	return todo;
}

static inline enum todo parse(char **argv)
{
	int out, err, command;
	enum todo todo = DONE;

	for (got.argc = 0; argv[got.argc]; got.argc++)
		;
	opts_end();
	c = opts_begin();
	ck_assert_ptr_nonnull(c);
	sm_err_init("stressors");
	out = scratch(STDOUT_FILENO);
	err = scratch(STDERR_FILENO);
	if (!sm_opt_parse(sm_tool_spec(), c, got.argc, argv, &command, &got.status))
		todo = plan();
	slurp(STDOUT_FILENO, got.out, sizeof(got.out));
	slurp(STDERR_FILENO, got.err, sizeof(got.err));
	restore(out, STDOUT_FILENO);
	restore(err, STDERR_FILENO);
	return todo;
}

static inline void runs_saying(const char *err, char **argv)
{
	int todo = parse(argv);

	ck_assert_str_eq(got.err, err);
	ck_assert_int_eq(todo, RUN);
}

static inline void fails(const char *message, char **argv)
{
	char want[1024];

	ck_assert_int_eq(parse(argv), DONE);
	snprintf(want, sizeof(want),
		"stressors: %s\nTry 'stressors --help' for more information.\n", message);
	ck_assert_str_eq(got.err, want);
	ck_assert_str_eq(got.out, "");
	ck_assert_int_eq(got.status, STRESSORS_USAGE);
}

static inline void prints(char **argv)
{
	ck_assert_int_eq(parse(argv), DONE);
	ck_assert_str_eq(got.err, "");
	ck_assert_int_eq(got.status, STRESSORS_OK);
}

static inline void write_job(const char *text)
{
	FILE *f = fopen(job, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

#define RUNS(...)     runs_saying("", ARGV(__VA_ARGS__))
#define FAILS(m, ...) fails(m, ARGV(__VA_ARGS__))
#define PRINTS(...)   prints(ARGV(__VA_ARGS__))

/* "qsort 2, nop 1" */
static inline void plan_is(const char *want)
{
	char text[512] = "";

	for (size_t i = 0; i < c->plan.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %u",
			i ? ", " : "", c->plan.job[i].stressor->name,
			c->plan.job[i].instances);
	ck_assert_str_eq(text, want);
}

static inline size_t how_many(void)
{
	size_t n = 0;

	while (list_all[n])
		n++;
	return n;
}

/* Those that --all chooses without --pathological. */
static inline size_t how_many_usual(void)
{
	size_t n = 0;

	for (size_t i = 0; list_all[i]; i++)
		n += !(list_all[i]->classes & CLASS_PATHOLOGICAL);
	return n;
}

static inline unsigned int own_cpus(void)
{
	cpu_set_t set;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	return (unsigned int)CPU_COUNT(&set);
}

static inline uint64_t value(size_t at, const char *name)
{
	const struct stressor_opt *o = c->plan.job[at].stressor->opts;

	for (unsigned int i = 0; o[i].name; i++)
		if (strcmp(o[i].name, name) == 0)
			return c->plan.job[at].value[i];
	ck_abort_msg("no option %s", name);
}

#endif
