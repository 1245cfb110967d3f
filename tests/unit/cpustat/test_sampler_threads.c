// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads' rows (-H) on a recorded machine. */
#include "cpustat_threads_rig.h"

static struct fake t3;

static void setup(void)
{
	threads_rig_open();
	t3 = (struct fake){.pid = 12, .comm = "third", .ppid = 1, .start = 100150};
}

static void teardown(void)
{
	rig_close();
}

/* Sample 1, and one in which the first thread alone ran. */
static void known(void)
{
	threads();
	begin();
	take();
	t1.utime++;
	threads();
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 1);
	ck_assert_uint_eq(sample.nrows, 1);
}

/* An older process, in the first interval: the time is that of the thread that used it.
 */
START_TEST(first_interval)
{
	threads();
	begin();
	take();
	t2.utime += 12;
	t3.utime = 5;
	fake_thread(10, &t3, 5 * TICK, 0);
	threads();
	p.utime += 5 + 30; /* 30: a thread that has started and exited */
	fake(&p);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 12);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 12), 5);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 0), 30);
	ck_assert_uint_eq(sample.nrows, 3);
}
END_TEST

/* A process with one thread creates the second one. */
START_TEST(second_thread)
{
	p.threads = 1;
	p.utime = t1.utime;
	fake(&p);
	fake_thread(10, &t1, t1.utime * TICK, 0);
	begin();
	take();
	t2.start = 100050;
	t2.utime = 8;
	t1.utime += 2;
	p.threads = 2;
	threads();
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 2);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 8);
	ck_assert_uint_eq(sample.nrows, 2);
}
END_TEST

START_TEST(a_row_for_each)
{
	const struct row *row;

	known();
	t1.utime += 7;
	t2.utime += 10;
	t2.stime += 10;
	t2.state = 'R';
	t2.cpu = 3;
	threads();
	take_at(100200);
	ck_assert_uint_eq(sample.nrows, 2);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 7);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 20);
	row = row_of(ROW_THREAD, 11);
	ck_assert_int_eq(row->tgid, 10);
	ck_assert_int_eq(row->ppid, 1);
	ck_assert_int_eq(row->state, 'R');
	ck_assert_int_eq(row->cpu, 3);
	ck_assert_uint_eq(row->usr_ns, 10 * TICK);
	ck_assert_uint_eq(row->total_ns, 220 * TICK);
	ck_assert_uint_eq(row->start_ticks, 99);
	ck_assert(sm_parse_eq(row->comm, "second"));
	ck_assert_uint_eq(sample.tasks_ns, 27 * TICK);
	/* An idle one has none. */
	t1.utime += 7;
	threads();
	take_at(100300);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 7);
}
END_TEST

START_TEST(single_thread)
{
	p.threads = 1;
	p.utime = t1.utime;
	fake(&p);
	fake_thread(10, &t1, t1.utime * TICK, 0);
	begin();
	take();
	p.utime += 5;
	t1.utime += 5;
	fake(&p);
	fake_thread(10, &t1, t1.utime * TICK, 0);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 5);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* Its threads are not looked for. */
START_TEST(kernel_thread)
{
	p.threads = 1;
	p.flags = SM_PF_KTHREAD;
	fake(&p);
	begin();
	take();
	p.utime += 5;
	fake(&p);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 5);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* Threads of a new process count whole, at once. */
START_TEST(created_with_threads)
{
	begin();
	take();
	p.start = t1.start = 100050;
	t2.start = 100051;
	threads();
	take_at(100500);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 300);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 200);
	ck_assert_uint_eq(row_of(ROW_THREAD, 11)->flags & ROW_NEW, ROW_NEW);
	ck_assert_ptr_null(row_of(ROW_THREAD, 0));
}
END_TEST

