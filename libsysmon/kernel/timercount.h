/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timercount: counts timer events in the kernel, by BPF programs on the raw tracepoints hrtimer_start,
 * hrtimer_expire_entry, timer_start and timer_expire_entry (include/trace/events/timer.h).
 *
 * Whose a timer is: timers.h; without BTF an owner has no birth.  Between two readings nothing is lost, and
 * what counting costs does not depend on readings.
 *
 * Needs a 64-bit Linux 5.8 with CAP_BPF and CAP_PERFMON; offsets are from BTF, or those that every
 * 64-bit kernel has had since 4.17.  Reading calls bpf(2).
 */
#ifndef SM_TIMERCOUNT_H
#define SM_TIMERCOUNT_H

#include "kernel/bpf.h"
#include "kernel/root.h"
#include "kernel/shares.h"
#include "kernel/timerowner.h"

#define SM_TIMERCOUNT_PROGRAMS 4

struct sm_timercount {
	int attached[SM_TIMERCOUNT_PROGRAMS];
	struct sm_timer_owners owners;
	int counts_fd;
	bool shows_context;         /* else the owner of a timer is known only if it ends a task's sleep */
	struct sm_bpf_array lost;   /* struct sm_timer_losses */
	struct sm_bpf_array share_array;
	struct sm_shares *shares;   /* its value */
	struct sm_timer_key *key;   /* n of them, of the last reading */
	struct sm_timer_counts *counts;
	uint32_t n;
};

/* by_timer: timers are counted one by one.  -EPERM: not allowed; -ENOSYS: not with a 32-bit tool; others:
 * not with this kernel, and *log may have the verifier's reason.  After a failure only
 * sm_timercount_close() may follow. */
int sm_timercount_open(struct sm_timercount *t, const struct sm_root *root, bool by_timer,
	struct sm_bpf_log *log) SM_MUST;
/* Reads all counters.  One of them may be there twice if others were deleted meanwhile. */
int sm_timercount_read(struct sm_timercount *t) SM_MUST;
/* Deletes the counters of a task that has exited, which were at rest; -ENOENT: there are none. */
int sm_timercount_delete(struct sm_timercount *t, const struct sm_timer_key *key,
	struct sm_timer_counts *rest) SM_MUST;
struct sm_timer_losses sm_timercount_lost(const struct sm_timercount *t);
void sm_timercount_close(struct sm_timercount *t);

#endif
