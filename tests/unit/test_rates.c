// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "faces_rig.h"
#include "forkstat/rates.h"
#include "loop.h"
#include "unit.h"

#define WALL UINT64_C(1795266359000000000) /* 2026-11-21T13:05:59Z */
#define SEC  SM_NSEC_PER_SEC

static struct fs_opts o;
static struct view v;
static struct summary s;
static struct rates r;
static char dir[] = "/tmp/test_rates.XXXXXX";
static char path[80], json[80], prom[80], text[16384];

static void setup(void)
{
	const char *what;

	setenv("TZ", "UTC0", 1);
	tzset();
	strcpy(dir, "/tmp/test_rates.XXXXXX"); /* afresh for tests in one process */
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);
	snprintf(json, sizeof(json), "%s/json", dir);
	snprintf(prom, sizeof(prom), "%s/prom", dir);
	o = fs_opts_default;
	o.events = FS_BIT(FS_FORK) | FS_BIT(FS_EXIT) | FS_BIT(FS_LOST);
	o.interval_ns = 2 * SEC;
	o.output = path;
	o.json.file = json;
	ck_assert_int_eq(view_open(&v, &o, 32768, &what), 0);
	v.wall_offset_ns = (int64_t)(WALL - 12 * SEC);
	v.offset_read_ns = 12 * SEC;
	ck_assert_int_eq(summary_init(&s, &o, 10 * SEC), 0);
}

static void teardown(void)
{
	rates_fini(&r);
	summary_fini(&s);
	view_close(&v);
	unlink(path);
	unlink(json);
	unlink(prom);
	ck_assert_int_eq(rmdir(dir), 0);
}

static const char *content(const char *file)
{
	ck_assert_int_eq(faces_flush(&v.faces), 0);
	return unit_slurp(file, text, sizeof(text));
}

START_TEST(a_row_each_interval)
{
	rates_init(&r, &o, 10 * SEC);
	ck_assert_uint_eq(rates_next(&r), 12 * SEC);
	s.count[FS_FORK] = 30;
	s.count[FS_EXIT] = 1;
	s.count[FS_EXEC] = 99; /* not shown */
	summary_lost(&s, FS_LOST_KERNEL, 4);
	ck_assert_int_eq(rates_turn(&r, &s, &v, 12 * SEC - 1), 0);
	ck_assert_str_eq(content(path), "");
	ck_assert_int_eq(rates_turn(&r, &s, &v, 12 * SEC), 0);
	ck_assert_uint_eq(rates_next(&r), 14 * SEC);
	ck_assert_str_eq(
		content(path), "13:05:59 rate  ----- fork 15.0/s exit 0.5/s lost 4\n");
	ck_assert_str_eq(content(json),
		"{\"type\":\"rate\",\"time\":\"2026-11-21T13:05:59.000000000Z\","
		"\"interval_s\":2.000000000,\"per_s\":{\"fork\":15.000,\"exit\":0.500},"
		"\"lost\":4}\n");
	ck_assert_int_eq(rates_turn(&r, &s, &v, 12 * SEC), 0);
}
END_TEST

START_TEST(rates_are_of_the_interval)
{
	rates_init(&r, &o, 8 * SEC);
	s.count[FS_FORK] = 30;
	ck_assert_int_eq(rates_turn(&r, &s, &v, 10 * SEC), 0);
	s.count[FS_FORK] = 31;
	v.offset_read_ns = 12 * SEC;
	v.wall_offset_ns = (int64_t)(WALL - 12 * SEC);
	/* Late by a second: over three. */
	ck_assert_int_eq(rates_turn(&r, &s, &v, 13 * SEC), 0);
	content(json);
	ck_assert_ptr_nonnull(
		strstr(text, "\"interval_s\":3.000000000,\"per_s\":{\"fork\":0.333,"));
	ck_assert_ptr_nonnull(strstr(text, "},\"lost\":0}\n"));
	ck_assert_uint_eq(rates_next(&r), 14 * SEC);
}
END_TEST

START_TEST(no_interval)
{
	o.interval_ns = 0;
	rates_init(&r, &o, 10 * SEC);
	ck_assert_uint_eq(rates_next(&r), SM_LOOP_FOREVER);
	ck_assert_int_eq(rates_turn(&r, &s, &v, 100 * SEC), 0);
	ck_assert_int_eq(rates_prom(&r, &s), 0);
	ck_assert_str_eq(content(path), "");
}
END_TEST

static bool has(const char *line)
{
	return strstr(text, line) != NULL;
}

START_TEST(prometheus)
{
	o.interval_ns = 0;
	o.prom = prom;
	rates_init(&r, &o, 10 * SEC);
	ck_assert_uint_eq(rates_next(&r), 10 * SEC + RATES_PROM_NS);
	s.count[FS_FORK] = 7;
	s.nonzero = 3;
	summary_lost(&s, FS_LOST_PERF, 2);
	sm_hist_add(&s.lifetimes, 500000);
	sm_hist_add(&s.lifetimes, 5 * SEC);
	s.lifetime_sum_ns = 5 * SEC + 500000;
	ck_assert_int_eq(rates_turn(&r, &s, &v, 10 * SEC + RATES_PROM_NS), 0);
	ck_assert_str_eq(content(path), ""); /* no rows were asked for */
	content(prom);
	ck_assert(has("# TYPE sysmon_forkstat_events_total counter\n"));
	ck_assert(has("\nsysmon_forkstat_events_total{event=\"fork\"} 7\n"));
	ck_assert(has("\nsysmon_forkstat_events_total{event=\"sid\"} 0\n"));
	ck_assert(has("\nsysmon_forkstat_exits_nonzero_total 3\n"));
	ck_assert(has("\nsysmon_forkstat_lost_total{source=\"perf\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lost_total{source=\"kernel\"} 0\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"0.001\"} 1\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"1\"} 1\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"10\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"+Inf\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_sum 5.0005"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_count 2\n"));
	/* Written anew, not appended to. */
	s.nonzero = 4;
	ck_assert_int_eq(rates_prom(&r, &s), 0);
	content(prom);
	ck_assert(has("\nsysmon_forkstat_exits_nonzero_total 4\n"));
	ck_assert(!has("\nsysmon_forkstat_exits_nonzero_total 3\n"));
}
END_TEST

START_TEST(prometheus_file_that_cannot_be_written)
{
	o.prom = "/nonexistent/dir/file";
	rates_init(&r, &o, 10 * SEC);
	ck_assert_int_eq(rates_turn(&r, &s, &v, 12 * SEC), -ENOENT);
}
END_TEST

static TCase *tc_rates(void)
{
	TCase *tc = tcase_create("rates");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_row_each_interval);
	tcase_add_test(tc, rates_are_of_the_interval);
	tcase_add_test(tc, no_interval);
	tcase_add_test(tc, prometheus);
	tcase_add_test(tc, prometheus_file_that_cannot_be_written);
	return tc;
}

UNIT_MAIN("rates", tc_rates)
