// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <linux/perf_event.h>
#include <time.h>

#include "load/counts.h"
#include "load/cpus.h"
#include "fixroot_rig.h"

static const struct sm_perfgroup_event software[SM_COUNTS_N] = {
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{PERF_TYPE_SOFTWARE, 9999},
};
static const struct sm_perfgroup_event none[SM_COUNTS_N] = {{PERF_TYPE_SOFTWARE, 9999}};

static const struct sm_ops known = {.instructions = 14}, unknown;
static struct sm_perfgroup group;
static struct sm_counts c;
static struct sm_counts_sample a, b;
static struct sm_counts_figure f[SM_COUNTS_N];

static void figure(unsigned int i, double value, enum sm_counts_method m)
{
	ck_assert_int_eq(f[i].method, m);
	ck_assert_double_eq_tol(f[i].value, value, value * 1e-12 + 1e-9);
}

/* 0.5 s of CPU time at 2.3 GHz, 1000 operations of 14 instructions. */
static void made_up(void)
{
	memset(&c, 0, sizeof(c));
	memset(&a, 0, sizeof(a));
	a.reading = (struct sm_workers_reading){.given_ns = 123, .ops = 50};
	b = a;
	b.reading.given_ns += 500000000;
	b.reading.ops += 1000;
}

START_TEST(without_perf)
{
	made_up();
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_NONE);
	figure(SM_COUNTS_REF_CYCLES, 0, SM_COUNTS_NONE);
	figure(SM_COUNTS_INSTRUCTIONS, 14000, SM_COUNTS_COMPUTED);
	c.tsc_hz = 2.3e9;
	sm_counts_between(&c, &a, &b, &unknown, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_NONE);
	figure(SM_COUNTS_REF_CYCLES, 1.15e9, SM_COUNTS_TSC);
	figure(SM_COUNTS_INSTRUCTIONS, 0, SM_COUNTS_NONE);
}
END_TEST

START_TEST(with_perf)
{
	made_up();
	c.tsc_hz = 2.3e9;
	c.group = &group;
	group = (struct sm_perfgroup){.fd = {3, 4, -ENOENT}, .n = 3};
	a.has_perf = b.has_perf = true;
	a.perf = (struct sm_perfgroup_values){1000, 1000, {10, 20, 0}};
	b.perf = (struct sm_perfgroup_values){5000, 3000, {110, 220, 0}};
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 200, SM_COUNTS_PERF);
	figure(SM_COUNTS_INSTRUCTIONS, 400, SM_COUNTS_PERF);
	figure(SM_COUNTS_REF_CYCLES, 1.15e9, SM_COUNTS_TSC);
	/* not on the counters in this time */
	b.perf.running_ns = a.perf.running_ns;
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_NONE);
	figure(SM_COUNTS_INSTRUCTIONS, 14000, SM_COUNTS_COMPUTED);
	/* a counter that stands still while the worker works is another CPU's */
	b.perf = a.perf;
	b.perf.enabled_ns = b.perf.running_ns = 9000;
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_NONE);
	/* and one that has not worked has 0 of all */
	b.reading = a.reading;
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_PERF);
	figure(SM_COUNTS_REF_CYCLES, 0, SM_COUNTS_TSC); /* no such event */
	/* a reading that failed */
	b.has_perf = false;
	sm_counts_between(&c, &a, &b, &known, f);
	figure(SM_COUNTS_CYCLES, 0, SM_COUNTS_NONE);
	figure(SM_COUNTS_REF_CYCLES, 0, SM_COUNTS_TSC);
}
END_TEST

static struct sm_workers w;

static void start_workers(void)
{
	struct sm_workers_config config = {0};
	struct sm_workers_fault why;
	struct sm_cpus cpus;
	struct sm_root root;
	unsigned int *list, bad;
	int n;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	ck_assert_int_eq(sm_cpus_open(&cpus, &root), 0);
	n = sm_cpus_select(&cpus, NULL, &list, &bad);
	ck_assert_int_gt(n, 0);
	ck_assert_int_eq(sm_workers_open(&w, list, (unsigned int)n, &config, &why), 0);
	free(list);
	sm_cpus_close(&cpus);
	sm_root_close(&root);
}

/* Worker 0 runs until it has used so much more. */
static void use(uint64_t ns)
{
	struct timespec pause = {.tv_nsec = 200000};
	struct sm_workers_reading begin, now;

	sm_workers_read(&w, 0, &begin);
	sm_workers_set(&w, 0, 0, SM_DUTY_FULL);
	sm_workers_go(&w);
	do {
		nanosleep(&pause, NULL);
		sm_workers_read(&w, 0, &now);
	} while (now.given_ns < begin.given_ns + ns);
}

