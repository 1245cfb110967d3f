// SPDX-License-Identifier: GPL-2.0-or-later
#include "forkstat_rig.h"
#include "run.h"

static struct rig rig;
static struct run run;

static void setup(void)
{
	rig_open(&rig, 1u << 20, false);
	run.procs = rig.procs;
	run.opts.pids = (struct sm_opt_list){.v = calloc(3, sizeof(uint32_t))};
}

static void teardown(void)
{
	free(run.opts.pids.v);
	rig.procs = run.procs;
	rig_close(&rig);
}

/* A process with the threads 100 (the leader), 101 and 102, and the process 200. */
static void fork_all(void)
{
	static const pid_t pid[] = {100, 101, 102, 200};

	for (size_t i = 0; i < SM_ARRAY_SIZE(pid); i++)
		ck_assert_ptr_nonnull(sm_tasktable_fork(
			&run.procs, pid[i], pid[i] < 200 ? 100 : 200, 1, 1));
}

static void execs(pid_t pid)
{
	const struct sm_proc_event ev = {.what = SM_PROC_EXEC, .pid = pid, .tgid = pid};

	run_selected_exec(&run, &ev);
}

static void list(uint32_t a, uint32_t b, uint32_t c)
{
	run.opts.pids.v[0] = a;
	run.opts.pids.v[1] = b;
	run.opts.pids.v[2] = c;
	run.opts.pids.n = c ? 3 : b ? 2 : 1;
}

/* The thread that execs takes the leader's ID: its own has ended, without an event. */
START_TEST(thread_ends_with_the_exec_of_its_process)
{
	fork_all();
	list(101, 0, 0);
	execs(200);
	ck_assert(!run_selected_ended(&run));
	execs(100);
	ck_assert(run_selected_ended(&run));
}
END_TEST

START_TEST(other_selected_tasks_remain)
{
	fork_all();
	list(101, 200, 102);
	execs(100);
	ck_assert(!run_selected_ended(&run));
	ck_assert_uint_eq(run.opts.pids.n, 1);
	ck_assert_uint_eq(run.opts.pids.v[0], 200);
	list(100, 0, 0);
	execs(100);
	ck_assert(!run_selected_ended(&run));
}
END_TEST

static TCase *tc_selected(void)
{
	TCase *tc = tcase_create("selected");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, thread_ends_with_the_exec_of_its_process);
	tcase_add_test(tc, other_selected_tasks_remain);
	return tc;
}

UNIT_MAIN("selected", tc_selected)
