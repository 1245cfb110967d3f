// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cpustat/distribution.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static struct distribution d;
static struct sm_buf b;
static struct sample s;

static void setup(void)
{
	ck_assert_int_eq(distribution_init(&d), 0);
	memset(&s, 0, sizeof(s));
	s.dt_ns = SEC;
}

static void teardown(void)
{
	distribution_fini(&d);
	sm_buf_fini(&b);
	b = (struct sm_buf){0};
}

static void add_tasks(unsigned int n, int kind, uint64_t used_ns, double scale)
{
	struct row row = {.kind = (uint8_t)kind, .used_ns = used_ns, .dt_ns = SEC};

	while (n--)
		ck_assert_int_eq(distribution_add(&d, &s, &row, 1, scale), 0);
}

static const char *shown(void)
{
	sm_buf_reset(&b);
	distribution_print(&d, &b);
	sm_buf_chr(&b, '\0');
	return b.p;
}

static const char *json(void)
{
	sm_buf_reset(&b);
	distribution_json(&d, &b);
	sm_buf_chr(&b, '\0');
	return b.p;
}

#define TASKS                                                                       \
	"Distribution of CPU utilisation (per Task):\n% CPU Utilisation   Count   " \
	"(%)\n"
#define CPUS "\nDistribution of CPU utilisation (per CPU):\n CPU#   USR%   SYS%\n"

START_TEST(nothing)
{
	ck_assert_str_eq(shown(), TASKS CPUS);
	ck_assert_str_eq(json(),
		"{\"type\":\"distribution\",\"tasks\":0,\"bins\":[],\"cpus\":[]}\n");
}
END_TEST

/* The original's table, character by character: 20 bins from 0 to 31.60 %. */
START_TEST(by_task)
{
	add_tasks(196, ROW_PROCESS, 0, 1);
	add_tasks(16, ROW_EXITED, 50000000, 1);	 /* 5 % */
	add_tasks(1, ROW_PROCESS, 300000000, 1); /* 30 % */
	add_tasks(1, ROW_PROCESS, 316000000, 1); /* 31.6 % */
	ck_assert_str_eq(shown(), TASKS "  0.00 -   1.58       196  91.59\n"
					"  4.74 -   6.32        16   7.48\n"
					" 28.44 -  30.02         1   0.47\n"
					" 30.02 -  31.60         1   0.47\n" CPUS);
	ck_assert_str_eq(json(), "{\"type\":\"distribution\",\"tasks\":214,\"bins\":["
				 "{\"low_pct\":0.00,\"high_pct\":1.58,\"count\":196},"
				 "{\"low_pct\":4.74,\"high_pct\":6.32,\"count\":16},"
				 "{\"low_pct\":28.44,\"high_pct\":30.02,\"count\":1},"
				 "{\"low_pct\":30.02,\"high_pct\":31.60,\"count\":1}],"
				 "\"cpus\":[]}\n");
}
END_TEST

/* The original put all of 0.33 to 1.67 % into one bin. */
START_TEST(small_differences)
{
	for (uint64_t centi = 0; centi < 20; centi++)
		add_tasks(1, ROW_PROCESS, (33 + centi) * 100000, 1);
	ck_assert_ptr_nonnull(strstr(shown(), "  0.33 -   0.34         1   5.00\n"));
	ck_assert_ptr_nonnull(strstr(shown(), "  0.51 -   0.52         1   5.00\n"));
	ck_assert_ptr_null(strstr(shown(), "         2  10.00\n"));
}
END_TEST

START_TEST(equal_and_large)
{
	add_tasks(3, ROW_PROCESS, 1234560 * SEC / 100, 1); /* 1,234,560 % */
	ck_assert_str_eq(
		shown(), TASKS "1234560.00 - 1234560.00         3 100.00\n" CPUS);
}
END_TEST

START_TEST(only_tasks_count)
{
	add_tasks(5, ROW_SOFTIRQ, SEC, 1);
	add_tasks(5, ROW_UNACCOUNTED, SEC, 1);
	add_tasks(5, ROW_OTHERS, SEC, 1);
	add_tasks(1, ROW_THREAD, SEC / 4, 0.5); /* -a on two CPUs */
	ck_assert_str_eq(shown(), TASKS " 12.50 -  12.50         1 100.00\n" CPUS);
}
END_TEST

static void sample_cpus(struct sm_cpu_line *before, unsigned int nbefore,
	struct sm_cpu_line *now, unsigned int nnow)
{
	struct sm_procstat was = {.cpu = before, .ncpu = nbefore};
	struct sm_procstat is = {.cpu = now, .ncpu = nnow};

	s.dt_ns = 20 * SEC;
	s.before = &was;
	s.now = &is;
	ck_assert_int_eq(distribution_add(&d, &s, NULL, 0, 1), 0);
	s.before = s.now = NULL;
}

static struct sm_cpu_line cpu(uint64_t user, uint64_t system, uint64_t idle)
{
	return (struct sm_cpu_line){
		.t = {.user = user, .system = system, .idle = idle}, .present = true};
}

