// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "result/metric.h"
#include "run.h"

#define PREFIX "sysmon_stressors_"

/* The labels of a job, or of one of its values. */
struct labels {
	struct sm_prom_label label[4];
	char job[24];
};

static void label_job(struct labels *l, const struct run *r, size_t i)
{
	const char *name = r->c->plan.job[i].stressor->name;

	snprintf(l->job, sizeof(l->job), "%zu", i);
	l->label[0] = (struct sm_prom_label){"job", {l->job, strlen(l->job)}};
	l->label[1] = (struct sm_prom_label){"stressor", {name, strlen(name)}};
}

/* Returns true if the job is in the current stage; otherwise it has ended or is
 * waiting. */
static bool is_running(const struct run *r, size_t i)
{
	const struct job *j = &r->c->plan.job[i];
	const struct stage *g = r->v.stage;

	if (i < r->n_results || r->v.phase == SUPERVISOR_IS_OVER)
		return false;
	return j >= g->job && j < g->job + g->n_jobs;
}

static unsigned int count_alive(const struct stage *g, const struct job *j)
{
	unsigned int n = 0;

	for (size_t i = 0; i < g->n; i++)
		n += g->worker[i].job == j && g->worker[i].pid;
	return n;
}

static uint64_t ops_of(const struct run *r, size_t i)
{
	if (is_running(r, i))
		return live_ops(r->v.stage, &r->c->plan.job[i]);
	return i < r->n_results ? r->result[i].ops : 0;
}

static uint64_t instances_of(const struct run *r, size_t i)
{
	return is_running(r, i) ? count_alive(r->v.stage, &r->c->plan.job[i]) : 0;
}

/* Writes a value of each job to the family that was just begun. */
static void put_each(const struct run *r, struct sm_prom *p,
	uint64_t (*value)(const struct run *r, size_t i))
{
	for (size_t i = 0; i < r->c->plan.n; i++) {
		struct labels l;

		label_job(&l, r, i);
		sm_prom_u64(p, NULL, l.label, 2, value(r, i));
	}
}

static void put_status(const struct run *r, struct sm_prom *p)
{
	sm_prom_result(p, PREFIX "job_status",
		"Always 1; the label has the status of the job: waiting, running, or its "
		"result.");
	for (size_t i = 0; i < r->c->plan.n; i++) {
		const char *status = i < r->n_results
					     ? result_status_names[r->result[i].status]
				     : is_running(r, i) ? "running"
							: "waiting";
		struct labels l;

		label_job(&l, r, i);
		l.label[2] = (struct sm_prom_label){"status", {status, strlen(status)}};
		sm_prom_u64(p, NULL, l.label, 3, 1);
	}
}

static void put_metrics_of(const struct run *r, size_t i, struct sm_prom *p)
{
	const struct stressor *s = r->result[i].job->stressor;
	struct labels l;
	double value;

	label_job(&l, r, i);
	for (unsigned int k = 0; k < metric_count(s); k++) {
		const struct stressor_metric *m = &s->metrics[k];

		if (!result_metric(&r->result[i], k, &value))
			continue;
		l.label[2] = (struct sm_prom_label){"metric", {m->name, strlen(m->name)}};
		l.label[3] = (struct sm_prom_label){"unit", {m->unit, strlen(m->unit)}};
		sm_prom_double(p, NULL, l.label, 4, value);
	}
}

void metrics_write(const struct run *r, struct sm_prom *p)
{
	sm_prom_family(
		p, PREFIX "ops_total", "counter", "Ops of all instances of the job.");
	put_each(r, p, ops_of);
	sm_prom_family(
		p, PREFIX "instances", "gauge", "Instances of the job that are alive.");
	put_each(r, p, instances_of);
	put_status(r, p);
	sm_prom_result(p, PREFIX "metric",
		"Metrics of jobs that have ended, in the unit of the label.");
	for (size_t i = 0; i < r->n_results; i++)
		put_metrics_of(r, i, p);
	sm_prom_one(p, PREFIX "lost_rows_total", "counter", "Rows lost to a slow reader.",
		sm_outputs_dropped(&r->app.outputs));
}
