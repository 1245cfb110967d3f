/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the Prometheus file (--prom), in base units.
 *
 * Gauges show the last sample; the line of an unavailable gauge is omitted.  Counters never decrease.
 * Labels are the table's column titles: sanitised, unique and bounded by the number of zones.
 * No memory is allocated in steady state.
 */
#ifndef POWERSTAT_METRICS_H
#define POWERSTAT_METRICS_H

#include "format/prom.h"
#include "columns.h"

struct metrics {
	const char *source;       /* "rapl" ... */
	bool averaged;            /* the energy is the sum of means that lag behind the power */
	const struct columns *columns;
	struct sample last;       /* owns its v; v is NULL if there is no file */
	double joules, estimate_joules, owed_joules;
	uint64_t power_ns, owed_ns; /* time that the energies and owed_joules cover */
	uint64_t figure_ns;       /* time that the last value covers */
	uint64_t samples, events_lost;
	uint64_t core_throttles, package_throttles;
};

int metrics_init(struct metrics *m, const struct columns *c, const char *source) SM_MUST;
/* Adds a sample; does nothing without metrics_init(). */
void metrics_add(struct metrics *m, const struct sample *s);
/* Adds only the lost events, the throttling and the retracted energy of a discarded sample. */
void metrics_discard(struct metrics *m, const struct sample *s);
/* missed, skipped: number of samples so far.  lost_rows: sm_outputs_dropped(). */
void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t missed, uint64_t skipped,
	uint64_t lost_rows);
void metrics_fini(struct metrics *m);

#endif
