/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuidle: residency in idle states (Documentation/admin-guide/pm/cpuidle.rst): cpuN/cpuidle/
 * stateM/{name,time,usage,latency}; time in us since the CPU came online.
 *
 * Sums of differences, each over the time between the two readings of that CPU.  If a CPU goes
 * offline or its counters restart, only that interval is dropped.  Time in no state is C0:
 * covered_us - sum of time_us, never negative: the kernel adds the time in a state when the CPU
 * leaves it, so what exceeds the time since the CPU's first reading began earlier and is cut.
 * On large machines a reading takes only a few CPUs (round robin), unless `all`.  Files stay
 * open while they use at most half of RLIMIT_NOFILE; further ones are opened for each reading.
 */
#ifndef SM_CPUIDLE_H
#define SM_CPUIDLE_H

#include "base/base.h"
#include "kernel/cpulist.h"
#include "kernel/root.h"

#define SM_CPUIDLE_NAME_MAX   32
#define SM_CPUIDLE_STATES_MAX 32

struct sm_cpuidle_state { /* by name and latency, over all CPUs: cores differ in hybrid processors */
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
	size_t cap;                      /* of cpu[] */
	struct sm_cpulist online;        /* a prepared root may lack the list */
	unsigned int fds, fds_max;       /* open files, and their limit */
	uint64_t covered_us;             /* CPU time that the sums cover: 100 % */
	uint64_t dropped;                /* intervals */
};

int sm_cpuidle_open(struct sm_cpuidle *c, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* Reads some CPUs (about max_reads files, at least one CPU) or all; returns their number.  Call
 * with all at start and end. */
int sm_cpuidle_read(struct sm_cpuidle *c, bool all, unsigned int max_reads) SM_MUST;
/* Number of files that a reading of all CPUs takes now. */
unsigned int sm_cpuidle_files(const struct sm_cpuidle *c);
/* Forgets the last readings, for example after a suspend. */
void sm_cpuidle_rebase(struct sm_cpuidle *c);
void sm_cpuidle_close(struct sm_cpuidle *c);

#endif
