// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "metric.h"
#include "result.h"

const char *const result_status_names[] = {
	[RESULT_PASS] = "pass",
	[RESULT_FAIL] = "fail",
	[RESULT_SKIP] = "skip",
	[RESULT_LACKS] = "no-resource",
	[RESULT_INTERRUPTED] = "interrupted",
};

/* Sums over all instances, from which the means are computed. */
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

/* Sets a geometric or harmonic mean, which is zero if one of the values is.  False: a
 * value is negative. */
static bool of_positive(const struct mean *m, double mean, double *value)
{
	*value = m->min > 0 ? mean : 0;
	return m->min >= 0;
}

static bool mean_value(const struct mean *m, enum stressor_mean kind, double *value)
{
	switch (kind) {
	case MEAN_SUM:
	case MEAN_RATE:
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
	default:
		return false;
	}
}

/* --- values of all instances together ----------------------------------------------- */

/* Returns the number of values in the histogram of an instance, which is the weight of
 * its mean and deviation. */
static uint64_t values_of(const struct result *r, unsigned int instance)
{
	const struct sm_loghist *h = r->histogram ? r->histogram[instance] : NULL;

	return h ? h->n : 0;
}

static bool mean_of_all(const struct result *r, unsigned int i, double *value)
{
	double sum = 0, weight = 0, one;

	for (unsigned int k = 0; r->one && k < r->n; k++) {
		if (!metric_one(&r->one[k], i, &one))
			continue;
		sum += (double)values_of(r, k) * one;
		weight += (double)values_of(r, k);
	}
	*value = sum / weight;
	return weight > 0;
}

/* The variance is the mean of the squares of the deviations from the mean of all. */
static bool deviation_of_all(const struct result *r, unsigned int i, double *value)
{
	unsigned int with = r->job->stressor->metrics[i].with;
	double sum = 0, weight = 0, all, one, mean;

	if (!mean_of_all(r, with, &all))
		return false;
	for (unsigned int k = 0; k < r->n; k++) {
		double n = (double)values_of(r, k);

		if (!metric_one(&r->one[k], i, &one) ||
			!metric_one(&r->one[k], with, &mean))
			continue;
		sum += n * (one * one + (mean - all) * (mean - all));
		weight += n;
	}
	*value = sqrt(sum / weight);
	return weight > 0;
}

static bool quantile_of_all(const struct result *r, double q, double *value)
{
	uint64_t v;

	if (!r->histogram || sm_loghists_quantile(r->histogram, r->n, q, &v) < 0)
		return false;
	*value = (double)v;
	return true;
}

static bool mode_of_all(const struct result *r, double *value)
{
	return r->histogram && sm_loghists_mode(r->histogram, r->n, value) == 0;
}

/* --- a metric ----------------------------------------------------------------------- */

/* Finds the instance with the highest value, or with the lowest one. */
static bool extreme(
	const struct result *r, unsigned int i, bool highest, unsigned int *instance)
{
	double best = 0, one;
	bool any = false;

	for (unsigned int k = 0; r->one && k < r->n; k++) {
		if (!metric_one(&r->one[k], i, &one))
			continue;
		if (any && (highest ? one <= best : one >= best))
			continue;
		any = true;
		best = one;
		*instance = k;
	}
	return any;
}

bool result_metric_instance(
	const struct result *r, unsigned int i, unsigned int *instance)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];

	switch (m->mean) {
	case MEAN_MAX:
		return extreme(r, i, true, instance);
	case MEAN_MIN:
		return extreme(r, i, false, instance);
	case MEAN_OF_MAX:
		return extreme(r, m->with, true, instance);
	default:
		return false;
	}
}

static bool value_of_max(const struct result *r, unsigned int i, double *value)
{
	unsigned int k;

	return result_metric_instance(r, i, &k) && metric_one(&r->one[k], i, value);
}

/* Returns the fraction of the job's real time in which the instance ran. */
static double part_of_time(const struct result *r, const struct result_instance *one)
{
	return r->wall_s > 0 && one->wall_s > 0 ? one->wall_s / r->wall_s : 1;
}

static bool mean_of_instances(const struct result *r, unsigned int i, double *value)
{
	enum stressor_mean mean = r->job->stressor->metrics[i].mean;
	struct mean m = {0};
	double one;

	for (unsigned int k = 0; r->one && k < r->n; k++) {
		if (!metric_one(&r->one[k], i, &one))
			continue;
		if (mean == MEAN_RATE)
			one *= part_of_time(r, &r->one[k]);
		mean_add(&m, one);
	}
	return m.n && mean_value(&m, mean, value);
}

static bool any_mean(const struct result *r, unsigned int i, double *value)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];

	switch (m->mean) {
	case MEAN_OF_MAX:
		return value_of_max(r, i, value);
	case MEAN_OF_ALL:
		return mean_of_all(r, i, value);
	case MEAN_DEVIATION:
		return deviation_of_all(r, i, value);
	case MEAN_MODE:
		return mode_of_all(r, value);
	case MEAN_QUANTILE:
		return quantile_of_all(r, m->quantile, value);
	default:
		return mean_of_instances(r, i, value);
	}
}

bool result_metric(const struct result *r, unsigned int i, double *value)
{
	return i < metric_count(r->job->stressor) && any_mean(r, i, value) &&
	       isfinite(*value);
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
