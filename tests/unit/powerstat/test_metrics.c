// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "powerstat/metrics.h"
#include "powerstat/columns.h"
#include "unit.h"

#define SEC SM_NSEC_PER_SEC

static char dir[UNIT_DIR], path[80], content_of[32768];
static struct opts o;
static struct columns t;
static struct metrics m;
static struct sm_prom prom;
static struct sm_source_domain domains[2];
static struct sm_thermal_zone zones[2];
static struct sm_thermal thermal;
static double values[64];
static struct sample sample;

static void setup(void)
{
	unit_mkdtemp(dir);
	snprintf(path, sizeof(path), "%s/power.prom", dir);
	memset(zones, 0, sizeof(zones));
	strcpy(zones[0].label, "a\"\n");
	strcpy(zones[1].label, "a\"\\x0a");
	thermal = (struct sm_thermal){.zone = zones, .n = 2};
	domains[0] = (struct sm_source_domain){.label = "pkg-0"};
	domains[1] = (struct sm_source_domain){.label = "core"};
	o = opts_default;
	o.domains = o.thermal = o.freq = o.gpu = true;
	ck_assert_int_eq(
		columns_init(&t, &o, &(struct sm_source){.domain = domains, .n = 2},
			&thermal, (struct columns_have){true, true, true, true}),
		0);
	ck_assert_int_eq(metrics_init(&m, &t, "rapl"), 0);
	sm_prom_init(&prom, path, "powerstat", SM_VERSION);
	for (size_t i = 0; i < 64; i++)
		values[i] = NAN;
	sample = (struct sample){.t_ns = 5 * SEC, .dt_ns = SEC, .v = values};
}

