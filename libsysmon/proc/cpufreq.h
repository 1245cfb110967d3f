/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq: the frequencies of the online CPUs.
 *
 * They are read from cpuN/cpufreq/scaling_cur_freq in /sys/devices/system/cpu, in kHz
 * (Documentation/admin-guide/pm/cpufreq.rst).  The frequency of an offline CPU, or of a CPU whose driver
 * fails, is missing, not 0.  Files stay open while they use at most a quarter of RLIMIT_NOFILE; further
 * files are opened for each reading.  The file of a CPU is closed when the CPU goes offline, and reopened
 * when it is back.
 */
#ifndef SM_CPUFREQ_H
#define SM_CPUFREQ_H

#include "base/base.h"
#include "base/root.h"
#include "proc/cpulist.h"

struct sm_cpufreq {
	const struct sm_root *root;
	struct sm_cpulist list;
	struct sm_cpufreq_cpu {
		uint64_t khz;       /* value of the last reading; 0: missing */
		int fd;             /* scaling_cur_freq; -1: not open */
		bool missing;       /* no such file; retried only after hotplug */
	} *cpu;
	unsigned int ncpu;      /* CPU numbers 0 .. ncpu - 1 */
	size_t cap;             /* of cpu[] */
	unsigned int fds, fds_max; /* open files and their limit */
	unsigned int unread;    /* CPUs left out of the last reading for lack of file descriptors */
	unsigned int valid;     /* CPUs with a plausible value in the last reading */
	double mean_khz;        /* over the valid CPUs */
};

/* Opens and reads all files.  -ENOENT: no CPU has a frequency.  root must outlive f. */
int sm_cpufreq_open(struct sm_cpufreq *f, const struct sm_root *root) SM_MUST;
/* Reads all files: one pread for each CPU that has the file, and one for the list of online CPUs.
 * -ENODATA: no CPU has a frequency. */
int sm_cpufreq_read(struct sm_cpufreq *f) SM_MUST;
void sm_cpufreq_close(struct sm_cpufreq *f);

#endif
