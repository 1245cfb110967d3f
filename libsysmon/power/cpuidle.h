/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuidle: residency in idle states (Documentation/admin-guide/pm/cpuidle.rst): cpuN/cpuidle/
 * stateM/{name,time,usage,latency}; time in us since the CPU came online.
 *
 * The results are sums of differences between two readings of a CPU.  If a CPU goes offline or its
 * counters restart, only that interval is dropped.  C0 is the time outside all states: covered_us -
 * sum of time_us, which is never negative.  The kernel adds the time in a state when the CPU leaves
 * it; time that exceeds the time since the CPU's first reading began earlier and is subtracted.  If the time
 * exceeds the time since the previous stay can have ended, or a CPU cannot have made that many stays, the
 * counters jumped and the interval is dropped.
 * On large machines, a reading covers only a few CPUs (round robin) unless `all` is set.  Files stay
 * open while they use at most half of RLIMIT_NOFILE; further files are opened for each reading.
 */
#ifndef SM_CPUIDLE_H
#define SM_CPUIDLE_H

#include "base/base.h"
#include "base/root.h"
#include "proc/cpulist.h"

#define SM_CPUIDLE_NAME_MAX   32
#define SM_CPUIDLE_STATES_MAX 32

struct sm_cpuidle_state { /* identified by name and latency: cores differ in hybrid processors */
	char name[SM_CPUIDLE_NAME_MAX];  /* any bytes */
	uint64_t latency_us;
	uint64_t time_us, usage;         /* since opening */
};

struct sm_cpuidle_cpu;

struct sm_cpuidle {
	const struct sm_root *root;
	struct sm_cpuidle_state state[SM_CPUIDLE_STATES_MAX];
	unsigned int nstates;
	struct sm_cpuidle_cpu *cpu;      /* by CPU number */
	unsigned int ncpu, next;
	size_t cap;                      /* capacity of cpu[] */
	struct sm_cpulist online;        /* may be missing in a prepared root */
	unsigned int fds, fds_max;       /* open files, and their limit */
	uint64_t covered_us;             /* CPU time that the sums cover, which is 100 % */
	uint64_t dropped;                /* dropped intervals */
};

int sm_cpuidle_open(struct sm_cpuidle *c, const struct sm_root *root) SM_MUST; /* -ENOENT: no idle states */
/* Reads some CPUs (about max_reads files, at least one CPU) or all, and returns the number of CPUs.  Call
 * with all at start and end. */
int sm_cpuidle_read(struct sm_cpuidle *c, bool all, unsigned int max_reads) SM_MUST;
/* Returns the number of files in a reading of all CPUs. */
unsigned int sm_cpuidle_files(const struct sm_cpuidle *c);
/* Forgets the last readings, for example after a suspend. */
void sm_cpuidle_rebase(struct sm_cpuidle *c);
void sm_cpuidle_close(struct sm_cpuidle *c);

#endif
