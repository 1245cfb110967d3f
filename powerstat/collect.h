/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect: takes one sample from everything that the options ask for.
 */
#ifndef PS_COLLECT_H
#define PS_COLLECT_H

#include "cpu.h"
#include "cpuidle.h"
#include "events.h"
#include "gpufreq.h"
#include "opts.h"
#include "power.h"
#include "procstat.h"
#include "sample.h"
#include "thermal.h"

struct collect {
	const struct ps_opts *opts;
	const struct sm_root *root;
	struct power *power;
	struct events *events;         /* NULL: not watched */
	struct sm_procstat_file stat_file;
	struct sm_procstat stat[2];
	unsigned int turn;
	bool have_before;
	struct sm_cpufreq freq;
	struct sm_gpufreq gpu;
	struct sm_thermal thermal;
	struct sm_cpuidle idle;
	bool have_freq, have_gpu, have_thermal, have_idle;
	struct ps_table table;
	struct ps_sample sample;       /* the last one */
	uint64_t t_ns;
	struct events_counts events_before;
};

int collect_open(struct collect *c, const struct sm_root *root, const struct ps_opts *o,
	struct power *power, struct events *events) SM_MUST;
/* The next sample begins here: nothing before it counts (redo, suspend, the start). */
int collect_baseline(struct collect *c, uint64_t now_ns) SM_MUST;
/* One sample since the baseline or the sample before; c->sample. */
int collect_take(struct collect *c, uint64_t now_ns) SM_MUST;
/* All idle states once more (start and end of the run). */
void collect_idle_states(struct collect *c);
void collect_close(struct collect *c);

#endif
