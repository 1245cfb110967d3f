// SPDX-License-Identifier: GPL-2.0-or-later
/* procname after lost events. */
#include "tasktable_rig.h"

START_TEST(after_a_loss_the_same_task_is_believed)
{
	struct sm_task *p = sm_tasktable_find(t, 100, 100);

	p->user = 2;
	sm_tasktable_suspect(t);
	ck_assert_ptr_eq(sm_tasktable_find(t, 100, 100), p);
	ck_name(p, "bash\0-l");
	ck_assert_uint_eq(p->user, 2);
	rig_gone(&r, 100); /* verified once is enough */
	ck_assert_ptr_eq(sm_tasktable_find(t, 100, 100), p);
	ck_name(p, "bash\0-l");
}
END_TEST

/* A fork event's stamp and /proc's ticks differ by up to a tick or so. */
START_TEST(after_a_loss_a_tick_does_not_matter)
{
	struct sm_task *p =
		sm_tasktable_fork(t, 200, 200, 100, 700 * TICK_NS + TICK_NS - 1);

	sm_tasktable_exec(t, p, rig_name(t, "app\0arg"), SM_STR("/bin/app"));
	rig_task(&r,
		(struct rig_task){
			.pid = 200, .comm = "app", RIG_CMD("other"), .start_ticks = 700});
	sm_tasktable_suspect(t);
	ck_name(sm_tasktable_find(t, 200, 200), "app\0arg");
}
END_TEST

START_TEST(after_a_loss_another_task_is_read_again)
{
	struct sm_task *p = sm_tasktable_find(t, 100, 100);

	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .comm = "bash",
			     RIG_CMD("bash\0other\0"),
			     .start_ticks = 503});
	sm_tasktable_suspect(t);
	p = sm_tasktable_find(t, 100, 100);
	ck_name(p, "bash\0other");
	ck_assert_uint_eq(p->start_ns, 503 * TICK_NS);
	ck_assert_uint_eq(p->epoch, t->epoch);
	/* Started before what we know: as well another one. */
	rig_task(&r,
		(struct rig_task){
			.pid = 100, .comm = "bash", RIG_CMD("3\0"), .start_ticks = 400});
	sm_tasktable_suspect(t);
	ck_name(sm_tasktable_find(t, 100, 100), "3");
}
END_TEST

START_TEST(after_a_loss_an_exec_is_found_out)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 700 * TICK_NS);

	rig_task(&r, (struct rig_task){.pid = 200,
			     .comm = "make",
			     RIG_CMD("make\0all\0"),
			     .start_ticks = 700});
	sm_tasktable_suspect(t);
	p = sm_tasktable_find(t, 200, 200);
	ck_name(p, "make\0all");
	ck_assert_str_eq(p->comm, "make");
	ck_assert_int_eq(sm_tasktable_source(p), SM_NAME_PROC);
	ck_assert(!(p->flags & SM_TASK_INHERITED));
}
END_TEST

START_TEST(after_a_loss_a_task_that_has_gone_is_not_named)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 700 * TICK_NS);

	p->user = 1;
	sm_tasktable_suspect(t);
	p = sm_tasktable_find(t, 200, 200);
	ck_assert_ptr_null(p->cmd);
	ck_assert_uint_eq(p->user, 1);
}
END_TEST

START_TEST(a_loss_sweeps_a_large_table)
{
	for (pid_t i = 0; i < 4500; i++)
		ck_assert_ptr_nonnull(sm_tasktable_fork(t, 10000 + i, 10000 + i, 100, 1));
	sm_tasktable_suspect(t);
	ck_assert_ptr_nonnull(sm_tasktable_get(t, 100));
	ck_assert_uint_eq(t->map.used, 1);
	/* Not at each loss: it costs a look at every task. */
	for (pid_t i = 0; i < 4000; i++)
		ck_assert_ptr_nonnull(sm_tasktable_fork(t, 10000 + i, 10000 + i, 100, 1));
	sm_tasktable_suspect(t);
	ck_assert_uint_eq(t->map.used, 4001);
}
END_TEST

