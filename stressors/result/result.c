// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "metric.h"
#include "result.h"

const char *const result_status_names[] = {
	[RESULT_PASS] = "pass",
	[RESULT_FAIL] = "fail",
	[RESULT_SKIP] = "skip",
	[RESULT_LACKS] = "no-resource",
	[RESULT_INTERRUPTED] = "interrupted",
};

/* What all instances have in common, value by value. */
struct mean {
	unsigned int n;
	double sum, log_sum, inverse_sum, min, max;
};

static void mean_add(struct mean *m, double v)
{
	m->min = m->n ? fmin(m->min, v) : v;
	m->max = m->n ? fmax(m->max, v) : v;
	m->n++;
	m->sum += v;
	if (v > 0) {
		m->log_sum += log(v);
		m->inverse_sum += 1 / v;
	}
}

/* With a zero among them both means are zero; with a negative value there is none. */
static bool of_positive(const struct mean *m, double mean, double *value)
{
	*value = m->min > 0 ? mean : 0;
	return m->min >= 0;
}

static bool mean_value(const struct mean *m, enum stressor_mean kind, double *value)
{
	switch (kind) {
	case MEAN_SUM:
		*value = m->sum;
		return true;
	case MEAN_ARITHMETIC:
		*value = m->sum / m->n;
		return true;
	case MEAN_GEOMETRIC:
		return of_positive(m, exp(m->log_sum / m->n), value);
	case MEAN_HARMONIC:
		return of_positive(m, m->n / m->inverse_sum, value);
	case MEAN_MAX:
		*value = m->max;
		return true;
	case MEAN_MIN:
		*value = m->min;
		return true;
	}
	return false;
}

static bool is_rate(const struct stressor_metric *m)
{
	size_t n = strlen(m->unit);

	return m->mean == MEAN_SUM && n >= 2 && strcmp(m->unit + n - 2, "/s") == 0;
}

/* The part of the real time of the job in which the instance ran. */
static double part_of_time(const struct result *r, const struct result_instance *one)
{
	return r->wall_s > 0 && one->wall_s > 0 ? one->wall_s / r->wall_s : 1;
}

bool result_metric(const struct result *r, unsigned int i, double *value)
{
	const struct stressor_metric *kind;
	struct mean m = {0};
	double one;

	if (i >= metric_count(r->job->stressor))
		return false;
	kind = &r->job->stressor->metrics[i];
	for (unsigned int k = 0; r->one && k < r->n; k++)
		if (metric_one(&r->one[k], i, &one))
			mean_add(&m,
				is_rate(kind) ? one * part_of_time(r, &r->one[k]) : one);
	return m.n && mean_value(&m, kind->mean, value) && isfinite(*value);
}

double result_rate(const struct result *r)
{
	return r->wall_s > 0 ? (double)r->ops / r->wall_s : 0;
}

double result_cpu_rate(const struct result *r)
{
	double cpu_s = r->user_s + r->sys_s;

	return cpu_s > 0 ? (double)r->ops / cpu_s : 0;
}

double result_cpu_percent(const struct result *r)
{
	return r->wall_s > 0 ? 100 * (r->user_s + r->sys_s) / r->wall_s : 0;
}
