// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads of a process, and which exit ends it. */
#include "tasktable_rig.h"

/* --- threads ----------------------------------------------------------------------- */

START_TEST(thread_shares_the_name_of_its_process)
{
	struct sm_task *leader = sm_tasktable_fork(t, 200, 200, 100, 1), *p;

	sm_tasktable_exec(t, leader, rig_name(t, "app"), SM_STR("/bin/app"));
	p = sm_tasktable_fork(t, 201, 200, 100, 50); /* the parent is the process's */
	ck_name(p, "app");
	ck_assert_int_eq(p->tgid, 200);
	ck_assert_int_eq(p->ppid, 100);
	ck_assert_uint_eq(p->start_ns, 50);
	ck_assert_uint_eq(leader->threads, 1);
	ck_assert_uint_eq(leader->start_ns, 1);
	sm_tasktable_comm(p, "worker");
	ck_assert_str_eq(leader->comm, "app");
	sm_tasktable_exit(t, p);
	ck_assert_uint_eq(leader->threads, 0);
	ck_assert_ptr_eq(sm_tasktable_get(t, 200), leader);
}
END_TEST

START_TEST(dead_leader_is_kept_while_threads_live)
{
	struct sm_task *leader = sm_tasktable_fork(t, 200, 200, 100, 1), *a, *b;

	sm_tasktable_exec(t, leader, rig_name(t, "app"), SM_STR("/bin/app"));
	a = sm_tasktable_fork(t, 201, 200, 100, 2);
	sm_tasktable_exit(t, leader);
	ck_assert_ptr_eq(sm_tasktable_get(t, 200), leader);
	ck_assert(leader->flags & SM_TASK_DEAD);
	b = sm_tasktable_fork(t, 202, 200, 100, 3);
	ck_name(b, "app");
	ck_assert(!(b->flags & SM_TASK_DEAD));
	sm_tasktable_exit(t, a);
	ck_assert_ptr_eq(sm_tasktable_get(t, 200), leader);
	sm_tasktable_exit(t, b);
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
	ck_assert_ptr_null(sm_tasktable_get(t, 202));
	ck_assert_uint_eq(t->map.used, 1); /* 100 */
}
END_TEST

/* exec by a thread: the old leader's exit, then exec of the leader's pid; the thread that
 * did it and its siblings have no exit. */
START_TEST(exec_by_another_thread)
{
	struct sm_task *leader = sm_tasktable_fork(t, 200, 200, 100, 1), *p;

	sm_tasktable_exec(t, leader, rig_name(t, "app"), SM_STR("/bin/app"));
	sm_tasktable_fork(t, 201, 200, 100, 2);
	sm_tasktable_fork(t, 202, 200, 100, 3);
	sm_tasktable_fork(t, 300, 300, 200, 3); /* a child is no thread */
	sm_tasktable_exit(t, leader);
	p = sm_tasktable_find(t, 200, 200);
	ck_assert_ptr_eq(p, leader);
	sm_tasktable_exec(t, p, rig_name(t, "new"), SM_STR("/bin/new"));
	ck_assert_uint_eq(p->flags & SM_TASK_DEAD, 0);
	ck_assert_uint_eq(p->threads, 0);
	ck_assert_ptr_null(sm_tasktable_get(t, 201));
	ck_assert_ptr_null(sm_tasktable_get(t, 202));
	ck_name(sm_tasktable_get(t, 300), "app");
	sm_tasktable_exit(t, p);
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
}
END_TEST

/* More than one round of collecting them. */
START_TEST(exec_of_a_process_with_a_thousand_threads)
{
	struct sm_task *leader = sm_tasktable_fork(t, 200, 200, 100, 1);

	for (pid_t i = 1; i <= 1000; i++)
		ck_assert_ptr_nonnull(sm_tasktable_fork(t, 1000 + i, 200, 100, 2));
	ck_assert_uint_eq(leader->threads, 1000);
	ck_assert_uint_eq(t->map.used, 1002);
	sm_tasktable_exec(t, leader, NULL, SM_STR("x"));
	ck_assert_uint_eq(t->map.used, 2);
}
END_TEST

