// SPDX-License-Identifier: GPL-2.0-or-later
/* The rows of execs, and where their arguments come from. */
#include "track_rig.h"

START_TEST(exec_with_captured_arguments)
{
	done(ev_fork(1, 200, 200, 100));
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "late", RIG_CMD("late\0")});
	captured(200, 10, "prog\0arg", 9, false, 9);
	apply(ev_exec(11, 200));
	ck_assert_int_eq(row.kind, EVENT_EXEC);
	ck_name(row.p, "prog\0arg");
	ck_assert_int_eq(sm_tasktable_source(row.p), SM_NAME_EXEC);
	ck_assert_str_eq(row.p->comm, "file"); /* of what was exec'd, not of argv[0] */
	ck_assert_uint_eq(c.waiting.used, 0);
}
END_TEST

static bool is_overtaken(void *ctx, const struct sm_proc_event *ev)
{
	ck_assert_ptr_eq(ev, &now);
	return *(const bool *)ctx;
}

/* The record's comm is the kernel's; without one the kernel is asked about a
 * descriptor's. */
START_TEST(exec_of_a_descriptor)
{
	struct execbpf_record e = {.pid = 200,
		.time_ns = 10,
		.comm = "named",
		.file = "/dev/fd/7",
		.file_len = 9,
		.args = "prog",
		.args_len = 5,
		.expect_len = 5};
	bool overtaken = true;

	done(ev_fork(1, 200, 200, 100));
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "asked", RIG_CMD("prog\0")});
	capture_exec(&c, &e);
	ck_assert_str_eq(apply(ev_exec(11, 200))->p->comm, "named");
	e.comm[0] = '\0';
	e.time_ns = 20;
	capture_exec(&c, &e);
	ck_assert_str_eq(apply(ev_exec(21, 200))->p->comm, "asked");
	/* another exec follows: what the kernel says now is of that one */
	e.time_ns = 30;
	capture_exec(&c, &e);
	ck_assert_str_eq(apply_later(ev_exec(31, 200), true)->p->comm, "");
	/* another exec came while the kernel was asked */
	t.overtaken = is_overtaken;
	t.overtaken_ctx = &overtaken;
	e.time_ns = 40;
	capture_exec(&c, &e);
	ck_assert_str_eq(apply(ev_exec(41, 200))->p->comm, "");
	ck_name(row.p, "prog");
}
END_TEST

/* Two execs of one pid in hand: each has its own arguments. */
START_TEST(exec_after_exec)
{
	done(ev_fork(1, 200, 200, 100));
	captured(200, 1000000, "one", 4, false, 0);
	captured(200, 2000000, "two", 4, false, 0);
	ck_name(apply_later(ev_exec(1000100, 200), true)->p, "one");
	ck_name(apply_later(ev_exec(2000100, 200), false)->p, "two");
}
END_TEST

START_TEST(cut_arguments_are_looked_up)
{
	done(ev_fork(1, 200, 200, 100));
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "x", RIG_CMD("prog\0arg\0")});
	captured(200, 10, "prog", 5, true, 9);
	apply(ev_exec(10, 200)); /* the length tells that it is the one */
	ck_name(row.p, "prog\0arg");
	ck_assert_int_eq(sm_tasktable_source(row.p), SM_NAME_PROC);
	captured(200, 20, "prog", 5, true, 12);
	apply(ev_exec(20, 200)); /* /proc is of another length */
	ck_name(row.p, "prog");
	ck_assert_uint_eq(row.p->cmd->tag, SM_NAME_EXEC | SM_NAME_TRUNCATED);
}
END_TEST

/* Arguments of the same length can be another program's. */
START_TEST(cut_arguments_of_an_exec_that_another_follows)
{
	bool overtaken = true;

	done(ev_fork(1, 200, 200, 100));
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "x", RIG_CMD("late\0arg\0")});
	captured(200, 10, "prog", 5, true, 9);
	apply_later(ev_exec(10, 200), true);
	ck_name(row.p, "prog");
	t.overtaken = is_overtaken;
	t.overtaken_ctx = &overtaken;
	captured(200, 20, "prog", 5, true, 9);
	apply(ev_exec(20, 200));
	ck_name(row.p, "prog");
	ck_assert(row.lacks_arguments);
	apply(ev_exec(30, 200)); /* no record */
	ck_assert_ptr_null(row.p->cmd);
	ck_assert_str_eq(row.p->comm, "");
	overtaken = false;
	captured(200, 40, "late", 5, true, 9);
	ck_name(apply(ev_exec(40, 200))->p, "late\0arg");
}
END_TEST