/* One thread is new, another has ended: what it had used is a row of its own. */
START_TEST(created_and_exited)
{
	const struct row *row;

	known();
	t3.utime = 25;
	fake_thread(10, &t3, 25 * TICK, 0);
	fake_remove("proc/10/task/11");
	p.utime += 25 + 40; /* 40: what t2 did before it ended */
	fake(&p);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 12), 25);
	row = row_of(ROW_THREAD, 0);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 0), 40);
	ck_assert_int_eq(row->tgid, 10);
	ck_assert_int_eq(row->state, 0);
	ck_assert_int_eq(row->cpu, -1);
	ck_assert(sm_parse_eq(row->comm, "proc"));
	ck_assert_uint_eq(sample.nrows, 2);
}
END_TEST

/* Clocks of threads and process are read one after the other: a tick for each thread is
 * no thread that ended, but nothing is lost. */
START_TEST(noise_is_carried)
{
	uint64_t shown = 0;
	int rows = 0;

	known();
	for (unsigned int i = 0; i < 10; i++) {
		t1.utime += 10;
		threads();
		p.utime += i + 1; /* one tick more each time */
		fake(&p);
		take_at(100200 + 100 * i);
		ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 10);
		shown += used_ticks(ROW_THREAD, 0);
		rows += row_of(ROW_THREAD, 0) != NULL;
		ck_assert_uint_le(used_ticks(ROW_THREAD, 0), 3);
	}
	ck_assert_int_le(rows, 4);
	ck_assert_uint_ge(shown, 8);
	ck_assert_uint_le(shown, 10);
}
END_TEST

/* What threads showed before the process's clock is not shown again. */
START_TEST(threads_ahead)
{
	known();
	t1.utime += 30;
	threads();
	p.utime -= 20;
	fake(&p);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 30);
	threads();
	take_at(100300);
	ck_assert_uint_eq(sample.nrows, 0);
	ck_assert_uint_eq(sample.tasks_ns, 20 * TICK);
}
END_TEST

/* The second thread has called execve(2): it is the leader now, with its own clock. */
START_TEST(exec_of_another_thread)
{
	t2.utime = 9000;
	known();
	fake_remove("proc/10/task/11");
	t1.comm = "new";
	t1.utime = 9005;
	p.utime += 5;
	fake(&p);
	fake_thread(10, &t1, 9005 * TICK, 0);
	take_at(100200);
	ck_assert_ptr_null(row_of(ROW_THREAD, 10));
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 0), 5);
	t1.utime += 6;
	p.utime += 6;
	fake(&p);
	fake_thread(10, &t1, 9011 * TICK, 0);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 6);
	ck_assert(sm_parse_eq(row_of(ROW_THREAD, 10)->comm, "new"));
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* The same number, another thread. */
START_TEST(reused_tid)
{
	known();
	t2.start = 100150;
	t2.utime = 4;
	fake_thread(10, &t2, 4 * TICK, 0);
	p.utime += 4;
	fake(&p);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 4);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* A kernel without schedstat: in ticks. */
START_TEST(without_schedstat)
{
	threads();
	fake_remove("proc/10/task/10/schedstat");
	fake_remove("proc/10/task/11/schedstat");
	begin();
	take();
	for (uint64_t i = 1; i < 4; i++) {
		t2.utime += 9;
		p.utime += 9;
		fake(&p);
		fake_thread(10, &t2, 0, 0);
		take_at(100000 + i * 100);
		ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 9);
		ck_assert_uint_eq(sample.nrows, 1);
	}
}
END_TEST

START_TEST(directory_missing)
{
	known();
	fake_remove("proc/10/task");
	p.utime += 5;
	fake(&p);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 0), 5);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* Switched off and on again: what they did in between is not this sample's. */
START_TEST(switched_off_and_on)
{
	known();
	opts.threads = false;
	sampler_options(&sampler);
	for (uint64_t i = 2; i < 6; i++) {
		t2.utime += 90;
		threads();
		take_at(100000 + i * 100);
		ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 90);
	}
	opts.threads = true;
	sampler_options(&sampler);
	t2.utime += 3;
	threads();
	take_at(100600);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 0), 3);
	ck_assert_uint_eq(sample.nrows, 1);
	t2.utime += 4;
	threads();
	take_at(100700);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 4);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

