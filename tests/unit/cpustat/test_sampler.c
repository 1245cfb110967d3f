// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes of a recorded machine: rows, creation and exit, reuse of pids.  See rig.h. */
#include "cpustat_rig.h"

static struct fake a, b;

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
	fake_alpha_and_beta(&a, &b);
}

static void teardown(void)
{
	rig_close();
}

/* --- figures ------------------------------------------------------------------------ */

START_TEST(first_sample_has_no_rows)
{
	begin();
	take();
	ck_assert_uint_eq(sample.nrows, 0);
	ck_assert_uint_eq(sample.dt_ns, 0);
	ck_assert_uint_eq(sample.processes, 2);
	ck_assert_uint_eq(sample.created, 0);
	ck_assert_uint_eq(sample.t_ns, 1000 * SM_NSEC_PER_SEC);
}
END_TEST

/* 1234 ticks of 10000. */
START_TEST(exact_percentage)
{
	const struct row *row;

	begin();
	take();
	a.utime += 1000;
	a.stime += 234;
	fake(&a);
	take_at(110000);
	ck_assert_uint_eq(sample.nrows, 1);
	row = row_of(ROW_PROCESS, 10);
	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->used_ns, 1234 * TICK);
	ck_assert_uint_eq(row->usr_ns / TICK, 1000);
	ck_assert_uint_eq(row->usr_ns + row->sys_ns, row->used_ns);
	ck_assert_uint_eq(row->dt_ns, 100 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(row->total_ns, 1734 * TICK);
	ck_assert_double_eq_tol(percent(row, row->used_ns), 12.34, 1e-9);
	ck_assert_uint_eq(row->members, 1);
	ck_assert_uint_eq(row->flags, 0);
	ck_assert_int_eq(row->ppid, 1);
	ck_assert_int_eq(row->tgid, 10);
	ck_assert_uint_eq(row->start_ticks, 99);
	ck_assert_uint_eq(sample.dt_ns, 100 * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(sample.tasks_ns, 1234 * TICK);
	ck_assert_uint_eq(sample.exited_ns, 0);
}
END_TEST

START_TEST(next_sample_counts_on)
{
	begin();
	take();
	a.utime += 10;
	fake(&a);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 10);
	take_at(100200);
	ck_assert_uint_eq(sample.nrows, 0);
	a.utime += 7;
	b.stime += 3;
	fake(&a);
	fake(&b);
	take_at(100300);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 7);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 3);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 20)->sys_ns, 3 * TICK);
	/* The time is that of this sample, not since it was last seen to run. */
	ck_assert_uint_eq(row_of(ROW_PROCESS, 20)->dt_ns, SM_NSEC_PER_SEC);
}
END_TEST

/* Too few ticks: the share of its whole life. */
START_TEST(split_of_few_ticks)
{
	const struct row *row;

	b.utime = 29;
	b.stime = 70;
	fake(&b);
	begin();
	take();
	b.utime++;
	fake(&b);
	take_at(100100);
	row = row_of(ROW_PROCESS, 20);
	ck_assert_ptr_nonnull(row);
	ck_assert_uint_eq(row->used_ns, TICK);
	ck_assert_uint_eq(row->usr_ns, TICK * 3 / 10);
	ck_assert_uint_eq(row->sys_ns, TICK * 7 / 10);
}
END_TEST

START_TEST(split_is_bounded)
{
	uint64_t usr, sys;

	sm_split_time(1000, 0.75, &usr, &sys);
	ck_assert_uint_eq(usr, 750);
	ck_assert_uint_eq(sys, 250);
	sm_split_time(UINT64_MAX, sm_split_ratio(UINT64_MAX, UINT64_MAX), &usr, &sys);
	ck_assert_uint_eq(usr + sys, UINT64_MAX);
	sm_split_time(UINT64_MAX, sm_split_ratio(UINT64_MAX, 0), &usr, &sys);
	ck_assert_uint_eq(usr, UINT64_MAX);
	sm_split_time(0, 0.5, &usr, &sys);
	ck_assert_uint_eq(usr, 0);
}
END_TEST

/* The user's time can go back, by a wrong clock of a recorded machine. */
START_TEST(ticks_that_go_back)
{
	begin();
	take();
	a.utime += 10;
	fake(&a);
	take_at(100100);
	a.utime -= 10;
	a.stime += 20;
	fake(&a);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 10);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->sys_ns, 10 * TICK);
	a.stime -= 5;
	fake(&a);
	take_at(100300);
	ck_assert_uint_eq(sample.nrows, 0);
	a.stime += 6;
	fake(&a);
	take_at(100400);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 6);
}
END_TEST

