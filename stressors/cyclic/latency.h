/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency: how late wake-ups came: all of them, in constant memory.
 *
 * Mean, deviation, minimum and maximum are exact; mode and percentiles are right within 1.6 %
 * (loghist.h), and are those of the histograms of all instances together.
 */
#ifndef STRESSORS_CYCLIC_LATENCY_H
#define STRESSORS_CYCLIC_LATENCY_H

#include "../stressor.h"
#include "base/loghist.h"
#include "base/stats.h"

struct cyclic_latency {
	struct sm_loghist *hist;
	struct sm_stats stats;
	uint64_t max_at_ns;     /* since the run began */
	uint64_t max_number;    /* of the sample, from 1 */
	bool has_periods;       /* wake-ups are due at times of a grid */
	uint64_t missed;        /* such times that had passed before a sleep until then could begin */
};

extern const struct stressor_metric cyclic_latency_metrics[];

void cyclic_latency_add(struct cyclic_latency *l, uint64_t late_ns, uint64_t at_ns);
/* Sets the metrics; none if there was no sample. */
void cyclic_latency_report(const struct cyclic_latency *l, struct stress *s);

#endif
