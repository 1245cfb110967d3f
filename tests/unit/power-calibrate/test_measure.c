// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine whose counters the test advances at each step, with a real load on one CPU.
 * What a reading must be follows from what the test has put there and from the times that
 * the reading itself has: no test depends on how long anything took.
 */
#include <math.h>
#include <signal.h>
#include <time.h>

#include "load/cpus.h"
#include "power-calibrate/measure.h"
#include "source_rig.h"

#define MS SM_NSEC_PER_MSEC

/* Ticks, counts and energy of each step of the machine. */
enum { USER = 3, SYSTEM = 1, IDLE = 5, IOWAIT = 1, CTXT = 1000, IRQ = 500, UJ = 2000000 };

static struct measure m;
static struct opts opts;
static struct plan plan;
static struct sm_root live;
static struct sm_workers workers;
static struct sm_counts counts;
static unsigned int steps;
static uint64_t uj;
/* The calls of the events. */
static size_t first[8], reported;
static unsigned int tests, blocks;
static bool enough, broken; /* what the events answer; the counter has no number */
static bool works;	    /* the load is not killed */
static double energy_j[64];
static uint64_t ctxt_step; /* context switches of a step */

/* --- the machine -------------------------------------------------------------------- */

static void put_stat(void)
{
	char line[512];

	snprintf(line, sizeof(line),
		"cpu %u 0 %u %u %u 0 0 0 0 0\ncpu0 %u 0 %u %u %u 0 0 0 0 0\n"
		"cpu1 0 0 0 0 0 0 0 0 0 0\nintr %u\nctxt %llu\nprocs_running 3\n",
		steps * USER, steps * SYSTEM, steps * IDLE, steps * IOWAIT, steps * USER,
		steps * SYSTEM, steps * IDLE, steps * IOWAIT, steps * IRQ,
		(unsigned long long)(steps * ctxt_step));
	fix_put("proc/stat", line);
}

static void advance(void)
{
	steps++;
	put_stat();
	uj += UJ;
	if (broken)
		fix_put("sys/class/powercap/intel-rapl:0/energy_uj", "x\n");
	else
		set_uj("intel-rapl:0", uj);
}

/* --- the events --------------------------------------------------------------------- */

static void on_reading(void *ctx, const struct reading *r)
{
	ck_assert_ptr_eq(ctx, &m);
	ck_assert_double_eq(r->v[F_WATTS], p.total_uw * 1e-6);
	energy_j[reported++ % SM_ARRAY_SIZE(energy_j)] = p.total_uj * 1e-6;
}

static void on_test(void *ctx, size_t at)
{
	(void)ctx;
	first[tests++ % SM_ARRAY_SIZE(first)] = at;
}

static bool on_block(void *ctx)
{
	(void)ctx;
	blocks++;
	return enough;
}

static const struct measure_events events = {on_reading, on_test, on_block};

/* --- the run ------------------------------------------------------------------------ */

static unsigned int usable_cpu(void)
{
	struct sm_cpus cpus;
	unsigned int *list, bad, cpu;

	ck_assert_int_eq(sm_cpus_open(&cpus, &live), 0);
	ck_assert_int_gt(sm_cpus_select(&cpus, NULL, &list, &bad), 0);
	cpu = list[0];
	free(list);
	sm_cpus_close(&cpus);
	return cpu;
}

static void open_load(void)
{
	const struct sm_workers_config config = {.period_ns = 2 * MS};
	struct sm_workers_fault fault;
	unsigned int cpu = usable_cpu();

	ck_assert_int_eq(sm_workers_open(&workers, &cpu, 1, &config, &fault), 0);
	ck_assert_int_eq(sm_counts_open(&counts, &workers, &live, NULL), 0);
}

static void up(void)
{
	setup();
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	opts = (struct opts){.app.interval_ns = 40 * MS, .have_settle = true};
	zone("intel-rapl:0", "package-0\n", uj);
	ctxt_step = CTXT;
	works = true;
	put_stat();
	wanted.interval_ns = opts.app.interval_ns;
	wanted.kind = SM_SOURCE_RAPL;
	ck_assert_int_eq(sm_source_open(&p, &fix, &wanted, &why), 0);
	open_load();
	m = (struct measure){.opts = &opts,
		.plan = &plan,
		.power = &p,
		.workers = &workers,
		.counts = &counts,
		.events = &events,
		.ctx = &m};
}

static void down(void)
{
	measure_close(&m);
	sm_counts_close(&counts);
	sm_workers_close(&workers);
	plan_fini(&plan);
	sm_root_close(&live);
	teardown();
}

