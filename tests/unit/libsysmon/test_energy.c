// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "fixroot_rig.h"
#include "power/energy.h"

static struct sm_energy e;

static void setup(void)
{
	fix_open();
	e = (struct sm_energy){0};
}

static void teardown(void)
{
	sm_energy_close(&e);
	fix_close();
}

static void put(const char *zone, const char *file, const char *text)
{
	char name[128];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/%s", zone, file);
	fix_put(name, text);
}

static void set_uj(const char *zone, unsigned long long uj)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu\n", uj);
	put(zone, "energy_uj", text);
}

static void zone(const char *id, const char *label)
{
	put(id, "name", label);
	put(id, "max_energy_range_uj", "262143328850\n");
	set_uj(id, 1000000);
}

/* A reading 20 ms after the last one. */
static void read_later(void)
{
	usleep(20000);
	sm_energy_read(&e);
}

START_TEST(adds_packages_and_drams)
{
	zone("intel-rapl:0", "package-0\n");
	zone("intel-rapl:0:0", "core\n");
	zone("intel-rapl:0:1", "dram\n");
	ck_assert_int_eq(sm_energy_open(&e, &fix), 0);
	ck_assert(!e.by_pmu);
	sm_energy_begin(&e);
	ck_assert(isnan(e.uj) && isnan(e.uw));
	usleep(20000);
	set_uj("intel-rapl:0", 1200000);
	set_uj("intel-rapl:0:0", 1150000);
	set_uj("intel-rapl:0:1", 1010000);
	sm_energy_read(&e);
	ck_assert_double_eq(e.uj, 210000);
	ck_assert(e.uw > 0 && e.uw <= 210000 / 0.02);
	set_uj("intel-rapl:0", 1300000);
	read_later();
	ck_assert_double_eq(e.uj, 310000);
	/* half a range at 2 kW */
	ck_assert_uint_eq(sm_energy_gap_ns(&e), 65535832212);
}
END_TEST

START_TEST(begins_again)
{
	zone("intel-rapl:0", "package-0\n");
	ck_assert_int_eq(sm_energy_open(&e, &fix), 0);
	sm_energy_begin(&e);
	set_uj("intel-rapl:0", 1500000);
	read_later();
	ck_assert_double_eq(e.uj, 500000);
	set_uj("intel-rapl:0", 1700000); /* between two stages */
	sm_energy_begin(&e);
	set_uj("intel-rapl:0", 1800000);
	read_later();
	ck_assert_double_eq(e.uj, 100000);
}
END_TEST

/* 10 W before and after: in between the counter reads 0. */
START_TEST(a_glitch_adds_nothing)
{
	zone("intel-rapl:0", "package-0\n");
	ck_assert_int_eq(sm_energy_open(&e, &fix), 0);
	sm_energy_begin(&e);
	set_uj("intel-rapl:0", 1200000);
	read_later();
	set_uj("intel-rapl:0", 0);
	read_later();
	ck_assert_double_eq(e.uj, 200000);
	ck_assert(isnan(e.uw));
	set_uj("intel-rapl:0", 1600000);
	read_later();
	ck_assert_double_eq(e.uj, 600000);
	ck_assert(!e.lost);
}
END_TEST

START_TEST(none)
{
	ck_assert_int_eq(sm_energy_open(&e, &fix), -ENOENT);
	ck_assert(isnan(e.uj) && isnan(e.uw));
}
END_TEST

/* Root may read it. */
START_TEST(not_allowed)
{
	zone("intel-rapl:0", "package-0\n");
	ck_assert_int_eq(
		chmod(fix_path("sys/class/powercap/intel-rapl:0/energy_uj"), 0), 0);
	ck_assert_int_eq(sm_energy_open(&e, &fix), geteuid() == 0 ? 0 : -EACCES);
}
END_TEST

/* All counters have gone: the energy of the stage is unknown. */
START_TEST(removed)
{
	zone("intel-rapl:0", "package-0\n");
	ck_assert_int_eq(sm_energy_open(&e, &fix), 0);
	sm_energy_begin(&e);
	set_uj("intel-rapl:0", 1200000);
	read_later();
	ck_assert_double_eq(e.uj, 200000);
	sm_base_close_fd(&e.rapl.zones.at[0].counter.fd);
	e.rapl.zones.at[0].counter.error = -ENODEV;
	sm_energy_read(&e);
	ck_assert(e.lost && isnan(e.uj) && isnan(e.uw));
}
END_TEST

static TCase *tc_energy(void)
{
	TCase *tc = tcase_create("energy");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, adds_packages_and_drams);
	tcase_add_test(tc, begins_again);
	tcase_add_test(tc, a_glitch_adds_nothing);
	tcase_add_test(tc, none);
	tcase_add_test(tc, not_allowed);
	tcase_add_test(tc, removed);
	return tc;
}

UNIT_MAIN("energy", tc_energy)
