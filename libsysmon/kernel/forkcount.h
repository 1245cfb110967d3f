/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkcount: how many processes were created on the machine, counted in the kernel.
 *
 * A BPF program on the raw tracepoint sched_process_fork adds 1 to a counter for each new thread group;
 * new threads of a process do not count.  A process is counted when it has its pid and before it runs, so
 * each one counts exactly once, however short its life is.  No event can be lost, and reading the counter
 * takes no system call.  /proc/stat has no such figure: its line "processes" also counts threads.
 *
 * Needs Linux 5.8 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON to open, and no privilege afterwards.
 */
#ifndef SM_FORKCOUNT_H
#define SM_FORKCOUNT_H

#include "kernel/bpf.h"
#include "kernel/root.h"

struct sm_forkcount {
	struct sm_bpf_array counter; /* one uint64_t */
	int attach_fd;               /* keeps the program attached while open */
};

/* -EPERM: not allowed; -ENOENT: the kernel has no BTF; others: not with this kernel, and *log (may be NULL)
 * may have the verifier's reason.  After a failure only sm_forkcount_close() may follow. */
int sm_forkcount_open(struct sm_forkcount *c, const struct sm_root *root, struct sm_bpf_log *log) SM_MUST;
/* Processes created since the opening. */
uint64_t sm_forkcount_read(const struct sm_forkcount *c);
void sm_forkcount_close(struct sm_forkcount *c);

#endif
