// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"

#define PREFIX "sysmon_eventstat_"

enum { STARTS, EXPIRIES, IDLE };

int metrics_init(struct metrics *m, unsigned int cpus)
{
	memset(m, 0, sizeof(*m));
	sm_promcomms_init(&m->comms);
	m->cpus = cpus;
	if (cpus)
		m->exits = calloc(cpus, sizeof(*m->exits));
	return cpus && !m->exits ? -ENOMEM : 0;
}

void metrics_fini(struct metrics *m)
{
	sm_promcomms_fini(&m->comms);
	free(m->exits);
	m->exits = NULL;
	m->cpus = 0;
}

/* A program is busy with ten timers or wakeups per second. */
static void add_row(struct metrics *m, const struct event *e, uint64_t dt_ns)
{
	bool interrupt = e->flags & EVENT_INTERRUPT;
	const struct sm_promcomm_program p = {.comm = e->comm,
		.uid = e->flags & EVENT_HAS_UID ? e->uid
		       : interrupt		? 0
						: SM_PROMCOMM_NO_UID,
		.kernel = e->flags & EVENT_KTHREAD && !interrupt,
		.busy = e->now.starts * SM_NSEC_PER_SEC >= 10 * dt_ns};
	uint64_t *v;

	if (!event_has_task(e))
		return;
	v = sm_promcomms_of(&m->comms, &p);
	v[STARTS] += e->now.starts;
	v[EXPIRIES] += e->now.expiries;
	v[IDLE] += e->now.idle;
}

static void add_wakeups(struct metrics *m, const struct wake_sums *s)
{
	m->no_room += s->no_room;
	memcpy(m->sleeps, s->sleeps, sizeof(m->sleeps));
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		m->by_cause[i].wakeups += s->by_cause[i].wakeups;
		m->by_cause[i].slept_ns += s->by_cause[i].slept_ns;
	}
	for (unsigned int i = 0; i < m->cpus && i < s->cpus; i++)
		m->exits[i] += s->cpu[i].exits;
}

void metrics_add(
	struct metrics *m, const struct sample *s, const struct event *rows, size_t n)
{
	m->samples++;
	sm_promcomms_next(&m->comms, s->t_ns);
	m->lost = s->lost.events;
	m->lost_cpus = s->lost_cpus;
	counts_add(&m->all, &s->sums.all);
	counts_add(&m->tick, &s->sums.tick);
	add_wakeups(m, &s->woken);
	for (size_t i = 0; i < n; i++)
		add_row(m, &rows[i], s->dt_ns);
}

static void by_comm(struct sm_prom *p, const struct metrics *m, const char *name,
	const char *help, unsigned int value)
{
	sm_prom_family(p, name, "counter", help);
	sm_promcomms_put(&m->comms, p, value, 1);
}

static void write_losses(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	sm_prom_one(p, PREFIX "samples_total", "counter", "Samples taken.", m->samples);
	sm_prom_one(p, PREFIX "lost_events_total", "counter",
		"Timer events that were not counted.", m->lost);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows of output lost.",
		lost_rows);
	sm_prom_one(p, PREFIX "labels_refused_total", "counter",
		"Programs in a sample that have no label and are counted as (others).",
		m->comms.refused);
}

/* --- timers --------------------------------------------------------------- */

static void write_timers(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	sm_prom_one(p, PREFIX "starts_total", "counter",
		"Timers armed by tasks, excluding the tick.", m->all.starts);
	sm_prom_one(p, PREFIX "expiries_total", "counter",
		"Timers of tasks that expired, excluding the tick.", m->all.expiries);
	sm_prom_one(p, PREFIX "idle_expiries_total", "counter",
		"Timers of tasks that expired on an idle CPU.", m->all.idle);
	sm_prom_one(p, PREFIX "tick_expiries_total", "counter", "Expiries of the tick.",
		m->tick.expiries);
	write_losses(m, p, lost_rows);
	sm_prom_one(p, PREFIX "lost_cpus_total", "counter",
		"CPUs that came online during the run and are not counted.",
		m->lost_cpus);
	by_comm(p, m, PREFIX "comm_starts_total", "Timers armed, by program.", STARTS);
	by_comm(p, m, PREFIX "comm_expiries_total", "Timers that expired, by program.",
		EXPIRIES);
	by_comm(p, m, PREFIX "comm_idle_expiries_total",
		"Timers that expired on an idle CPU, by program.", IDLE);
}