/* perf's own clock of the task against the worker's: the events are of this worker. */
START_TEST(live_perf)
{
	start_workers();
	ck_assert_int_eq(sm_counts_open(&c, &w, NULL, software), 0);
	if (!c.group) {
		ck_assert_int_lt(c.perf_error, 0);
		printf("# not tried: %s\n", strerror(-c.perf_error));
		fflush(stdout);
	} else {
		ck_assert_uint_eq(c.n, w.n);
		sm_counts_sample(&c, &w, 0, &a);
		use(30 * SM_NSEC_PER_MSEC);
		sm_counts_sample(&c, &w, 0, &b);
		sm_counts_between(&c, &a, &b, &known, f);
		ck_assert_int_eq(f[SM_COUNTS_CYCLES].method, SM_COUNTS_PERF);
		ck_assert_int_eq(f[SM_COUNTS_INSTRUCTIONS].method, SM_COUNTS_PERF);
		ck_assert_int_ne(f[SM_COUNTS_REF_CYCLES].method, SM_COUNTS_PERF);
		ck_assert_double_ge(f[SM_COUNTS_CYCLES].value, 28e6);
		/* another one has slept */
		if (w.n > 1) {
			sm_counts_sample(&c, &w, 1, &b);
			ck_assert(b.has_perf);
			ck_assert_uint_lt(b.perf.value[0], 28000000);
		}
	}
	sm_counts_close(&c);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

START_TEST(live_without_perf)
{
	unsigned int before;

	start_workers();
	before = unit_open_fds();
	ck_assert_int_eq(sm_counts_open(&c, &w, NULL, none), 0);
	ck_assert_ptr_null(c.group);
	ck_assert_int_lt(c.perf_error, 0);
	ck_assert_uint_eq(unit_open_fds(), before);
	sm_counts_sample(&c, &w, 0, &a);
	use(150 * SM_NSEC_PER_MSEC);
	sm_counts_sample(&c, &w, 0, &b);
	sm_counts_between(&c, &a, &b, &known, f);
	ck_assert_int_eq(f[SM_COUNTS_INSTRUCTIONS].method, SM_COUNTS_COMPUTED);
	ck_assert_double_eq(f[SM_COUNTS_INSTRUCTIONS].value,
		14.0 * (double)(b.reading.ops - a.reading.ops));
	ck_assert_int_eq(f[SM_COUNTS_CYCLES].method, SM_COUNTS_NONE);
	if (sm_tsc_usable()) {
		/* the opening was more than 100 ms ago, so the frequency is known */
		ck_assert_int_eq(f[SM_COUNTS_REF_CYCLES].method, SM_COUNTS_TSC);
		ck_assert_double_eq_tol(f[SM_COUNTS_REF_CYCLES].value,
			c.tsc_hz * 1e-9 *
				(double)(b.reading.given_ns - a.reading.given_ns),
			1e3);
		ck_assert_double_ge(c.tsc_hz, 1e8);
	}
	sm_counts_close(&c);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
}
END_TEST

/* The list names a PMU for the CPUs; software events are not its, and are opened as they
 * are. */
START_TEST(live_unlike_cpus)
{
	fix_open();
	fix_put("sys/bus/event_source/devices/cpu_core/cpus", "0-4095\n");
	fix_put("sys/bus/event_source/devices/cpu_core/type", "4\n");
	start_workers();
	ck_assert_int_eq(sm_counts_open(&c, &w, &fix, software), 0);
	ck_assert(c.group || c.perf_error < 0);
	sm_counts_close(&c);
	/* the hardware's: whatever there is here, not an error */
	ck_assert_int_eq(sm_counts_open(&c, &w, &fix, NULL), 0);
	ck_assert(c.group || c.perf_error < 0);
	sm_counts_close(&c);
	ck_assert_uint_eq(sm_workers_close(&w), 0);
	fix_close();
}
END_TEST

START_TEST(names)
{
	ck_assert_str_eq(sm_counts_method_name(SM_COUNTS_PERF), "perf");
	ck_assert_str_eq(sm_counts_method_name(SM_COUNTS_TSC), "tsc");
	ck_assert_str_eq(sm_counts_method_name(SM_COUNTS_COMPUTED), "computed");
	ck_assert_str_eq(sm_counts_method_name(SM_COUNTS_NONE), "unavailable");
}
END_TEST

static TCase *tc_counts(void)
{
	TCase *tc = tcase_create("counts");

	tcase_add_test(tc, without_perf);
	tcase_add_test(tc, with_perf);
	tcase_add_test(tc, live_perf);
	tcase_add_test(tc, live_without_perf);
	tcase_add_test(tc, live_unlike_cpus);
	tcase_add_test(tc, names);
	return tc;
}

UNIT_MAIN("counts", tc_counts)