START_TEST(since_start)
{
	threads();
	begin();
	ck_assert_int_eq(sampler_take(&sampler, true, &sample), 0);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 10), 300);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 200);
	t2.utime += 4;
	threads();
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_THREAD, 11), 4);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* --- without a leader --------------------------------------------------------------- */

static void leaderless(char second, char third)
{
	static const char line[] = "/bin/worker\0--fast";

	opts.threads = opts.comm = false;
	p.state = t1.state = 'Z';
	p.threads = 3;
	p.cpu = 1;
	t2.state = second;
	t3.state = third;
	t2.cpu = 2;
	t3.cpu = 3;
	fake_thread(10, &t3, TICK, 0);
	threads();
	fake_file(10, "cmdline", "", 0);
	fake_file(10, "task/10/cmdline", "", 0);
	fake_file(10, "task/11/cmdline", line, sizeof(line));
	fake_file(10, "task/12/cmdline", line, sizeof(line));
	begin();
	take();
	t2.utime++;
	threads();
	take_at(100100);
}

/* The leader has ended: the process has the state and CPU of a thread that runs, and its
 * arguments. */
START_TEST(leader_ended)
{
	const struct row *row;

	leaderless('S', 'R');
	row = row_of(ROW_PROCESS, 10);
	ck_assert_ptr_nonnull(row);
	ck_assert_int_eq(row->state, 'R');
	ck_assert_int_eq(row->cpu, 3);
	ck_assert_ptr_nonnull(row->cmd);
	ck_assert_uint_eq(row->cmd->len, sizeof("/bin/worker\0--fast"));
	ck_assert_str_eq(row->cmd->s, "/bin/worker");
}
END_TEST

START_TEST(leader_ended_and_none_runs)
{
	leaderless('S', 'S');
	ck_assert_int_eq(row_of(ROW_PROCESS, 10)->state, 'S');
	ck_assert_int_eq(row_of(ROW_PROCESS, 10)->cpu, 2);
	t3.state = 'D';
	fake_thread(10, &t3, TICK, 0);
	t2.utime++;
	threads();
	take_at(100200);
	ck_assert_int_eq(row_of(ROW_PROCESS, 10)->state, 'D');
}
END_TEST

/* All its threads end: it is a zombie. */
START_TEST(all_threads_end)
{
	leaderless('X', 'Z');
	ck_assert_int_eq(row_of(ROW_PROCESS, 10)->state, 'Z');
	ck_assert_ptr_null(row_of(ROW_PROCESS, 10)->cmd);
}
END_TEST

static TCase *tc_threads(void)
{
	TCase *tc = tcase_create("threads");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_row_for_each);
	tcase_add_test(tc, first_interval);
	tcase_add_test(tc, second_thread);
	tcase_add_test(tc, single_thread);
	tcase_add_test(tc, kernel_thread);
	tcase_add_test(tc, created_with_threads);
	tcase_add_test(tc, created_and_exited);
	tcase_add_test(tc, noise_is_carried);
	tcase_add_test(tc, threads_ahead);
	tcase_add_test(tc, exec_of_another_thread);
	tcase_add_test(tc, reused_tid);
	tcase_add_test(tc, without_schedstat);
	tcase_add_test(tc, directory_missing);
	tcase_add_test(tc, switched_off_and_on);
	tcase_add_test(tc, since_start);
	return tc;
}

static TCase *tc_leaderless(void)
{
	TCase *tc = tcase_create("leaderless");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, leader_ended);
	tcase_add_test(tc, leader_ended_and_none_runs);
	tcase_add_test(tc, all_threads_end);
	return tc;
}

UNIT_MAIN("thread_rows_add", tc_threads, tc_leaderless)