/* Threads that were there before us are met at their first event. */
START_TEST(exec_drops_threads_that_were_met_later)
{
	struct sm_task *leader;

	ck_assert_int_eq(sm_tasktable_seed(t), 2);
	leader = sm_tasktable_get(t, 100);
	sm_tasktable_comm(sm_tasktable_find(t, 105, 100), "renamed");
	ck_assert_uint_eq(leader->threads, 1);
	sm_tasktable_exec(t, leader, NULL, SM_STR("x"));
	ck_assert_ptr_null(sm_tasktable_get(t, 105));
	/* And at their exit. */
	sm_tasktable_exit(t, sm_tasktable_find(t, 106, 100));
	ck_assert_uint_eq(leader->threads, 0);
	ck_assert_ptr_null(sm_tasktable_get(t, 106));
	sm_tasktable_exit(t, leader);
	ck_assert_ptr_null(sm_tasktable_get(t, 100));
}
END_TEST

/* --- which exit ends a process ------------------------------------------------------ */

static bool ends(pid_t tid, pid_t tgid)
{
	struct sm_task *p = sm_tasktable_find(t, tid, tgid);
	bool end = sm_tasktable_ends(t, p);

	sm_tasktable_exit(t, p);
	return end;
}

/* A process of three threads that was there before. */
static struct sm_task *seeded(char state)
{
	static const pid_t tid[] = {300, 301, 302};

	rig_task(&r, (struct rig_task){.pid = 300,
			     .comm = "app",
			     RIG_CMD("app\0"),
			     .start_ticks = 50,
			     .state = state,
			     .threads = 3});
	rig_threads(&r, 300, tid, 3);
	ck_assert_int_eq(sm_tasktable_seed(t), 5); /* with two threads */
	return sm_tasktable_get(t, 300);
}

START_TEST(process_ends_with_its_last_thread)
{
	sm_tasktable_fork(t, 200, 200, 100, 1);
	ck_assert(ends(200, 200));
	sm_tasktable_fork(t, 200, 200, 100, 1);
	sm_tasktable_fork(t, 201, 200, 100, 1);
	sm_tasktable_fork(t, 202, 200, 100, 1);
	ck_assert(!ends(202, 200));
	ck_assert(!ends(200, 200));
	ck_assert(ends(201, 200));
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
}
END_TEST

START_TEST(threads_before_the_table_are_listed)
{
	struct sm_task *p = seeded('S');

	ck_assert_uint_eq(p->threads, 2);
	ck_assert(!ends(300, 300));
	ck_assert(!ends(302, 300));
	ck_assert(ends(301, 300));
	ck_assert_ptr_null(sm_tasktable_get(t, 300));
}
END_TEST

/* Whatever was sent while /proc was read: a clone that it shows already, and an exit that
 * it shows, too; exit and clone of one id. */
START_TEST(events_of_what_was_listed)
{
	struct sm_task *p = seeded('S');

	sm_tasktable_fork(t, 302, 300, 1, 1000);
	ck_assert_uint_eq(p->threads, 2);
	ck_assert_uint_eq(sm_tasktable_get(t, 302)->start_ns, 1000);
	ck_assert(!ends(305, 300));
	ck_assert_uint_eq(p->threads, 2);
	ck_assert(!ends(302, 300));
	sm_tasktable_fork(t, 302, 300, 1, 2000);
	ck_assert_uint_eq(p->threads, 2);
	sm_tasktable_comm(sm_tasktable_find(t, 301, 300), "renamed");
	ck_assert_uint_eq(p->threads, 2);
	ck_assert(!ends(301, 300));
	ck_assert(!ends(302, 300));
	ck_assert(ends(300, 300));
}
END_TEST

