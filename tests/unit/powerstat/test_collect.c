// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "battery_rig.h"
#include "base/clock.h"
#include "fixroot_rig.h"
#include "power/source_open.h"
#include "powerstat/collect.h"

#define S   SM_NSEC_PER_SEC
#define CPU "sys/devices/system/cpu/"

static struct opts o;
static struct sm_source p;
static struct collect c;
static uint64_t now;

static void put_stat(
	const char *cpu, unsigned int ctxt, unsigned int intr, unsigned int running)
{
	char text[512];

	snprintf(text, sizeof(text),
		"cpu  %s\ncpu0 %s\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr %u 1 2 3\nctxt "
		"%u\nbtime 1\n"
		"processes 100\nprocs_running %u\nprocs_blocked 0\n",
		cpu, cpu, intr, ctxt, running);
	fix_put("proc/stat", text);
}

static void supply(const char *words)
{
	char text[2048];

	to_uevent(text, sizeof(text), words);
	fix_put("sys/class/power_supply/BAT0/uevent", text);
}

#define AT_10W "TYPE=Battery PRESENT=1 STATUS=Discharging POWER_NOW=10000000"

static void setup(void)
{
	fix_open();
	o = opts_default;
	p = (struct sm_source){0};
	now = 1000 * S;
	put_stat("1000 100 500 8000 200 10 20 30 0 0", 5000, 7000, 3);
	supply(AT_10W);
	fix_put(CPU "online", "0-1\n");
}

static void teardown(void)
{
	collect_close(&c);
	sm_source_close(&p);
	fix_close();
}

static void open_all(void)
{
	struct sm_source_want want = {.domains = o.domains};
	struct sm_buf why = {0};

	ck_assert_int_eq(sm_source_open(&p, &fix, &want, &why), 0);
	sm_buf_fini(&why);
	ck_assert_int_eq(collect_open(&c, &fix, &o, &p, NULL), 0);
	ck_assert_int_eq(collect_baseline(&c, now), 0);
}

static void take(uint64_t after_ns)
{
	now += after_ns;
	ck_assert_int_eq(collect_take(&c, now), 0);
}

static double v(unsigned int col)
{
	return c.sample.v[col];
}

static void about(double got, double want)
{
	ck_assert_msg(fabs(got - want) <= 1e-9 * fabs(want), "%g is not %g", got, want);
}

/* user 20 (guest 5 of it), nice 10 (guest 2 of it), system 30, idle 100, iowait 15, irq
 * 5, softirq 10, steal 10: 200 ticks. */
START_TEST(cpu_shares)
{
	open_all();
	put_stat("1020 110 530 8100 215 15 30 40 5 2", 5000, 7000, 1);
	take(S);
	about(v(V_USER), 10);
	about(v(V_NICE), 5);
	about(v(V_SYS), 15);
	about(v(V_IDLE), 50);
	about(v(V_IO), 7.5);
	about(v(V_IRQ), 2.5);
	about(v(V_SOFTIRQ), 5);
	about(v(V_STEAL), 5);
}
END_TEST

START_TEST(rates_by_the_true_interval)
{
	open_all();
	put_stat("1020 100 500 8000 200 10 20 30 0 0", 5000 + 500, 7000 + 250, 4);
	take(5 * S / 2);
	ck_assert_double_eq(v(V_RUN), 4);
	about(v(V_CTXT), 200);
	about(v(V_INTR), 100);
	ck_assert_uint_eq(c.sample.dt_ns, 5 * S / 2);
	ck_assert_uint_eq(c.sample.t_ns, now);
	/* went back, as in a container that moved */
	put_stat("1040 100 500 8000 200 10 20 30 0 0", 10, 7250, 4);
	take(S);
	ck_assert_double_nan(v(V_CTXT));
	ck_assert_double_eq(v(V_INTR), 0);
}
END_TEST

/* Two CPUs in a second: steal jumps, user goes back.  The others are percentages of 200
 * ticks. */
START_TEST(counters_that_jump)
{
	open_all();
	put_stat("20 100 520 8100 200 10 20 1799658845 0 0", 5000, 1u << 31, 1);
	take(S);
	ck_assert_double_nan(v(V_USER));
	ck_assert_double_nan(v(V_STEAL));
	ck_assert_double_nan(v(V_INTR));
	about(v(V_SYS), 10);
	about(v(V_IDLE), 50);
	ck_assert_double_eq(v(V_CTXT), 0);
	put_stat("40 100 520 8200 200 10 20 1799658855 0 0", 5000, 1u << 31, 1);
	take(S);
	about(v(V_USER), 100 * 20 / 130.0);
	about(v(V_STEAL), 100 * 10 / 130.0);
	ck_assert_double_eq(v(V_INTR), 0);
}
END_TEST

