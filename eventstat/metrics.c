// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "metrics.h"

#define PREFIX "sysmon_eventstat_"

enum { STARTS, EXPIRIES, IDLE };

void metrics_init(struct metrics *m)
{
	memset(m, 0, sizeof(*m));
	sm_promcomms_init(&m->comms);
}

void metrics_fini(struct metrics *m)
{
	sm_promcomms_fini(&m->comms);
}

/* Busy: ten timers a second. */
static void add_row(struct metrics *m, const struct event *e, uint64_t dt_ns)
{
	bool busy = e->now.starts * SM_NSEC_PER_SEC >= 10 * dt_ns;
	uint64_t *v = sm_promcomms_of(&m->comms, e->comm, e->flags & EVENT_KTHREAD, busy);

	v[STARTS] += e->now.starts;
	v[EXPIRIES] += e->now.expiries;
	v[IDLE] += e->now.idle;
}

void metrics_add(
	struct metrics *m, const struct sample *s, const struct event *rows, size_t n)
{
	m->samples++;
	m->lost = s->lost.events;
	counts_add(&m->all, &s->sums.all);
	counts_add(&m->tick, &s->sums.tick);
	for (size_t i = 0; i < n; i++)
		add_row(m, &rows[i], s->dt_ns);
}

static void by_comm(struct sm_prom *p, const struct metrics *m, const char *name,
	const char *help, unsigned int value)
{
	sm_prom_family(p, name, "counter", help);
	sm_promcomms_put(&m->comms, p, value, 1);
}

void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	sm_prom_one(p, PREFIX "starts_total", "counter",
		"Timers armed by tasks, without the tick.", m->all.starts);
	sm_prom_one(p, PREFIX "expiries_total", "counter",
		"Timers of tasks that expired, without the tick.", m->all.expiries);
	sm_prom_one(p, PREFIX "idle_expiries_total", "counter",
		"Timers of tasks that expired on an idle CPU.", m->all.idle);
	sm_prom_one(p, PREFIX "tick_expiries_total", "counter", "Expiries of the tick.",
		m->tick.expiries);
	sm_prom_one(p, PREFIX "samples_total", "counter", "Samples taken.", m->samples);
	sm_prom_one(p, PREFIX "lost_events_total", "counter",
		"Timer events that were not counted.", m->lost);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows of output lost.",
		lost_rows);
	by_comm(p, m, PREFIX "comm_starts_total", "Timers armed, by program.", STARTS);
	by_comm(p, m, PREFIX "comm_expiries_total", "Timers that expired, by program.",
		EXPIRIES);
	by_comm(p, m, PREFIX "comm_idle_expiries_total",
		"Timers that expired on an idle CPU, by program.", IDLE);
}
