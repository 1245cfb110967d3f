/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakemetrics: the wake-ups of a run as a Prometheus file (--prom): by cause, by CPU, by length of sleep,
 * and of the rows that pass the filters by program.
 */
#ifndef EVENTSTAT_WAKEMETRICS_H
#define EVENTSTAT_WAKEMETRICS_H

#include "out/promcomm.h"
#include "wakeups.h"

struct wakemetrics {
	struct sm_wake_sum by_cause[SM_WAKE_CAUSES];
	uint64_t *exits;           /* of each CPU */
	unsigned int cpus;
	uint64_t sleeps[SM_WAKE_BUCKETS];
	uint64_t samples, no_room;
	struct sm_promcomms comms;
};

int wakemetrics_init(struct wakemetrics *m, const struct wakeups *w) SM_MUST;
void wakemetrics_fini(struct wakemetrics *m);
/* rows: those that pass the filters. */
void wakemetrics_add(struct wakemetrics *m, const struct sample *s, const struct event *rows, size_t n);
void wakemetrics_write(const struct wakemetrics *m, struct sm_prom *p, uint64_t lost_rows);

#endif