START_TEST(power_and_energy)
{
	open_all();
	take(4 * S);
	about(v(V_WATTS), 10);
	about(v(V_JOULES), 40);
	ck_assert_int_eq(c.sample.kind, SM_FIGURE_GAUGE_RATE);
	ck_assert(!c.sample.incomplete);
	ck_assert_uint_eq(c.columns.list.n, V_FIXED);
}
END_TEST

START_TEST(wall_clock)
{
	struct timespec ts;
	uint64_t wall;

	now = sm_clock_mono_ns();
	open_all();
	take(S / 10);
	clock_gettime(CLOCK_REALTIME, &ts);
	wall = (uint64_t)ts.tv_sec * S + (uint64_t)ts.tv_nsec;
	ck_assert_uint_le(c.sample.wall_ns, wall + S);
	ck_assert_uint_ge(c.sample.wall_ns + 5 * S, wall);
}
END_TEST

/* Nothing of before counts; nor is it in the next sample. */
START_TEST(baseline)
{
	open_all();
	put_stat("2000 100 500 8000 200 10 20 30 0 0", 99999, 99999, 4);
	now += 100 * S;
	ck_assert_int_eq(collect_baseline(&c, now), 0);
	put_stat("2000 100 500 8100 200 10 20 30 0 0", 99999 + 10, 99999, 4);
	take(S);
	about(v(V_IDLE), 100);
	ck_assert_double_eq(v(V_USER), 0);
	about(v(V_CTXT), 10);
	about(v(V_JOULES), 10);
	ck_assert_uint_eq(c.sample.dt_ns, S);
}
END_TEST

/* An unreadable one is absent, and the difference restarts. */
START_TEST(without_stat)
{
	static const unsigned int cols[] = {V_USER, V_IDLE, V_RUN, V_CTXT, V_INTR};

	open_all();
	fix_put("proc/stat", "nothing\n");
	take(S);
	for (size_t i = 0; i < SM_ARRAY_SIZE(cols); i++)
		ck_assert(isnan(v(cols[i])));
	about(v(V_WATTS), 10);
	put_stat("1000 100 500 8000 200 10 20 30 0 0", 5000, 7000, 3);
	take(S);
	ck_assert(isnan(v(V_IDLE)));
	put_stat("1000 100 500 8100 200 10 20 30 0 0", 5001, 7000, 3);
	take(S);
	about(v(V_IDLE), 100);
	about(v(V_CTXT), 1);
}
END_TEST

START_TEST(no_events)
{
	open_all();
	take(S);
	ck_assert(isnan(v(V_FORK)) && isnan(v(V_EXEC)) && isnan(v(V_EXIT)));
	ck_assert_uint_eq(c.sample.events_lost, 0);
}
END_TEST

START_TEST(domains)
{
	o.domains = true;
	open_all();
	ck_assert_uint_eq(c.columns.ndomains, 1);
	take(S);
	about(v(c.columns.domain0), 10);
	supply("TYPE=Battery PRESENT=1 STATUS=Discharging");
	take(S);
	ck_assert(isnan(v(c.columns.domain0)) && isnan(v(V_WATTS)) && isnan(v(V_JOULES)));
	ck_assert_int_eq(c.sample.kind, SM_FIGURE_ABSENT);
}
END_TEST

static void zone(unsigned int n, const char *type, const char *temp)
{
	char name[80];

	snprintf(name, sizeof(name), "sys/class/thermal/thermal_zone%u/type", n);
	fix_put(name, type);
	snprintf(name, sizeof(name), "sys/class/thermal/thermal_zone%u/temp", n);
	fix_put(name, temp);
}

START_TEST(temperatures)
{
	unsigned int t;

	o.thermal = true;
	zone(0, "acpitz\n", "45500\n");
	zone(1, "iwlwifi_1\n", "x\n");
	zone(2, "cold\n", "-8000\n");
	open_all();
	take(S);
	t = c.columns.thermal0;
	ck_assert_uint_eq(c.columns.nthermal, 3);
	about(v(t), 45.5);
	ck_assert(isnan(v(t + 1)));
	about(v(t + 2), -8);
	zone(0, "acpitz\n", "?\n");
	zone(1, "iwlwifi_1\n", "50000\n");
	take(S);
	ck_assert(isnan(v(t))); /* not the one of before */
	about(v(t + 1), 50);
}
END_TEST

