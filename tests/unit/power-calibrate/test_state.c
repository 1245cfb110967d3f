// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixroot_rig.h"
#include "power-calibrate/state.h"

#define CPU	"sys/devices/system/cpu/"
#define KHZ(n)	CPU "cpu" #n "/cpufreq/scaling_cur_freq"
#define ZONE(n) "sys/class/thermal/thermal_zone" #n "/temp"
#define EVENTS	CPU "cpu0/thermal_throttle/core_throttle_count"

static struct state s;

static void setup(void)
{
	fix_open();
	fix_put(CPU "online", "0-1\n");
}

static void teardown(void)
{
	state_close(&s);
	fix_close();
}

static void whole_machine(void)
{
	fix_put(KHZ(0), "800000\n");
	fix_put(KHZ(1), "1200000\n");
	fix_put("sys/class/thermal/thermal_zone0/type", "pkg\n");
	fix_put(ZONE(0), "45500\n");
	fix_put("sys/class/thermal/thermal_zone3/type", "board\n");
	fix_put(ZONE(3), "30000\n");
	fix_put(EVENTS, "5\n");
}

static void begin(void)
{
	ck_assert_int_eq(state_open(&s, &fix), 0);
	state_begin(&s);
}

static void is_pair(const struct state_pair *p, double b, double e)
{
	ck_assert(p->known);
	ck_assert_double_eq_tol(p->begin, b, 1e-9);
	ck_assert_double_eq_tol(p->end, e, 1e-9);
}

START_TEST(begin_and_end)
{
	whole_machine();
	begin();
	fix_put(KHZ(0), "3000000\n");
	state_full(&s);
	fix_put(KHZ(0), "2800000\n");
	state_full(&s);
	fix_put(KHZ(0), "2000000\n");
	fix_put(ZONE(0), "71250\n");
	fix_put(ZONE(3), "-2000\n");
	fix_put(EVENTS, "9\n");
	state_end(&s);
	is_pair(&s.mhz, 1000, 1600);
	is_pair(&s.full_mhz, 2100, 2000);
	ck_assert_uint_eq(s.zones, 2);
	ck_assert_str_eq(s.zone[0].label, "pkg");
	is_pair(&s.zone[0].c, 45.5, 71.25);
	is_pair(&s.zone[1].c, 30, -2);
	ck_assert(s.has_throttle);
	ck_assert_uint_eq(s.core_throttles, 4);
	/* An interim result came before. */
	fix_put(ZONE(0), "60000\n");
	fix_put(EVENTS, "10\n");
	state_end(&s);
	is_pair(&s.zone[0].c, 45.5, 60);
	ck_assert_uint_eq(s.core_throttles, 5);
}
END_TEST

/* A pair has both. */
START_TEST(what_fails_is_left_out)
{
	whole_machine();
	fix_put(ZONE(0), "?\n");
	begin();
	ck_assert(!s.full_mhz.known);
	fix_put(KHZ(0), "?\n");
	fix_put(KHZ(1), "?\n");
	fix_put(ZONE(0), "50000\n");
	fix_put(ZONE(3), "?\n");
	state_full(&s);
	state_end(&s);
	ck_assert(!s.mhz.known && !s.full_mhz.known);
	ck_assert(!s.zone[0].c.known && !s.zone[1].c.known);
	/* At an interim result it failed, at the end it does not. */
	fix_put(KHZ(0), "900000\n");
	fix_put(ZONE(3), "31000\n");
	state_end(&s);
	is_pair(&s.mhz, 1000, 900);
	is_pair(&s.zone[1].c, 30, 31);
}
END_TEST

START_TEST(a_machine_without)
{
	begin();
	state_full(&s);
	state_end(&s);
	ck_assert(!s.mhz.known && !s.full_mhz.known && !s.has_throttle);
	ck_assert_uint_eq(s.zones, 0);
	ck_assert_uint_eq(s.limit_milli, 0);
	state_close(&s);
	state_close(&s);
}
END_TEST

/* The limit of a group above applies: half a CPU. */
START_TEST(settings_at_the_start)
{
	fix_put(KHZ(0), "800000\n");
	fix_put(CPU "cpu0/cpufreq/scaling_governor", "performance\n");
	fix_put(CPU "intel_pstate/no_turbo", "1\n");
	fix_put("proc/cpuinfo", "model name\t: Model 7\n");
	fix_put("proc/self/cgroup", "0::/a/b\n");
	fix_put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
	fix_put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	begin();
	ck_assert_str_eq(s.cpu.model, "Model 7");
	ck_assert_str_eq(s.cpu.governor, "performance");
	ck_assert_int_eq(s.cpu.turbo, SM_TURBO_OFF);
	ck_assert_uint_eq(s.limit_milli, 500);
	/* The settings are read at the start only. */
	fix_put("sys/fs/cgroup/a/cpu.max", "70000 100000\n");
	state_end(&s);
	ck_assert_uint_eq(s.limit_milli, 500);
}
END_TEST

static TCase *tc_state(void)
{
	TCase *tc = tcase_create("state");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, begin_and_end);
	tcase_add_test(tc, what_fails_is_left_out);
	tcase_add_test(tc, a_machine_without);
	tcase_add_test(tc, settings_at_the_start);
	return tc;
}

UNIT_MAIN("state", tc_state)
