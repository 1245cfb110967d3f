// SPDX-License-Identifier: GPL-2.0-or-later
/* Zones that cannot be read for a while: from the beginning, or in between. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "fixroot_rig.h"
#include "power/rapl.h"

static struct sm_rapl r;
static unsigned long pkg_uj; /* 0: the package is not readable */

static void setup(void)
{
	fix_open();
	r = (struct sm_rapl){0};
}

static void teardown(void)
{
	sm_rapl_close(&r);
	fix_close();
}

static void put(const char *id, const char *file, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "sys/class/powercap/%s/%s", id, file);
	fix_put(path, text);
}

static void zone(const char *id, const char *name, const char *uj)
{
	put(id, "name", name);
	put(id, "max_energy_range_uj", "262143328850\n");
	put(id, "energy_uj", uj);
}

/* zone[0] is the package, zone[1] its dram. */
static void open_two(const char *pkg, const char *dram)
{
	pkg_uj = strtoul(pkg, NULL, 10);
	zone("intel-rapl:0", "package-0\n", pkg);
	zone("intel-rapl:0:0", "dram\n", dram);
	ck_assert_int_eq(sm_rapl_open(&r, &fix, SM_RAPL_TOTAL_PKG_DRAM), 0);
	ck_assert_uint_eq(r.zones.counted, 2);
}

/* The package moves: on a busy machine 50 ms may pass, and a counter that stands still
 * has no figure. */
static void read_all(int want)
{
	char text[24];

	if (pkg_uj) {
		snprintf(text, sizeof(text), "%lu\n", ++pkg_uj);
		put("intel-rapl:0", "energy_uj", text);
	}
	ck_assert_int_eq(sm_rapl_read(&r), want);
}

/* ---- from the first reading on ---- */

START_TEST(fails_from_the_first)
{
	static const char *const bad[] = {"", "junk\n"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		open_two("1000\n", bad[i]);
		sm_rapl_only_total(&r);
		read_all(1);
		ck_assert_int_eq(r.zones.at[1].role.why, SM_RAPL_UNREADABLE);
		ck_assert_int_eq(r.zones.at[0].role.why, SM_RAPL_COUNTED);
		ck_assert_uint_eq(r.zones.counted, 1);
		read_all(1);
		/* from its first value on it is in the total */
		put("intel-rapl:0:0", "energy_uj", "500\n");
		read_all(2);
		ck_assert_int_eq(r.zones.at[1].role.why, SM_RAPL_COUNTED);
		ck_assert_uint_eq(r.zones.counted, 2);
		ck_assert_uint_eq(r.zones.at[1].sums.covered_ns, 0);
		usleep(1000);
		put("intel-rapl:0:0", "energy_uj", "507\n");
		read_all(2);
		ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, 7);
		sm_rapl_close(&r);
	}
}
END_TEST

/* Later it stays in the total, which is not whole then. */
START_TEST(fails_later)
{
	open_two("1000\n", "500\n");
	read_all(2);
	put("intel-rapl:0:0", "energy_uj", "");
	read_all(1);
	ck_assert_int_eq(r.zones.at[1].role.why, SM_RAPL_COUNTED);
	ck_assert_uint_eq(r.zones.counted, 2);
}
END_TEST

/* If all fail, no zone is marked; if all were removed, the source is lost. */
START_TEST(all_fail_from_the_first)
{
	open_two("", "junk\n");
	read_all(0);
	ck_assert_uint_eq(r.zones.counted, 2);
	sm_rapl_close(&r);
	open_two("1000\n", "500\n");
	for (unsigned int i = 0; i < 2; i++) {
		sm_base_close_fd(&r.zones.at[i].counter.fd);
		r.zones.at[i].counter.error = -ENODEV;
	}
	read_all(-ENODEV);
}
END_TEST

/* A duplicate that works replaces it at once. */
START_TEST(duplicate_of_failing_zone)
{
	zone("intel-rapl-mmio:0", "package-0\n", "1000\n");
	open_two("junk\n", "500\n");
	read_all(2);
	ck_assert_uint_eq(r.zones.exchanged, 1);
	ck_assert_str_eq(r.zones.at[0].counter.id, "intel-rapl-mmio:0");
	ck_assert_int_eq(r.zones.at[0].role.why, SM_RAPL_COUNTED);
	ck_assert_uint_eq(r.zones.counted, 2);
}
END_TEST

/* ---- gone and back ---- */

