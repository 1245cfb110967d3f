/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect: takes one sample of all data that the options request.
 */
#ifndef POWERSTAT_COLLECT_H
#define POWERSTAT_COLLECT_H

#include "proc/cpufreq.h"
#include "power/cpuidle.h"
#include "events.h"
#include "power/gpufreq.h"
#include "opts.h"
#include "power/source.h"
#include "proc/procstat.h"
#include "columns.h"
#include "power/thermal.h"
#include "power/throttle.h"

struct collect {
	const struct opts *opts;
	const struct sm_root *root;
	struct sm_source *power;
	struct events *events;         /* NULL: process events are not counted */
	struct sm_procstat_file stat_file;
	struct sm_procstat stat[2];
	unsigned int current;          /* index in stat */
	bool have_before;
	struct sm_cpufreq freq;
	struct sm_gpufreq gpu;
	struct sm_throttle_meter throttle;
	struct sm_thermal thermal;
	struct sm_cpuidle idle;
	unsigned int freq_unread;   /* CPUs whose frequency was not read; maximum of all samples */
	bool have_freq, have_gpu, have_throttle, have_thermal, have_idle;
	struct columns columns;
	struct sample sample;       /* the last sample */
	uint64_t t_ns;               /* its end */
	struct events_counts events_before;
};

int collect_open(struct collect *c, const struct sm_root *root, const struct opts *o,
	struct sm_source *power, struct events *events) SM_MUST;
/* Starts the interval of the next sample; the time before it is not counted (start, suspend). */
int collect_baseline(struct collect *c, uint64_t now_ns) SM_MUST;
/* Sets c->sample, which covers the time since the baseline or the previous sample. */
int collect_take(struct collect *c, uint64_t now_ns) SM_MUST;
/* Reads the idle states of all CPUs; called at the start and end of the run. */
void collect_idle_states(struct collect *c);
void collect_close(struct collect *c);

#endif
