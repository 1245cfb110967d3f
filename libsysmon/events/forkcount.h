/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forkcount: the number of processes created on the machine, counted in the kernel.
 *
 * A BPF program on the raw tracepoint sched_process_fork adds 1 to a counter for each new thread group;
 * new threads of a process do not count.  A process is counted after it gets its PID and before it runs, so
 * each process counts exactly once, however short its life.  Events cannot be lost, and reading the counter
 * takes no system call.  /proc/stat does not have this number: its line "processes" also counts threads.
 *
 * Opening requires Linux 5.8 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON; reading requires no
 * privileges.
 */
#ifndef SM_FORKCOUNT_H
#define SM_FORKCOUNT_H

#include "base/root.h"
#include "bpf/bpf.h"

struct sm_forkcount {
	struct sm_bpf_array counter; /* one uint64_t */
	int attach_fd;               /* keeps the program attached while open */
};

/* Starts counting.  -EPERM: not allowed; -ENOENT: the kernel lacks BTF; other errors: this kernel does not
 * support it, and *log (may be NULL) may contain the verifier's reason.  After an error the caller may only
 * call sm_forkcount_close(). */
int sm_forkcount_open(struct sm_forkcount *c, const struct sm_root *root, struct sm_bpf_log *log) SM_MUST;
/* Returns the number of processes created since the opening. */
uint64_t sm_forkcount_read(const struct sm_forkcount *c);
void sm_forkcount_close(struct sm_forkcount *c);

#endif
