// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "forkstat/metrics.h"
#include "unit.h"

static struct opts o;
static struct summary s;
static struct sm_prom prom;

static void setup(void)
{
	o = opts_default;
	ck_assert_int_eq(summary_init(&s, &o, 0), 0);
	sm_prom_init(&prom, NULL, NULL, NULL);
}

static void teardown(void)
{
	summary_fini(&s);
	sm_prom_fini(&prom);
}

static bool has(const char *line)
{
	return strstr(prom.b.p, line) != NULL;
}

START_TEST(families)
{
	s.count[EVENT_FORK] = 7;
	s.ends = 5;
	s.nonzero = 3;
	summary_lost(&s, LOST_ARGUMENTS, 2);
	sm_loghist_add(&s.lifetimes, 500000);
	sm_loghist_add(&s.lifetimes, 5 * SM_NSEC_PER_SEC);
	s.lifetime_sum_ns = 5 * SM_NSEC_PER_SEC + 500000;
	metrics_write(&s, &prom);
	sm_buf_chr(&prom.b, '\0');
	ck_assert(has("# TYPE sysmon_forkstat_events_total counter\n"));
	ck_assert(has("\nsysmon_forkstat_events_total{event=\"fork\"} 7\n"));
	ck_assert(has("\nsysmon_forkstat_events_total{event=\"sid\"} 0\n"));
	ck_assert(has("\nsysmon_forkstat_process_ends_total 5\n"));
	ck_assert(has("\nsysmon_forkstat_exits_nonzero_total 3\n"));
	ck_assert(has("\nsysmon_forkstat_lost_total{source=\"arguments\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lost_total{source=\"kernel\"} 0\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"0.001\"} 1\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"1\"} 1\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"10\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_bucket{le=\"+Inf\"} 2\n"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_sum 5.0005"));
	ck_assert(has("\nsysmon_forkstat_lifetime_seconds_count 2\n"));
}
END_TEST

static TCase *tc_metrics(void)
{
	TCase *tc = tcase_create("metrics");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, families);
	return tc;
}

UNIT_MAIN("metrics", tc_metrics)
