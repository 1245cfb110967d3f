// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"

#define PREFIX "sysmon_powerstat_"

int metrics_init(
	struct metrics *m, const char *path, const struct ps_table *t, const char *source)
{
	memset(m, 0, sizeof(*m));
	if (!path)
		return 0;
	m->last.v = calloc(t->n, sizeof(*m->last.v));
	if (!m->last.v)
		return -ENOMEM;
	m->path = path;
	m->table = t;
	m->source = source;
	m->last.kind = PS_ABSENT;
	for (unsigned int i = 0; i < t->n; i++)
		m->last.v[i] = NAN;
	sm_prom_init(&m->prom, path);
	return 0;
}

void metrics_fini(struct metrics *m)
{
	if (m->path)
		sm_prom_fini(&m->prom);
	free(m->last.v);
	m->last.v = NULL;
	m->path = NULL;
}

static void add_energy(struct metrics *m, const struct ps_sample *s)
{
	double joules = s->v[PS_JOULES];

	if (!isfinite(joules) || joules < 0) /* a counter must not go back */
		return;
	m->power_ns += s->energy_ns;
	if (s->kind == PS_ESTIMATE)
		m->estimate_joules += joules;
	else
		m->joules += joules;
}

void metrics_add(struct metrics *m, const struct ps_sample *s)
{
	double *v = m->last.v;

	if (!m->path)
		return;
	memcpy(v, s->v, m->table->n * sizeof(*v));
	m->last = *s;
	m->last.v = v;
	m->samples++;
	m->events_lost += s->events_lost;
	add_energy(m, s);
}

/* --- the file ---------------------------------------------------------------------- */

/* The family's head only before its first line: what cannot be had has neither. */
struct family {
	struct sm_prom *p;
	const char *name, *help, *type;
	bool begun;
};

static void line(struct family *f, const char *label, struct sm_str value, double v)
{
	if (!isfinite(v))
		return;
	if (!f->begun)
		sm_prom_family(f->p, f->name, f->type, f->help);
	f->begun = true;
	sm_prom_double(f->p, "", &(struct sm_prom_label){label, value}, 1, v);
}

static void columns(struct metrics *m, struct family *f, const char *label,
	unsigned int from, unsigned int n)
{
	for (unsigned int i = from; i < from + n; i++) {
		const struct ps_col *c = &m->table->col[i];

		line(f, label, (struct sm_str){c->head, c->head_len}, m->last.v[i]);
	}
}

static void power(struct metrics *m)
{
	struct family watts = {&m->prom, PREFIX "power_watts",
		"Power of the last sample, by source.", "gauge", false};
	struct family domains = {&m->prom, PREFIX "domain_power_watts",
		"Power of the last sample, by domain; domains can lie inside others.",
		"gauge", false};
	struct family joules = {&m->prom, PREFIX "energy_joules_total",
		"Energy since the start, by kind of figure.", "counter", false};

	line(&watts, "source", (struct sm_str){m->source, strlen(m->source)},
		m->last.v[PS_WATTS]);
	columns(m, &domains, "domain", m->table->domain0, m->table->ndomains);
	line(&joules, "kind", SM_STR("measured"), m->joules);
	line(&joules, "kind", SM_STR("estimate"), m->estimate_joules);
}

static void temperatures(struct metrics *m)
{
	struct family zones = {&m->prom, PREFIX "temperature_celsius",
		"Temperature of the last sample, by thermal zone.", "gauge", false};

	columns(m, &zones, "zone", m->table->thermal0, m->table->nthermal);
}

static void frequencies(struct metrics *m)
{
	static const char *const stats[] = {"geomean", "min", "max"};
	const struct ps_table *t = m->table;
	struct family cpu = {&m->prom, PREFIX "cpu_frequency_hertz",
		"The CPUs' frequencies in the last sample.", "gauge", false};
	struct family gpu = {&m->prom, PREFIX "gpu_frequency_hertz",
		"The GPU's frequency in the last sample.", "gauge", false};

	for (unsigned int i = 0; i < t->nfreq && i < SM_ARRAY_SIZE(stats); i++)
		line(&cpu, "stat", (struct sm_str){stats[i], strlen(stats[i])},
			m->last.v[t->freq0 + i] * 1e3);
	if (t->gpu)
		line(&gpu, "gpu", SM_STR("0"), m->last.v[t->gpu] * 1e3);
}

static void cpu_time(struct metrics *m)
{
	static const char *const modes[] = {
		"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};
	struct family cpu = {&m->prom, PREFIX "cpu_ratio",
		"Parts of all CPU time in the last sample, by mode.", "gauge", false};

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(modes); i++)
		line(&cpu, "mode", (struct sm_str){modes[i], strlen(modes[i])},
			m->last.v[PS_USER + i] / 100);
}

static void counter(struct sm_prom *p, const char *name, const char *help, uint64_t v)
{
	sm_prom_family(p, name, "counter", help);
	sm_prom_u64(p, "", NULL, 0, v);
}

static void counts(struct metrics *m, uint64_t lost_rows)
{
	struct sm_prom *p = &m->prom;

	sm_prom_family(p, PREFIX "power_seconds_total", "counter",
		"Time that the energy is of.");
	sm_prom_double(p, "", NULL, 0, (double)m->power_ns / 1e9);
	counter(p, PREFIX "samples_total", "Samples that counted.", m->samples);
	counter(p, PREFIX "missed_samples_total", "Samples that came too late.",
		m->missed);
	counter(p, PREFIX "skipped_samples_total", "Samples discarded by -b or -p.",
		m->skipped);
	counter(p, PREFIX "lost_events_total", "Fork, exec and exit events lost.",
		m->events_lost);
	counter(p, PREFIX "lost_rows_total", "Rows of output lost to a slow reader.",
		lost_rows);
	sm_prom_family(p, PREFIX "power_is_estimate", "gauge",
		"1: the power of the last sample is an estimate.");
	sm_prom_u64(p, "", NULL, 0, m->last.kind == PS_ESTIMATE);
}

int metrics_commit(struct metrics *m, uint64_t missed, uint64_t skipped,
	uint64_t lost_rows, bool last)
{
	uint64_t now_ns = m->last.t_ns;
	bool due = !m->written_ns || now_ns - m->written_ns >= METRICS_INTERVAL_NS;

	if (!m->path || !(due || last))
		return 0;
	m->written_ns = now_ns;
	m->missed = missed;
	m->skipped = skipped;
	power(m);
	temperatures(m);
	frequencies(m);
	cpu_time(m);
	counts(m, lost_rows);
	return sm_prom_commit(&m->prom);
}
