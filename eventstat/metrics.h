/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the totals of a run as a Prometheus file (--prom): by program for the rows that pass the filters
 * (format/promcomm.h), and for the machine; wakeups also by cause, by CPU and by length of the idle period.
 */
#ifndef EVENTSTAT_METRICS_H
#define EVENTSTAT_METRICS_H

#include "rows/event.h"
#include "format/promcomm.h"

struct metrics {
	uint64_t samples;
	struct sm_promcomms comms; /* starts, expiries, idle expiries; or wakeups */
	/* timers */
	struct counts all, tick;
	uint64_t lost, lost_cpus;
	/* wakeups */
	struct sm_wake_sum by_cause[SM_WAKE_CAUSES];
	uint64_t *exits;           /* exits from idle of each CPU */
	unsigned int cpus;
	uint64_t sleeps[SM_WAKE_BUCKETS];
	uint64_t no_room;
};

/* cpus: number of CPUs whose wakeups are counted (struct wake_sums); 0: timers are counted. */
int metrics_init(struct metrics *m, unsigned int cpus) SM_MUST;
void metrics_fini(struct metrics *m);
/* Adds a sample.  rows: the rows that pass the filters. */
void metrics_add(struct metrics *m, const struct sample *s, const struct event *rows, size_t n);
/* lost_rows: sm_outputs_dropped(). */
void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows);

#endif
