/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sysline: the two lines of option -x about the whole machine:
 *	Load Avg 3.87 3.44 2.13, Freq Avg. 2.40 GHz, 2 CPUs online
 *	7852.4 Ctxt/s, 3312.6 IRQ/s, 2494.2 softIRQ/s, 0.0 new tasks/s, 8 running, 0 blocked
 * ("Freq Avg." needs cpufreq; ", limit 1.50 CPUs" is added if the cgroup of cpustat has a limit).
 * The frequencies are read once for each sample, for all formats; the load is the sample's, the
 * rates are differences of its two readings of /proc/stat.
 */
#ifndef CPUSTAT_SYSLINE_H
#define CPUSTAT_SYSLINE_H

#include "base/buf.h"
#include "proc/cpufreq.h"
#include "format/table.h"
#include "proc/procstat.h"
#include "rows/sample.h"

struct sysline {
	const struct sm_root *root;
	struct sm_cpufreq freq;
	uint64_t limit_milli;  /* CPUs that the cgroup may use, in thousandths; 0 = no limit */
	uint64_t read_at_ns;   /* t_ns of the sample of freq */
	bool freq_open, have_freq;
};

int sysline_open(struct sysline *s, const struct sm_root *root) SM_MUST;
void sysline_close(struct sysline *s);
void sysline_print(struct sysline *s, const struct sample *sample, struct sm_buf *b);
/* Adds the values as members of an open JSON object: load1 load5 load15 freq_mean_khz cpus_online cpu_limit
 * ctxt_per_s intr_per_s softirq_per_s new_tasks_per_s running blocked.  Unreadable ones are omitted. */
void sysline_json(struct sysline *s, const struct sample *sample, struct sm_json *j);

#endif
