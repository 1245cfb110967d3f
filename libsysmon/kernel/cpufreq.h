/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq: how fast the online CPUs run.
 *
 * cpuN/cpufreq/scaling_cur_freq below /sys/devices/system/cpu, kHz
 * (Documentation/admin-guide/pm/cpufreq.rst).  The frequency of an offline CPU, or of one with a
 * failing driver, is absent, not 0.  Files are kept open while they use at most a quarter of
 * RLIMIT_NOFILE; further ones are opened for each reading.  The file of a CPU is closed when the CPU
 * goes offline, and opened again when it is back.
 */
#ifndef SM_CPUFREQ_H
#define SM_CPUFREQ_H

#include "base/base.h"
#include "kernel/cpulist.h"
#include "kernel/root.h"

struct sm_cpufreq {
	const struct sm_root *root;
	struct sm_cpulist list;
	struct sm_cpufreq_cpu {
		uint64_t khz;       /* of the last reading, 0 = absent */
		int fd;             /* of scaling_cur_freq, -1 = not open */
		bool missing;       /* no such file: looked for again only after hotplug */
	} *cpu;
	unsigned int ncpu;      /* CPU numbers 0 .. ncpu - 1 */
	size_t cap;             /* of cpu[] */
	unsigned int fds, fds_max; /* open files, and their limit */
	unsigned int unread;    /* CPUs that the last reading left out: no descriptor was free */
	unsigned int valid;     /* CPUs of the last reading that had a plausible value */
	double mean_khz;        /* over the valid ones */
};

/* Also reads.  -ENOENT: no CPU has a frequency.  root is used for as long as f is open. */
int sm_cpufreq_open(struct sm_cpufreq *f, const struct sm_root *root) SM_MUST;
/* Reads all; 0, or -ENODATA when no CPU has a frequency.  One pread for each CPU that has the
 * file, and one for the list of online CPUs. */
int sm_cpufreq_read(struct sm_cpufreq *f) SM_MUST;
void sm_cpufreq_close(struct sm_cpufreq *f);

#endif
