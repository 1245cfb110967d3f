/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cncount: counts the proc connector's events in the kernel.
 *
 * A BPF socket filter adds to counters in a mapped array and drops every event: events are neither queued nor
 * lost, the filter never wakes a process, and reading the counters takes no system call.  Opening requires
 * Linux 5.5 and CAP_BPF (before Linux 5.8 CAP_SYS_ADMIN); reading requires no privileges.
 */
#ifndef SM_CNCOUNT_H
#define SM_CNCOUNT_H

#include "bpf/bpf.h"
#include "events/cnproc.h"

struct sm_cncount {
	struct sm_bpf_array counters; /* struct sm_cncounts */
};

/* Starts counting on a listening socket, which receives no further events. */
int sm_cncount_open(struct sm_cncount *c, struct sm_cnproc *socket) SM_MUST;
/* Reads the counts since the opening. */
void sm_cncount_read(const struct sm_cncount *c, struct sm_cncounts *out);
void sm_cncount_close(struct sm_cncount *c);

#endif