START_TEST(by_cpu)
{
	struct sm_cpu_line t0[] = {cpu(1000, 500, 0), cpu(0, 0, 0)};
	struct sm_cpu_line t1[] = {cpu(1100, 550, 50), cpu(0, 0, 200)};
	struct sm_cpu_line t2[] = {cpu(1150, 550, 200), cpu(0, 100, 300)};

	sample_cpus(t0, 2, t1, 2);
	sample_cpus(t1, 2, t2, 2);
	ck_assert_str_eq(shown(), TASKS CPUS "    0  37.50  12.50\n"
					     "    1   0.00  25.00\n");
	ck_assert_str_eq(json(),
		"{\"type\":\"distribution\",\"tasks\":0,\"bins\":[],"
		"\"cpus\":[{\"cpu\":0,\"usr_pct\":37.50,\"sys_pct\":12.50},"
		"{\"cpu\":1,\"usr_pct\":0.00,\"sys_pct\":25.00}]}\n");
}
END_TEST

/* user holds guest and nice holds guest_nice; interrupts are system time; steal, idle and
 * iowait are neither. */
START_TEST(kinds_of_ticks)
{
	struct sm_cpu_line t0[] = {cpu(0, 0, 0)};
	struct sm_cpu_line t1[] = {{.present = true,
		.t = {.user = 30,
			.nice = 10,
			.system = 5,
			.idle = 20,
			.iowait = 13,
			.irq = 7,
			.softirq = 8,
			.steal = 7,
			.guest = 20,
			.guest_nice = 5}}};

	sample_cpus(t0, 1, t1, 1);
	ck_assert_str_eq(shown(), TASKS CPUS "    0  40.00  20.00\n");
}
END_TEST

START_TEST(cpus_come_and_go)
{
	struct sm_cpu_line t0[] = {cpu(0, 0, 0), cpu(100, 0, 0), cpu(0, 0, 0)};
	struct sm_cpu_line t1[] = {cpu(0, 50, 50), cpu(150, 0, 50), cpu(0, 0, 0)};
	struct sm_cpu_line t2[] = {cpu(0, 100, 100), cpu(900, 0, 900), cpu(0, 0, 0)};
	struct sm_cpu_line t3[] = {cpu(0, 150, 150), cpu(10, 0, 10), cpu(0, 0, 0)};
	struct sm_cpu_line t4[] = {
		cpu(0, 200, 200), cpu(40, 0, 80), cpu(0, 0, 0), cpu(5, 5, 5)};

	t1[2] = cpu(70, 0, 30); /* for one sample only */
	t0[2].present = t2[1].present = t2[2].present = false;
	t3[2].present = t4[2].present = false;
	sample_cpus(t0, 3, t1, 3); /* 1: 50 of 100 */
	sample_cpus(t1, 3, t2, 3); /* offline */
	sample_cpus(t2, 3, t3, 3); /* back, with counters from 0 */
	sample_cpus(t3, 3, t4, 4); /* 1: 30 of 100; a new one */
	ck_assert_str_eq(shown(), TASKS CPUS "    0   0.00  50.00\n"
					     "    1  40.00   0.00\n");
}
END_TEST

/* A CPU cannot run for 90,000 s in 20 s. */
START_TEST(counters_that_jump)
{
	struct sm_cpu_line t0[] = {cpu(1000, 500, 0), cpu(0, 0, 0)};
	struct sm_cpu_line t1[] = {cpu(1100, 550, 50), cpu(0, 0, 200)};
	struct sm_cpu_line t2[] = {cpu(1150, 550, 200), cpu(9000000, 100, 300)};
	struct sm_cpu_line t3[] = {cpu(1150, 550, 200), cpu(9000100, 100, 300)};

	sample_cpus(t0, 2, t1, 2);
	sample_cpus(t1, 2, t2, 2);
	sample_cpus(t2, 2, t3, 2);
	sample_cpus(t3, 2, t1, 2); /* back */
	ck_assert_str_eq(shown(), TASKS CPUS "    0  37.50  12.50\n"
					     "    1  33.33   0.00\n");
}
END_TEST

START_TEST(no_proc_stat)
{
	struct sm_procstat one = {0};

	s.now = &one;
	ck_assert_int_eq(distribution_add(&d, &s, NULL, 0, 1), 0);
	s.now = NULL;
	ck_assert_uint_eq(d.ncpu, 0);
}
END_TEST

static TCase *tc_dist(void)
{
	TCase *tc = tcase_create("dist");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, by_task);
	tcase_add_test(tc, small_differences);
	tcase_add_test(tc, equal_and_large);
	tcase_add_test(tc, only_tasks_count);
	tcase_add_test(tc, by_cpu);
	tcase_add_test(tc, kinds_of_ticks);
	tcase_add_test(tc, cpus_come_and_go);
	tcase_add_test(tc, counters_that_jump);
	tcase_add_test(tc, no_proc_stat);
	return tc;
}

UNIT_MAIN("distribution", tc_dist)
