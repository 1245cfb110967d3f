// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU time that /proc/stat has beyond the rows.  Two CPUs: up to three ticks are noise.
 * See rig.h. */
#include "cpustat_rig.h"

static struct fake a;
static uint64_t user, irq, softirq, centi;

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
	user = 1000;
	irq = softirq = 50;
	centi = 100000;
	a = (struct fake){.pid = 10, .comm = "a", .ppid = 1, .utime = 500, .start = 99};
	fake(&a);
	fake_machine(user, 1000, irq, softirq);
}

static void teardown(void)
{
	rig_close();
}

static void start(void)
{
	begin();
	take();
}

/* A second, in which the machine and the process used so many ticks. */
static void second(unsigned int busy, unsigned int of_irq, unsigned int of_softirq,
	unsigned int process)
{
	user += busy - of_irq - of_softirq;
	irq += of_irq;
	softirq += of_softirq;
	a.utime += process;
	fake(&a);
	fake_machine(user, 1000, irq, softirq);
	centi += 100;
	take_at(centi);
}

static uint64_t row_ticks(enum row_kind kind)
{
	return used_ticks(kind, 0);
}

START_TEST(nothing_left)
{
	start();
	second(80, 0, 0, 80);
	ck_assert(sample.machine);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_uint_eq(sample.busy_ns, 80 * TICK);
	ck_assert_int_eq(sample.unaccounted_ns, 0);
	ck_assert_uint_eq(sample.online, 2);
}
END_TEST

START_TEST(unaccounted)
{
	const struct row *row;

	start();
	second(80, 0, 0, 50);
	row = row_of(ROW_UNACCOUNTED, 0);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 30);
	ck_assert_uint_eq(row->usr_ns, row->used_ns); /* as /proc/stat has it */
	ck_assert_uint_eq(row->sys_ns, 0);
	ck_assert_uint_eq(row->dt_ns, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(row->members, 1);
	ck_assert_int_eq(sample.unaccounted_ns, 30 * TICK);
	ck_assert_ptr_null(row_of(ROW_SOFTIRQ, 0));
	ck_assert_ptr_null(row_of(ROW_IRQ, 0));
}
END_TEST

/* /proc/stat has 60 user, 5 nice and 25 system ticks, the process 30 user and 10 system
 * ticks. */
START_TEST(unaccounted_user_and_system_time)
{
	const struct row *row;

	start();
	a.utime += 30;
	a.stime += 10;
	fake(&a);
	fix_put("proc/stat", "cpu  1060 5 25 1000 0 50 50 0 0 0\n"
			     "cpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\n");
	take_at(centi += 100);
	row = row_of(ROW_UNACCOUNTED, 0);
	ck_assert_uint_eq(row->used_ns, 50 * TICK);
	ck_assert_uint_eq(row->usr_ns, 35 * TICK);
	ck_assert_uint_eq(row->sys_ns, 15 * TICK);
}
END_TEST

/* Somebody used it: the directory is looked at, but not each time that cannot help. */
START_TEST(who_was_it)
{
	unsigned int looks = 0;

	start();
	second(80, 0, 0, 80);
	ck_assert(!sampler.pids.rescan);
	for (int i = 0; i < 8; i++) {
		sampler.pids.rescan = false;
		second(80, 0, 0, 40);
		looks += sampler.pids.rescan;
	}
	ck_assert_uint_eq(looks, 2);
}
END_TEST

/* The machine's user time jumps by 9,000,000 s, and back.  Only these samples lack the
 * residual, and nothing is carried over. */
START_TEST(counter_that_jumps)
{
	const int64_t jumps[] = {900000000, -900000000};

	start();
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(jumps); i++) {
		user += (uint64_t)jumps[i];
		second(80, 0, 0, 50);
		ck_assert(!sample.machine);
		ck_assert_uint_eq(sample.busy_ns, 50 * TICK); /* as the tasks have */
		ck_assert_int_eq(sample.unaccounted_ns, 0);
		ck_assert_uint_eq(sample.nrows, 1);
		second(80, 0, 0, 80);
		ck_assert(sample.machine);
		ck_assert_uint_eq(sample.busy_ns, 80 * TICK);
		ck_assert_int_eq(sample.unaccounted_ns, 0);
		ck_assert_uint_eq(sample.nrows, 1);
	}
}
END_TEST

START_TEST(interrupts_apart)
{
	start();
	second(80, 5, 12, 50);
	ck_assert_uint_eq(row_ticks(ROW_SOFTIRQ), 12);
	ck_assert_uint_eq(row_ticks(ROW_IRQ), 5);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 13);
	ck_assert_uint_eq(sample.softirq_ns, 12 * TICK);
	ck_assert_uint_eq(sample.irq_ns, 5 * TICK);
	ck_assert_int_eq(sample.unaccounted_ns, 13 * TICK);
}
END_TEST

/* Where interrupts are counted as the time of the tasks that they interrupt. */
START_TEST(interrupts_that_tasks_have)
{
	start();
	for (int i = 0; i < 5; i++) {
		second(80, 5, 12, 80);
		ck_assert_uint_eq(sample.nrows, 1);
		ck_assert_uint_eq(sample.softirq_ns, 0);
		ck_assert_int_eq(sample.unaccounted_ns, 0);
	}
	/* Ticks of past interrupts do not explain ticks that are missing later. */
	second(80, 0, 0, 50);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 30);
	ck_assert_ptr_null(row_of(ROW_SOFTIRQ, 0));
}
END_TEST

