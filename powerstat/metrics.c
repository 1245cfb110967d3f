// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"

#define PREFIX "sysmon_powerstat_"

int metrics_init(struct metrics *m, const struct columns *c, const char *source)
{
	memset(m, 0, sizeof(*m));
	m->last.v = calloc(c->list.n, sizeof(*m->last.v));
	if (!m->last.v)
		return -ENOMEM;
	m->columns = c;
	m->source = source;
	m->last.kind = SM_FIGURE_ABSENT;
	for (unsigned int i = 0; i < c->list.n; i++)
		m->last.v[i] = NAN;
	return 0;
}

void metrics_fini(struct metrics *m)
{
	free(m->last.v);
	m->last.v = NULL;
}

static void add_energy(struct metrics *m, const struct sample *s)
{
	double joules = s->v[V_JOULES];
	uint64_t owed_ns;

	m->owed_joules += s->retracted_j;
	if (!isfinite(joules) || joules < 0)
		return;
	m->figure_ns = s->energy_ns;
	/* A counter must not decrease, so retracted energy is subtracted from the energy
	 * that is added later. */
	owed_ns = m->owed_ns < s->energy_ns ? m->owed_ns : s->energy_ns;
	m->owed_ns -= owed_ns;
	m->power_ns += s->energy_ns - owed_ns;
	joules -= m->owed_joules;
	m->owed_joules = joules < 0 ? -joules : 0;
	joules = joules < 0 ? 0 : joules;
	if (s->kind == SM_FIGURE_ESTIMATE)
		m->estimate_joules += joules;
	else
		m->joules += joules;
}

/* Events happened whether or not the sample is discarded. */
static void add_events(struct metrics *m, const struct sample *s)
{
	m->events_lost += s->events_lost;
	m->core_throttles += s->core_throttles;
	m->package_throttles += s->package_throttles;
}

void metrics_add(struct metrics *m, const struct sample *s)
{
	double *v = m->last.v;

	if (!v)
		return;
	memcpy(v, s->v, m->columns->list.n * sizeof(*v));
	m->last = *s;
	m->last.v = v;
	m->samples++;
	add_events(m, s);
	add_energy(m, s);
}

/* If the sample retracts a value, the time of that value is subtracted as well, since its
 * replacement is discarded. */
void metrics_discard(struct metrics *m, const struct sample *s)
{
	m->owed_joules += s->retracted_j;
	if (s->retracted_j > 0)
		m->owed_ns += m->figure_ns;
	add_events(m, s);
}

/* --- the file ---------------------------------------------------------------------- */

/* Omits the line of a missing value. */
static void line(struct sm_prom *p, const char *label, struct sm_str value, double v)
{
	if (isfinite(v))
		sm_prom_double(p, NULL, &(struct sm_prom_label){label, value}, 1, v);
}

static void columns(const struct metrics *m, struct sm_prom *p, const char *label,
	unsigned int from, unsigned int n)
{
	for (unsigned int i = from; i < from + n; i++) {
		const char *head = m->columns->list.col[i].head;

		line(p, label, (struct sm_str){head, strlen(head)}, m->last.v[i]);
	}
}

/* Without a source, 0 joules would look like a value. */
static bool has_source(const struct metrics *m)
{
	return strcmp(m->source, "none") != 0;
}

static void energy(const struct metrics *m, struct sm_prom *p)
{
	sm_prom_family(p, PREFIX "energy_joules_total", "counter",
		"Energy since the start, by kind of value.");
	line(p, "kind", m->averaged ? SM_STR("averaged") : SM_STR("measured"), m->joules);
	line(p, "kind", SM_STR("estimate"), m->estimate_joules);
	sm_prom_one_double(p, PREFIX "power_seconds_total", "counter",
		"Time that the energy covers.", (double)m->power_ns / 1e9);
	sm_prom_one(p, PREFIX "power_is_estimate", "gauge",
		"1 if the power of the last sample is an estimate, else 0.",
		m->last.kind == SM_FIGURE_ESTIMATE);
}

static void power(const struct metrics *m, struct sm_prom *p)
{
	sm_prom_family(
		p, PREFIX "power_watts", "gauge", "Power of the last sample, by source.");
	line(p, "source", (struct sm_str){m->source, strlen(m->source)},
		m->last.v[V_WATTS]);
	sm_prom_family(p, PREFIX "domain_power_watts", "gauge",
		"Power of the last sample, by domain; domains can include one another.");
	columns(m, p, "domain", m->columns->domain0, m->columns->ndomains);
	if (has_source(m))
		energy(m, p);
}

static void temperatures(const struct metrics *m, struct sm_prom *p)
{
	sm_prom_family(p, PREFIX "temperature_celsius", "gauge",
		"Temperature of the last sample, by thermal zone.");
	columns(m, p, "zone", m->columns->thermal0, m->columns->nthermal);
}

static void frequencies(const struct metrics *m, struct sm_prom *p)
{
	static const char *const stats[] = {"geomean", "min", "max"};
	const struct columns *c = m->columns;

	sm_prom_family(p, PREFIX "cpu_frequency_hertz", "gauge",
		"CPU frequencies in the last sample.");
	for (unsigned int i = 0; i < c->nfreq && i < SM_ARRAY_SIZE(stats); i++)
		line(p, "stat", (struct sm_str){stats[i], strlen(stats[i])},
			m->last.v[c->freq0 + i] * 1e3);
	sm_prom_family(p, PREFIX "gpu_frequency_hertz", "gauge",
		"GPU frequency in the last sample.");
	if (c->gpu)
		line(p, "gpu", SM_STR("0"), m->last.v[c->gpu] * 1e3);
}

static void throttling(const struct metrics *m, struct sm_prom *p)
{
	if (!m->columns->throttle)
		return;
	sm_prom_family(p, PREFIX "throttle_events_total", "counter",
		"Events of thermal throttling since the start, by scope.");
	sm_prom_u64(p, NULL, &(struct sm_prom_label){"scope", SM_STR("core")}, 1,
		m->core_throttles);
	sm_prom_u64(p, NULL, &(struct sm_prom_label){"scope", SM_STR("package")}, 1,
		m->package_throttles);
}

static void cpu_time(const struct metrics *m, struct sm_prom *p)
{
	static const char *const modes[] = {
		"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};

	sm_prom_family(p, PREFIX "cpu_ratio", "gauge",
		"Shares of all CPU time in the last sample, by mode.");
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(modes); i++)
		line(p, "mode", (struct sm_str){modes[i], strlen(modes[i])},
			m->last.v[V_USER + i] / 100);
}

void metrics_write(const struct metrics *m, struct sm_prom *p, uint64_t missed,
	uint64_t skipped, uint64_t lost_rows)
{
	power(m, p);
	temperatures(m, p);
	frequencies(m, p);
	throttling(m, p);
	cpu_time(m, p);
	sm_prom_one(p, PREFIX "samples_total", "counter", "Samples in the statistics.",
		m->samples);
	sm_prom_one(p, PREFIX "missed_samples_total", "counter",
		"Samples missed: woken too late.", missed);
	sm_prom_one(p, PREFIX "skipped_samples_total", "counter",
		"Samples discarded by -b or -p.", skipped);
	sm_prom_one(p, PREFIX "lost_events_total", "counter",
		"Fork, exec and exit events lost.", m->events_lost);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows of output lost.",
		lost_rows);
}
