// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "metrics.h"

#define PREFIX "sysmon_cpustat_"

void metrics_init(struct metrics *m, bool on)
{
	memset(m, 0, sizeof(*m));
	m->on = on;
	sm_promcomms_init(&m->comms);
}

void metrics_fini(struct metrics *m)
{
	sm_promcomms_fini(&m->comms);
}

static void add_program(struct metrics *m, const struct row *row,
	struct sm_promcomm_program p, uint64_t ns)
{
	p.busy = ns >= row->dt_ns / 100;
	*sm_promcomms_of(&m->comms, &p) += ns;
}

static void add_task(struct metrics *m, const struct row *row)
{
	struct sm_promcomm_program p = {.comm = row->comm,
		.uid = row->flags & ROW_HAS_UID ? row->uid : SM_PROMCOMM_NO_UID,
		.kernel = row->flags & ROW_KTHREAD};

	add_program(m, row, p, row->used_ns);
}

static void add_row(struct metrics *m, const struct row *row)
{
	/* These are counted from the sample, by add_residual(). */
	if (row->kind == ROW_SOFTIRQ || row->kind == ROW_IRQ ||
		row->kind == ROW_UNACCOUNTED)
		return;
	m->usr_ns += row->usr_ns;
	m->sys_ns += row->sys_ns;
	if (row->kind == ROW_EXITED)
		m->waiting_ns += row->used_ns;
	else
		add_task(m, row);
}

/* --- names of exited children ----------------------------------------------------- */

/* Takes up to ns of the waiting time, the oldest first, and returns the time taken. */
static uint64_t take_waiting(struct metrics *m, uint64_t ns)
{
	uint64_t before = ns < m->waiting_before_ns ? ns : m->waiting_before_ns;
	uint64_t now = ns - before < m->waiting_ns ? ns - before : m->waiting_ns;

	m->waiting_before_ns -= before;
	m->waiting_ns -= now;
	return before + now;
}

static void add_name(
	struct metrics *m, const struct row *row, const struct row_name *name)
{
	struct sm_promcomm_program p = {.comm = {name->comm, strlen(name->comm)},
		.uid = name->uid == ROW_NO_UID ? SM_PROMCOMM_NO_UID : name->uid};

	add_program(m, row, p, take_waiting(m, name->ns));
}

static void add_names(struct metrics *m, const struct row *row)
{
	const struct row_names *l = row->exited;

	for (size_t i = 0; l && i < l->n; i++)
		add_name(m, row, &l->v[i]);
	if (l && l->others.count)
		add_name(m, row, &l->others);
}

static void end_waiting(struct metrics *m, uint64_t t_ns)
{
	if (t_ns - m->waiting_since_ns < SM_NSEC_PER_SEC)
		return;
	m->waiting_since_ns = t_ns;
	m->nameless_ns += m->waiting_before_ns;
	m->waiting_before_ns = m->waiting_ns;
	m->waiting_ns = 0;
}

void metrics_end(struct metrics *m)
{
	m->nameless_ns += m->waiting_before_ns + m->waiting_ns;
	m->waiting_before_ns = m->waiting_ns = 0;
}

/* --- the rest of the machine ------------------------------------------------------ */

static void add_residual(struct metrics *m, const struct sample *s)
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
	struct metrics *m, const struct sample *s, const struct row *rows, size_t n)
{
	if (!m->on)
		return;
	m->processes = s->processes;
	m->unreadable = s->unreadable;
	m->online = s->online;
	m->counted = s->counted;
	if (!s->dt_ns) /* the first sample sets only the gauges */
		return;
	m->samples++;
	sm_promcomms_next(&m->comms, s->t_ns);
	m->created += s->created;
	m->exited += s->exited;
	m->exited_ns += s->exited_ns;
	m->self_ns += s->self_ns;
	add_residual(m, s);
	end_waiting(m, s->t_ns);
	for (size_t i = 0; i < n; i++)
		add_row(m, &rows[i]);
	for (size_t i = 0; i < n; i++)
		add_names(m, &rows[i]);
}

/* --- the file --------------------------------------------------------------------- */

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void labelled_seconds(
	struct sm_prom *p, const char *name, struct sm_str value, uint64_t ns)
{
	sm_prom_double(p, NULL, &(struct sm_prom_label){name, value}, 1, seconds(ns));
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
	sm_promcomms_put(&m->comms, p, 0, 1e9);
	if (m->nameless_ns)
		labelled_seconds(p, "comm", SM_STR("(exited children)"), m->nameless_ns);
}

static void one_seconds(
	struct sm_prom *p, const char *name, const char *help, uint64_t ns)
{
	sm_prom_one_double(p, name, "counter", help, seconds(ns));
}

static void cpu_totals(struct sm_prom *p, const struct metrics *m)
{
	one_seconds(p, PREFIX "exited_children_cpu_seconds_total",
		"CPU time of processes that started and exited between two samples.",
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

static void turnover(struct sm_prom *p, const struct metrics *m)
{
	if (!m->counted)
		return;
	sm_prom_one(p, PREFIX "processes_created_total", "counter",
		"Processes created since the start.", m->created);
	sm_prom_one(p, PREFIX "processes_exited_total", "counter",
		"Processes exited since the start.", m->exited);
}

static void counts(
	struct sm_prom *p, const struct metrics *m, const struct metrics_lost *lost)
{
	turnover(p, m);
	sm_prom_one(p, PREFIX "samples_total", "counter", "Samples taken.", m->samples);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows of output lost.",
		lost->rows);
	sm_prom_one(p, PREFIX "lost_names_total", "counter",
		"Command lines and cgroups that were not stored.", lost->names);
	sm_prom_one(p, PREFIX "lost_exit_names_total", "counter",
		"Exited processes whose name was lost.", lost->exit_names);
	sm_prom_one(p, PREFIX "labels_refused_total", "counter",
		"Programs in a sample that found no label and count as (others).",
		m->comms.refused);
	sm_prom_one(
		p, PREFIX "processes", "gauge", "Processes that exist.", m->processes);
	sm_prom_one(p, PREFIX "unreadable_processes", "gauge",
		"Processes that could not be read.", m->unreadable);
	sm_prom_one(p, PREFIX "cpus_online", "gauge", "CPUs online.", m->online);
}

void metrics_write(
	const struct metrics *m, struct sm_prom *p, const struct metrics_lost *lost)
{
	by_mode(p, m);
	cpu_totals(p, m);
	counts(p, m, lost);
	by_comm(p, m);
}