START_TEST(asks_for_what_the_records_lack)
{
	struct sm_proc_event exec = ev_exec(10, 200), other = ev_exec(10, 300);

	ck_assert(track_asks_proc(&t, &exec));
	captured(200, 10, "prog", 5, false, 5);
	ck_assert(!track_asks_proc(&t, &exec));
	captured(300, 10, "prog", 5, true, 9);
	captured(300, 20, "prog", 5, false, 5);
	ck_assert(track_asks_proc(&t, &other));
}
END_TEST

START_TEST(arguments_that_were_not_in_the_dump)
{
	done(ev_fork(1, 200, 200, 100));
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "x", RIG_CMD("prog\0arg\0")});
	captured(200, 10, NULL, 0, false, 9);
	ck_name(apply(ev_exec(10, 200))->p, "prog\0arg");
	/* Not known how long: only believed when no other exec follows. */
	captured(200, 20, NULL, 0, false, 0);
	apply_later(ev_exec(20, 200), true);
	ck_assert_int_eq(sm_tasktable_source(row.p), SM_NAME_FILE);
	ck_assert_str_eq(row.p->cmd->s, "/bin/file");
	captured(200, 30, NULL, 0, false, 0);
	ck_name(apply(ev_exec(30, 200))->p, "prog\0arg");
	captured(200, 40, NULL, 0, false, 3);
	apply(ev_exec(40, 200));
	ck_assert_int_eq(sm_tasktable_source(row.p), SM_NAME_FILE);
}
END_TEST

START_TEST(exec_without_a_record)
{
	done(ev_fork(1, 200, 200, 100));
	rig_task(&r,
		(struct rig_task){.pid = 200, .comm = "prog", RIG_CMD("prog\0arg\0")});
	captured(200, 1000000, "future", 7, false, 0);
	apply(ev_exec(10, 200));
	ck_name(row.p, "prog\0arg");
	ck_assert_str_eq(row.p->comm, "prog");
	apply_later(ev_exec(11, 200), true);
	ck_assert_int_eq(sm_tasktable_source(row.p), SM_NAME_NONE);
	ck_assert(row.lacks_arguments);
	t.capture = NULL;
	ck_name(apply(ev_exec(12, 200))->p, "prog\0arg");
	rig_gone(&r, 200);
	apply(ev_exec(13, 200)); /* not the parent's, not the last one's */
	ck_assert_ptr_null(row.p->cmd);
	ck_assert_int_eq(row.p->comm[0], '\0');
}
END_TEST

START_TEST(exec_reads_the_terminal_when_wanted)
{
	done(ev_fork(1, 200, 200, 100));
	rig_task(&r,
		(struct rig_task){.pid = 200, .comm = "p", .tty = 0x8805, .pgrp = 200});
	apply(ev_exec(2, 200));
	ck_assert_int_eq(row.p->tty_nr, 0x8803);
	t.want_tty = true;
	apply(ev_exec(3, 200));
	ck_assert_int_eq(row.p->tty_nr, 0x8805);
}
END_TEST

START_TEST(process_group_is_asked_for_when_wanted)
{
	pid_t me = getpid();

	apply(ev_of(SM_PROC_COMM, me, me));
	row.p->pgrp = 1;
	apply(ev_exec(2, me));
	ck_assert_int_eq(row.p->pgrp, 1);
	t.want_pgrp = true;
	apply(ev_exec(2, me));
	ck_assert_int_eq(row.p->pgrp, getpgid(0));
	/* Nobody to ask: what was known. */
	apply(ev_fork(3, INT32_MAX, INT32_MAX, 100));
	ck_assert_int_eq(row.p->pgrp, 90);
}
END_TEST

START_TEST(stateless_keeps_nothing)
{
	t.stateless = true;
	captured(200, 10, "prog", 5, false, 0);
	ck_name(apply(ev_exec(10, 200))->p, "prog");
	track_done(&t, &row);
	ck_assert_uint_eq(r.procs.map.used, 0);
	ck_assert_uint_eq(sm_strpool_count(r.procs.names), 0);
}
END_TEST

static TCase *tc_exec(void)
{
	TCase *tc = tcase_create("exec");

	FIXTURE(tc);
	tcase_add_test(tc, exec_with_captured_arguments);
	tcase_add_test(tc, exec_of_a_descriptor);
	tcase_add_test(tc, exec_after_exec);
	tcase_add_test(tc, cut_arguments_are_looked_up);
	tcase_add_test(tc, cut_arguments_of_an_exec_that_another_follows);
	tcase_add_test(tc, asks_for_what_the_records_lack);
	tcase_add_test(tc, arguments_that_were_not_in_the_dump);
	tcase_add_test(tc, exec_without_a_record);
	tcase_add_test(tc, exec_reads_the_terminal_when_wanted);
	tcase_add_test(tc, process_group_is_asked_for_when_wanted);
	tcase_add_test(tc, stateless_keeps_nothing);
	return tc;
}

UNIT_MAIN("track exec", tc_exec)
