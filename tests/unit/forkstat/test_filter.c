// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "forkstat/filter.h"
#include "forkstat_rig.h"

static struct rig r;
static struct opts o;
static struct row row;
static struct sm_proc_event ev;
static struct sm_task *p;

static void setup(void)
{
	rig_open(&r, 1u << 20, false);
	o = opts_default;
	o.events = EVENTS_ALL;
	p = sm_tasktable_fork(&r.procs, 200, 200, 1, 1);
	sm_tasktable_exec(&r.procs, p, rig_name(&r.procs, "/usr/bin/make\0-j4"),
		SM_STR("/usr/bin/gmake"));
	memset(&ev, 0, sizeof(ev));
	row = (struct row){.kind = EVENT_EXEC, .p = p, .ev = &ev};
}

static void teardown(void)
{
	rig_close(&r);
}

static bool match(void)
{
	return filter_match(&o, &row) == FILTER_YES;
}

START_TEST(events)
{
	for (enum event e = 0; e < EVENT_KINDS; e++) {
		row.kind = e;
		o.events = EVENTS_ALL;
		ck_assert(match());
		o.events = EVENT_BIT(e);
		ck_assert(match());
		o.events = EVENTS_ALL & ~EVENT_BIT(e);
		ck_assert(!match());
	}
}
END_TEST

START_TEST(losses_pass_every_other_condition)
{
	row = (struct row){.kind = EVENT_LOST, .lost = 3};
	o.pids = o.ppids = o.pgrps = o.uids =
		(struct sm_opt_list){.n = 1, .v = (uint32_t[]){5}};
	o.name_glob = o.comm_glob = o.args_glob = "x";
	o.exit_filter = EXIT_NONZERO;
	o.min_duration_ns = 1;
	ck_assert(match());
}
END_TEST

START_TEST(pids)
{
	struct sm_task *t = sm_tasktable_fork(&r.procs, 201, 200, 1, 1);
	struct sm_task *parent = sm_tasktable_fork(&r.procs, 300, 300, 1, 1);

	o.pids = (struct sm_opt_list){.n = 2, .v = (uint32_t[]){200, 999}};
	ck_assert(match());
	row.p = t; /* a thread of it */
	ck_assert(match());
	row.p = parent;
	ck_assert(!match());
	row.parent = p; /* a child of it */
	ck_assert(match());
	o.pids.v[0] = 201;
	ck_assert(!match());
}
END_TEST

START_TEST(groups)
{
	p->pgrp = 77;
	o.pgrps = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){77}};
	ck_assert(match());
	p->pgrp = 78;
	ck_assert(!match());
}
END_TEST

START_TEST(users)
{
	o.uids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){1000}};
	ck_assert(filter_wants_creds(&o));
	p->uid = 1000;
	ck_assert(!match()); /* not known */
	p->flags |= SM_TASK_CREDS;
	ck_assert(match());
	p->uid = 0;
	ck_assert(!match());
	p->euid = 1000;
	ck_assert(match());
	o.uids.n = 0;
	ck_assert(!filter_wants_creds(&o));
}
END_TEST

static bool exit_match(uint32_t code)
{
	row.exit =
		(struct exits_status){.process_end = true, .known = true, .code = code};
	return match();
}

START_TEST(exit_codes)
{
	/* 0, 1, SIGTERM, SIGSEGV with core */
	static const uint32_t code[] = {0, 1 << 8, 15, 0x8b};
	static const struct {
		enum exit_filter f;
		bool want[4];
	} t[] = {
		{EXIT_ANY, {true, true, true, true}},
		{EXIT_NONZERO, {false, true, true, true}},
		{EXIT_ZERO, {true, false, false, false}},
		{EXIT_SIGNAL, {false, false, true, true}},
		{EXIT_CORE, {false, false, false, true}},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		o.exit_filter = t[i].f;
		row.kind = EVENT_EXIT;
		for (size_t j = 0; j < 4; j++)
			ck_assert_int_eq(exit_match(code[j]), t[i].want[j]);
		row.kind = EVENT_EXEC; /* speaks of exits only */
		ck_assert(exit_match(0));
		ck_assert(exit_match(1));
	}
}
END_TEST

/* A process whose status is not known is left to the caller, but only if nothing else
 * excludes it; the end of a thread is never an exit that is asked for. */
