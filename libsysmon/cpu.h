/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu: which CPUs are online, how fast they run, and how much of them we may use.
 *
 * /sys/devices/system/cpu/online and cpuN/cpufreq/scaling_cur_freq
 * (Documentation/admin-guide/pm/cpufreq.rst), kHz.  The frequency of an offline CPU, or one
 * whose driver fails, is absent, not 0.  Files are kept open; a CPU that went offline
 * loses its file, one that came back gets it again.
 * cgroup v2: cpu.max of our own cgroup and its ancestors (Documentation/admin-guide/
 * cgroup-v2.rst); v1: cpu.cfs_quota_us.
 */
#ifndef SM_CPU_H
#define SM_CPU_H

#include "base.h"
#include "file.h"
#include "root.h"

#define SM_CPU_MAX 65536

struct sm_cpufreq {
	const struct sm_root *root;
	struct sm_file online;
	struct sm_cpufreq_cpu {
		uint64_t khz;       /* of the last reading, 0 = absent */
		int fd;             /* of scaling_cur_freq, -1 = not open */
		bool online;
		bool missing;       /* no such file: looked for again only after hotplug */
	} *cpu;
	unsigned int ncpu;      /* CPU numbers 0 .. ncpu - 1 */
	unsigned int cap;       /* of cpu[] */
	unsigned int valid;     /* CPUs of the last reading that had a plausible value */
	uint64_t min_khz, max_khz;
	double mean_khz, geomean_khz; /* over the valid ones */
};

/* root is used for as long as f is open. */
int sm_cpufreq_open(struct sm_cpufreq *f, const struct sm_root *root) SM_MUST;
/* Reads all; 0, or -ENODATA when no CPU has a frequency.  One pread for each CPU that has the
 * file, and one to see hotplug. */
int sm_cpufreq_read(struct sm_cpufreq *f) SM_MUST;
void sm_cpufreq_close(struct sm_cpufreq *f);

/* Number of online CPUs of root; -errno. */
int sm_cpu_online(const struct sm_root *root) SM_MUST;
/* How many CPUs' worth of time the cgroup of this process may use, in thousandths (1500 = 1.5
 * CPUs); -ENODATA: no limit. */
int sm_cpu_limit_milli(const struct sm_root *root, uint64_t *out) SM_MUST;
/* Is this process in the machine's first pid namespace? (inode number of /proc/self/ns/pid) */
bool sm_pidns_initial(const struct sm_root *root);
/* The cgroup path of a process out of /proc/PID/cgroup: of the unified hierarchy ("0::")
 * if it is in use, else of the cpu controller, else the first line.  Bytes without newline, up to cap. */
ssize_t sm_pidcgroup_read(const struct sm_root *root, pid_t pid, char *buf, size_t cap) SM_MUST;
/* In the text of /proc/PID/cgroup, the path in the hierarchy of a v1 controller, or in the
 * unified one (controller NULL); false when it has none.  *path points into the text. */
bool sm_cgroup_find(const char *p, size_t n, const char *controller, struct sm_str *path);

#endif
