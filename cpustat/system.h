/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * system: the two lines of option -x, about the machine as a whole:
 *	Load Avg 3.87 3.44 2.13, Freq Avg. 2.40 GHz, 2 CPUs online
 *	7852.4 Ctxt/s, 3312.6 IRQ/s, 2494.2 softIRQ/s, 0.0 new tasks/s, 8 running, 0 blocked
 * (no "Freq Avg." where there is no cpufreq; ", limit 1.50 CPUs" when our cgroup has one).
 * The load and the frequencies are read once for each sample, however many faces ask; the
 * rates are differences of the sample's two readings of /proc/stat.
 */
#ifndef CS_SYSTEM_H
#define CS_SYSTEM_H

#include "buf.h"
#include "cpu.h"
#include "out.h"
#include "procstat.h"
#include "sample.h"

struct cs_system {
	const struct sm_root *root;
	struct sm_file loadavg;
	struct sm_cpufreq freq;
	struct sm_loadavg load;
	uint64_t limit_milli;  /* CPUs that our cgroup may use, in thousandths; 0 = no limit */
	uint64_t read_at_ns;   /* t_ns of the sample that load and freq were read for */
	bool freq_open, have_freq, have_load;
};

int system_open(struct cs_system *s, const struct sm_root *root) SM_MUST;
void system_close(struct cs_system *s);
/* Whole lines; lines are never cut here. */
void system_print(struct cs_system *s, const struct cs_sample *sample, struct sm_buf *b);
/* The same figures as members of an open JSON object: load1 load5 load15 freq_mean_khz
 * cpus_online cpu_limit ctxt_per_s intr_per_s softirq_per_s new_tasks_per_s running blocked;
 * without those that could not be read. */
void system_json(struct cs_system *s, const struct cs_sample *sample, struct sm_json *j);

#endif
