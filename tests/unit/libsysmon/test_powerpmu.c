// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <math.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/clock.h"
#include "events/perf.h"
#include "fixroot_rig.h"
#include "power/powerpmu.h"

#define PMU "sys/bus/event_source/devices/power/"

static struct sm_powerpmu p;

static void setup(void)
{
	fix_open();
	p = (struct sm_powerpmu){0};
}

static void teardown(void)
{
	sm_powerpmu_close(&p);
	fix_close();
}

static void put(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), PMU "%s", name);
	fix_put(path, text);
}

static void event(const char *name, const char *config, const char *scale)
{
	char path[64];

	snprintf(path, sizeof(path), "events/%s", name);
	put(path, config);
	snprintf(path, sizeof(path), "events/%s.scale", name);
	put(path, scale);
	snprintf(path, sizeof(path), "events/%s.unit", name);
	put(path, "Joules\n");
}

static void topology(unsigned int cpu, const char *package, const char *die)
{
	char path[96];

	snprintf(path, sizeof(path),
		"sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	fix_put(path, package);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/die_id", cpu);
	fix_put(path, die);
}

/* ---- numbers ---- */

START_TEST(scales)
{
	static const struct {
		const char *text;
		double want; /* 0: refused */
	} t[] = {
		{"2.3283064365386962890625e-10\n", 0x1p-32},
		{"2.3283064365386962890625e-10", 0x1p-32},
		{"6.103515625e-05\n", 0x1p-14},
		{"1\n", 1},
		{"1.0e0\n", 1},
		{"0.5", 0.5},
		{".5", 0.5},
		{"5.", 5},
		{"1E+3", 1000},
		{"00000000000000000000000000000000002", 2},
		{"123456789012345678901234567890", 123456789012345678901234567890.0},
		{"0.000000000000000000000000000001", 1e-30},
		{"0", 0},
		{"0.0e5", 0},
		{"", 0},
		{"\n", 0},
		{".", 0},
		{"e5", 0},
		{"1e", 0},
		{"1e+", 0},
		{"1e+-5", 0},
		{"1e301", 0},
		{"1e-301", 0},
		{"100000000000e300", 0},
		{"-1", 0},
		{"+1", 0},
		{"1,5", 0},
		{"nan", 0},
		{"inf", 0},
		{"1 ", 0},
		{" 1", 0},
		{"1\n\n", 0},
		{"0x1p-32", 0},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		double v = -1;
		int ret = sm_powerpmu_parse_scale(t[i].text, strlen(t[i].text), &v);

		ck_assert_msg(
			ret == (t[i].want > 0 ? 0 : -EINVAL), "'%s': %d", t[i].text, ret);
		if (ret == 0)
			ck_assert_msg(fabs(v / t[i].want - 1) < 1e-15, "'%s': %.17g",
				t[i].text, v);
		else
			ck_assert(v == -1);
	}
}
END_TEST

START_TEST(event_numbers)
{
	static const char *const bad[] = {"", "event=", "event=0x", "event=0x\n",
		"event=2", "event=0x2,umask=0x1", "umask=0x2", "event=0xg", "event=0x2 ",
		" event=0x2", "event=0x11111111111111111"};
	uint64_t v = 77;

	ck_assert_int_eq(sm_powerpmu_parse_event("event=0x02\n", 11, &v), 0);
	ck_assert_uint_eq(v, 2);
	ck_assert_int_eq(sm_powerpmu_parse_event("event=0xaF", 10, &v), 0);
	ck_assert_uint_eq(v, 0xaf);
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(
			sm_powerpmu_parse_event(bad[i], strlen(bad[i]), &v) == -EINVAL,
			"'%s'", bad[i]);
	ck_assert_uint_eq(v, 0xaf);
}
END_TEST

/* ---- what is there ---- */

static int open_default(void)
{
	return sm_powerpmu_open(&p, &fix, SM_RAPL_TOTAL_PKG_DRAM);
}

