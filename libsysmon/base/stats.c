// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/stats.h"

#include <math.h>

static void add_extreme(struct sm_stats *w, double x, bool partial)
{
	bool first = w->n == 1 || (!partial && !w->whole);

	if (partial && w->whole)
		return;
	w->whole = !partial;
	w->min = first || x < w->min ? x : w->min;
	w->max = first || x > w->max ? x : w->max;
}

void sm_stats_add(struct sm_stats *w, double x, double weight, bool partial)
{
	double delta = x - w->mean;

	if (!(weight > 0))
		return;
	w->n++;
	w->weight += weight;
	w->mean += delta * (weight / w->weight);
	w->m2 += weight * delta * (x - w->mean);
	w->log_sum += weight * log(x);
	add_extreme(w, x, partial);
}

double sm_stats_variance(const struct sm_stats *w)
{
	return w->n > 0 ? w->m2 / w->weight : 0;
}

double sm_stats_stddev(const struct sm_stats *w)
{
	return sqrt(sm_stats_variance(w));
}

double sm_stats_geomean(const struct sm_stats *w)
{
	return w->n > 0 ? exp(w->log_sum / w->weight) : NAN;
}