START_TEST(state_and_cpu_are_of_now)
{
	const struct row *row;

	begin();
	take();
	a.utime++;
	a.state = 'R';
	a.cpu = 3;
	fake(&a);
	take_at(100100);
	row = row_of(ROW_PROCESS, 10);
	ck_assert_int_eq(row->state, 'R');
	ck_assert_int_eq(row->cpu, 3);
	a.utime++;
	a.state = 'D';
	a.cpu = 1;
	a.ppid = 20;
	fake(&a);
	take_at(100200);
	row = row_of(ROW_PROCESS, 10);
	ck_assert_int_eq(row->state, 'D');
	ck_assert_int_eq(row->cpu, 1);
	ck_assert_int_eq(row->ppid, 20);
}
END_TEST

/* No time has passed: nothing is taken, so that the next sample has it all. */
START_TEST(time_that_stands_still)
{
	begin();
	take();
	a.utime += 10;
	fake(&a);
	take();
	ck_assert_uint_eq(sample.dt_ns, 0);
	ck_assert_uint_eq(sample.nrows, 0);
	ck_assert_uint_eq(sampler.number, 1);
	fix_put("proc/uptime", "");
	take();
	ck_assert_uint_eq(sample.dt_ns, 0);
	take_at(99900); /* even back */
	ck_assert_uint_eq(sample.dt_ns, 0);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 10);
	ck_assert_uint_eq(sample.dt_ns, SM_NSEC_PER_SEC);
}
END_TEST

/* A recorded machine's files are replaced, perhaps, rather than written. */
START_TEST(wall_clock_and_a_replaced_file)
{
	fake_machine(100, 100, 0, 0);
	begin();
	take();
	ck_assert_uint_eq(sample.wall_ns, (1700000000 + 1000) * SM_NSEC_PER_SEC);
	fake_remove("proc/stat");
	fake_machine(150, 100, 0, 0);
	take_at(100100);
	ck_assert_uint_eq(sample.busy_ns, 50 * TICK);
	ck_assert_uint_eq(sample.wall_ns, (1700000000 + 1001) * SM_NSEC_PER_SEC);
	ck_assert_uint_eq(sample.online, 2);
	fake_remove("proc/stat");
	take_at(100200);
	ck_assert_ptr_null(sample.now);
	ck_assert(!sample.machine);
}
END_TEST

START_TEST(average_since_start)
{
	const struct row *row;

	a.start = 99000; /* 10 s ago; 500 ticks */
	fake(&a);
	begin();
	ck_assert_int_eq(sampler_take(&sampler, true, &sample), 0);
	row = row_of(ROW_PROCESS, 10);
	ck_assert_ptr_nonnull(row);
	ck_assert_double_eq_tol(percent(row, row->used_ns), 50, 1e-9);
	ck_assert_uint_eq(row->flags & ROW_NEW, 0);
	ck_assert_uint_eq(sample.dt_ns, 0);
	ck_assert_uint_eq(sample.nrows, 2);
	/* And then what is new. */
	a.utime += 4;
	fake(&a);
	take_at(100100);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 4);
}
END_TEST

/* --- created and exited ------------------------------------------------------------- */

START_TEST(created_counts_whole)
{
	struct fake c = {
		.pid = 30, .comm = "c", .ppid = 10, .utime = 80, .start = 100002};

	begin();
	take();
	fake(&c);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 30), 80);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 30)->flags, ROW_NEW);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 30)->dt_ns, SM_NSEC_PER_SEC);
	ck_assert(!sample.counted);
	ck_assert_uint_eq(sample.processes, 3);
	c.utime++;
	fake(&c);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 30), 1);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 30)->flags, 0);
	ck_assert_uint_eq(sample.created, 0);
}
END_TEST

/* Idle since before the first sample: not new at its first tick. */
START_TEST(first_tick_of_the_old)
{
	b.stime = 0;
	fake(&b);
	begin();
	take();
	b.stime = 1;
	fake(&b);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 1);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 20)->flags, 0);
}
END_TEST

START_TEST(exited_are_counted)
{
	begin();
	take();
	fake_exit(20);
	take_at(100100);
	ck_assert_uint_eq(sample.exited, 1);
	ck_assert_uint_eq(sample.processes, 1);
	ck_assert_uint_eq(sample.nrows, 0);
	take_at(100200);
	ck_assert_uint_eq(sample.exited, 0);
}
END_TEST