/* Simulates the file of a removed module by a closed fd. */
static void vanish(unsigned int i)
{
	ck_assert_int_ge(r.zones.at[i].counter.fd, 0);
	sm_base_close_fd(&r.zones.at[i].counter.fd);
	r.zones.at[i].counter.error = -ENODEV;
}

START_TEST(gone_for_good)
{
	open_two("1000\n", "500\n");
	read_all(2);
	vanish(1);
	read_all(1);
	ck_assert_int_eq(r.zones.at[1].counter.fd, -1);
	ck_assert_int_eq(r.zones.at[1].counter.error, -ENODEV);
}
END_TEST

START_TEST(comes_back)
{
	uint64_t begin_ns;

	open_two("1000\n", "500000\n");
	sm_rapl_allow_reopen(&r);
	read_all(2);
	vanish(1);
	put("intel-rapl:0:0", "energy_uj", "7\n");
	put("intel-rapl:0:0", "max_energy_range_uj", "65712999613\n");
	/* Otherwise the package is still if the machine is busy. */
	put("intel-rapl:0", "energy_uj", "1500\n");
	begin_ns = sm_clock_mono_ns();
	read_all(2);
	ck_assert_int_eq(r.zones.at[1].counter.error, 0);
	ck_assert_uint_eq(r.zones.at[1].counter.range_uj, 65712999613);
	ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, 0);
	ck_assert_uint_eq(r.zones.at[1].sums.glitches, 0);
	put("intel-rapl:0:0", "energy_uj", "12\n");
	usleep(1000);
	read_all(2);
	ck_assert_uint_eq(r.zones.at[1].sums.energy_uj, 5);
	/* not more often than every ten seconds */
	vanish(1);
	read_all(1);
	ck_assert_int_eq(r.zones.at[1].counter.fd, -1);
	ck_assert_uint_ge(r.reopen_ns, begin_ns + 10 * SM_NSEC_PER_SEC);
	ck_assert_uint_le(r.reopen_ns, sm_clock_mono_ns() + 10 * SM_NSEC_PER_SEC);
	r.reopen_ns = sm_clock_mono_ns();
	read_all(2);
	ck_assert_int_eq(r.zones.at[1].counter.error, 0);
}
END_TEST

/* Zones are renumbered when a module is loaded again. */
START_TEST(another_one_comes)
{
	open_two("1000\n", "500\n");
	sm_rapl_allow_reopen(&r);
	read_all(2);
	vanish(1);
	put("intel-rapl:0:0", "name", "core\n");
	read_all(1);
	ck_assert_int_eq(r.zones.at[1].counter.fd, -1);
	ck_assert_int_eq(r.zones.at[1].counter.error, -ENODEV);
	ck_assert_int_eq(
		unlink(fix_path("sys/class/powercap/intel-rapl:0:0/energy_uj")), 0);
	r.reopen_ns = 0;
	read_all(1);
	ck_assert_int_eq(r.zones.at[1].counter.error, -ENODEV);
}
END_TEST

static void limit(const char *may, const char *set, uint64_t want_uw)
{
	sm_rapl_close(&r);
	put("intel-rapl:0", "constraint_0_max_power_uw", may);
	put("intel-rapl:0", "constraint_1_power_limit_uw", set);
	open_two("1000\n", "500\n");
	ck_assert_uint_eq(r.zones.at[0].counter.limit_uw, want_uw);
	ck_assert_uint_eq(r.zones.at[1].counter.limit_uw, 0);
	ck_assert_uint_eq(r.zones.at[0].counter.cap_uw, 2000000000);
}

/* The maximum of a laptop's first constraint is below the limit of the second one. */
START_TEST(limits)
{
	limit("54000000\n", "0\n", 4 * 54000000);
	limit("15000000\n", "64000000\n", 4 * 64000000);
	limit("0\n", "20000000\n", 4 * 20000000);
	limit("0\n", "junk\n", 0);
}
END_TEST

#define TEST(fn) tcase_add_test(tc, fn)

static TCase *tc_first(void)
{
	TCase *tc = tcase_create("first");

	tcase_add_checked_fixture(tc, setup, teardown);
	TEST(fails_from_the_first);
	TEST(fails_later);
	TEST(all_fail_from_the_first);
	TEST(duplicate_of_failing_zone);
	TEST(limits);
	return tc;
}

static TCase *tc_gone(void)
{
	TCase *tc = tcase_create("gone");

	tcase_add_checked_fixture(tc, setup, teardown);
	TEST(gone_for_good);
	TEST(comes_back);
	TEST(another_one_comes);
	return tc;
}

UNIT_MAIN("rapl_away", tc_first, tc_gone)