static void teardown(void)
{
	metrics_fini(&m);
	sm_prom_fini(&prom);
	columns_fini(&t);
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

static bool has(const char *what)
{
	metrics_write(&m, &prom, 1, 2, 3);
	ck_assert_int_eq(sm_prom_commit(&prom), 0);
	return strstr(unit_slurp(path, content_of, sizeof(content_of)), what) != NULL;
}

START_TEST(gauges)
{
	values[V_WATTS] = 28.5;
	values[V_USER] = 12.5;
	values[t.domain0] = 15;
	values[t.thermal0] = 45.5;
	values[t.thermal0 + 1] = -8;
	values[t.freq0] = 1652000.5;
	values[t.freq0 + 2] = 3412345;
	values[t.gpu] = 300000;
	metrics_add(&m, &sample);
	ck_assert(has("# HELP sysmon_powerstat_power_watts Power of the last sample, by "
		      "source.\n# TYPE sysmon_powerstat_power_watts gauge\n"
		      "sysmon_powerstat_power_watts{source=\"rapl\"} 28.5\n"));
	ck_assert(has("\nsysmon_powerstat_domain_power_watts{domain=\"pkg-0\"} 15\n"));
	ck_assert(!has("domain=\"core\""));
	ck_assert(has(
		"\nsysmon_powerstat_temperature_celsius{zone=\"a\\\"\\\\x0a\"} 45.5\n"
		"sysmon_powerstat_temperature_celsius{zone=\"a\\\"\\\\x0a-2\"} -8\n"));
	ck_assert(has("\nsysmon_powerstat_cpu_frequency_hertz{stat=\"geomean\"} "
		      "1652000500\n"
		      "sysmon_powerstat_cpu_frequency_hertz{stat=\"max\"} 3412345000\n"));
	ck_assert(has("\nsysmon_powerstat_gpu_frequency_hertz{gpu=\"0\"} 300000000\n"));
	ck_assert(has("\nsysmon_powerstat_cpu_ratio{mode=\"user\"} 0.125\n"));
	ck_assert(!has("mode=\"nice\""));
}
END_TEST

/* A discarded sample has happened as well. */
START_TEST(throttling)
{
	sample.core_throttles = 3;
	metrics_add(&m, &sample);
	sample.core_throttles = 2;
	sample.package_throttles = 1;
	metrics_discard(&m, &sample);
	ck_assert(has("# TYPE sysmon_powerstat_throttle_events_total counter\n"
		      "sysmon_powerstat_throttle_events_total{scope=\"core\"} 5\n"
		      "sysmon_powerstat_throttle_events_total{scope=\"package\"} 1\n"));
	t.throttle = 0;
	ck_assert(!has("throttle"));
}
END_TEST

/* A family without a line has no head either. */
START_TEST(absent)
{
	metrics_add(&m, &sample);
	ck_assert(!has("power_watts"));
	ck_assert(!has("temperature_celsius"));
	ck_assert(!has("NaN"));
	ck_assert(has("\nsysmon_powerstat_samples_total 1\n"));
	ck_assert(has("sysmon_powerstat_energy_joules_total{kind=\"measured\"} 0\n"));
}
END_TEST

START_TEST(counters)
{
	values[V_WATTS] = values[V_JOULES] = 10;
	sample.events_lost = 4;
	sample.energy_ns = SEC;
	metrics_add(&m, &sample);
	values[V_JOULES] = 30;
	sample.energy_ns = 3 * SEC;
	metrics_add(&m, &sample);
	sample.kind = SM_FIGURE_ESTIMATE;
	metrics_add(&m, &sample);
	ck_assert(has("\nsysmon_powerstat_power_is_estimate 1\n"));
	values[V_JOULES] = -5; /* no counter goes back */
	sample.kind = SM_FIGURE_MEASURED;
	metrics_add(&m, &sample);
	ck_assert(has("# TYPE sysmon_powerstat_energy_joules_total counter\n"
		      "sysmon_powerstat_energy_joules_total{kind=\"measured\"} 40\n"
		      "sysmon_powerstat_energy_joules_total{kind=\"estimate\"} 30\n"));
	ck_assert(has("\nsysmon_powerstat_power_seconds_total 7\n"));
	ck_assert(has("\nsysmon_powerstat_samples_total 4\n"));
	ck_assert(has("\nsysmon_powerstat_missed_samples_total 1\n"));
	ck_assert(has("\nsysmon_powerstat_skipped_samples_total 2\n"));
	ck_assert(has("\nsysmon_powerstat_lost_events_total 16\n"));
	ck_assert(has("\nsysmon_powerstat_lost_rows_total 3\n"));
	ck_assert(has("\nsysmon_powerstat_power_is_estimate 0\n"));
}
END_TEST

/* A glitch of 70 J: the counter waits until the true energy has reached it. */
START_TEST(retracted)
{
	values[V_WATTS] = 6;
	values[V_JOULES] = 76;
	metrics_add(&m, &sample);
	values[V_JOULES] = 12;
	sample.retracted_j = 76;
	metrics_add(&m, &sample);
	ck_assert(has("_energy_joules_total{kind=\"measured\"} 76\n"));
	sample.retracted_j = 0;
	values[V_JOULES] = 70;
	metrics_add(&m, &sample);
	ck_assert(has("_energy_joules_total{kind=\"measured\"} 82\n"));
	/* by a sample that is discarded */
	sample.energy_ns = SEC;
	values[V_JOULES] = 76;
	metrics_add(&m, &sample);
	sample.retracted_j = 76;
	sample.events_lost = 3;
	metrics_discard(&m, &sample);
	sample.retracted_j = 0;
	sample.events_lost = 0;
	values[V_JOULES] = 77;
	metrics_add(&m, &sample);
	ck_assert(has("_energy_joules_total{kind=\"measured\"} 159\n"));
	ck_assert(has("_power_seconds_total 1\n"));
	ck_assert(has("_lost_events_total 3\n"));
}
END_TEST

START_TEST(no_file)
{
	struct metrics none = {0};

	metrics_add(&none, &sample);
	ck_assert_uint_eq(none.samples, 0);
	metrics_fini(&none);
}
END_TEST

/* 0 joules would be a figure. */
START_TEST(without_a_source)
{
	metrics_fini(&m);
	ck_assert_int_eq(metrics_init(&m, &t, "none"), 0);
	values[V_WATTS] = values[V_JOULES] = NAN;
	metrics_add(&m, &sample);
	ck_assert(has("sysmon_powerstat_samples_total 1\n"));
	ck_assert(has("sysmon_powerstat_info{version=\"" SM_VERSION "\"} 1\n"));
	ck_assert(!has("joules") && !has("watts") && !has("power_is_estimate") &&
		  !has("power_seconds"));
}
END_TEST

START_TEST(no_allocation)
{
	const char *p;

	metrics_add(&m, &sample);
	ck_assert(has("samples_total 1\n"));
	p = prom.b.p;
	for (int i = 0; i < 20; i++)
		ck_assert(has("samples_total 1\n"));
	ck_assert_ptr_eq(prom.b.p, p);
}
END_TEST

static TCase *tc_metrics(void)
{
	TCase *tc = tcase_create("metrics");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gauges);
	tcase_add_test(tc, throttling);
	tcase_add_test(tc, absent);
	tcase_add_test(tc, counters);
	tcase_add_test(tc, retracted);
	tcase_add_test(tc, no_file);
	tcase_add_test(tc, without_a_source);
	tcase_add_test(tc, no_allocation);
	return tc;
}

UNIT_MAIN("metrics", tc_metrics)
