// SPDX-License-Identifier: GPL-2.0-or-later
/* A power source that is RAPL: values, total, lost and still zones, permissions. */
#include "power/source_shown.h"
#include "source_rig.h"

/* The moments between which the zones were read. */
struct taken {
	uint64_t begin_ns, end_ns;
};

static struct taken take_timed(void)
{
	struct taken t = {.begin_ns = sm_clock_mono_ns()};

	take();
	t.end_ns = sm_clock_mono_ns();
	return t;
}

/* A time between two readings. */
static void is_between(double ns, const struct taken *a, const struct taken *b)
{
	ck_assert_double_ge(ns, (double)(b->begin_ns - a->end_ns));
	ck_assert_double_le(ns, (double)(b->end_ns - a->begin_ns));
}

/* The last interval has no step, and is shorter than the 50 ms after which a counter is
 * said to stand still: a busy machine takes a few. */
static void take_without_a_step(void)
{
	struct taken a, b;
	uint64_t step_uj = 0;

	do {
		step_uj++;
		set_uj("intel-rapl:0", 3000000 + step_uj);
		set_uj("intel-rapl:0:1", 600000 + step_uj);
		a = take_timed();
		usleep(1000);
		b = take_timed();
	} while (b.end_ns - a.begin_ns >= 50 * SM_NSEC_PER_MSEC);
}

START_TEST(rapl)
{
	struct taken first, second;

	wanted.domains = true;
	client();
	open_as(SM_SOURCE_RAPL);
	ck_assert_uint_eq(p.n, 4);
	first = take_timed();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	usleep(100000);
	set_uj("intel-rapl:0", 1000000 + 2000000);
	set_uj("intel-rapl:0:0", 500000 + 1000000);
	set_uj("intel-rapl:0:1", 200000 + 400000);
	set_uj("intel-rapl:1", 9000000 + 5000000);
	second = take_timed();
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
	ck_assert(!p.incomplete && !p.lost);
	ck_assert_double_eq(p.total_uj, 2400000);
	ck_assert_double_eq(at("core")->uj, 1000000);
	ck_assert_double_eq(at("psys")->uj, 5000000);
	ck_assert(at("pkg-0")->counted && at("dram")->counted);
	ck_assert(!at("core")->counted && !at("psys")->counted);
	/* each zone has an interval of its own */
	is_between(2400000 * 1e9 / p.total_uw, &first, &second);
	ck_assert_double_le(at("pkg-0")->uw, 2000000 * 1e9 / 100e6 * 1.01);
	take_without_a_step();
	ck_assert_double_eq(p.total_uw, 0);
	ck_assert_double_eq(p.total_uj, 0);
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
}
END_TEST

/* The energy polled between two takes is in the second one. */
START_TEST(rapl_polls)
{
	client();
	open_as(SM_SOURCE_RAPL);
	take();
	for (unsigned int i = 1; i <= 3; i++) {
		usleep(20000);
		set_uj("intel-rapl:0", 1000000 + i * 100000);
		ck_assert_int_eq(sm_source_poll(&p, now), 0);
	}
	take();
	ck_assert_double_eq(p.total_uj, 300000);
	/* half a range at 2 kW */
	ck_assert_uint_eq(sm_source_gap_ns(&p), 65535832212);
}
END_TEST

/* Only the total's zones are read without -D. */
START_TEST(rapl_total_only)
{
	client();
	open_as(SM_SOURCE_RAPL);
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1500000);
	set_uj("intel-rapl:0:0", 600000);
	take();
	ck_assert_double_eq(at("pkg-0")->uj, 500000);
	ck_assert(isnan(at("core")->uj));
	ck_assert_double_eq(p.total_uj, 500000);
	ck_assert(!p.incomplete);
}
END_TEST

