// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "hash.h"
#include "metrics.h"
#include "text.h"

#define PREFIX "sysmon_cpustat_"

static const struct sm_str others = {"(others)", sizeof("(others)") - 1};

void metrics_init(struct metrics *m, const char *path)
{
	memset(m, 0, sizeof(*m));
	m->path = path;
	if (!path)
		return;
	m->seed = sm_hash_seed();
	sm_prom_init(&m->prom, path);
}

void metrics_fini(struct metrics *m)
{
	if (m->path)
		sm_prom_fini(&m->prom);
	sm_buf_fini(&m->label);
	m->path = NULL;
}

/* --- by program ----------------------------------------------------------------------
 */

/* Into m->label.  Sanitised before it is compared: two names that look the same in the
 * file would be the same series twice, and such a file is refused as a whole. */
static void make_label(struct metrics *m, const struct cs_row *row)
{
	bool kernel = row->flags & CS_KTHREAD;
	size_t n = row->comm.n < SM_PIDSTAT_COMM_MAX ? row->comm.n : SM_PIDSTAT_COMM_MAX;
	const char *slash = kernel && n ? memchr(row->comm.p, '/', n) : NULL;

	sm_buf_reset(&m->label);
	if (slash)
		n = (size_t)(slash - row->comm.p);
	if (kernel)
		sm_buf_chr(&m->label, '[');
	sm_text_human(&m->label, row->comm.p, n, SM_TEXT_UTF8);
	if (kernel)
		sm_buf_chr(&m->label, ']');
}

static struct metrics_comm *find(struct metrics *m, uint64_t hash)
{
	for (unsigned int i = 0; i < m->ncomm; i++) {
		struct metrics_comm *c = &m->comm[i];

		if (c->hash == hash && c->n == m->label.len &&
			memcmp(c->label, m->label.p, c->n) == 0)
			return c;
	}
	return NULL;
}

static bool may_have_label(const struct metrics *m, const struct cs_row *row)
{
	if (m->ncomm == METRICS_COMMS || m->label.len > METRICS_LABEL_MAX)
		return false;
	return m->ncomm < METRICS_COMMS / 2 || row->used_ns >= row->dt_ns / 100;
}

/* NULL: it counts with the others, as what has no name. */
static struct metrics_comm *comm_of(struct metrics *m, const struct cs_row *row)
{
	struct metrics_comm *c;
	uint64_t hash;

	make_label(m, row);
	if (sm_buf_error(&m->label) || m->label.len == 0)
		return NULL;
	if (m->label.len == others.n && memcmp(m->label.p, others.p, others.n) == 0)
		return NULL;
	hash = sm_hash_bytes(m->label.p, m->label.len, m->seed);
	c = find(m, hash);
	if (c || !may_have_label(m, row))
		return c;
	c = &m->comm[m->ncomm++];
	c->hash = hash;
	c->n = m->label.len;
	memcpy(c->label, m->label.p, c->n);
	return c;
}

static void add_row(struct metrics *m, const struct cs_row *row)
{
	struct metrics_comm *c;

	/* What no task accounts for is counted from the sample. */
	if (row->kind == CS_SOFTIRQ || row->kind == CS_IRQ || row->kind == CS_UNACCOUNTED)
		return;
	m->usr_ns += row->usr_ns;
	m->sys_ns += row->sys_ns;
	c = comm_of(m, row);
	if (c)
		c->used_ns += row->used_ns;
	else
		m->others_ns += row->used_ns;
}

static void add_residual(struct metrics *m, const struct cs_sample *s)
{
	if (!s->machine)
		return;
	m->machine = true;
	m->irq_ns += s->irq_ns;
	m->softirq_ns += s->softirq_ns;
	m->unaccounted_ns += s->unaccounted_ns;
	if (m->unaccounted_ns > 0 && (uint64_t)m->unaccounted_ns > m->unaccounted_max_ns)
		m->unaccounted_max_ns = (uint64_t)m->unaccounted_ns;
}