START_TEST(absent)
{
	struct sm_root none = SM_ROOT_INIT;

	ck_assert_int_eq(sm_powerpmu_open(&p, &none, SM_RAPL_TOTAL_PKG), -ENOENT);
	ck_assert_int_eq(open_default(), -ENOENT);
	put("type", "junk\n");
	ck_assert_int_eq(open_default(), -EINVAL);
	put("type", "4294967296\n");
	ck_assert_int_eq(open_default(), -EINVAL);
	put("type", "1\n");
	ck_assert_int_eq(open_default(), -ENOENT);
	put("cpumask", "junk\n");
	ck_assert_int_eq(open_default(), -EBADMSG);
	put("cpumask", "0\n");
	ck_assert_int_eq(open_default(), -ENOENT); /* no event */
	event("energy-pkg", "event=2\n", "1\n");
	event("energy-cores", "event=0x02\n", "junk\n");
	event("energy-ram", "event=0x02\n", "1\n");
	put("events/energy-ram.unit", "Volts\n");
	put("events/energy-gpu", "event=0x02\n");
	event("energy-unknown", "event=0x02\n", "1\n");
	ck_assert_int_eq(open_default(), -ENOENT);
	ck_assert_ptr_null(p.domain);
}
END_TEST

/* The kernel knows no such type. */
START_TEST(refused_by_the_kernel)
{
	int err;

	put("type", "4000000000\n");
	put("cpumask", "0\n");
	event("energy-pkg", "event=0x02\n", "1\n");
	err = open_default();
	ck_assert_msg(err == -ENOENT || err == -EACCES || err == -EPERM || err == -ENOSYS,
		"%d", err);
}
END_TEST

/* ---- a live counter: the clock of a CPU, in ns, as if it were joules ---- */

static bool may_count(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE};
	int fd = sm_perf_event_open(&attr, -1, 0, -1, 0);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void live(const char *mask)
{
	put("type", "1\n");
	put("cpumask", mask);
}

static const struct sm_powerpmu_domain *at(const char *label)
{
	for (unsigned int i = 0; i < p.n; i++)
		if (strcmp(p.domain[i].label, label) == 0)
			return &p.domain[i];
	ck_abort_msg("no domain has the label %s", label);
	return NULL;
}