/* Begins a run: idle and full load of one CPU, in `n` blocks, 4 readings each. */
static void begin(unsigned int n)
{
	struct plan_want want = {.cpus = 1,
		.levels = 2,
		.test_ns = 160 * MS,
		.settle_ns = opts.have_settle ? opts.settle_ns : 0,
		.interval_ns = opts.app.interval_ns,
		.limit_ns = n * 2 * (160 * MS + opts.settle_ns),
		.until_good = true,
		.seed = 1};

	ck_assert_int_eq(plan_make(&plan, &want), 0);
	ck_assert_uint_eq(plan.blocks, n);
	ck_assert_int_eq(measure_open(&m, &fix), 0);
	ck_assert_int_eq(measure_begin(&m), 0);
}

static uint64_t given_ns(void)
{
	struct sm_workers_reading r;

	sm_workers_read(&workers, 0, &r);
	return r.given_ns;
}

static bool is_loaded(void)
{
	return m.state == MEASURE_READING && plan_load(&plan, &plan.test[m.test]);
}

/* Until the time of the next step; with a load that works, also until it has worked. */
static uint64_t await_step(void)
{
	uint64_t at = measure_next(&m);
	struct timespec t = {.tv_sec = (time_t)(at / SM_NSEC_PER_SEC),
		.tv_nsec = (long)(at % SM_NSEC_PER_SEC)};

	while (sm_clock_mono_ns() < at)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	while (works && is_loaded() && given_ns() == m.sample[0].reading.given_ns)
		usleep(100);
	return at;
}

/* The test, and all later ones, end later. */
static void delay_plan(uint64_t ns)
{
	plan.slot_ns += ns / (m.test + 1) + 1;
}

/* The plan waits for this process, which may get no CPU for longer than a test lasts:
 * before a step, and in it. */
static int step(void)
{
	uint64_t at = await_step(), begin, late;
	int err;

	advance();
	begin = sm_clock_mono_ns();
	delay_plan(begin - at);
	err = measure_step(&m);
	late = sm_clock_mono_ns() - begin;
	delay_plan(late);
	m.due_ns += late;
	return err;
}

static void run_to_the_end(void)
{
	for (unsigned int i = 0; i < 1000 && m.state != MEASURE_DONE; i++)
		ck_assert_int_eq(step(), 0);
	ck_assert_int_eq(m.state, MEASURE_DONE);
}

/* Returns the first reading of a level. */
static const struct reading *of_level(uint32_t ppm)
{
	for (size_t i = 0; i < m.readings.n; i++)
		if (m.readings.at[i].ppm == ppm)
			return &m.readings.at[i];
	ck_abort_msg("no reading of that level");
}

/* --- readings ----------------------------------------------------------------------- */

/* Each look is one step after the one before it, or several: the power source is polled
 * between. */
static void has_figures(const struct reading *r, size_t i)
{
	double ticks = r->v[F_CTXT] * r->dt_s / CTXT, idle_s;

	ck_assert_double_ge(ticks, 1 - 1e-6);
	ck_assert_double_eq_tol(ticks, round(ticks), 1e-6);
	ck_assert_double_eq_tol(r->v[F_IRQ] * r->dt_s / IRQ, ticks, 1e-6);
	ck_assert_double_eq_tol(r->v[F_USER], 30, 1e-9);
	ck_assert_double_eq_tol(r->v[F_SYS], 10, 1e-9);
	ck_assert_double_eq_tol(r->v[F_IDLE], 60, 1e-9);
	ck_assert_double_eq(r->v[F_RUN], 3);
	/* Two CPUs are online; of their time all but idle and iowait is used. */
	idle_s = ticks * (IDLE + IOWAIT) / 100;
	ck_assert_double_eq_tol(
		r->v[F_OTHER] + r->v[F_OWN], (2 * r->dt_s - idle_s) / r->dt_s, 1e-6);
	/* A look that came late may be too short after the one before it for a figure of
	 * its own: the energy of its step is then in the next reading. */
	ck_assert_double_eq_tol(
		energy_j[i] / (UJ * 1e-6), round(energy_j[i] / (UJ * 1e-6)), 1e-6);
	ck_assert_double_le(fabs(energy_j[i] / (UJ * 1e-6) - ticks), 1 + 1e-6);
}

/* Without a time to settle the first reading would also have the energy of the moment
 * before it, which is too short for a figure. */
START_TEST(readings_are_what_the_machine_says)
{
	opts.settle_ns = 20 * MS;
	begin(1);
	run_to_the_end();
	ck_assert_uint_eq(tests, 2);
	ck_assert_uint_eq(blocks, 1);
	ck_assert_uint_eq(first[0], 0);
	ck_assert_uint_eq(m.readings.n, reported);
	ck_assert_uint_ge(m.readings.n, 2);
	ck_assert_uint_eq(m.readings.online, 2);
	for (size_t i = 0; i < m.readings.n; i++) {
		const struct reading *r = &m.readings.at[i];

		ck_assert_uint_eq(r->test, i < first[1] ? 0 : 1);
		ck_assert_uint_eq(r->ppm, plan.test[r->test].ppm);
		ck_assert_uint_eq(r->load_ppm, plan_load(&plan, &plan.test[r->test]));
		has_figures(r, i);
	}
	ck_assert_uint_eq(measure_next(&m), UINT64_MAX);
	ck_assert_uint_eq(measure_left_ns(&m, 0), 0);
	ck_assert_int_eq(measure_step(&m), 0);
}
END_TEST

