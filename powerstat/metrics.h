/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the Prometheus file (--prom), in base units.
 *
 * Gauges are of the last sample; an unavailable figure has no line.  Counters never decrease.
 * Labels are the table's headings: sanitised, unique and bounded by the number of zones.
 * In steady state nothing is allocated.
 */
#ifndef POWERSTAT_METRICS_H
#define POWERSTAT_METRICS_H

#include "out/prom.h"
#include "columns.h"

struct metrics {
	const char *source;       /* "rapl" ... */
	const struct columns *columns;
	struct sample last;       /* with its own copy of v; NULL: there is no file */
	double joules, estimate_joules, owed_joules;
	uint64_t power_ns, owed_ns; /* time that these cover */
	uint64_t figure_ns;       /* time that the last figure covers */
	uint64_t samples, events_lost;
};

int metrics_init(struct metrics *m, const struct columns *c, const char *source) SM_MUST;
/* Without metrics_init() it does nothing. */
void metrics_add(struct metrics *m, const struct sample *s);
/* Of a discarded sample: only lost events, and what it retracts. */
void metrics_discard(struct metrics *m, const struct sample *s);
/* missed, skipped: samples so far.  lost_rows: sm_outputs_dropped(). */
void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t missed, uint64_t skipped,
	uint64_t lost_rows);
void metrics_fini(struct metrics *m);

#endif
