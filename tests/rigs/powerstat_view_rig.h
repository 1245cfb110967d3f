/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_rig: one view of powerstat with all three formats into temporary files, a table with two
 * power domains and two thermal zones, and a sample of one second at a known time.
 */
#ifndef POWERSTAT_VIEW_RIG_H
#define POWERSTAT_VIEW_RIG_H

#include <math.h>

#include "powerstat/columns.h"
#include "powerstat/view.h"
#include "powerstat_outputs_rig.h"
#include "view_files_rig.h"

#define SEC  SM_NSEC_PER_SEC

static struct opts o;
static struct view v;
static struct columns table;
static struct stats stats;
static struct sm_source power;
static struct sm_source_domain domains[3];
static struct sm_battery battery; /* of each domain, if the source is a battery */
static struct sm_rapl_zone rapl_zones[3];
static struct sm_thermal_zone zones[2];
static struct sm_thermal thermal;
static struct sample sample;
static double values[64];
static struct view_run run;
static struct summary end;
static bool with_freq, with_throttle, with_events, opened;

static inline void rig_power(void)
{
	memset(domains, 0, sizeof(domains));
	memset(rapl_zones, 0, sizeof(rapl_zones));
	battery = (struct sm_battery){0};
	domains[0] = (struct sm_source_domain){.label = "pkg-0", .counted = true};
	domains[1] = (struct sm_source_domain){.label = "core", .counted = false};
	domains[2] = (struct sm_source_domain){.label = "psys", .counted = false};
	strcpy(rapl_zones[0].role.label, "pkg-0");
	strcpy(rapl_zones[1].role.label, "core");
	rapl_zones[1].role.why = SM_RAPL_INSIDE;
	strcpy(rapl_zones[2].role.label, "psys");
	rapl_zones[2].role.why = SM_RAPL_NOT_ASKED;
	memset(&power, 0, sizeof(power));
	power.kind = SM_SOURCE_RAPL;
	power.rapl.zones.at = rapl_zones;
	power.rapl.zones.n = 3;
	power.domain = domains;
	power.batteries = (struct sm_batteries){.battery = &battery, .n = 1};
	power.n = power.all = 2;
}

/* The row of the specification, but for two columns of zones. */
static inline void rig_sample(void)
{
	static const double row[V_FIXED - V_USER] = {84.6, 0, 9.1, 6.3, 0, 0.1, 0.2, 0.3, 3, 6279,
		1022, 51, 45, 26, 28.51, 28.51};

	memset(&sample, 0, sizeof(sample));
	memcpy(values + V_USER, row, sizeof(row));
	for (size_t i = V_FIXED; i < SM_ARRAY_SIZE(values); i++)
		values[i] = NAN;
	sample.t_ns = MONO;
	sample.wall_ns = WALL;
	sample.dt_ns = sample.energy_ns = SEC;
	sample.v = values;
	sample.power = &power;
	domains[0].of_ns = domains[1].of_ns = SEC;
	sample.kind = SM_FIGURE_MEASURED;
}

static inline void setup(void)
{
	/* Also where tests share a process (valgrind runs them without fork). */
	memset(&table, 0, sizeof(table));
	memset(&stats, 0, sizeof(stats));
	memset(&end, 0, sizeof(end));
	memset(zones, 0, sizeof(zones));
	opened = with_freq = with_throttle = false;
	with_events = true;
	o = opts_default;
	files_open(&o.app);
	strcpy(zones[0].label, "acpitz");
	strcpy(zones[1].label, "x86_pkg_temp");
	thermal = (struct sm_thermal){.zone = zones, .n = 2};
	run = (struct view_run){
		.interval_ns = SEC, .count = 60, .power = &power, .boot_id = "b"};
	rig_power();
	rig_sample();
}

static inline void begin(void)
{
	const char *what;

	ck_assert_int_eq(columns_init(&table, &o, &power, &thermal,
				 (struct columns_have){.freq = with_freq,
					 .throttle = with_throttle,
					 .gpu = with_freq,
					 .events = with_events}),
		0);
	ck_assert_int_eq(stats_init(&stats, &table, o.hist), 0);
	ck_assert_int_eq(open_view(&v, &o, &what), 0);
	opened = true;
	ck_assert_int_eq(view_start(&v, &table, &run), 0);
}

static inline void teardown(void)
{
	if (opened)
		close_view(&v);
	stats_fini(&stats);
	columns_fini(&table);
	files_close();
}

static inline void show(void)
{
	stats_add(&stats, &table, &sample);
	view_sample(&v, &sample, &stats);
}

static inline void finish(void)
{
	end.opts = &o;
	end.columns = &table;
	end.stats = &stats;
	end.power = run.power;
	stats_end(&stats);
	view_end(&v, &end, WALL);
}

static inline unsigned int times(const char *path, const char *what)
{
	unsigned int n = 0;

	for (const char *p = content(path); (p = strstr(p, what)); p += strlen(what))
		n++;
	return n;
}

#endif