START_TEST(exits_of_threads_and_without_status)
{
	for (int f = EXIT_ANY; f <= EXIT_STATUS; f++) {
		o.exit_filter = f;
		row.kind = EVENT_EXIT;
		row.exit = (struct exits_status){.known = true, .code = 0x8b};
		ck_assert_int_eq(
			filter_match(&o, &row), f == EXIT_ANY ? FILTER_YES : FILTER_NO);
		row.exit = (struct exits_status){.process_end = true};
		ck_assert_int_eq(filter_match(&o, &row),
			f == EXIT_ANY ? FILTER_YES : FILTER_LACKS_STATUS);
		o.name_glob = "other";
		ck_assert_int_eq(filter_match(&o, &row), FILTER_NO);
		o.name_glob = NULL;
	}
}
END_TEST

START_TEST(durations)
{
	row.kind = EVENT_EXIT;
	row.exit = (struct exits_status){.process_end = true, .known = true};
	row.duration_ns = 100;
	o.min_duration_ns = 100;
	ck_assert(!match()); /* not known */
	row.has_duration = true;
	ck_assert(match());
	o.min_duration_ns = 101;
	ck_assert(!match());
	o.min_duration_ns = 0;
	o.max_duration_ns = 100;
	ck_assert(match());
	o.max_duration_ns = 99;
	ck_assert(!match());
	row.has_duration = false;
	o.max_duration_ns = 1000;
	ck_assert(!match());
	row.kind = EVENT_FORK;
	ck_assert(match());
}
END_TEST

START_TEST(globs)
{
	o.name_glob = "make";
	ck_assert(match());
	o.name_glob = "m[a-c]*e";
	ck_assert(match());
	o.name_glob = "gmake";
	ck_assert(!match());
	o.name_glob = "*-j4";
	ck_assert(!match()); /* arguments are no part of it */
	o.name_glob = NULL;
	o.comm_glob = "gmake";
	ck_assert(match());
	o.comm_glob = "make";
	ck_assert(!match());
	o.comm_glob = "g*";
	o.name_glob = "x";
	ck_assert(!match()); /* all of them must hold */
}
END_TEST

START_TEST(glob_of_a_very_long_name)
{
	char s[1000];

	memset(s, 'x', sizeof(s));
	sm_tasktable_exec(&r.procs, p,
		sm_tasktable_intern(&r.procs, s, sizeof(s), SM_NAME_EXEC), SM_STR("c"));
	o.name_glob = "x*x";
	ck_assert(match());
	o.name_glob = "x*y";
	ck_assert(!match());
}
END_TEST

/* The task is found by this name. */
static void check_program(struct sm_poolstr *cmd, const char *comm, const char *want)
{
	sm_tasktable_exec(&r.procs, p, cmd, (struct sm_str){comm, strlen(comm)});
	o.name_glob = want;
	ck_assert_msg(match(), "%s", want);
	o.name_glob = "?*?no";
	ck_assert(!match());
}

START_TEST(programs)
{
	struct sm_tasktable *t = &r.procs;

	check_program(rig_name(t, "/usr/bin/make\0/x/y"), "comm", "make");
	check_program(rig_name(t, "make"), "comm", "make");
	check_program(rig_name(t, "/"), "comm", "/");
	check_program(rig_name(t, "dir/"), "comm", "dir/");
	check_program(rig_name(t, "\0x"), "comm", "");
	check_program(sm_tasktable_intern(t, "/bin/cut", 8, SM_NAME_FILE), "comm", "cut");
	check_program(sm_tasktable_intern(t, "", 0, SM_NAME_FILE), "comm", "");
	check_program(NULL, "comm", "comm");
}
END_TEST