/* Exited children are accounted for. */
START_TEST(exited_children)
{
	start();
	a.cutime += 60;
	second(80, 0, 0, 20);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 0);
	ck_assert_int_eq(sample.unaccounted_ns, 0);
	ck_assert_uint_eq(sample.exited_ns, 60 * TICK);
}
END_TEST

/* A tick for each CPU and one more are no row. */
START_TEST(noise)
{
	start();
	second(53, 0, 0, 50);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 0);
	ck_assert_int_eq(sample.unaccounted_ns, 3 * TICK);
	second(47, 0, 0, 50);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_int_eq(sample.unaccounted_ns, -3 * TICK);
	second(54, 0, 0, 50);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 4);
}
END_TEST

/* Less than the noise of one sample adds up: two ticks a second, for ever. */
START_TEST(little_by_little)
{
	uint64_t reported = 0;

	start();
	for (int i = 0; i < 50; i++) {
		second(52, 0, 2, 50);
		reported += row_ticks(ROW_SOFTIRQ);
		ck_assert_uint_le(row_ticks(ROW_SOFTIRQ), 5);
		ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 0);
	}
	ck_assert_uint_ge(reported, 97);
	ck_assert_uint_le(reported, 100);
}
END_TEST

/* Too much for the tasks in one sample is too little in the next. */
START_TEST(balance)
{
	start();
	second(40, 0, 0, 50);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_int_eq(sample.unaccounted_ns, -10 * TICK);
	second(60, 0, 0, 50);
	ck_assert_uint_eq(sample.nrows, 1);
	second(60, 0, 0, 50);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 10);
}
END_TEST

/* The balance is bounded: after a long excess, missing time is reported. */
START_TEST(balance_is_bounded)
{
	start();
	for (int i = 0; i < 30; i++)
		second(40, 0, 0, 50);
	second(90, 0, 0, 50);
	ck_assert_uint_eq(
		row_ticks(ROW_UNACCOUNTED), 28); /* 40 less four times the noise */
}
END_TEST

/* Less than one percent of a CPU is no row: here of a long interval. */
START_TEST(one_percent)
{
	start();
	user += 99;
	fake_machine(user, 1000, irq, softirq);
	take_at(110000);
	ck_assert_uint_eq(sample.nrows, 0);
	user += 100;
	fake_machine(user, 1000, irq, softirq);
	take_at(120000);
	ck_assert_uint_eq(row_ticks(ROW_UNACCOUNTED), 100);
}
END_TEST

START_TEST(idle_and_steal_are_not_busy)
{
	start();
	fix_put("proc/stat", "cpu  1000 0 0 5000 400 50 50 300 0 0\ncpu0 1\ncpu1 1\n");
	take_at(100100);
	ck_assert_uint_eq(sample.busy_ns, 0);
	ck_assert_uint_eq(sample.nrows, 0);
}
END_TEST

START_TEST(counters_that_go_back)
{
	start();
	fake_machine(5, 5, 5, 5);
	take_at(100100);
	ck_assert_uint_eq(sample.busy_ns, 0);
	ck_assert_uint_eq(sample.nrows, 0);
}
END_TEST

/* With -p, /proc/stat is not about the processes seen. */
START_TEST(some_processes)
{
	opts.pids = (struct sm_opt_list){.n = 1, .v = (uint32_t[]){10}};
	start();
	second(80, 5, 12, 10);
	ck_assert(!sample.machine);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_uint_eq(sample.busy_ns, 80 * TICK);
	ck_assert_int_eq(sample.unaccounted_ns, 0);
}
END_TEST

START_TEST(a_container)
{
	begin();
	sampler.machine = false;
	take();
	second(80, 5, 12, 10);
	ck_assert(!sample.machine);
	ck_assert_uint_eq(sample.nrows, 1);
	ck_assert_uint_eq(sample.softirq_ns, 0);
}
END_TEST

static TCase *tc_residual(void)
{
	TCase *tc = tcase_create("residual");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_left);
	tcase_add_test(tc, unaccounted);
	tcase_add_test(tc, unaccounted_user_and_system_time);
	tcase_add_test(tc, who_was_it);
	tcase_add_test(tc, counter_that_jumps);
	tcase_add_test(tc, interrupts_apart);
	tcase_add_test(tc, interrupts_that_tasks_have);
	tcase_add_test(tc, exited_children);
	tcase_add_test(tc, noise);
	tcase_add_test(tc, little_by_little);
	tcase_add_test(tc, balance);
	tcase_add_test(tc, balance_is_bounded);
	tcase_add_test(tc, one_percent);
	tcase_add_test(tc, idle_and_steal_are_not_busy);
	tcase_add_test(tc, counters_that_go_back);
	tcase_add_test(tc, some_processes);
	tcase_add_test(tc, a_container);
	return tc;
}

UNIT_MAIN("residual", tc_residual)
