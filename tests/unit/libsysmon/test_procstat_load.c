// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/loadavg and /proc/uptime. */
#include "base/clock.h"
#include "fixroot_rig.h"
#include "proc/procstat.h"

static int parse_load(const char *s, struct sm_loadavg *l)
{
	size_t n = strlen(s);
	char *mem = malloc(n ? n : 1);
	int ret;

	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	ret = sm_procstat_parse_loadavg(mem, n, l);
	free(mem);
	return ret;
}

START_TEST(loadavg)
{
	struct sm_loadavg l;

	ck_assert_int_eq(parse_load("3.87 0.04 12.30 8/1234 56789\n", &l), 0);
	ck_assert_uint_eq(l.centi[0], 387);
	ck_assert_uint_eq(l.centi[1], 4);
	ck_assert_uint_eq(l.centi[2], 1230);
	ck_assert_uint_eq(l.running, 8);
	ck_assert_uint_eq(l.tasks, 1234);
	ck_assert_int_eq(l.last_pid, 56789);
	ck_assert_int_eq(parse_load("0.00 0.00 0.00 0/0 0", &l), 0);
	ck_assert_int_eq(l.last_pid, 0);
	ck_assert_int_eq(
		parse_load(
			"42949671.99 0.00 0.00 4294967295/4294967295 2147483647\n", &l),
		0);
	ck_assert_uint_eq(l.centi[0], 4294967199u);
	ck_assert_uint_eq(l.tasks, UINT32_MAX);
	ck_assert_int_eq(l.last_pid, INT_MAX);
}
END_TEST

START_TEST(loadavg_malformed)
{
	static const char *const bad[] = {"", "\n", "1.00", "1.00 1.00 1.00",
		"1.00 1.00 1.00 1/2", "1.00 1.00 1.00 1/2 ", "1.00 1.00 1.00 1 2 3",
		"1.0 1.00 1.00 1/2 3", "1.000 1.00 1.00 1/2 3", "1 1.00 1.00 1/2 3",
		".50 1.00 1.00 1/2 3", "-1.00 1.00 1.00 1/2 3", "1,00 1.00 1.00 1/2 3",
		"1.00  1.00 1.00 1/2 3", "1.00 1.00 1.00 -1/2 3", "1.00 1.00 1.00 1/-2 3",
		"1.00 1.00 1.00 1/2 -3", "1.00 1.00 1.00 1/2 3x",
		"1.00 1.00 1.00 1/2 3\n\n", "1.00 1.00 1.00 1/2 3 4",
		"42949672.00 1.00 1.00 1/2 3", "1.00 1.00 1.00 4294967296/2 3",
		"1.00 1.00 1.00 1/4294967296 3", "1.00 1.00 1.00 1/2 2147483648",
		" 1.00 1.00 1.00 1/2 3", "1.0x 1.00 1.00 1/2 3", "nan inf 1.00 1/2 3"};
	struct sm_loadavg l;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(parse_load(bad[i], &l) == -EBADMSG, "'%s'", bad[i]);
}
END_TEST

START_TEST(uptime)
{
	static const char *const bad[] = {"", "\n", "1", "1.0", "1.00x", "-1.00 2.00\n",
		"x 1.00", "18446744073.71 0.00\n", "18446744073709551616.00 1.00\n"};
	uint64_t ns = 1;

	ck_assert_int_eq(sm_procstat_uptime_ns(&fix, &ns), -ENOENT);
	fix_put("proc/uptime", "12345.67 23456.78\n");
	ck_assert_int_eq(sm_procstat_uptime_ns(&fix, &ns), 0);
	ck_assert_uint_eq(ns, UINT64_C(12345670000000));
	fix_put("proc/uptime", "0.05\n");
	ck_assert_int_eq(sm_procstat_uptime_ns(&fix, &ns), 0);
	ck_assert_uint_eq(ns, 50000000);
	fix_put("proc/uptime", "18446744071.99 0.00\n");
	ck_assert_int_eq(sm_procstat_uptime_ns(&fix, &ns), 0);
	ck_assert_uint_eq(ns, UINT64_C(18446744071990000000));
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		fix_put("proc/uptime", bad[i]);
		ck_assert_msg(
			sm_procstat_uptime_ns(&fix, &ns) == -EBADMSG, "'%s'", bad[i]);
	}
}
END_TEST

START_TEST(uptime_live)
{
	struct sm_root live;
	uint64_t before = sm_clock_ns(CLOCK_BOOTTIME), ns, after;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_procstat_uptime_ns(&live, &ns), 0);
	after = sm_clock_ns(CLOCK_BOOTTIME);
	/* cut off to hundredths */
	ck_assert_uint_ge(ns, before - 10 * SM_NSEC_PER_MSEC);
	ck_assert_uint_le(ns, after);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_load(void)
{
	TCase *tc = tcase_create("load");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, loadavg);
	tcase_add_test(tc, loadavg_malformed);
	tcase_add_test(tc, uptime);
	tcase_add_test(tc, uptime_live);
	return tc;
}

UNIT_MAIN("procstat_load", tc_load)