void metrics_add(
	struct metrics *m, const struct cs_sample *s, const struct cs_row *rows, size_t n)
{
	if (!m->path)
		return;
	m->t_ns = s->t_ns;
	m->live = s->live;
	m->unreadable = s->unreadable;
	m->online = s->online;
	if (!s->dt_ns) /* the first: only what is now */
		return;
	m->samples++;
	m->births += s->births;
	m->deaths += s->deaths;
	m->exited_ns += s->exited_ns;
	m->self_ns += s->self_ns;
	add_residual(m, s);
	for (size_t i = 0; i < n; i++)
		add_row(m, &rows[i]);
}

/* --- the file ------------------------------------------------------------------------
 */

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void labelled_seconds(
	struct sm_prom *p, const char *name, struct sm_str value, uint64_t ns)
{
	sm_prom_double(p, "", &(struct sm_prom_label){name, value}, 1, seconds(ns));
}

static void by_mode(struct sm_prom *p, const struct metrics *m)
{
	sm_prom_family(p, PREFIX "cpu_seconds_total", "counter",
		"CPU time of tasks shown and of their exited children, by mode.");
	labelled_seconds(p, "mode", SM_STR("user"), m->usr_ns);
	labelled_seconds(p, "mode", SM_STR("system"), m->sys_ns);
}

static void by_comm(struct sm_prom *p, const struct metrics *m)
{
	sm_prom_family(p, PREFIX "comm_cpu_seconds_total", "counter",
		"CPU time of tasks shown and of their exited children, by program.");
	for (unsigned int i = 0; i < m->ncomm; i++) {
		const struct metrics_comm *c = &m->comm[i];

		labelled_seconds(p, "comm", (struct sm_str){c->label, c->n}, c->used_ns);
	}
	labelled_seconds(p, "comm", others, m->others_ns);
}

static void one(struct sm_prom *p, const char *name, const char *type, const char *help,
	uint64_t v)
{
	sm_prom_family(p, name, type, help);
	sm_prom_u64(p, "", NULL, 0, v);
}

static void one_seconds(
	struct sm_prom *p, const char *name, const char *help, uint64_t ns)
{
	sm_prom_family(p, name, "counter", help);
	sm_prom_double(p, "", NULL, 0, seconds(ns));
}

static void cpu_totals(struct sm_prom *p, const struct metrics *m)
{
	one_seconds(p, PREFIX "exited_children_cpu_seconds_total",
		"CPU time of processes that lived and died between two samples.",
		m->exited_ns);
	one_seconds(p, PREFIX "self_cpu_seconds_total", "CPU time of cpustat itself.",
		m->self_ns);
	if (!m->machine)
		return;
	one_seconds(p, PREFIX "unaccounted_cpu_seconds_total",
		"CPU time of the machine that no task and no interrupt accounts for.",
		m->unaccounted_max_ns);
	sm_prom_family(p, PREFIX "interrupt_cpu_seconds_total", "counter",
		"CPU time of interrupts that no task accounts for, by kind.");
	labelled_seconds(p, "kind", SM_STR("irq"), m->irq_ns);
	labelled_seconds(p, "kind", SM_STR("softirq"), m->softirq_ns);
}

static void counts(struct sm_prom *p, const struct metrics *m, uint64_t lost_rows)
{
	one(p, PREFIX "births_total", "counter", "Processes seen for the first time.",
		m->births);
	one(p, PREFIX "deaths_total", "counter", "Processes that were gone.", m->deaths);
	one(p, PREFIX "samples_total", "counter", "Samples taken.", m->samples);
	one(p, PREFIX "lost_rows_total", "counter",
		"Rows of output lost to a slow reader.", lost_rows);
	one(p, PREFIX "processes", "gauge", "Processes that exist.", m->live);
	one(p, PREFIX "unreadable_processes", "gauge",
		"Processes that could not be read.", m->unreadable);
	one(p, PREFIX "cpus_online", "gauge", "CPUs online.", m->online);
}

int metrics_commit(struct metrics *m, uint64_t lost_rows, bool last)
{
	bool due = !m->written_ns || m->t_ns - m->written_ns >= METRICS_INTERVAL_NS;

	if (!m->path || !(due || last))
		return 0;
	m->written_ns = m->t_ns;
	by_mode(&m->prom, m);
	cpu_totals(&m->prom, m);
	counts(&m->prom, m, lost_rows);
	by_comm(&m->prom, m);
	return sm_prom_commit(&m->prom);
}
