// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "battery_rig.h"
#include "clock.h"
#include "fixroot_rig.h"
#include "powerstat/power.h"

#define RANGE "262143328850\n" /* 2^32 units of 61 uJ */
#define S     SM_NSEC_PER_SEC

static struct ps_opts o;
static struct power p;
static struct sm_buf why;
static uint64_t now; /* of batteries */

static void setup(void)
{
	fix_open();
	o = ps_opts_default;
	p = (struct power){0};
	why = (struct sm_buf){0};
	now = 1000 * S;
}

static void teardown(void)
{
	power_close(&p);
	sm_buf_fini(&why);
	fix_close();
}

/* ---- machines ---- */

static void set_uj(const char *id, uint64_t uj)
{
	char name[128], text[32];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/energy_uj", id);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)uj);
	fix_put(name, text);
}

static void zone(const char *id, const char *label, uint64_t uj)
{
	char name[128];

	snprintf(name, sizeof(name), "sys/class/powercap/%s/name", id);
	fix_put(name, label);
	snprintf(name, sizeof(name), "sys/class/powercap/%s/max_energy_range_uj", id);
	fix_put(name, RANGE);
	set_uj(id, uj);
}

static void client(void)
{
	zone("intel-rapl:0", "package-0\n", 1000000);
	zone("intel-rapl:0:0", "core\n", 500000);
	zone("intel-rapl:0:1", "dram\n", 200000);
	zone("intel-rapl:1", "psys\n", 9000000);
}

static void supply(const char *name, const char *words)
{
	char path[128], text[2048];

	snprintf(path, sizeof(path), "sys/class/power_supply/%s/uevent", name);
	to_uevent(text, sizeof(text), words);
	fix_put(path, text);
}

