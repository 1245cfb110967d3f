/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: what is told after the statistic rows: the power and what kind of figure it is, what
 * it covers, what was missed or lost, idle states, histograms.
 */
#ifndef PS_SUMMARY_H
#define PS_SUMMARY_H

#include "cpuidle.h"
#include "opts.h"
#include "out.h"
#include "power.h"
#include "sample.h"
#include "statrows.h"

struct summary {
	const struct ps_opts *opts;
	const struct ps_table *table;
	const struct ps_stats *stats;
	const struct power *power;      /* NULL: none */
	const struct sm_cpuidle *idle;  /* NULL: there are no idle states to see */
	bool command;                   /* a COMMAND was measured: its energy is told without -J too */
	uint64_t missed, skipped;       /* slots, samples that were discarded */
	uint64_t lost_rows;
};

void summary_text(const struct summary *s, struct sm_buf *b);
/* Members of an open record. */
void summary_json(const struct summary *s, struct sm_json *j);
/* "measured", "gauge_rate", ... */
const char *summary_kind(enum ps_kind kind);
/* "battery", "rapl", "perf", "hwmon", "none". */
const char *summary_source(const struct power *p);

#endif
