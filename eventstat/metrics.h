/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics: the totals of a run as a Prometheus file (--prom): of the rows that pass the filters, by
 * program (out/promcomm.h), and of the machine.
 */
#ifndef EVENTSTAT_METRICS_H
#define EVENTSTAT_METRICS_H

#include "event.h"
#include "out/promcomm.h"

struct metrics {
	struct counts all, tick;
	uint64_t samples, lost;
	struct sm_promcomms comms; /* starts, expiries, idle expiries */
};

void metrics_init(struct metrics *m);
void metrics_fini(struct metrics *m);
/* One sample; rows: those that pass the filters, before they are grouped or limited. */
void metrics_add(struct metrics *m, const struct sample *s, const struct event *rows, size_t n);
/* lost_rows: sm_outputs_dropped(). */
void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows);

#endif
