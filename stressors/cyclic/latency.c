// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency.h"
#include "../run/stress.h"

enum { MEAN, MODE, MIN, MAX, STD_DEV, MAX_AT, MAX_NUMBER, SAMPLES, MISSED, PERCENTILES };

#define PERCENTILE(n, q)                                               \
	{                                                              \
		(n " %"), "ns", .mean = MEAN_QUANTILE, .quantile = (q) \
	}

const struct stressor_metric cyclic_latency_metrics[] = {
	[MEAN] = {"mean", "ns", .mean = MEAN_OF_ALL},
	[MODE] = {"mode", "ns", .mean = MEAN_MODE},
	[MIN] = {"minimum", "ns", .mean = MEAN_MIN},
	[MAX] = {"maximum", "ns", .mean = MEAN_MAX, .headline = "ns maximum"},
	[STD_DEV] = {"standard deviation", "ns", .mean = MEAN_DEVIATION, .with = MEAN},
	[MAX_AT] = {"maximum at", "s", .mean = MEAN_OF_MAX, .with = MAX},
	[MAX_NUMBER] = {"maximum at sample", "", .mean = MEAN_OF_MAX, .with = MAX},
	[SAMPLES] = {"samples", "", .mean = MEAN_SUM},
	[MISSED] = {"missed periods", "", .mean = MEAN_SUM},
	[PERCENTILES] = PERCENTILE("25", 0.25),
	PERCENTILE("50", 0.5),
	PERCENTILE("75", 0.75),
	PERCENTILE("90", 0.9),
	PERCENTILE("95.4", 0.954),
	PERCENTILE("99", 0.99),
	PERCENTILE("99.5", 0.995),
	PERCENTILE("99.9", 0.999),
	PERCENTILE("99.99", 0.9999),
	{0},
};

void cyclic_latency_add(struct cyclic_latency *l, uint64_t late_ns, uint64_t at_ns)
{
	if (l->hist->n == 0 || late_ns > l->hist->max) {
		l->max_at_ns = at_ns;
		l->max_number = l->hist->n + 1;
	}
	sm_loghist_add(l->hist, late_ns);
	sm_stats_add(&l->stats, (double)late_ns, 1, false);
}

/* Sets the metrics except percentiles and the mode, which are computed from the
 * histograms of all instances. */
void cyclic_latency_report(const struct cyclic_latency *l, struct stress *s)
{
	stress_metric(s, SAMPLES, (double)l->hist->n);
	if (l->has_periods)
		stress_metric(s, MISSED, (double)l->missed);
	if (l->hist->n == 0)
		return;
	stress_metric(s, MEAN, l->stats.mean);
	stress_metric(s, MIN, (double)l->hist->min);
	stress_metric(s, MAX, (double)l->hist->max);
	stress_metric(s, STD_DEV, sm_stats_stddev(&l->stats));
	stress_metric(s, MAX_AT, (double)l->max_at_ns / 1e9);
	stress_metric(s, MAX_NUMBER, (double)l->max_number);
}
