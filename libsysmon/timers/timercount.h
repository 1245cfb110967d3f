/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timercount: counts timer events in the kernel with BPF programs on the raw tracepoints hrtimer_start,
 * hrtimer_expire_entry, timer_start and timer_expire_entry (include/trace/events/timer.h).
 *
 * timers.h defines the owner of a timer; without BTF the birth of an owner is unknown.  Events between two
 * readings are not lost, and the cost of counting does not depend on readings.
 *
 * Requires 64-bit Linux 5.8 with CAP_BPF and CAP_PERFMON.  Offsets are from BTF, or those that every 64-bit
 * kernel has had since 4.17.  Reading calls bpf(2).
 */
#ifndef SM_TIMERCOUNT_H
#define SM_TIMERCOUNT_H

#include "base/root.h"
#include "bpf/bpf.h"
#include "timers/shares.h"
#include "timers/timerowner.h"

#define SM_TIMERCOUNT_PROGRAMS 4

struct sm_timercount {
	int attached[SM_TIMERCOUNT_PROGRAMS];
	struct sm_timer_owners owners;
	int counts_fd;
	bool shows_context;         /* if false, owners are known only of timers that end a task's sleep */
	struct sm_bpf_array lost;   /* struct sm_timer_losses */
	struct sm_bpf_array share_array;
	struct sm_shares *shares;   /* value of share_array */
	struct sm_timer_key *key;   /* n keys of the last reading */
	struct sm_timer_counts *counts;
	uint32_t n;
};

/* Starts counting.  by_timer: timers are counted one by one.  -EPERM: not allowed; -ENOSYS: not with a
 * 32-bit tool; other errors: this kernel does not support it, and *log may contain the verifier's reason.
 * After an error the caller may only call sm_timercount_close(). */
int sm_timercount_open(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log) SM_MUST;
/* Reads all counters.  A counter may occur twice if others are deleted during the call. */
int sm_timercount_read(struct sm_timercount *t) SM_MUST;
/* Deletes the counters of a task that has exited, and returns their last values in *rest; -ENOENT: no
 * counters. */
int sm_timercount_delete(struct sm_timercount *t, const struct sm_timer_key *key,
	struct sm_timer_counts *rest) SM_MUST;
struct sm_timer_losses sm_timercount_lost(const struct sm_timercount *t);
void sm_timercount_close(struct sm_timercount *t);

#endif