START_TEST(rapl_rules)
{
	static const struct {
		int rule;
		double uj;
	} t[] = {{SM_RAPL_TOTAL_PKG, 100000}, {SM_RAPL_TOTAL_PKG_DRAM, 110000},
		{SM_RAPL_TOTAL_PSYS, 200000}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		client();
		wanted.total = (enum sm_rapl_total)t[i].rule;
		open_as(SM_SOURCE_RAPL);
		take();
		usleep(20000);
		set_uj("intel-rapl:0", 1100000);
		set_uj("intel-rapl:0:1", 210000);
		set_uj("intel-rapl:1", 9200000);
		take();
		ck_assert_double_eq(p.total_uj, t[i].uj);
		sm_source_close(&p);
	}
}
END_TEST

/* One that fails is missing in the total, which says so; the next reading bridges it. */
START_TEST(rapl_incomplete)
{
	client();
	open_as(SM_SOURCE_RAPL);
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1100000);
	fix_put("sys/class/powercap/intel-rapl:0:1/energy_uj", "?\n");
	take();
	ck_assert(p.incomplete);
	ck_assert(!p.lost);
	ck_assert_double_eq(p.total_uj, 100000);
	ck_assert_int_eq(p.figure, SM_FIGURE_MEASURED);
	ck_assert(isnan(at("dram")->uw));
	usleep(20000);
	set_uj("intel-rapl:0", 1200000);
	set_uj("intel-rapl:0:1", 250000);
	take();
	ck_assert(!p.incomplete);
	ck_assert_double_eq(p.total_uj, 150000);
	fix_put("sys/class/powercap/intel-rapl:0/energy_uj", "");
	fix_put("sys/class/powercap/intel-rapl:0:1/energy_uj", "");
	take();
	ck_assert(!p.incomplete && !p.lost); /* of nothing nothing is missing */
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
}
END_TEST

/* A package takes power, so a total without it is incomplete; DRAM may have no counter.
 */
START_TEST(rapl_still_package)
{
	static const char *const still[] = {"intel-rapl:0", "intel-rapl:0:1"};
	static const char *const moving[] = {"intel-rapl:0:1", "intel-rapl:0"};

	for (unsigned int i = 0; i < 2; i++) {
		client();
		set_uj(still[i], 0);
		open_as(SM_SOURCE_RAPL);
		take();
		for (unsigned int k = 1; k <= 4; k++) {
			usleep(60000);
			set_uj(moving[i], 1000000 + k * 90000);
			take();
		}
		ck_assert_uint_eq(p.rapl.zones.at[i ? 2 : 0].role.why, SM_RAPL_STILL);
		ck_assert_double_eq(p.total_uj, 90000);
		ck_assert(p.incomplete == (i == 0));
		sm_source_close(&p);
	}
}
END_TEST

static struct taken take_after_20_ms(void)
{
	usleep(20000);
	now = sm_clock_mono_ns();
	return take_timed();
}

/* The time that the energy is of: also that of a row without a figure ... */
START_TEST(rapl_time_of_a_hole)
{
	struct taken first, last;

	client();
	open_as(SM_SOURCE_RAPL);
	now = sm_clock_mono_ns();
	first = take_timed();
	set_uj("intel-rapl:0", 0);
	set_uj("intel-rapl:0:1", 0);
	(void)take_after_20_ms();
	ck_assert_int_eq(p.figure, SM_FIGURE_ABSENT);
	ck_assert_uint_eq(p.total_ns, 0);
	set_uj("intel-rapl:0", 1600000);
	set_uj("intel-rapl:0:1", 300000);
	last = take_after_20_ms();
	ck_assert_double_eq(p.total_uj, 700000);
	is_between((double)p.total_ns, &first, &last);
	/* to the nanosecond, although the two were not read at one instant */
	ck_assert_double_eq_tol(
		p.total_uw * (double)p.total_ns, p.total_uj * 1e9, p.total_uw);
	ck_assert_uint_gt(p.take_ns, now);
	is_between(700000 * 1e9 / p.total_uw, &first, &last);
}
END_TEST