static void remove_dir(const char *name)
{
	ck_assert_int_eq(nftw(fix_path(name), fix_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#define BATTERY "TYPE=Battery PRESENT=1 "
#define AT_10W	BATTERY "STATUS=Discharging POWER_NOW=10000000 ENERGY_NOW=50000000"

static void sensor(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/hwmon/hwmon0/%s", file);
	fix_put(path, text);
}

static void power_meter(const char *uw)
{
	sensor("name", "power_meter\n");
	sensor("power1_average", uw);
}

/* ---- steps ---- */

static void open_as(int source)
{
	o.source = source;
	ck_assert_int_eq(power_open(&p, &fix, &o, &why), 0);
}

static int refused(int source)
{
	int err;

	o.source = source;
	err = power_open(&p, &fix, &o, &why);
	sm_buf_chr(&why, '\0');
	return err;
}

static void expect_why(const char *text)
{
	ck_assert_msg(strstr(why.p, text), "'%s' is not in '%s'", text, why.p);
}

static void expect_described(const char *want)
{
	struct sm_buf b = {0};

	power_describe(&p, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

static void take(void)
{
	ck_assert_int_eq(power_take(&p, now), 0);
}

/* A battery's second. */
static void second(void)
{
	now += S;
	take();
}

static void about(double got, double want, double share)
{
	ck_assert_msg(
		fabs(got - want) <= share * fabs(want), "%g is not about %g", got, want);
}

static const struct power_domain *at(const char *label)
{
	for (unsigned int i = 0; i < p.all; i++)
		if (strcmp(p.domain[i].label, label) == 0)
			return &p.domain[i];
	ck_abort_msg("no domain '%s'", label);
	return NULL;
}

/* ---- the choice ---- */

START_TEST(nothing_at_all)
{
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	ck_assert_int_eq(p.source, PS_AUTO);
	expect_why("  battery: there is none\n");
	expect_why("  rapl (/sys/class/powercap): there is none\n");
	expect_why("  perf (the power PMU): there is none\n");
	expect_why("  hwmon: no power meter of the system\n");
}
END_TEST

START_TEST(nothing_of_the_kind)
{
	static const int sources[] = {PS_BATTERY, PS_PERF, PS_HWMON};

	client();
	for (size_t i = 0; i < SM_ARRAY_SIZE(sources); i++) {
		ck_assert_int_eq(refused(sources[i]), -ENODEV);
		power_close(&p);
	}
	open_as(PS_RAPL);
	power_close(&p);
	remove_dir("sys/class/powercap");
	ck_assert_int_eq(refused(PS_RAPL), -ENODEV);
}
END_TEST

START_TEST(without_power)
{
	o.no_power = true;
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_NONE);
	ck_assert_uint_eq(p.n, 0);
	take();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	ck_assert(!p.lost && !p.incomplete);
	ck_assert_uint_eq(power_gap_ns(&p), UINT64_MAX);
	expect_described("none");
	power_close(&p);
	o.no_power = false;
	open_as(PS_NONE);
	ck_assert_int_eq(p.source, PS_NONE);
	/* what is there is taken, -z or not */
	power_close(&p);
	o.no_power = true;
	client();
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
}
END_TEST

START_TEST(order)
{
	power_meter("30000000\n");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_HWMON);
	power_close(&p);
	client();
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
	power_close(&p);
	supply("BAT0", BATTERY "STATUS=Full ENERGY_NOW=50000000");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_RAPL);
	power_close(&p);
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_BATTERY);
	expect_described("battery: BAT0");
	power_close(&p);
	open_as(PS_RAPL);
	expect_described("RAPL: pkg-0 + dram");
	power_close(&p);
	open_as(PS_HWMON);
	ck_assert_int_eq(p.source, PS_HWMON);
}
END_TEST

/* A mouse is not the machine. */
START_TEST(peripherals)
{
	supply("hidpp_battery_0", "TYPE=Battery SCOPE=Device PRESENT=1 "
				  "STATUS=Discharging POWER_NOW=3000000");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	expect_why("  battery: no system battery is discharging\n");
	power_close(&p);
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	ck_assert_uint_eq(p.n, 1);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
}
END_TEST

/* Asked for, it may still be unplugged. */
START_TEST(battery_on_mains)
{
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000 ENERGY_NOW=50000000");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	power_close(&p);
	open_as(PS_BATTERY);
	ck_assert_uint_eq(p.n, 1);
	supply("BAT0", AT_10W);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert(!p.lost);
}
END_TEST

/* ---- RAPL ---- */

START_TEST(rapl)
{
	uint64_t start, end;

	o.domains = true;
	client();
	open_as(PS_RAPL);
	ck_assert_uint_eq(p.n, 4);
	take();
	ck_assert(isnan(p.total_uw) && isnan(p.total_uj));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	start = sm_mono_ns();
	usleep(100000);
	set_uj("intel-rapl:0", 1000000 + 2000000);
	set_uj("intel-rapl:0:0", 500000 + 1000000);
	set_uj("intel-rapl:0:1", 200000 + 400000);
	set_uj("intel-rapl:1", 9000000 + 5000000);
	take();
	end = sm_mono_ns();
	ck_assert_int_eq(p.kind, PS_MEASURED);
	ck_assert(!p.incomplete && !p.lost);
	ck_assert_double_eq(p.total_uj, 2400000);
	ck_assert_double_eq(at("core")->uj, 1000000);
	ck_assert_double_eq(at("psys")->uj, 5000000);
	ck_assert(at("pkg-0")->counted && at("dram")->counted);
	ck_assert(!at("core")->counted && !at("psys")->counted);
	/* each zone's own interval: about that between the two takes */
	about(p.total_uw, 2400000 * 1e9 / (double)(end - start), 0.2);
	ck_assert_double_le(at("pkg-0")->uw, 2000000 * 1e9 / 100e6 * 1.01);
	/* an interval without a step */
	usleep(1000);
	take();
	ck_assert_double_eq(p.total_uw, 0);
	ck_assert_double_eq(p.total_uj, 0);
	ck_assert_int_eq(p.kind, PS_MEASURED);
}
END_TEST

/* What is polled between two takes is in the second one. */
START_TEST(rapl_polls)
{
	client();
	open_as(PS_RAPL);
	take();
	for (unsigned int i = 1; i <= 3; i++) {
		usleep(20000);
		set_uj("intel-rapl:0", 1000000 + i * 100000);
		ck_assert_int_eq(power_poll(&p, now), 0);
	}
	take();
	ck_assert_double_eq(p.total_uj, 300000);
	/* half a range at 2 kW */
	ck_assert_uint_eq(power_gap_ns(&p), 65535832212);
}
END_TEST

/* Only the total's zones are read without -D. */
START_TEST(rapl_total_only)
{
	client();
	open_as(PS_RAPL);
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
		o.total = t[i].rule;
		open_as(PS_RAPL);
		take();
		usleep(20000);
		set_uj("intel-rapl:0", 1100000);
		set_uj("intel-rapl:0:1", 210000);
		set_uj("intel-rapl:1", 9200000);
		take();
		ck_assert_double_eq(p.total_uj, t[i].uj);
		power_close(&p);
	}
}
END_TEST

