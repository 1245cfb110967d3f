// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wakemetrics.h"

#define PREFIX "sysmon_eventstat_"

int wakemetrics_init(struct wakemetrics *m, const struct wakeups *w)
{
	memset(m, 0, sizeof(*m));
	sm_promcomms_init(&m->comms);
	m->cpus = w->cause.cpus;
	m->exits = calloc(m->cpus, sizeof(*m->exits));
	return m->exits ? 0 : -ENOMEM;
}

void wakemetrics_fini(struct wakemetrics *m)
{
	sm_promcomms_fini(&m->comms);
	free(m->exits);
	m->exits = NULL;
	m->cpus = 0;
}

/* Busy: ten wake-ups a second. */
static void add_row(struct wakemetrics *m, const struct event *w, uint64_t dt_ns)
{
	uint64_t n = w->now.starts;
	bool busy = n * SM_NSEC_PER_SEC >= 10 * dt_ns;

	if (event_has_task(w))
		*sm_promcomms_of(&m->comms, w->comm, w->flags & EVENT_KTHREAD, busy) += n;
}

void wakemetrics_add(
	struct wakemetrics *m, const struct sample *s, const struct event *rows, size_t n)
{
	m->samples++;
	m->no_room += s->woken.no_room;
	memcpy(m->sleeps, s->woken.sleeps, sizeof(m->sleeps));
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		m->by_cause[i].wakeups += s->woken.by_cause[i].wakeups;
		m->by_cause[i].slept_ns += s->woken.by_cause[i].slept_ns;
	}
	for (unsigned int i = 0; i < m->cpus && i < s->woken.cpus; i++)
		m->exits[i] += s->woken.cpu[i].exits;
	for (size_t i = 0; i < n; i++)
		add_row(m, &rows[i], s->dt_ns);
}

static void by_cause(const struct wakemetrics *m, struct sm_prom *p)
{
	struct sm_prom_label l = {.name = "cause"};

	sm_prom_family(p, PREFIX "wakeups_total", "counter",
		"Sleeps of idle CPUs that ended, by cause.");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		l.value.p = event_cause_name(i);
		l.value.n = strlen(l.value.p);
		sm_prom_u64(p, NULL, &l, 1, m->by_cause[i].wakeups);
	}
	sm_prom_family(p, PREFIX "slept_seconds_total", "counter",
		"Time that CPUs had slept until they were woken, by cause.");
	for (unsigned int i = 0; i < SM_WAKE_CAUSES; i++) {
		l.value.p = event_cause_name(i);
		l.value.n = strlen(l.value.p);
		sm_prom_double(p, NULL, &l, 1, (double)m->by_cause[i].slept_ns / 1e9);
	}
}

static void by_cpu(const struct wakemetrics *m, struct sm_prom *p)
{
	char cpu[16];
	const struct sm_prom_label l = {"cpu", {cpu, 0}};

	sm_prom_family(p, PREFIX "idle_exits_total", "counter",
		"Exits of a CPU from idle, counted apart from their causes.");
	for (unsigned int i = 0; i < m->cpus; i++) {
		struct sm_prom_label of = l;

		if (!m->exits[i])
			continue;
		of.value.n = (size_t)snprintf(cpu, sizeof(cpu), "%u", i);
		sm_prom_u64(p, NULL, &of, 1, m->exits[i]);
	}
}

/* The buckets of a histogram add up; the longest sleeps are only in the last one. */
static void by_length(const struct wakemetrics *m, struct sm_prom *p)
{
	uint64_t sum = 0, slept_ns = 0;
	char le[32];
	struct sm_prom_label l = {"le", {le, 0}};

	sm_prom_family(p, PREFIX "sleep_seconds", "histogram",
		"Sleeps of idle CPUs by their length.");
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

void wakemetrics_write(const struct wakemetrics *m, struct sm_prom *p, uint64_t lost_rows)
{
	by_cause(m, p);
	by_cpu(m, p);
	by_length(m, p);
	sm_prom_one(p, PREFIX "samples_total", "counter", "Samples taken.", m->samples);
	sm_prom_one(p, PREFIX "wakeups_without_task_total", "counter",
		"Wake-ups whose task was not counted, for want of room.", m->no_room);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows of output lost.",
		lost_rows);
	sm_prom_family(p, PREFIX "comm_wakeups_total", "counter",
		"Sleeps of idle CPUs that a timer or an interrupt of a task ended, by "
		"program.");
	sm_promcomms_put(&m->comms, p, 0, 1);
}