START_TEST(frequencies)
{
	o.freq = o.gpu = true;
	fix_put(CPU "cpu0/cpufreq/scaling_cur_freq", "1000000\n");
	fix_put(CPU "cpu1/cpufreq/scaling_cur_freq", "4000000\n");
	fix_put("sys/class/drm/card0/gt_cur_freq_mhz", "350\n");
	open_all();
	take(S);
	ck_assert_uint_eq(c.columns.nfreq, 3);
	about(v(c.columns.freq0), 2000000);
	about(v(c.columns.freq0 + 1), 1000000);
	about(v(c.columns.freq0 + 2), 4000000);
	about(v(c.columns.gpu), 350000);
	fix_put("sys/class/drm/card0/gt_cur_freq_mhz", "0\n");
	fix_put(CPU "cpu0/cpufreq/scaling_cur_freq", "-1\n");
	fix_put(CPU "cpu1/cpufreq/scaling_cur_freq", "<unknown>\n");
	take(S);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert(isnan(v(c.columns.freq0 + i)));
	ck_assert(isnan(v(c.columns.gpu)));
}
END_TEST

#define CORE_EVENTS    "thermal_throttle/core_throttle_count"
#define PACKAGE_EVENTS "thermal_throttle/package_throttle_count"

/* Events of a core are those of its threads, once. */
START_TEST(throttling)
{
	static const char *const cpus[] = {"cpu0", "cpu1"};
	char path[96];

	o.freq = true;
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), CPU "%s/topology/core_id", cpus[i]);
		fix_put(path, "0\n");
		snprintf(path, sizeof(path), CPU "%s/topology/physical_package_id",
			cpus[i]);
		fix_put(path, "0\n");
		snprintf(path, sizeof(path), CPU "%s/" CORE_EVENTS, cpus[i]);
		fix_put(path, "100\n");
	}
	fix_put(CPU "cpu0/" PACKAGE_EVENTS, "7\n");
	open_all();
	take(S);
	about(v(c.columns.throttle), 0);
	fix_put(CPU "cpu0/" CORE_EVENTS, "103\n");
	fix_put(CPU "cpu1/" CORE_EVENTS, "102\n");
	fix_put(CPU "cpu0/" PACKAGE_EVENTS, "8\n");
	take(S);
	about(v(c.columns.throttle), 4);
	ck_assert_uint_eq(c.sample.core_throttles, 3);
	ck_assert_uint_eq(c.sample.package_throttles, 1);
	take(S);
	about(v(c.columns.throttle), 0);
	/* A third CPU comes online with 50 events, which are old. */
	fix_put(CPU "cpu2/" CORE_EVENTS, "50\n");
	fix_put("proc/stat", "cpu  9\ncpu0 9\ncpu1 0\ncpu2 0\n");
	take(S);
	about(v(c.columns.throttle), 0);
	fix_put(CPU "cpu2/" CORE_EVENTS, "55\n");
	take(S);
	about(v(c.columns.throttle), 5);
	fix_put(CPU "cpu2/" CORE_EVENTS, "");
	fix_put(CPU "cpu0/" CORE_EVENTS, "");
	fix_put(CPU "cpu1/" CORE_EVENTS, "");
	fix_put(CPU "cpu0/" PACKAGE_EVENTS, "");
	take(S);
	ck_assert(isnan(v(c.columns.throttle)));
}
END_TEST

/* Asked for, and not there: no column, no failure. */
START_TEST(nothing_optional_there)
{
	o.freq = o.gpu = o.thermal = o.cstates = true;
	open_all();
	ck_assert(!c.have_gpu && !c.have_throttle && !c.have_thermal && !c.have_idle);
	ck_assert_uint_eq(c.columns.gpu + c.columns.throttle + c.columns.nthermal, 0);
	take(S);
	for (unsigned int i = 0; i < c.columns.nfreq; i++)
		ck_assert(isnan(v(c.columns.freq0 + i)));
	about(v(V_WATTS), 10);
	collect_idle_states(&c);
}
END_TEST

static void idle_file(
	unsigned int cpu, unsigned int state, const char *file, unsigned int value)
{
	char name[96], text[32];

	snprintf(name, sizeof(name), CPU "cpu%u/cpuidle/state%u/%s", cpu, state, file);
	snprintf(text, sizeof(text), "%u\n", value);
	fix_put(name, text);
}

static void idle_states_of(unsigned int cpu, unsigned int states, unsigned int us)
{
	char name[96], text[32];

	for (unsigned int i = 0; i < states; i++) {
		snprintf(name, sizeof(name), CPU "cpu%u/cpuidle/state%u/name", cpu, i);
		snprintf(text, sizeof(text), "C%u\n", i + 1);
		fix_put(name, text);
		idle_file(cpu, i, "time", us);
		idle_file(cpu, i, "usage", 1);
	}
}

static void idle_state(unsigned int cpu, unsigned int us)
{
	idle_states_of(cpu, 1, us);
}

START_TEST(idle_states)
{
	o.cstates = true;
	idle_state(0, 1000);
	idle_state(1, 1000);
	open_all();
	ck_assert(c.have_idle);
	collect_idle_states(&c);
	usleep(20000);
	idle_state(0, 6000);
	idle_state(1, 8000);
	take(S);
	collect_idle_states(&c);
	ck_assert_uint_eq(c.idle.state[0].time_us, 12000);
	ck_assert_uint_ge(c.idle.covered_us, 40000);
	/* the time before the new baseline is in no sample */
	usleep(5000);
	idle_state(0, 10000);
	ck_assert_int_eq(collect_baseline(&c, now), 0);
	collect_idle_states(&c);
	ck_assert_uint_eq(c.idle.state[0].time_us, 12000);
}
END_TEST

