// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "../run/stress.h"
#include "metric.h"

_Static_assert(STRESS_METRICS <= 64, "a bit for each metric");

unsigned int metric_count(const struct stressor *s)
{
	unsigned int n = 0;

	while (s->metrics && n < STRESS_METRICS && s->metrics[n].name)
		n++;
	return n;
}

bool metric_one(const struct result_instance *one, unsigned int i, double *value)
{
	if (i >= STRESS_METRICS || !one->metric ||
		!(one->has_metric[i / 32] >> i % 32 & 1))
		return false;
	*value = one->metric[i];
	return isfinite(*value);
}

static bool has_values(const struct result *r, unsigned int instance)
{
	return r->histogram && r->histogram[instance] && r->histogram[instance]->n;
}

unsigned int metric_instances(const struct result *r, unsigned int i)
{
	enum stressor_mean mean = r->job->stressor->metrics[i].mean;
	unsigned int n = 0;
	double value;

	for (unsigned int k = 0; r->one && k < r->n; k++)
		n += mean == MEAN_MODE || mean == MEAN_QUANTILE
			     ? has_values(r, k)
			     : metric_one(&r->one[k], i, &value);
	return n;
}

const char *metric_mean_name(enum stressor_mean mean)
{
	static const char *const names[] = {
		[MEAN_SUM] = "sum",
		[MEAN_RATE] = "sum",
		[MEAN_ARITHMETIC] = "arithmetic",
		[MEAN_GEOMETRIC] = "geometric",
		[MEAN_HARMONIC] = "harmonic",
		[MEAN_MAX] = "max",
		[MEAN_MIN] = "min",
		[MEAN_OF_MAX] = "of-max",
		[MEAN_OF_ALL] = "merged",
		[MEAN_DEVIATION] = "merged",
		[MEAN_MODE] = "merged",
		[MEAN_QUANTILE] = "merged",
	};

	return names[mean];
}
