// SPDX-License-Identifier: GPL-2.0-or-later
#include "latency.h"
#include "../frame/stress.h"

enum { MEAN, MODE, MIN, MAX, STD_DEV, MAX_AT, MAX_NUMBER, SAMPLES, PERCENTILES };

static const double percentiles[] = {25, 50, 75, 90, 95.4, 99, 99.5, 99.9, 99.99};

const struct stressor_metric cyclic_latency_metrics[] = {
	[MEAN] = {"mean", "ns", MEAN_ARITHMETIC},
	[MODE] = {"mode", "ns", MEAN_ARITHMETIC},
	[MIN] = {"minimum", "ns", MEAN_MIN},
	[MAX] = {"maximum", "ns", MEAN_MAX},
	[STD_DEV] = {"standard deviation", "ns", MEAN_ARITHMETIC},
	[MAX_AT] = {"maximum at", "s", MEAN_ARITHMETIC},
	[MAX_NUMBER] = {"maximum at sample", "", MEAN_ARITHMETIC},
	[SAMPLES] = {"samples", "", MEAN_SUM},
	[PERCENTILES] = {"25 %", "ns", MEAN_ARITHMETIC},
	{"50 %", "ns", MEAN_ARITHMETIC},
	{"75 %", "ns", MEAN_ARITHMETIC},
	{"90 %", "ns", MEAN_ARITHMETIC},
	{"95.4 %", "ns", MEAN_ARITHMETIC},
	{"99 %", "ns", MEAN_ARITHMETIC},
	{"99.5 %", "ns", MEAN_ARITHMETIC},
	{"99.9 %", "ns", MEAN_ARITHMETIC},
	{"99.99 %", "ns", MEAN_ARITHMETIC},
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

/* Middle of the bucket that has the most samples for its width. */
static double mode(const struct sm_loghist *h)
{
	double most = -1, at = 0;

	for (unsigned int i = 0; i < SM_LOGHIST_BUCKETS - 1; i++) {
		double low = (double)sm_loghist_low(i);
		double width = (double)sm_loghist_low(i + 1) - low;
		double density = (double)h->count[i] / width;

		if (density > most) {
			most = density;
			at = low + (width - 1) / 2;
		}
	}
	return at;
}

static void report_percentiles(const struct cyclic_latency *l, struct stress *s)
{
	uint64_t v;

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(percentiles); i++)
		if (sm_loghist_quantile(l->hist, percentiles[i] / 100, &v) == 0)
			stress_metric(s, PERCENTILES + i, (double)v);
}

void cyclic_latency_report(const struct cyclic_latency *l, struct stress *s)
{
	stress_metric(s, SAMPLES, (double)l->hist->n);
	if (l->hist->n == 0)
		return;
	stress_metric(s, MEAN, l->stats.mean);
	stress_metric(s, MODE, mode(l->hist));
	stress_metric(s, MIN, (double)l->hist->min);
	stress_metric(s, MAX, (double)l->hist->max);
	stress_metric(s, STD_DEV, sm_stats_stddev(&l->stats));
	stress_metric(s, MAX_AT, (double)l->max_at_ns / 1e9);
	stress_metric(s, MAX_NUMBER, (double)l->max_number);
	report_percentiles(l, s);
}