START_TEST(not_allowed)
{
	int err;

	if (may_count())
		return;
	live("0\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	err = open_default();
	ck_assert_msg(err == -EACCES || err == -EPERM || err == -ENOSYS, "%d", err);
	ck_assert_uint_eq(p.n, 0);
}
END_TEST

static void spend_ms(long ms)
{
	struct timespec ts = {.tv_nsec = ms * 1000000};

	nanosleep(&ts, NULL);
}

START_TEST(counts)
{
	const struct sm_powerpmu_domain *pkg;
	uint64_t t0, t1;
	double j0, elapsed;

	if (!may_count())
		return;
	live("0\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	event("energy-cores", "event=0x00\n", "2.0e-9\n");
	event("energy-psys", "event=0x00\n", "1e-9\n");
	ck_assert_int_eq(open_default(), 0);
	ck_assert_uint_eq(p.n, 3);
	ck_assert_uint_eq(p.counted, 1);
	pkg = at("pkg-0");
	ck_assert_ptr_eq(pkg, p.domain);
	ck_assert(pkg->counted && !at("core")->counted && !at("psys")->counted);
	ck_assert_int_eq(fcntl(pkg->counter.fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(sm_powerpmu_read(&p), 3);
	t0 = pkg->counter.raw.ns;
	j0 = (double)pkg->counter.raw.uj * 1e-6;
	spend_ms(50);
	ck_assert_int_eq(sm_powerpmu_read(&p), 3);
	t1 = pkg->counter.raw.ns;
	elapsed = (double)(t1 - t0) / 1e9;
	ck_assert_double_ge(elapsed, 0.050);
	ck_assert_double_eq_tol((double)pkg->sums.energy_uj * 1e-6, elapsed, 0.010);
	ck_assert_double_eq_tol((double)pkg->counter.raw.uj * 1e-6 - j0, elapsed, 0.010);
	ck_assert_double_eq_tol((double)at("core")->sums.energy_uj,
		2 * (double)pkg->sums.energy_uj, 20e3);
}
END_TEST

START_TEST(rules)
{
	if (!may_count())
		return;
	live("0\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	event("energy-ram", "event=0x00\n", "1e-9\n");
	event("energy-gpu", "event=0x00\n", "1e-9\n");
	event("energy-psys", "event=0x00\n", "1e-9\n");
	ck_assert_int_eq(open_default(), 0);
	ck_assert(at("pkg-0")->counted && at("dram")->counted);
	ck_assert_uint_eq(p.counted, 2);
	sm_powerpmu_close(&p);
	ck_assert_int_eq(sm_powerpmu_open(&p, &fix, SM_RAPL_TOTAL_PKG), 0);
	ck_assert(at("pkg-0")->counted && !at("dram")->counted && !at("uncore")->counted);
	sm_powerpmu_close(&p);
	ck_assert_int_eq(sm_powerpmu_open(&p, &fix, SM_RAPL_TOTAL_PSYS), 0);
	ck_assert(!at("pkg-0")->counted && at("psys")->counted);
	ck_assert_uint_eq(p.counted, 1);
}
END_TEST

/* CPU 60000 does not exist: its domains fail, the others go on. */
START_TEST(places)
{
	if (!may_count())
		return;
	live("0,60000\n");
	event("energy-cores", "event=0x00\n", "1e-9\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	ck_assert_int_eq(open_default(), 0); /* no topology: by their order */
	ck_assert_uint_eq(p.n, 4);
	ck_assert_str_eq(p.domain[0].label, "pkg-0");
	ck_assert_str_eq(p.domain[1].label, "pkg-1");
	ck_assert_str_eq(p.domain[2].label, "core-0");
	ck_assert_str_eq(p.domain[3].label, "core-1");
	ck_assert_int_eq(p.domain[1].cpu, 60000);
	ck_assert_int_lt(p.domain[1].counter.error, 0);
	ck_assert_int_eq(p.domain[1].counter.fd, -1);
	ck_assert_int_eq(sm_powerpmu_read(&p), 2);
	ck_assert_int_lt(p.domain[1].counter.error, 0);
	sm_powerpmu_close(&p);
	topology(0, "7\n", "0\n");
	topology(60000, "3\n", "0\n");
	ck_assert_int_eq(open_default(), 0);
	ck_assert_str_eq(p.domain[0].label, "pkg-3");
	ck_assert_str_eq(p.domain[1].label, "pkg-7");
	ck_assert_int_eq(p.domain[1].cpu, 0);
	sm_powerpmu_close(&p);
	topology(60000, "7\n", "1\n");
	ck_assert_int_eq(open_default(), 0);
	ck_assert_str_eq(p.domain[0].label, "pkg-7.0");
	ck_assert_str_eq(p.domain[1].label, "pkg-7.1");
	ck_assert_str_eq(at("core-7.1")->label, "core-7.1");
}
END_TEST

/* The clocks of two CPUs run alike, as the counters of two dies that repeat one. */
START_TEST(mirrored_dies)
{
	if (!may_count() || sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return;
	live("0-1\n");
	event("energy-pkg", "event=0x00\n", "25e-9\n");
	topology(0, "0\n", "0\n");
	topology(1, "0\n", "1\n");
	ck_assert_int_eq(open_default(), 0);
	ck_assert_int_eq(sm_powerpmu_read(&p), 2);
	ck_assert_uint_eq(p.counted, 2);
	for (int i = 0; i < 3; i++) {
		spend_ms(100);
		ck_assert_int_eq(sm_powerpmu_read(&p), 2);
		ck_assert_uint_eq(p.counted, 1);
		ck_assert(at("pkg-0.0")->counted && at("pkg-0.1")->mirror);
	}
	sm_powerpmu_close(&p);
	/* two packages are no mirrors */
	topology(1, "1\n", "0\n");
	ck_assert_int_eq(open_default(), 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(sm_powerpmu_read(&p), 2);
		spend_ms(50);
	}
	ck_assert_uint_eq(p.counted, 2);
}
END_TEST

START_TEST(all_counted_fail)
{
	if (!may_count())
		return;
	live("0\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	event("energy-cores", "event=0x00\n", "1e-9\n");
	ck_assert_int_eq(open_default(), 0);
	sm_base_close_fd(&p.domain[0].counter.fd);
	p.domain[0].counter.error = -ENODEV;
	ck_assert_int_eq(sm_powerpmu_read(&p), -ENODEV);
	ck_assert_uint_gt(p.domain[1].counter.raw.uj, 0);
}
END_TEST

/* The rules of rapl_counter.h: a counter that never moves is not in the total, one that
 * falls adds nothing. */
START_TEST(still_and_falling)
{
	const struct sm_powerpmu_domain *pkg;
	uint64_t uj;

	if (!may_count())
		return;
	live("0\n");
	event("energy-pkg", "event=0x00\n", "5e-9\n");
	event("energy-ram", "event=0x09\n", "1e-9\n"); /* PERF_COUNT_SW_DUMMY */
	ck_assert_int_eq(open_default(), 0);
	pkg = at("pkg-0");
	ck_assert_uint_eq(p.counted, 2);
	for (int i = 0; i < 5; i++) { /* long, so that it does not get there again */
		ck_assert_int_eq(sm_powerpmu_read(&p), 2);
		spend_ms(60);
	}
	ck_assert_uint_eq(p.counted, 1);
	ck_assert(pkg->counted && !at("dram")->counted);
	ck_assert_uint_gt(pkg->sums.energy_uj, 0);
	ck_assert_int_eq(ioctl(pkg->counter.fd, PERF_EVENT_IOC_RESET, 0), 0);
	uj = pkg->sums.energy_uj;
	ck_assert_int_eq(sm_powerpmu_read(&p), 2);
	ck_assert_uint_eq(pkg->sums.energy_uj, uj);
	ck_assert_uint_eq(pkg->counter.held, 1);
	ck_assert_uint_eq(pkg->sums.glitches, 1);
	/* The range is unknown: the second reading shows that the counter has restarted.
	 */
	ck_assert_int_eq(sm_powerpmu_read(&p), 2);
	ck_assert_uint_eq(pkg->sums.rebased, 1);
	ck_assert_uint_eq(pkg->sums.energy_uj, uj + pkg->counter.added.uj);
}
END_TEST

START_TEST(closes_what_it_opened)
{
	unsigned int fds = unit_open_fds();

	live("0\n");
	event("energy-pkg", "event=0x00\n", "1e-9\n");
	if (open_default() == 0)
		ck_assert_uint_eq(unit_open_fds(), fds + 1);
	sm_powerpmu_close(&p);
	sm_powerpmu_close(&p);
	ck_assert_uint_eq(unit_open_fds(), fds);
}
END_TEST

static TCase *tc_numbers(void)
{
	TCase *tc = tcase_create("numbers");

	tcase_add_test(tc, scales);
	tcase_add_test(tc, event_numbers);
	return tc;
}

static TCase *tc_pmu(void)
{
	TCase *tc = tcase_create("pmu");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, absent);
	tcase_add_test(tc, refused_by_the_kernel);
	tcase_add_test(tc, not_allowed);
	tcase_add_test(tc, counts);
	tcase_add_test(tc, rules);
	tcase_add_test(tc, places);
	if (unit_live()) /* the two clocks must be read at the same time */
		tcase_add_test(tc, mirrored_dies);
	tcase_add_test(tc, all_counted_fail);
	tcase_add_test(tc, still_and_falling);
	tcase_add_test(tc, closes_what_it_opened);
	return tc;
}

UNIT_MAIN("powerpmu", tc_numbers, tc_pmu)