/* The same number, another process. */
START_TEST(reused_pid)
{
	const struct row *row;

	begin();
	take();
	a.utime += 5;
	fake(&a);
	take_at(100100);
	/* more than the one before ever had */
	a = (struct fake){
		.pid = 10, .comm = "other", .utime = 900, .start = 100120, .ppid = 1};
	fake(&a);
	take_at(101100);
	row = row_of(ROW_PROCESS, 10);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 900);
	ck_assert_uint_eq(row->flags, ROW_NEW);
	ck_assert_uint_eq(row->start_ticks, 100120);
	ck_assert(sm_parse_eq(row->comm, "other"));
	ck_assert_uint_eq(sample.created, 1);
	ck_assert_uint_eq(sample.exited, 1);
	/* less */
	a.start = 101150;
	a.utime = 3;
	fake(&a);
	take_at(101200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 3);
	/* exactly as much */
	a.start = 101250;
	fake(&a);
	take_at(101300);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 3);
	ck_assert_uint_eq(sample.processes, 2);
}
END_TEST

/* Never seen to run: it existed at the last sample, so this process is a later one. */
START_TEST(reused_pid_of_the_idle)
{
	begin();
	take();
	take_at(100100);
	b.start = 100150;
	b.stime = 75;
	fake(&b);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 75);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 20)->flags, ROW_NEW);
}
END_TEST

/* A record of its own for each: memory does not grow by churn. */
START_TEST(churn_reuses_memory)
{
	struct fake c = {.comm = "churn", .ppid = 1, .utime = 2};
	size_t top = 0;

	begin();
	take();
	for (unsigned int i = 0; i < 60; i++) {
		c.pid = (pid_t)(100 + i);
		c.start = 100000 + i * 100 + 50;
		fake(&c);
		take_at(100100 + i * 100);
		ck_assert_uint_eq(used_ticks(ROW_PROCESS, c.pid), 2);
		fake_exit(c.pid);
		if (i == 5)
			top = sampler.tasks.top;
	}
	ck_assert_uint_eq(sampler.tasks.top, top);
	ck_assert_uint_le(sampler.exited.n, 4);
	ck_assert_uint_eq(sampler.pids.n, 3);
}
END_TEST

/* The second chunk of 64 has only new processes: their interval is that of the others. */
START_TEST(time_of_a_new_chunk)
{
	struct fake c = {.comm = "many", .ppid = 1, .start = 99};

	for (c.pid = 100; c.pid < 160; c.pid++)
		fake(&c);
	begin();
	take();
	c.utime = 30;
	c.start = 100050;
	for (c.pid = 160; c.pid < 210; c.pid++)
		fake(&c);
	take_at(100100);
	ck_assert_uint_eq(sample.processes, 112);
	for (pid_t pid = 160; pid < 210; pid++) {
		ck_assert_uint_eq(used_ticks(ROW_PROCESS, pid), 30);
		ck_assert_uint_eq(row_of(ROW_PROCESS, pid)->dt_ns, SM_NSEC_PER_SEC);
	}
}
END_TEST

/* The second chunk was last read long ago. */
START_TEST(time_of_a_chunk_that_comes_back)
{
	struct fake c = {.comm = "many", .ppid = 1, .start = 99};

	for (c.pid = 100; c.pid < 400; c.pid++)
		fake(&c);
	begin();
	take();
	for (c.pid = 100; c.pid < 400; c.pid++)
		fake_exit(c.pid);
	take_at(100100);
	take_at(110000);
	c.utime = 30;
	c.start = 110050;
	for (c.pid = 100; c.pid < 400; c.pid++)
		fake(&c);
	take_at(110100);
	ck_assert_uint_eq(sample.nrows, 300);
	for (size_t i = 0; i < sample.nrows; i++)
		ck_assert_uint_eq(sample.rows[i].dt_ns, SM_NSEC_PER_SEC);
}
END_TEST

START_TEST(unreadable_is_counted)
{
	begin();
	take();
	fake_file(20, "stat", "nonsense\n", 9);
	take_at(100100);
	ck_assert_uint_eq(sample.unreadable, 1);
	ck_assert_uint_eq(sample.processes, 2);
	b.stime += 4;
	fake(&b);
	take_at(100200);
	ck_assert_uint_eq(sample.unreadable, 0);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 4);
}
END_TEST

