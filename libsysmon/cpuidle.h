/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpuidle: residency in idle states (Documentation/admin-guide/pm/cpuidle.rst): cpuN/cpuidle/
 * stateM/{name,time,usage,latency}; time in us since the CPU came online.
 *
 * Sums of differences, each over the time between the two readings of that CPU.  A CPU that
 * goes offline, comes back or whose counters restart loses just that interval.  What is in no
 * state is C0: covered_us less the sum of time_us, which is never more.  (The kernel adds a stay
 * in a state when it ends: what is more than the time since the CPU's first reading began
 * before that, and is left out.)
 * To stay cheap on large machines a reading takes only a few CPUs (round robin) unless `all`.
 * Files are kept open as long as that takes no more than half of RLIMIT_NOFILE; those of
 * further CPUs are opened for each reading.
 */
#ifndef SM_CPUIDLE_H
#define SM_CPUIDLE_H

#include "base.h"
#include "file.h"
#include "root.h"

#define SM_CPUIDLE_NAME_MAX   32
#define SM_CPUIDLE_STATES_MAX 32

struct sm_cpuidle_state { /* by name, over all CPUs */
	char name[SM_CPUIDLE_NAME_MAX];  /* hostile bytes */
	uint64_t latency_us;             /* the greatest of the CPUs */
	uint64_t time_us, usage;         /* since opening */
};

struct sm_cpuidle_cpu;

struct sm_cpuidle {
	const struct sm_root *root;
	struct sm_cpuidle_state state[SM_CPUIDLE_STATES_MAX];
	unsigned int nstates;
	struct sm_cpuidle_cpu *cpu;      /* by CPU number */
	unsigned int ncpu, next;
	unsigned int cap;                /* of cpu[] */
	struct sm_file online;           /* the list of CPUs; a prepared root may lack it */
	unsigned int fds, fds_max;       /* kept open, and how many may be */
	uint64_t covered_us;             /* CPU time that the sums cover: 100 % */
	uint64_t dropped;                /* intervals left out */
};

int sm_cpuidle_open(struct sm_cpuidle *c, const struct sm_root *root) SM_MUST; /* -ENOENT: none */
/* Some CPUs (about max_reads files, at least one CPU), or all of them: how many were read.
 * Call with all at start and end. */
int sm_cpuidle_read(struct sm_cpuidle *c, bool all, unsigned int max_reads) SM_MUST;
/* How many files reading all of them would take now. */
unsigned int sm_cpuidle_files(const struct sm_cpuidle *c);
/* Forget the last readings, as after a suspend. */
void sm_cpuidle_rebase(struct sm_cpuidle *c);
void sm_cpuidle_close(struct sm_cpuidle *c);

#endif