/* One that fails is missing in the total, which says so; the next reading bridges it. */
START_TEST(rapl_incomplete)
{
	client();
	open_as(PS_RAPL);
	take();
	usleep(20000);
	set_uj("intel-rapl:0", 1100000);
	fix_put("sys/class/powercap/intel-rapl:0:1/energy_uj", "?\n");
	take();
	ck_assert(p.incomplete);
	ck_assert(!p.lost);
	ck_assert_double_eq(p.total_uj, 100000);
	ck_assert_int_eq(p.kind, PS_MEASURED);
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
	ck_assert_int_eq(p.kind, PS_ABSENT);
}
END_TEST

START_TEST(rapl_rebase)
{
	client();
	open_as(PS_RAPL);
	take();
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000); /* of a suspend */
	power_rebase(&p);
	take();
	ck_assert(isnan(p.total_uw));
	usleep(5000);
	set_uj("intel-rapl:0", 1000000 + 700000 + 100);
	take();
	ck_assert_double_eq(p.total_uj, 100);
}
END_TEST

/* What sysfs says when the module has gone; a prepared root cannot. */
static void lose_zone(const char *id)
{
	for (unsigned int i = 0; i < p.rapl.n; i++)
		if (strcmp(p.rapl.zone[i].id, id) == 0) {
			sm_close_fd(&p.rapl.zone[i].fd);
			p.rapl.zone[i].error = -ENODEV;
		}
}

START_TEST(rapl_lost)
{
	client();
	open_as(PS_RAPL);
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
	ck_assert_int_eq(refused(PS_RAPL), -EACCES);
	expect_why("  rapl: /sys/class/powercap/intel-rapl:");
	expect_why("/energy_uj: Permission denied\n");
	expect_why("  perf (the power PMU): there is none\n");
	power_close(&p);
	ck_assert_int_eq(refused(PS_AUTO), -EACCES);
	power_close(&p);
	power_meter("30000000\n");
	open_as(PS_AUTO);
	ck_assert_int_eq(p.source, PS_HWMON);
}
END_TEST

/* ---- batteries ---- */

START_TEST(battery_rate)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_int_eq(p.kind, PS_GAUGE_RATE);
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=-12500000");
	now += 4 * S;
	take();
	ck_assert_double_eq(p.total_uw, 12.5e6);
	about(p.total_uj, 50e6, 1e-9);
	ck_assert(!p.incomplete && !p.lost && !p.mains_note);
	ck_assert_uint_eq(p.window_ns, 0);
}
END_TEST

/* Not more often than once a second. */
START_TEST(battery_is_spared)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	supply("BAT0", BATTERY "STATUS=Discharging POWER_NOW=20000000");
	now += S / 2;
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	now += S / 2;
	take();
	ck_assert_double_eq(p.total_uw, 20e6);
	about(p.total_uj, 10e6, 1e-9); /* of half a second */
}
END_TEST

