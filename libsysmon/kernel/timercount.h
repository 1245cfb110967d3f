/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timercount: counts timer events in the kernel, by BPF programs on the raw tracepoints hrtimer_start,
 * hrtimer_expire_entry, timer_start and timer_expire_entry (include/trace/events/timer.h).
 *
 * A timer belongs to the task that armed it, its owner; counters are kept for each {owner, callback,
 * kind}.  A timer that is armed while its own expiry is being handled on that CPU, with the same task
 * interrupted, keeps its owner: its callback armed it.  The owner of a timer that was armed before
 * sm_timercount_open() is not known until it is armed again.  Counters only grow: between two
 * readings nothing is lost, and what counting costs does not depend on readings.
 *
 * Needs a 64-bit Linux 5.8 with CAP_BPF and CAP_PERFMON; offsets are from BTF, or those that every
 * 64-bit kernel has had since 4.17.  Reading calls bpf(2).  Pids are those of the initial namespace.
 */
#ifndef SM_TIMERCOUNT_H
#define SM_TIMERCOUNT_H

#include "kernel/bpf.h"
#include "kernel/root.h"

enum sm_timer_kind {
	SM_TIMER_HR,         /* hrtimer: nanoseconds */
	SM_TIMER_WHEEL,      /* timer wheel: jiffies */
	SM_TIMER_DEFERRABLE, /* timer wheel; does not wake an idle CPU */
};

struct sm_timer_key {
	uint64_t owner; /* tgid << 32 | tid; 0: the idle task */
	uint64_t func;  /* address of the callback: ksyms.h */
	uint64_t kind;  /* enum sm_timer_kind */
};

#define SM_TIMER_OWNER_UNKNOWN UINT64_MAX

static inline pid_t sm_timer_tid(uint64_t owner)
{
	return (pid_t)(uint32_t)owner;
}

static inline pid_t sm_timer_tgid(uint64_t owner)
{
	return (pid_t)(owner >> 32);
}

struct sm_timer_counts {
	uint64_t starts, expiries;
	uint64_t idle;               /* expiries that interrupted the idle task */
	char comm[SM_TASK_COMM_LEN]; /* of the owner, when it first armed one; "": it did not */
	uint64_t seen_ns;            /* CLOCK_MONOTONIC of that; 0: it did not */
	uint64_t cpu_ns;             /* CPU time of the thread then, up to its last tick; 0: not known */
};

struct sm_timer_losses {
	uint64_t owners; /* starts whose owner found no room: the expiries count as unknown */
	uint64_t events; /* starts and expiries that were not counted */
};

#define SM_TIMERCOUNT_PROGRAMS 4
#define SM_TIMERCOUNT_MAX      16384u /* counters */

struct sm_timercount {
	int attached[SM_TIMERCOUNT_PROGRAMS];
	int owners_fd, counts_fd, last_fd, lost_fd;
	const uint64_t *lost;       /* mapped */
	struct sm_timer_key *key;   /* n of them, of the last reading */
	struct sm_timer_counts *counts;
	uint32_t n;
};

/* -EPERM: not allowed; -ENOSYS: not with a 32-bit tool; others: not with this kernel, and *log may
 * have the verifier's reason.  After a failure only sm_timercount_close() may follow. */
int sm_timercount_open(struct sm_timercount *t, const struct sm_root *root, struct sm_bpf_log *log)
	SM_MUST;
/* Reads all counters.  One of them may be there twice if others were deleted meanwhile. */
int sm_timercount_read(struct sm_timercount *t) SM_MUST;
/* Forgets the counters of a task that has exited. */
int sm_timercount_delete(struct sm_timercount *t, const struct sm_timer_key *key) SM_MUST;
struct sm_timer_losses sm_timercount_lost(const struct sm_timercount *t);
void sm_timercount_close(struct sm_timercount *t);

#endif