static const pid_t tids[] = {200, 201, 202};

static void app(char state, int threads)
{
	rig_task(&r, (struct rig_task){.pid = 200,
			     .comm = "app",
			     RIG_CMD("app\0"),
			     .start_ticks = 700,
			     .state = state,
			     .threads = threads});
	rig_threads(&r, 200, tids, threads);
}

static struct sm_task *app_with_thread(void)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 700 * TICK_NS);

	sm_tasktable_exec(t, p, rig_name(t, "app"), SM_STR("/bin/app"));
	sm_tasktable_fork(t, 201, 200, 100, 701 * TICK_NS);
	return p;
}

static bool ends(pid_t tid)
{
	struct sm_task *p = sm_tasktable_find(t, tid, 200);
	bool end = sm_tasktable_ends(t, p);

	sm_tasktable_exit(t, p);
	return end;
}

/* The exit of one thread and the clone of another were lost: the number is as before. */
START_TEST(after_a_loss_the_threads_are_counted_again)
{
	struct sm_task *p = app_with_thread();

	app('S', 3);
	rig_thread_gone(&r, 200, 201);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC); /* nothing was lost */
	ck_assert_uint_eq(p->epoch, t->epoch);
	ck_assert_ptr_nonnull(sm_tasktable_get(t, 201));
	sm_tasktable_suspect(t);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(p->threads, 1);
	ck_assert_ptr_null(sm_tasktable_get(t, 201));
	rig_gone(&r, 200); /* counted in time: by the exit, /proc has nothing more */
	ck_assert(!ends(202));
	ck_assert(ends(200));
}
END_TEST

/* The end of all is on its way, or was lost: the leader's exit is the process's. */
START_TEST(after_a_loss_a_process_that_has_gone_has_no_threads)
{
	app_with_thread();
	sm_tasktable_suspect(t);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC);
	ck_assert_ptr_null(sm_tasktable_get(t, 201));
	ck_assert(ends(200));
	ck_assert(!ends(201));
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
}
END_TEST

/* The clone of a thread was lost; the leader exits, and the process lives on. */
START_TEST(after_a_loss_a_zombie_leader_has_threads)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 700 * TICK_NS);

	app('Z', 2);
	sm_tasktable_suspect(t);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC); /* it had none */
	ck_assert_uint_eq(p->threads, 0);
	ck_assert(!ends(200));
	ck_assert_uint_eq(p->threads, 1);
	ck_assert(ends(201));
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
}
END_TEST

/* Losses that follow one another: 100 ms between two counts. */
START_TEST(threads_are_not_counted_at_each_loss)
{
	struct sm_task *p = app_with_thread();

	app('S', 3);
	sm_tasktable_suspect(t);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(p->threads, 2);
	rig_thread_gone(&r, 200, 202);
	sm_tasktable_suspect(t);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC + 99 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(p->threads, 2);
	sm_tasktable_recount(t, SM_NSEC_PER_SEC + 100 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(p->threads, 1);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_losses(void)
{
	TCase *tc = tcase_create("losses");

	FIXTURE(tc);
	tcase_add_test(tc, after_a_loss_the_same_task_is_believed);
	tcase_add_test(tc, after_a_loss_a_tick_does_not_matter);
	tcase_add_test(tc, after_a_loss_another_task_is_read_again);
	tcase_add_test(tc, after_a_loss_an_exec_is_found_out);
	tcase_add_test(tc, after_a_loss_a_task_that_has_gone_is_not_named);
	tcase_add_test(tc, a_loss_sweeps_a_large_table);
	tcase_add_test(tc, after_a_loss_the_threads_are_counted_again);
	tcase_add_test(tc, after_a_loss_a_process_that_has_gone_has_no_threads);
	tcase_add_test(tc, after_a_loss_a_zombie_leader_has_threads);
	tcase_add_test(tc, threads_are_not_counted_at_each_loss);
	return tc;
}

UNIT_MAIN("procname_loss", tc_losses)