START_TEST(two_batteries)
{
	o.domains = true;
	supply("BAT0", AT_10W);
	supply("BAT1", BATTERY "STATUS=Charging POWER_NOW=8000000");
	open_as(PS_AUTO);
	ck_assert_uint_eq(p.n, 2);
	take();
	ck_assert_double_eq(p.total_uw, 10e6);
	ck_assert_double_eq(at("BAT1")->uw, 8e6); /* shown, not added */
	ck_assert(!at("BAT1")->counted);
	supply("BAT1", BATTERY "STATUS=Discharging POWER_NOW=8000000");
	second();
	ck_assert_double_eq(p.total_uw, 18e6);
	ck_assert(at("BAT1")->counted);
	supply("BAT0", BATTERY "STATUS=Not_charging POWER_NOW=0");
	second();
	ck_assert_double_eq(p.total_uw, 8e6);
	ck_assert(!p.lost);
}
END_TEST

START_TEST(mains_while_discharging)
{
	supply("AC", "TYPE=Mains ONLINE=0");
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	ck_assert(!p.mains_note);
	supply("AC", "TYPE=Mains ONLINE=1");
	second();
	ck_assert(p.mains_note);
	ck_assert(!p.lost);
	supply("AC", "TYPE=Mains ONLINE=0");
	second();
	ck_assert(p.mains_note); /* there was such a time */
}
END_TEST

static void level(unsigned int mwh)
{
	char words[128];

	snprintf(
		words, sizeof(words), BATTERY "STATUS=Discharging ENERGY_NOW=%u000", mwh);
	supply("BAT0", words);
}

/* 36 W: 10 mWh a second. */
static void discharge(unsigned int *mwh, unsigned int seconds)
{
	for (unsigned int i = 0; i < seconds; i++) {
		*mwh -= 10;
		level(*mwh);
		second();
	}
}

START_TEST(battery_level)
{
	unsigned int mwh = 50000;

	level(mwh);
	open_as(PS_AUTO);
	ck_assert_uint_eq(power_gap_ns(&p), S);
	take();
	ck_assert(isnan(p.total_uw));
	ck_assert_int_eq(p.kind, PS_ABSENT);
	discharge(&mwh, 1);
	ck_assert_int_eq(p.kind, PS_ABSENT); /* one edge is no slope */
	discharge(&mwh, 4);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	about(p.total_uw, 36e6, 1e-6);
	about(p.total_uj, 36e6, 1e-6);
	ck_assert_uint_eq(p.window_ns, 4 * S);
	discharge(&mwh, 55);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	discharge(&mwh, 2);
	ck_assert_int_eq(p.kind, PS_LEVEL);
	about(p.total_uw, 36e6, 1e-6);
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 120 * S);
}
END_TEST

START_TEST(battery_level_from_start)
{
	unsigned int mwh = 50000;

	o.from_start = true;
	level(mwh);
	open_as(PS_AUTO);
	take();
	discharge(&mwh, 200);
	ck_assert_uint_eq(p.window_ns, 199 * S);
	about(p.total_uw, 36e6, 1e-6);
}
END_TEST

/* What is put in anew begins anew. */
START_TEST(battery_level_of_another_stretch)
{
	unsigned int mwh = 50000;

	level(mwh);
	supply("BAT1", AT_10W);
	open_as(PS_AUTO);
	take();
	discharge(&mwh, 100);
	ck_assert_int_eq(p.kind, PS_LEVEL);
	supply("BAT0", BATTERY "STATUS=Charging ENERGY_NOW=49000000");
	second();
	ck_assert_int_eq(p.kind, PS_GAUGE_RATE);
	ck_assert_double_eq(p.total_uw, 10e6);
	mwh = 48500;
	level(mwh);
	second();
	discharge(&mwh, 10);
	ck_assert_int_eq(p.kind, PS_ESTIMATE);
	about(p.total_uw, 46e6, 1e-6);
	ck_assert_uint_le(p.window_ns, 10 * S);
}
END_TEST

