/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: the report after the rows of statistics: the power, its kind and source, samples and events
 * that were missed or lost, idle states, histograms.
 */
#ifndef POWERSTAT_SUMMARY_H
#define POWERSTAT_SUMMARY_H

#include "power/cpuidle.h"
#include "idle.h"
#include "opts.h"
#include "power/source.h"
#include "repeat.h"
#include "sample.h"
#include "stats.h"

struct summary {
	const struct opts *opts;
	const struct columns *columns;
	const struct stats *stats;
	const struct sm_source *power;  /* NULL: no source */
	const struct sm_cpuidle *idle;  /* NULL: no idle states */
	unsigned int freq_unread;       /* CPUs whose frequency was not read in a sample */
	struct idle idle_power;
	const struct repeat *repeat;    /* NULL: no --repeat */
	bool command;                   /* a COMMAND was measured: report the energy even without -J */
	uint64_t missed, skipped;       /* missed deadlines; discarded samples */
	uint64_t lost_rows;
	uint64_t log_missing;           /* names, arguments and lines that are missing in the process log */
};

/* Returns whether all samples lack a power value, in the total and in the columns of domains.  False
 * without a source (-P none) and without samples. */
bool summary_no_figure(const struct summary *s);
/* Returns the joules minus the energy of the idle machine over an equal time; NAN: unknown. */
double summary_above_idle(const struct summary *s);
/* Returns the time of the measurement, or the mean time of a run with --repeat. */
uint64_t summary_run_ns(const struct summary *s);
/* Prints the notes about sensors whose readings were not values; returns the restarts of counters. */
uint64_t summary_sensors(const struct sm_hwmon *h, struct sm_buf *b);
/* Prints the averaging time of the power meter, and whether the measurement was too short for it. */
void summary_average(const struct summary *s, struct sm_buf *b);
/* Returns its standard error (idle.h); NAN: unknown. */
double summary_above_idle_stderr(const struct summary *s);
/* Returns whether there is a source; -z permits a run without one. */
bool summary_measured(const struct summary *s);
void summary_text(const struct summary *s, struct sm_buf *b);
/* Print the tables of -c and -H (summary_tables.c). */
void summary_idle_states(const struct summary *s, struct sm_buf *b);
void summary_histograms(const struct summary *s, struct sm_buf *b);
/* Adds members to an open record. */
void summary_json(const struct summary *s, struct sm_json *j);
/* Adds notes on batteries: no value, an odd status, a rate that contradicts the level. */
void summary_batteries(const struct sm_source *p, struct sm_buf *b);
/* Returns the sum of the powers by which the levels of the batteries fell (levelcheck.h); NAN: unknown. */
double summary_level_watts(const struct sm_source *p);
/* Returns "battery", "rapl", "perf", "hwmon" or "none". */
const char *summary_source(const struct sm_source *p);
/* Returns why a zone is not included in the total ("inside a package" ...), NULL if it is.  why: enum
 * sm_rapl_why. */
const char *summary_why(uint8_t why);
/* Returns "measures the whole machine" ... */
const char *summary_scope(enum sm_hwmon_scope scope);

#endif