/* A script has the name that the statistics give it, and that of its interpreter. */
START_TEST(scripts)
{
	static const char *const names[] = {"sh", "nightly-backup-of-all.sh"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
		check_program(rig_name(&r.procs,
				      "/bin/sh\0-e\0/opt/nightly-backup-of-all.sh\0x"),
			"/opt/nightly-backup-of-all.sh", names[i]);
	o.name_glob = "x"; /* an argument of it */
	ck_assert(!match());
	row.error = 2; /* a failed exec has the name of its file */
	row.file = sm_tasktable_intern(&r.procs, "/bin/none", 9, SM_NAME_FILE);
	o.name_glob = "none";
	ck_assert(match());
	o.name_glob = "sh";
	ck_assert(!match());
	sm_strpool_put(r.procs.names, row.file);
}
END_TEST

/* --- --args ------------------------------------------------------------------------ */

static enum filter_answer args(const char *glob)
{
	o.args_glob = glob;
	return filter_match(&o, &row);
}

static void set_args(const char *s, size_t n, uint32_t tag)
{
	sm_tasktable_exec(
		&r.procs, p, sm_tasktable_intern(&r.procs, s, n, tag), SM_STR("comm"));
}

START_TEST(arguments)
{
	ck_assert_int_eq(args("/usr/bin/make -j4"), FILTER_YES);
	ck_assert_int_eq(args("*make -j?"), FILTER_YES);
	ck_assert_int_eq(args("*j[1-4]"), FILTER_YES);
	ck_assert_int_eq(args("make*"), FILTER_NO);
	ck_assert_int_eq(args("-j4"), FILTER_NO); /* the whole text */
	ck_assert_int_eq(args("*-j4 "), FILTER_NO);
	ck_assert_int_eq(args(""), FILTER_NO);
	set_args("a\0\0b\nc\x1b\xff\0\0", 10, SM_NAME_EXEC);
	ck_assert_int_eq(args("a  b\nc\x1b\xff "), FILTER_YES); /* empty arguments too */
	ck_assert_int_eq(args("a*b?c??*"), FILTER_YES);
	set_args("no\0end", 6, SM_NAME_PROC);
	ck_assert_int_eq(args("no end"), FILTER_YES);
}
END_TEST

START_TEST(arguments_of_other_events)
{
	struct sm_task *child = sm_tasktable_fork(&r.procs, 300, 300, 200, 1);

	row.kind = EVENT_EXIT;
	ck_assert_int_eq(args("*-j4"), FILTER_YES);
	row.error = 2; /* the process that tried it */
	ck_assert_int_eq(args("*-j4"), FILTER_YES);
	row = (struct row){.kind = EVENT_FORK, .p = child, .ev = &ev};
	ck_assert_int_eq(args("*-j4"), FILTER_YES);
	sm_tasktable_exec(&r.procs, p, rig_name(&r.procs, "next"), SM_STR("next"));
	ck_assert_int_eq(args("*-j4"), FILTER_YES);
	row.p = p;
	ck_assert_int_eq(args("*-j4"), FILTER_NO);
	ck_assert_int_eq(args("next"), FILTER_YES);
	p->flags |= SM_TASK_KTHREAD; /* has none */
	ck_assert_int_eq(args("next"), FILTER_NO);
	ck_assert_int_eq(args("*"), FILTER_YES);
}
END_TEST

START_TEST(unknown_arguments)
{
	set_args("/bin/x", 6, SM_NAME_FILE);
	ck_assert_int_eq(args("*"), FILTER_LACKS_ARGUMENTS);
	o.comm_glob = "other"; /* anything else that excludes the row comes first */
	ck_assert_int_eq(args("*"), FILTER_NO);
	o.comm_glob = NULL;
	set_args("/bin/x", 6, SM_NAME_FILE | SM_NAME_EMPTY);
	ck_assert_int_eq(args("*"), FILTER_YES);
	ck_assert_int_eq(args("?*"), FILTER_NO);
	sm_tasktable_exec(&r.procs, p, NULL, SM_STR("comm"));
	ck_assert_int_eq(args("*"), FILTER_LACKS_ARGUMENTS);
	sm_tasktable_exec(&r.procs, p, NULL, SM_STR(""));
	ck_assert_int_eq(args("*"), FILTER_LACKS_ARGUMENTS);
}
END_TEST

/* A pattern decides about the beginning of a list only if any continuation matches. */
START_TEST(truncated_arguments)
{
	static const struct {
		const char *glob;
		enum filter_answer want;
	} t[] = {{"cc -c *", FILTER_YES}, {"*x.c*", FILTER_YES}, {"*", FILTER_YES},
		{"cc -c x.c y", FILTER_LACKS_ARGUMENTS}, {"*y", FILTER_LACKS_ARGUMENTS},
		{"*z*", FILTER_LACKS_ARGUMENTS}, {"ld*", FILTER_NO},
		{"cd -c*z", FILTER_NO}, {"cc -c x.c y z*", FILTER_LACKS_ARGUMENTS},
		{"cc -c x.c y\\*", FILTER_LACKS_ARGUMENTS}, {"*\\x*", FILTER_YES},
		{"*c \\y*", FILTER_YES}, {"cc -c x.c ?\\\\*", FILTER_LACKS_ARGUMENTS}};

	set_args("cc\0-c\0x.c\0y", 11, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		ck_assert_msg(args(t[i].glob) == t[i].want, "%s", t[i].glob);
	set_args("cc\0x\\", 5, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	ck_assert_int_eq(args("cc x\\\\*"), FILTER_YES);
	ck_assert_int_eq(args("cc x\\\\\\*"), FILTER_LACKS_ARGUMENTS);
}
END_TEST

START_TEST(arguments_of_the_greatest_length)
{
	size_t n = SM_NAME_MAX_BYTES;
	char *s = malloc(n);

	ck_assert_ptr_nonnull(s);
	memset(s, 'x', n);
	memcpy(s + n - 5, "\0end", 5);
	set_args(s, n, SM_NAME_EXEC);
	ck_assert_int_eq(args("x*x end"), FILTER_YES);
	ck_assert_int_eq(args("*x*x*x*y"), FILTER_NO);
	s[n - 1] = 'x';
	set_args(s, n, SM_NAME_EXEC);
	ck_assert_int_eq(args("*endx"), FILTER_YES);
	free(s);
}
END_TEST

/* 1 - 400 - 401 - 402; 500 beside them. */
static void family(void)
{
	for (pid_t i = 400; i <= 402; i++)
		rig_task(
			&r, (struct rig_task){
				    .pid = i, .ppid = i == 400 ? 1 : i - 1, .comm = "f"});
	rig_task(&r, (struct rig_task){.pid = 500, .ppid = 1, .comm = "g"});
	ck_assert_int_gt(sm_tasktable_seed(&r.procs), 0);
}

static bool in_tree(pid_t pid)
{
	row.p = sm_tasktable_get(&r.procs, pid);
	return match();
}

START_TEST(tree)
{
	family();
	o.ppids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){400}};
	ck_assert(!in_tree(401));
	filter_mark_tree(&r.procs, &o.ppids);
	ck_assert(in_tree(400));
	ck_assert(in_tree(401));
	ck_assert(in_tree(402));
	ck_assert(!in_tree(500));
	ck_assert(!in_tree(200));
	/* Later children inherit it, also when the task in between has exited. */
	sm_tasktable_fork(&r.procs, 600, 600, 402, 1);
	sm_tasktable_exit(&r.procs, sm_tasktable_get(&r.procs, 402));
	sm_tasktable_fork(&r.procs, 601, 601, 600, 1);
	ck_assert(in_tree(601));
	sm_tasktable_exec(&r.procs, sm_tasktable_get(&r.procs, 601), NULL, SM_STR("x"));
	ck_assert(in_tree(601));
	sm_tasktable_fork(&r.procs, 602, 602, 500, 1);
	ck_assert(!in_tree(602));
}
END_TEST

START_TEST(tree_of_one_that_is_not_there)
{
	family();
	filter_mark_tree(&r.procs, &o.ppids); /* no roots: nothing */
	o.ppids = (struct sm_opt_list){.n = 2, .v = (uint32_t[]){402, 4242}};
	filter_mark_tree(&r.procs, &o.ppids);
	ck_assert(!in_tree(400));
	ck_assert(in_tree(402));
	ck_assert(in_tree(4242));
}
END_TEST

static TCase *tc_filter(void)
{
	TCase *tc = tcase_create("filter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, events);
	tcase_add_test(tc, losses_pass_every_other_condition);
	tcase_add_test(tc, pids);
	tcase_add_test(tc, groups);
	tcase_add_test(tc, users);
	tcase_add_test(tc, exit_codes);
	tcase_add_test(tc, exits_of_threads_and_without_status);
	tcase_add_test(tc, durations);
	tcase_add_test(tc, globs);
	tcase_add_test(tc, glob_of_a_very_long_name);
	tcase_add_test(tc, programs);
	tcase_add_test(tc, scripts);
	tcase_add_test(tc, arguments);
	tcase_add_test(tc, arguments_of_other_events);
	tcase_add_test(tc, unknown_arguments);
	tcase_add_test(tc, truncated_arguments);
	tcase_add_test(tc, arguments_of_the_greatest_length);
	tcase_add_test(tc, tree);
	tcase_add_test(tc, tree_of_one_that_is_not_there);
	return tc;
}

UNIT_MAIN("filter", tc_filter)