/* --- wakeups -------------------------------------------------------------- */

static struct sm_prom_label cause_label(unsigned int cause)
{
	const char *name = event_cause_name(cause);

	return (struct sm_prom_label){"cause", {name, strlen(name)}};
}

static void by_cause(const struct metrics *m, struct sm_prom *p)
{
	sm_prom_family(p, PREFIX "wakeups_total", "counter",
		"Idle periods of CPUs that ended, by cause.");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		const struct sm_prom_label l = cause_label(i);

		sm_prom_u64(p, NULL, &l, 1, m->by_cause[i].wakeups);
	}
	sm_prom_family(p, PREFIX "slept_seconds_total", "counter",
		"Time that CPUs were idle until they were woken, by cause.");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		const struct sm_prom_label l = cause_label(i);

		sm_prom_double(p, NULL, &l, 1, (double)m->by_cause[i].slept_ns / 1e9);
	}
}

static void by_cpu(const struct metrics *m, struct sm_prom *p)
{
	char cpu[16];
	struct sm_prom_label l = {"cpu", {cpu, 0}};

	sm_prom_family(p, PREFIX "idle_exits_total", "counter",
		"Exits of a CPU from idle, counted separately from the causes.");
	for (unsigned int i = 0; i < m->cpus; i++) {
		if (!m->exits[i])
			continue;
		l.value.n = (size_t)snprintf(cpu, sizeof(cpu), "%u", i);
		sm_prom_u64(p, NULL, &l, 1, m->exits[i]);
	}
}

/* Buckets are cumulative; the longest idle periods are only in the last one. */
static void by_length(const struct metrics *m, struct sm_prom *p)
{
	uint64_t sum = 0, slept_ns = 0;
	char le[32];
	struct sm_prom_label l = {"le", {le, 0}};

	sm_prom_family(p, PREFIX "sleep_seconds", "histogram",
		"Idle periods of CPUs by length.");
	for (unsigned int i = 0; i + 1 < SM_WAKE_BUCKETS; i++) {
		sum += m->sleeps[i];
		l.value.n = (size_t)snprintf(
			le, sizeof(le), "%.9f", (double)(UINT64_C(1024) << i) / 1e9);
		sm_prom_u64(p, "_bucket", &l, 1, sum);
	}
	sum += m->sleeps[SM_WAKE_BUCKETS - 1];
	l.value = SM_STR("+Inf");
	sm_prom_u64(p, "_bucket", &l, 1, sum);
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++)
		slept_ns += m->by_cause[i].slept_ns;
	sm_prom_double(p, "_sum", NULL, 0, (double)slept_ns / 1e9);
	sm_prom_u64(p, "_count", NULL, 0, sum);
}

static void write_wakeups(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	by_cause(m, p);
	by_cpu(m, p);
	by_length(m, p);
	sm_prom_one(p, PREFIX "wakeups_without_task_total", "counter",
		"Wakeups counted without their task, for lack of room.", m->no_room);
	write_losses(m, p, lost_rows);
	by_comm(p, m, PREFIX "comm_wakeups_total",
		"Idle periods of CPUs that a timer or an interrupt of a task ended, by "
		"program.",
		STARTS);
}

void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	if (m->cpus)
		write_wakeups(m, p, lost_rows);
	else
		write_timers(m, p, lost_rows);
}