/* A CPU goes offline: what it did until the sample before is known. */
START_TEST(idle_states_of_a_cpu_that_goes)
{
	o.cstates = true;
	fix_put(CPU "online", "0-3\n");
	for (unsigned int i = 0; i < 4; i++)
		idle_states_of(i, 3, 1000);
	open_all();
	collect_idle_states(&c);
	for (unsigned int n = 1; n <= 5; n++) {
		usleep(10000);
		for (unsigned int i = 0; i < 4; i++)
			idle_states_of(i, 3, 1000 + n * 1000);
		take(S);
	}
	fix_put(CPU "online", "0-2\n");
	take(S);
	collect_idle_states(&c);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_uint_eq(c.idle.state[i].time_us, 4 * 5000);
	ck_assert_uint_eq(c.idle.dropped, 1);
}
END_TEST

/* Of a large machine a sample reads a few files only. */
START_TEST(idle_states_of_many_cpus)
{
	uint64_t before, after;

	if (!fix_reads_counted())
		return;
	o.cstates = true;
	fix_put(CPU "online", "0-16\n");
	for (unsigned int i = 0; i < 17; i++)
		idle_state(i, 1000);
	open_all();
	ck_assert_uint_eq(sm_cpuidle_files(&c.idle), 34);
	take(S);
	before = fix_reads();
	take(S);
	after = fix_reads();
	/* stat, uevent, the list of CPUs, and eight */
	ck_assert_uint_eq(fix_reads_between(before, after), 11);
	fix_put(CPU "online", "0-15\n");
	take(S);
	ck_assert_uint_eq(sm_cpuidle_files(&c.idle), 32);
	before = fix_reads();
	take(S);
	after = fix_reads();
	ck_assert_uint_eq(fix_reads_between(before, after), 35);
}
END_TEST

START_TEST(no_proc_stat)
{
	struct sm_source_want want = {0};
	struct sm_buf why = {0};

	ck_assert_int_eq(unlink(fix_path("proc/stat")), 0);
	ck_assert_int_eq(sm_source_open(&p, &fix, &want, &why), 0);
	ck_assert_int_eq(collect_open(&c, &fix, &o, &p, NULL), -ENOENT);
	sm_buf_fini(&why);
}
END_TEST

/* A reading for each file, and nothing is opened again. */
START_TEST(cost)
{
	uint64_t before, after;
	int low, again;

	if (!fix_reads_counted())
		return;
	o.thermal = o.freq = true;
	zone(0, "acpitz\n", "45500\n");
	fix_put(CPU "cpu0/cpufreq/scaling_cur_freq", "1000000\n");
	fix_put(CPU "cpu1/cpufreq/scaling_cur_freq", "4000000\n");
	fix_put(CPU "cpu0/" CORE_EVENTS, "1\n");
	fix_put(CPU "cpu0/" PACKAGE_EVENTS, "1\n");
	open_all();
	take(S);
	low = dup(2);
	close(low);
	before = fix_reads();
	for (unsigned int i = 0; i < 10; i++)
		take(S);
	after = fix_reads();
	again = dup(2);
	close(again);
	ck_assert_int_eq(again, low);
	/* stat, uevent, temp, two frequencies, the list of CPUs, two counts */
	ck_assert_uint_eq(fix_reads_between(before, after), 80);
}
END_TEST

static TCase *tc_always(void)
{
	TCase *tc = tcase_create("always");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, cpu_shares);
	tcase_add_test(tc, rates_by_the_true_interval);
	tcase_add_test(tc, counters_that_jump);
	tcase_add_test(tc, power_and_energy);
	tcase_add_test(tc, wall_clock);
	tcase_add_test(tc, baseline);
	tcase_add_test(tc, without_stat);
	tcase_add_test(tc, no_events);
	tcase_add_test(tc, no_proc_stat);
	tcase_add_test(tc, cost);
	return tc;
}

static TCase *tc_asked(void)
{
	TCase *tc = tcase_create("asked for");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, domains);
	tcase_add_test(tc, temperatures);
	tcase_add_test(tc, frequencies);
	tcase_add_test(tc, throttling);
	tcase_add_test(tc, nothing_optional_there);
	tcase_add_test(tc, idle_states);
	tcase_add_test(tc, idle_states_of_a_cpu_that_goes);
	tcase_add_test(tc, idle_states_of_many_cpus);
	return tc;
}

UNIT_MAIN("collect", tc_always, tc_asked)
