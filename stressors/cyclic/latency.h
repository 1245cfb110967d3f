/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency: the latency of all wakeups, in constant memory.
 *
 * Mean, deviation, minimum and maximum are exact.  Mode and percentiles have an error of at most 1.6 %
 * (loghist.h), and are computed from the histograms of all instances together.
 */
#ifndef STRESSORS_CYCLIC_LATENCY_H
#define STRESSORS_CYCLIC_LATENCY_H

#include "../stressor.h"
#include "base/loghist.h"
#include "base/stats.h"

struct cyclic_latency {
	struct sm_loghist *hist;
	struct sm_stats stats;
	uint64_t max_at_ns;     /* time since the run began */
	uint64_t max_number;    /* number of the sample, from 1 */
	bool has_periods;       /* wakeups are due at times of a grid */
	uint64_t missed;        /* times of the grid that had passed before the sleep could begin */
};

extern const struct stressor_metric cyclic_latency_metrics[];

void cyclic_latency_add(struct cyclic_latency *l, uint64_t late_ns, uint64_t at_ns);
/* Sets the metrics; without a sample, only the counts. */
void cyclic_latency_report(const struct cyclic_latency *l, struct stress *s);

#endif
