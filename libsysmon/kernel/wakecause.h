/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakecause: what ended each sleep of an idle CPU, counted in the kernel by BPF programs on raw
 * tracepoints.
 *
 * A sleep lasts from power:cpu_idle with a state to power:cpu_idle with -1, the exit.  Depending on
 * the idle state the CPU handles the interrupt that woke it before the exit (HLT) or after it (MWAIT):
 * so the cause is looked for from the start of the sleep to the start of the next one, as long as the
 * idle task is current.  It is
 *
 * 1. the first interrupt: of a device, of the local timer, a reschedule or function call that another
 *    CPU sent (the sender is known by ipi:ipi_send_cpu, Linux 6.4), another vector;
 * 2. instead of it the first hrtimer that expires within this interrupt;
 * 3. instead of the tick, which the kernel arms for the timer wheel, the first timer of the wheel that
 *    expires within this interrupt and is not deferrable; another hrtimer stays the cause when the tick falls
 *    into its interrupt;
 * 4. without any interrupt the task that set the need-resched flag of the polling CPU, from 20 us
 *    before the sleep to 20 us after it (sched:sched_wake_idle_without_ipi);
 * 5. otherwise not known.
 *
 * An idle state that polls the flag (POLL, idle=poll) goes on after an interrupt that wakes nobody: there
 * the last interrupt counts, or the task if it set the flag later.  If neither ended it, and the CPU
 * sleeps again at once, it was the state's time limit.
 *
 * The sender is the task that was current, whose name is noted; the owner of the timer, when it was
 * sent by a timer's callback; 0, no task, when it was sent by another interrupt or softirq.
 * Before Linux 6.4 (no ipi:ipi_send_cpu) only senders that wake a task are known, and no functions that
 * they call.
 * A sleep is counted at the start of the next one: the sum of all causes and of the lost ones is the
 * number of exits, of which at most one of each CPU is not in it yet.  Counters only grow.  Where a user has
 * used up the share of counters (shares.h), the owner of a counter is the task's process or user.
 *
 * Needs a 64-bit Linux 5.8 with CAP_BPF and CAP_PERFMON.  Reading calls bpf(2).  Pids are those of the
 * initial namespace.
 */
#ifndef SM_WAKECAUSE_H
#define SM_WAKECAUSE_H

#include "kernel/root.h"
#include "kernel/shares.h"
#include "kernel/timerowner.h"
#include "kernel/wakes.h"

#define SM_WAKECAUSE_PROGRAMS 28

struct sm_wakecause {
	int attached[SM_WAKECAUSE_PROGRAMS]; /* programs of them: not every kernel has all tracepoints */
	unsigned int programs;
	int counts_fd;
	struct sm_bpf_array cpu_array, share_array;
	const struct sm_wake_cpu *cpu; /* its values */
	unsigned int cpus;             /* highest possible number + 1 */
	struct sm_shares *shares;      /* value of share_array: counters that each user has */
	struct sm_wake_key *key;       /* n of them, of the last reading */
	struct sm_wake_counts *counts;
	uint32_t n;
};

/* owners: those of an open sm_timercount, which stays open, or NULL: all are then unknown.  -EPERM: not
 * allowed; -ENOSYS: not with a 32-bit tool; others: not with this kernel, and *log may have the verifier's
 * reason.  After a failure only sm_wakecause_close() may follow. */
int sm_wakecause_open(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, struct sm_bpf_log *log) SM_MUST;
/* Reads all counters.  One of them may be there twice if others were deleted meanwhile. */
int sm_wakecause_read(struct sm_wakecause *w) SM_MUST;
/* Deletes the counter of a task that has exited, which was at rest; -ENOENT: there is none. */
int sm_wakecause_delete(struct sm_wakecause *w, const struct sm_wake_key *key,
	struct sm_wake_counts *rest) SM_MUST;
/* Exits of a CPU from idle, counted apart from their causes. */
uint64_t sm_wakecause_exits(const struct sm_wakecause *w, unsigned int cpu);
/* Wake-ups of a CPU by this cause that are in no counter, because there are SM_WAKECAUSE_MAX. */
struct sm_wake_sum sm_wakecause_lost(
	const struct sm_wakecause *w, unsigned int cpu, enum sm_wake_cause cause);
/* Sleeps of a CPU by their length. */
uint64_t sm_wakecause_sleeps(const struct sm_wakecause *w, unsigned int cpu, unsigned int bucket);
void sm_wakecause_close(struct sm_wakecause *w);

#endif