/* ... but not twice that of a row with a part of it. */
START_TEST(rapl_time_of_a_part)
{
	struct taken first, second, third;

	client();
	open_as(SM_SOURCE_RAPL);
	now = sm_clock_mono_ns();
	first = take_timed();
	set_uj("intel-rapl:0", 1100000);
	set_uj("intel-rapl:0:1", 0);
	second = take_after_20_ms();
	ck_assert(p.missing);
	is_between((double)p.total_ns, &first, &second);
	set_uj("intel-rapl:0", 1200000);
	set_uj("intel-rapl:0:1", 300000);
	third = take_after_20_ms();
	ck_assert(!p.missing);
	ck_assert_double_eq(p.total_uj, 200000);
	is_between((double)p.total_ns, &second, &third);
}
END_TEST

START_TEST(rapl_rebase)
{
	client();
	open_as(SM_SOURCE_RAPL);
	take();
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000); /* of a suspend */
	sm_source_rebase(&p);
	take();
	ck_assert(isnan(p.total_uw));
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000 + 100);
	take();
	ck_assert_double_eq(p.total_uj, 100);
}
END_TEST

/* ENODEV, as of sysfs after the module was removed; a prepared root has no such error. */
static void lose_zone(const char *id)
{
	for (unsigned int i = 0; i < p.rapl.zones.n; i++)
		if (strcmp(p.rapl.zones.at[i].counter.id, id) == 0) {
			sm_base_close_fd(&p.rapl.zones.at[i].counter.fd);
			p.rapl.zones.at[i].counter.error = -ENODEV;
		}
}

START_TEST(rapl_lost)
{
	client();
	open_as(SM_SOURCE_RAPL);
	take();
	lose_zone("intel-rapl:0:1");
	usleep(1000);
	set_uj("intel-rapl:0", 1000100);
	take();
	ck_assert(!p.lost && p.incomplete);
	ck_assert_double_eq(p.total_uj, 100);
	lose_zone("intel-rapl:0");
	take();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "RAPL"));
}
END_TEST

/* Root's files; as root nothing is unreadable. */
START_TEST(rapl_permission)
{
	static const char *const ids[] = {
		"intel-rapl:0", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:1"};
	char name[96];

	if (geteuid() == 0)
		return;
	client();
	for (size_t i = 0; i < SM_ARRAY_SIZE(ids); i++) {
		snprintf(name, sizeof(name), "sys/class/powercap/%s/energy_uj", ids[i]);
		ck_assert_int_eq(chmod(fix_path(name), 0), 0);
	}
	ck_assert_int_eq(refused(SM_SOURCE_RAPL), -EACCES);
	expect_why("  rapl: /sys/class/powercap/intel-rapl:");
	expect_why("/energy_uj: Permission denied\n");
	expect_why("  perf (the power PMU): there is none\n");
	sm_source_close(&p);
	ck_assert_int_eq(refused(SM_SOURCE_AUTO), -EACCES);
	sm_source_close(&p);
	power_meter("30000000\n");
	open_as(SM_SOURCE_AUTO);
	ck_assert_int_eq(p.kind, SM_SOURCE_HWMON);
}
END_TEST

static TCase *tc_rapl(void)
{
	TCase *tc = tcase_create("rapl");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rapl);
	tcase_add_test(tc, rapl_polls);
	tcase_add_test(tc, rapl_total_only);
	tcase_add_test(tc, rapl_rules);
	tcase_add_test(tc, rapl_incomplete);
	tcase_add_test(tc, rapl_still_package);
	tcase_add_test(tc, rapl_time_of_a_hole);
	tcase_add_test(tc, rapl_time_of_a_part);
	tcase_add_test(tc, rapl_rebase);
	tcase_add_test(tc, rapl_lost);
	tcase_add_test(tc, rapl_permission);
	return tc;
}

UNIT_MAIN("source_rapl", tc_rapl)