START_TEST(charger_plugged_in)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	supply("BAT0", BATTERY "STATUS=Charging POWER_NOW=10000000");
	second();
	ck_assert(p.lost);
	ck_assert_ptr_nonnull(strstr(p.lost_why, "charger"));
	ck_assert(isnan(p.total_uw));
}
END_TEST

START_TEST(battery_taken_out)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	remove_dir("sys/class/power_supply/BAT0");
	second();
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the battery has gone");
}
END_TEST

/* Without a column, but in the total. */
START_TEST(battery_put_in)
{
	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	supply("BAT1", AT_10W);
	for (unsigned int i = 0; i < 11; i++)
		second();
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.all, 2);
	ck_assert_double_eq(p.total_uw, 20e6);
}
END_TEST

/* As many as there is room for. */
START_TEST(many_batteries_put_in)
{
	char name[16];

	supply("BAT0", AT_10W);
	open_as(PS_AUTO);
	take();
	for (unsigned int i = 1; i < 40; i++) {
		snprintf(name, sizeof(name), "BAT%u", i);
		supply(name, AT_10W);
	}
	for (unsigned int i = 0; i < 22; i++)
		second();
	ck_assert_uint_eq(p.n, 1);
	ck_assert_uint_eq(p.all, 17);
	ck_assert_double_eq(p.total_uw, 170e6);
}
END_TEST

/* ---- power meters ---- */

START_TEST(meter)
{
	power_meter("30000000\n");
	sensor("power2_average", "1500000\n");
	open_as(PS_HWMON);
	ck_assert_uint_eq(p.n, 2);
	take();
	ck_assert_double_eq(p.total_uw, 31.5e6);
	ck_assert_int_eq(p.kind, PS_MEASURED);
	now += 2 * S;
	sensor("power2_average", "x\n");
	take();
	ck_assert(p.incomplete);
	ck_assert_double_eq(p.total_uw, 30e6);
	about(p.total_uj, 60e6, 1e-9);
	ck_assert(!p.lost);
}
END_TEST

START_TEST(meter_lost)
{
	power_meter("30000000\n");
	sensor("power2_average", "1500000\n");
	open_as(PS_AUTO);
	take();
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert(!p.lost);
		sm_close_fd(&p.hwmon.sensor[i].file.fd);
		p.hwmon.sensor[i].error = -ENODEV;
		take();
	}
	ck_assert(p.lost);
	ck_assert_str_eq(p.lost_why, "the power meter has gone");
}
END_TEST

/* Parts of a machine are no machine, unless they are asked for. */
START_TEST(meter_of_a_part)
{
	sensor("name", "amdgpu\n");
	sensor("power1_average", "30000000\n");
	ck_assert_int_eq(refused(PS_AUTO), -ENODEV);
	expect_why("  hwmon: no power meter of the system\n");
	power_close(&p);
	open_as(PS_HWMON);
	take();
	ck_assert_double_eq(p.total_uw, 30e6);
}
END_TEST

START_TEST(meter_that_counts)
{
	sensor("name", "xe\n");
	sensor("energy1_input", "1000000\n");
	open_as(PS_HWMON);
	take();
	ck_assert(isnan(p.total_uw));
	usleep(20000);
	sensor("energy1_input", "1300000\n");
	take();
	ck_assert_double_eq(p.total_uj, 300000);
	ck_assert_double_le(p.total_uw, 300000 / 0.02);
	ck_assert_double_gt(p.total_uw, 0);
}
END_TEST

/* ---- the list ---- */

static void expect_list(const char *const *want, size_t n)
{
	struct sm_buf b = {0};

	power_list(&fix, &o, &b);
	sm_buf_chr(&b, '\0');
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(strstr(b.p, want[i]), "'%s' is not in\n%s", want[i], b.p);
	sm_buf_fini(&b);
}

#define LIST(...)                                                \
	do {                                                     \
		static const char *const want[] = {__VA_ARGS__}; \
		expect_list(want, SM_ARRAY_SIZE(want));          \
	} while (0)

START_TEST(list_of_nothing)
{
	LIST("Batteries: none\n", "RAPL (powercap): none\n",
		"RAPL (perf's power PMU): none\n", "Power meters (hwmon): none\n",
		"Taken: none\n");
}
END_TEST