static double sum_of(uint32_t ppm, enum figure f)
{
	double sum = 0;

	for (size_t i = 0; i < m.readings.n; i++)
		if (m.readings.at[i].ppm == ppm)
			sum += m.readings.at[i].v[f] * m.readings.at[i].dt_s;
	return sum;
}

static double cpu_s(void)
{
	struct timespec t;
	clockid_t clock;

	ck_assert_int_eq(clock_getcpuclockid(sm_workers_pid(&workers, 0), &clock), 0);
	ck_assert_int_eq(clock_gettime(clock, &t), 0);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The kernel's clock of the load has all that it gave; a reading scales it by at most a
 * tenth. */
START_TEST(the_own_load_is_the_workers)
{
	double before = cpu_s(), own;

	begin(2);
	run_to_the_end();
	own = sum_of(SM_DUTY_FULL, F_OWN);
	ck_assert_double_gt(own, 0);
	ck_assert_double_le(own, 1.12 * (cpu_s() - before));
	ck_assert_double_gt(sum_of(SM_DUTY_FULL, F_OPS), 0);
	ck_assert_double_eq(sum_of(0, F_OWN), 0);
	ck_assert_double_eq(sum_of(0, F_OPS), 0);
	ck_assert_uint_eq(of_level(0)->cpus, 0);
	ck_assert_uint_eq(of_level(SM_DUTY_FULL)->cpus, 1);
}
END_TEST

/* The only CPU of the load is of the second type. */
START_TEST(the_history_has_the_load_of_each_type)
{
	const struct history *h = &m.readings.history;
	const double *sum;
	double idle_s, time_s;

	begin(1);
	plan.types = 2;
	plan.set[0] = (struct plan_set){0, 0};
	plan.set[1] = (struct plan_set){0, 1};
	run_to_the_end();
	ck_assert_uint_ge(h->looks, 2);
	sum = h->look[h->looks - 1].sum;
	ck_assert_double_eq(sum[HISTORY_OWN], 0);
	ck_assert_double_gt(sum[HISTORY_OWN + 1], 0);
	time_s = h->look[h->looks - 1].t_s - h->look[0].t_s;
	idle_s = (double)(h->looks - 1) * (IDLE + IOWAIT) / 100.0;
	/* Steps of the machine without a look are polls of the power. */
	ck_assert_double_le(
		sum[HISTORY_OTHER] + sum[HISTORY_OWN + 1], 2 * time_s - idle_s + 1e-6);
}
END_TEST

START_TEST(blocks_end_when_it_is_enough)
{
	enough = true;
	begin(3);
	run_to_the_end();
	ck_assert_uint_eq(blocks, 1);
	ck_assert_uint_eq(tests, 2);
}
END_TEST

START_TEST(the_time_that_is_left)
{
	begin(3);
	ck_assert_uint_eq(measure_left_ns(&m, m.start_ns), plan.total_ns);
	ck_assert_uint_eq(
		measure_left_ns(&m, m.start_ns + 100 * MS), plan.total_ns - 100 * MS);
	ck_assert_uint_eq(measure_left_ns(&m, m.start_ns + 2 * plan.total_ns), 0);
	/* Too early: nothing is read. */
	m.due_ns = m.poll_ns = UINT64_MAX - 1;
	ck_assert_int_eq(measure_step(&m), 0);
	ck_assert_int_eq(m.state, MEASURE_SETTLING);
	ck_assert_uint_eq(measure_next(&m), UINT64_MAX - 1);
}
END_TEST

/* --- what is no reading ------------------------------------------------------------- */

START_TEST(a_suspend_is_no_reading)
{
	begin(1);
	while (m.state == MEASURE_SETTLING)
		ck_assert_int_eq(step(), 0);
	m.boot_offset_ns -= (int64_t)SM_NSEC_PER_SEC;
	while (!m.suspended && m.state != MEASURE_DONE)
		ck_assert_int_eq(step(), 0);
	ck_assert_uint_eq(m.suspended, 1);
	ck_assert_uint_eq(m.readings.n, 0);
	run_to_the_end();
	ck_assert_uint_eq(m.suspended, 1);
	ck_assert_uint_eq(m.readings.n, reported);
}
END_TEST

/* No CPU switches that often: only this rate is unknown. */
START_TEST(a_rate_that_jumps_is_a_reading_without_it)
{
	struct reading mean;

	ctxt_step = UINT64_C(10000000000);
	opts.settle_ns = 20 * MS;
	begin(1);
	run_to_the_end();
	ck_assert_uint_ge(m.readings.n, 2);
	ck_assert_uint_eq(m.readings.n, reported);
	for (size_t i = 0; i < m.readings.n; i++) {
		const struct reading *r = &m.readings.at[i];

		ck_assert(isnan(r->v[F_CTXT]));
		ck_assert_double_gt(r->v[F_IRQ], 0);
		ck_assert_double_gt(r->v[F_WATTS], 0);
		ck_assert(isfinite(r->v[F_OTHER]));
	}
	ck_assert_uint_gt(readings_mean(&m.readings, 0, &mean), 0);
	ck_assert(isnan(mean.v[F_CTXT]));
	ck_assert_double_gt(mean.v[F_WATTS], 0);
}
END_TEST

/* A test while the counter has no number fails; when the counter is back, the first
 * reading has the energy of all that time. */
START_TEST(without_watts_it_is_counted_as_failed)
{
	begin(2);
	broken = true;
	while (!m.readings.failed) {
		ck_assert_int_ne(m.state, MEASURE_DONE);
		ck_assert_int_eq(step(), 0);
	}
	ck_assert_uint_eq(m.readings.n, 0);
	ck_assert_uint_eq(reported, 0);
	broken = false;
	run_to_the_end();
	ck_assert_uint_ge(m.readings.n, 1);
}
END_TEST

START_TEST(a_killed_load_ends_the_run)
{
	int err = 0;

	begin(3);
	works = false;
	ck_assert_int_eq(kill(sm_workers_pid(&workers, 0), SIGKILL), 0);
	for (unsigned int i = 0; i < 1000 && !err; i++)
		err = step();
	ck_assert_int_eq(err, -ECHILD);
	ck_assert_int_eq(m.fault.what, SM_WORKERS_KILLED);
	ck_assert_int_eq(m.fault.err, SIGKILL);
}
END_TEST

START_TEST(a_lost_source_ends_the_run)
{
	int err = 0;

	begin(3);
	ck_assert_int_eq(step(), 0);
	sm_base_close_fd(&p.rapl.zones.at[0].counter.fd);
	p.rapl.zones.at[0].counter.error = -ENODEV;
	for (unsigned int i = 0; i < 1000 && !err; i++)
		err = step();
	ck_assert_int_eq(err, -ENODEV);
	ck_assert_ptr_nonnull(p.lost_why);
}
END_TEST

/* --- settling ----------------------------------------------------------------------- */

/* A settle time of the user is kept; without one, the wait ends when the power is stable.
 */
START_TEST(settling_takes_the_time_that_was_asked_for)
{
	opts.settle_ns = 30 * MS;
	begin(1);
	ck_assert_uint_eq(m.due_ns, m.test_ns + 30 * MS);
	ck_assert_int_eq(step(), 0);
	ck_assert_int_eq(m.state, MEASURE_READING);
	ck_assert_uint_ge(m.stat_ns, m.test_ns + 30 * MS);
}
END_TEST

/* A quarter of a test is too short for two looks here: the first one is enough. */
START_TEST(settling_is_at_most_a_quarter)
{
	opts.have_settle = false;
	begin(1);
	ck_assert_int_eq(step(), 0);
	ck_assert_int_eq(m.state, MEASURE_READING);
	ck_assert_uint_ge(m.left, 1);
	run_to_the_end();
}
END_TEST

static TCase *tc_readings(void)
{
	TCase *tc = tcase_create("readings");

	tcase_add_checked_fixture(tc, up, down);
	tcase_add_test(tc, readings_are_what_the_machine_says);
	tcase_add_test(tc, the_own_load_is_the_workers);
	tcase_add_test(tc, the_history_has_the_load_of_each_type);
	tcase_add_test(tc, blocks_end_when_it_is_enough);
	tcase_add_test(tc, the_time_that_is_left);
	return tc;
}

static TCase *tc_trouble(void)
{
	TCase *tc = tcase_create("trouble");

	tcase_add_checked_fixture(tc, up, down);
	tcase_add_test(tc, a_suspend_is_no_reading);
	tcase_add_test(tc, a_rate_that_jumps_is_a_reading_without_it);
	tcase_add_test(tc, without_watts_it_is_counted_as_failed);
	tcase_add_test(tc, a_killed_load_ends_the_run);
	tcase_add_test(tc, a_lost_source_ends_the_run);
	tcase_add_test(tc, settling_takes_the_time_that_was_asked_for);
	tcase_add_test(tc, settling_is_at_most_a_quarter);
	return tc;
}

UNIT_MAIN("measure", tc_readings, tc_trouble)
