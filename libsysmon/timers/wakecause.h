/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakecause: the cause of the end of each idle period, counted in the kernel by BPF programs on raw
 * tracepoints.
 *
 * An idle period lasts from power:cpu_idle with a state to power:cpu_idle with -1, the exit.  Depending on
 * the idle state, the CPU handles the interrupt that woke it before the exit (HLT) or after it (MWAIT).  The
 * programs therefore search for the cause from the start of the period to the start of the next one, as long
 * as the idle task is current.  The cause is
 *
 * 1. the first interrupt: of a device, of the local timer, a reschedule or function call that another
 *    CPU sent (ipi:ipi_send_cpu identifies the sender, Linux 6.4), or another vector;
 * 2. instead of the interrupt, the first hrtimer that expires within it;
 * 3. instead of the tick, which the kernel arms for the timer wheel, the first timer of the wheel that
 *    expires within this interrupt and is not deferrable; another hrtimer remains the cause if the tick falls
 *    into its interrupt;
 * 4. without an interrupt, the task that set the need-resched flag of the polling CPU, from 20 us
 *    before the period to 20 us after it (sched:sched_wake_idle_without_ipi);
 * 5. otherwise unknown.
 *
 * An idle state that polls the flag (POLL, idle=poll) continues after an interrupt that wakes no task: the
 * cause is then the last interrupt, or the task if it set the flag later.  If neither ended the period, and
 * the CPU idles again immediately, the cause is the time limit of the state.
 *
 * The sender is the current task, whose name is noted; in the callback of a timer it is the owner of the
 * timer, and in another interrupt or softirq there is no sender (0).  Before Linux 6.4 (no ipi:ipi_send_cpu)
 * only senders that wake a task are known, and the functions that they call are unknown.
 *
 * The first task that runs is the next task of the first sched:sched_switch from idle after the exit.  A CPU
 * that idles again before such a switch has run nothing.
 *
 * An idle period is counted when the next one starts.  The sum of all causes and of the lost wakeups is
 * the number of exits, except for at most one exit per CPU that is not counted yet.  Counters only grow.
 * After a user has used up its share of counters (shares.h), the owner of a counter is the task's process or
 * user.
 *
 * Needs a 64-bit Linux 5.8 with CAP_BPF and CAP_PERFMON.  Reading calls bpf(2).  PIDs are those of the
 * initial namespace.
 */
#ifndef SM_WAKECAUSE_H
#define SM_WAKECAUSE_H

#include "base/root.h"
#include "timers/shares.h"
#include "timers/timerowner.h"
#include "timers/wakes.h"

#define SM_WAKECAUSE_PROGRAMS 28

struct sm_wakecause {
	int attached[SM_WAKECAUSE_PROGRAMS]; /* not every kernel has all tracepoints */
	unsigned int programs;
	int counts_fd;
	struct sm_bpf_array cpu_array, share_array;
	const struct sm_wake_cpu *cpu; /* values of cpu_array */
	unsigned int cpus;             /* highest possible number + 1 */
	struct sm_shares *shares;      /* value of share_array: counters that each user has */
	struct sm_wake_key *key;       /* the n keys of the last reading */
	struct sm_wake_counts *counts;
	uint32_t n;
};

/* owners: owners of an open sm_timercount, which must stay open; NULL: all owners are unknown.  woke: keys
 * contain the first task that ran, which needs BTF; otherwise SM_WAKE_WOKE_NOTHING.  Returns
 * -EPERM if it is not permitted, -ENOSYS in a 32-bit tool, or another error of this kernel; *log may
 * contain the reason of the verifier.  After a failure only sm_wakecause_close() may follow. */
int sm_wakecause_open(struct sm_wakecause *w, const struct sm_root *root,
	const struct sm_timer_owners *owners, bool woke, struct sm_bpf_log *log) SM_MUST;
/* Reads all counters.  If counters are deleted during the reading, another one may be read twice. */
int sm_wakecause_read(struct sm_wakecause *w) SM_MUST;
/* Deletes an inactive counter of a task that has exited; -ENOENT: there is none. */
int sm_wakecause_delete(struct sm_wakecause *w, const struct sm_wake_key *key,
	struct sm_wake_counts *rest) SM_MUST;
/* Exits of a CPU from idle, counted independently of their causes. */
uint64_t sm_wakecause_exits(const struct sm_wakecause *w, unsigned int cpu);
/* Wakeups of a CPU by this cause that were not counted with their task, because SM_WAKECAUSE_MAX counters
 * exist. */
struct sm_wake_sum sm_wakecause_lost(
	const struct sm_wakecause *w, unsigned int cpu, enum sm_wake_cause cause);
/* Idle periods of a CPU in a bucket of lengths. */
uint64_t sm_wakecause_sleeps(const struct sm_wakecause *w, unsigned int cpu, unsigned int bucket);
void sm_wakecause_close(struct sm_wakecause *w);

#endif
