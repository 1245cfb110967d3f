/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: what was measured, as a Prometheus file (--prom), in base units.
 *
 * Gauges are of the last sample; a figure that could not be had has no line.  Counters never
 * decrease.  Labels are the table's headings: sanitised, unique and as many as there are zones.
 * In steady state nothing is allocated.
 */
#ifndef PS_METRICS_H
#define PS_METRICS_H

#include "prom.h"
#include "sample.h"

/* The file is not written more often than that. */
#define METRICS_INTERVAL_NS SM_NSEC_PER_SEC

struct metrics {
	struct sm_prom prom;
	const char *path;         /* NULL: no file, and nothing here does anything */
	const char *source;       /* "rapl", ...; ours */
	const struct ps_table *table;
	struct ps_sample last;    /* v is ours, a copy */
	uint64_t written_ns;      /* t_ns when the file was written last; 0: never */
	double joules, estimate_joules;
	uint64_t power_ns;        /* time that these cover */
	uint64_t samples, skipped, missed, events_lost;
};

int metrics_init(struct metrics *m, const char *path, const struct ps_table *t, const char *source)
	SM_MUST;
/* A sample that counts. */
void metrics_add(struct metrics *m, const struct ps_sample *s);
/* Writes the file when it is due, or now if it is the last time.  missed, skipped: so far.
 * lost_rows: sm_faces_dropped(). */
int metrics_commit(struct metrics *m, uint64_t missed, uint64_t skipped, uint64_t lost_rows,
	bool last) SM_MUST;
void metrics_fini(struct metrics *m);

#endif