START_TEST(leader_that_ended_before_the_table)
{
	struct sm_task *p = seeded('Z');

	ck_assert(p->flags & SM_TASK_DEAD);
	ck_assert(!ends(301, 300));
	ck_assert(ends(302, 300));
	ck_assert_ptr_null(sm_tasktable_get(t, 300));
}
END_TEST

/* Its leader ends, then it executes: the process goes on. */
START_TEST(exec_by_the_thread_that_is_left)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 1);

	sm_tasktable_fork(t, 201, 200, 100, 1);
	ck_assert(!ends(200, 200));
	p->exit_code = p->exit_bits = 7;
	sm_tasktable_exec(t, p, NULL, SM_STR("x"));
	ck_assert_uint_eq(p->exit_code | p->exit_bits, 0);
	ck_assert(!ends(202, 200)); /* a thread that the exec ended, late */
	ck_assert(ends(200, 200));
}
END_TEST

/* The exit of a thread was lost, and its id is used in another process. */
START_TEST(id_of_a_thread_is_used_again)
{
	struct sm_task *a = sm_tasktable_fork(t, 200, 200, 100, 1),
		       *b = sm_tasktable_fork(t, 300, 300, 100, 1);

	sm_tasktable_fork(t, 201, 200, 100, 1);
	sm_tasktable_fork(t, 201, 300, 100, 2);
	ck_assert_uint_eq(a->threads, 0);
	ck_assert_uint_eq(b->threads, 1);
	ck_assert(ends(200, 200));
	sm_tasktable_fork(t, 201, 201, 100, 3); /* as a process */
	ck_assert(ends(201, 201));
	ck_assert(ends(300, 300));
	/* The id of a process whose threads' exits were lost. */
	sm_tasktable_fork(t, 400, 400, 100, 1);
	sm_tasktable_fork(t, 401, 400, 100, 1);
	sm_tasktable_fork(t, 400, 400, 100, 4);
	ck_assert_ptr_null(sm_tasktable_get(t, 401));
	ck_assert(ends(400, 400));
}
END_TEST

/* /proc does not show the process (hidepid), and the tool knows that there is more. */
START_TEST(threads_without_an_entry)
{
	struct sm_task *p = sm_tasktable_find(t, 700, 700);

	p->unlisted = true;
	ck_assert(!ends(700, 700));
	ck_assert(!ends(701, 700));
	p->unlisted = false;
	ck_assert(ends(702, 700));
	ck_assert_ptr_null(sm_tasktable_get(t, 700));
}
END_TEST

START_TEST(thread_without_a_process)
{
	struct sm_task *p = sm_tasktable_find(t, 501, 500);

	ck_assert_int_eq(p->tgid, 500);
	ck_assert(!sm_tasktable_ends(t, p));
	sm_tasktable_exit(t, p);
	ck_assert_uint_eq(t->map.used, 0);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_threads(void)
{
	TCase *tc = tcase_create("threads");

	FIXTURE(tc);
	tcase_add_test(tc, thread_shares_the_name_of_its_process);
	tcase_add_test(tc, dead_leader_is_kept_while_threads_live);
	tcase_add_test(tc, exec_by_another_thread);
	tcase_add_test(tc, exec_of_a_process_with_a_thousand_threads);
	tcase_add_test(tc, exec_drops_threads_that_were_met_later);
	tcase_add_test(tc, thread_without_a_process);
	return tc;
}

static TCase *tc_ends(void)
{
	TCase *tc = tcase_create("ends");

	FIXTURE(tc);
	tcase_add_test(tc, process_ends_with_its_last_thread);
	tcase_add_test(tc, threads_before_the_table_are_listed);
	tcase_add_test(tc, events_of_what_was_listed);
	tcase_add_test(tc, leader_that_ended_before_the_table);
	tcase_add_test(tc, exec_by_the_thread_that_is_left);
	tcase_add_test(tc, id_of_a_thread_is_used_again);
	tcase_add_test(tc, threads_without_an_entry);
	return tc;
}

UNIT_MAIN("procname threads", tc_threads, tc_ends)