/* Unreadable at the start: only later time counts. */
START_TEST(unreadable_at_the_start)
{
	fake_file(20, "stat", "nonsense\n", 9);
	begin();
	take();
	b.stime = 5000;
	b.cutime = 5000;
	fake(&b);
	take_at(100100);
	ck_assert_uint_eq(sample.nrows, 0);
	b.stime += 4;
	fake(&b);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 20), 4);
	ck_assert_ptr_null(row_of(ROW_EXITED, 20));
}
END_TEST

START_TEST(nonsense_does_no_harm)
{
	const struct fake mad = {.pid = 40,
		.comm = "mad",
		.utime = UINT64_MAX,
		.stime = UINT64_MAX / 2,
		.cutime = INT64_MIN,
		.cstime = INT64_MAX,
		.start = UINT64_MAX,
		.ppid = 40};
	struct fake c = mad;

	fake_machine(5, 5, 5, 5);
	begin();
	take();
	for (int i = 0; i < 6; i++) {
		c.cutime = i & 1 ? INT64_MAX : -5;
		c.cstime = i & 2 ? INT64_MAX : i;
		c.utime = i & 4 ? 0 : UINT64_MAX - (uint64_t)i;
		fake(&c);
		c.start = (uint64_t)i / 2;
		fake_machine(UINT64_MAX / (uint64_t)(i + 1), 0, UINT64_MAX, 7);
		take_at(100100 + (uint64_t)i);
		if (i == 3)
			fake_exit(40);
	}
	fix_put("proc/uptime", "18446744000.00 0\n");
	take();
	ck_assert_uint_gt(sample.processes, 1);
}
END_TEST

START_TEST(list_of_pids)
{
	/* 77 does not exist. */
	opts.pids = (struct sm_opt_list){.n = 3, .v = (uint32_t[]){10, 20, 77}};
	a.utime = 1;
	fake(&a);
	begin();
	take();
	ck_assert_uint_eq(sample.processes, 2);
	a.utime += 2;
	a.cutime += 30;
	fake(&a);
	fake(&(struct fake){.pid = 30, .comm = "c", .utime = 80, .start = 100002});
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 2);
	ck_assert_uint_eq(used_ticks(ROW_EXITED, 10), 30);
	ck_assert_uint_eq(sample.nrows, 2);
	ck_assert(!sample.machine);
	fake_exit(10);
	fake_exit(20);
	take_at(100200);
	ck_assert_uint_eq(sample.processes, 0);
	ck_assert_uint_eq(sampler.pids.n, 0);
	ck_assert(sampler.pids.fixed);
	take_at(100300);
	ck_assert_uint_eq(sample.nrows, 0);
}
END_TEST

START_TEST(close_twice)
{
	struct sampler none = {0};

	begin();
	sampler_close(&sampler);
	sampler_close(&sampler);
	sampler_close(&none);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
	opts.source = SOURCE_CLOCK;
	ck_assert_int_eq(sampler_open(&sampler, &fix, &opts, names), -EOPNOTSUPP);
	sampler_close(&sampler);
	ck_assert_int_ge(fcntl(STDIN_FILENO, F_GETFD), 0);
}
END_TEST

static TCase *tc_figures(void)
{
	TCase *tc = tcase_create("figures");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, first_sample_has_no_rows);
	tcase_add_test(tc, exact_percentage);
	tcase_add_test(tc, next_sample_counts_on);
	tcase_add_test(tc, split_of_few_ticks);
	tcase_add_test(tc, split_is_bounded);
	tcase_add_test(tc, ticks_that_go_back);
	tcase_add_test(tc, state_and_cpu_are_of_now);
	tcase_add_test(tc, time_that_stands_still);
	tcase_add_test(tc, wall_clock_and_a_replaced_file);
	tcase_add_test(tc, average_since_start);
	tcase_add_test(tc, nonsense_does_no_harm);
	tcase_add_test(tc, list_of_pids);
	tcase_add_test(tc, close_twice);
	return tc;
}

static TCase *tc_created(void)
{
	TCase *tc = tcase_create("created");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, created_counts_whole);
	tcase_add_test(tc, first_tick_of_the_old);
	tcase_add_test(tc, exited_are_counted);
	tcase_add_test(tc, reused_pid);
	tcase_add_test(tc, reused_pid_of_the_idle);
	tcase_add_test(tc, churn_reuses_memory);
	tcase_add_test(tc, time_of_a_new_chunk);
	tcase_add_test(tc, time_of_a_chunk_that_comes_back);
	tcase_add_test(tc, unreadable_is_counted);
	tcase_add_test(tc, unreadable_at_the_start);
	return tc;
}

UNIT_MAIN("sampler", tc_figures, tc_created)