START_TEST(list)
{
	client();
	power_meter("30000000\n");
	supply("BAT0", AT_10W);
	supply("BAT1", BATTERY "STATUS=Full ENERGY_NOW=1000000");
	supply("mouse", "TYPE=Battery SCOPE=Device PRESENT=1 STATUS=Discharging");
	supply("AC", "TYPE=Mains ONLINE=1");
	LIST("\n  BAT0: discharging, gauge rate 10.000 W, added\n",
		"\n  BAT1: full, level only: an estimate, added while it discharges\n",
		"\n  mouse: of a peripheral, not added\n", "\n  (mains are online)\n",
		"\n  intel-rapl:0 (pkg-0): readable, added\n",
		"\n  intel-rapl:0:0 (core): readable, inside its package, not added\n",
		"\n  intel-rapl:0:1 (dram): readable, added\n",
		"\n  intel-rapl:1 (psys): readable, not added by this rule (--total)\n",
		"(power_meter, power1_average): of the whole machine, added\n",
		"\nTaken: battery: ");
}
END_TEST

/* Names are files' names: any bytes. */
START_TEST(list_is_sanitised)
{
	struct sm_buf b = {0};

	supply("B\x1b[2J\n\xff", AT_10W);
	sensor("name", "chip\x1b]0;\n");
	sensor("power1_label", "\x1b[31mred\n");
	sensor("power1_average", "30000000\n");
	power_list(&fix, &o, &b);
	for (size_t i = 0; i < b.len; i++)
		ck_assert((unsigned char)b.p[i] >= ' ' || b.p[i] == '\n');
	sm_buf_chr(&b, '\0');
	ck_assert_ptr_null(strstr(b.p, "[2J\n"));
	ck_assert_ptr_nonnull(strstr(b.p, "Taken: battery: B"));
	sm_buf_fini(&b);
}
END_TEST

static TCase *tc_choice(void)
{
	TCase *tc = tcase_create("choice");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing_at_all);
	tcase_add_test(tc, nothing_of_the_kind);
	tcase_add_test(tc, without_power);
	tcase_add_test(tc, order);
	tcase_add_test(tc, peripherals);
	tcase_add_test(tc, battery_on_mains);
	tcase_add_test(tc, list_of_nothing);
	tcase_add_test(tc, list);
	tcase_add_test(tc, list_is_sanitised);
	return tc;
}

static TCase *tc_rapl(void)
{
	TCase *tc = tcase_create("rapl");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rapl);
	tcase_add_test(tc, rapl_polls);
	tcase_add_test(tc, rapl_total_only);
	tcase_add_test(tc, rapl_rules);
	tcase_add_test(tc, rapl_incomplete);
	tcase_add_test(tc, rapl_rebase);
	tcase_add_test(tc, rapl_lost);
	tcase_add_test(tc, rapl_permission);
	return tc;
}

static TCase *tc_battery(void)
{
	TCase *tc = tcase_create("battery");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, battery_rate);
	tcase_add_test(tc, battery_is_spared);
	tcase_add_test(tc, two_batteries);
	tcase_add_test(tc, mains_while_discharging);
	tcase_add_test(tc, battery_level);
	tcase_add_test(tc, battery_level_from_start);
	tcase_add_test(tc, battery_level_of_another_stretch);
	tcase_add_test(tc, charger_plugged_in);
	tcase_add_test(tc, battery_taken_out);
	tcase_add_test(tc, battery_put_in);
	tcase_add_test(tc, many_batteries_put_in);
	return tc;
}

static TCase *tc_meter(void)
{
	TCase *tc = tcase_create("meter");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, meter);
	tcase_add_test(tc, meter_lost);
	tcase_add_test(tc, meter_of_a_part);
	tcase_add_test(tc, meter_that_counts);
	return tc;
}

UNIT_MAIN("ps_power", tc_choice, tc_rapl, tc_battery, tc_meter)
