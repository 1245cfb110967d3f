/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnring: the proc connector's events through a BPF ring instead of the socket's queue.
 *
 * A BPF socket filter copies each event to a ring and drops the datagram: reading takes no system call,
 * the filter wakes no process, and the kernel holds no datagrams.  The filter passes an event to the queue
 * while diverting is off, the ring is full or the queue is not empty, and if the datagram is not from the
 * kernel.  No event is lost that the queue has room for, and events in the ring are older than those in
 * the queue: read the ring first, then the queue if it was not empty before.  Opening requires Linux 5.8
 * with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON; reading requires no privileges.
 */
#ifndef SM_CNRING_H
#define SM_CNRING_H

#include "base/root.h"
#include "bpf/bpf.h"
#include "bpf/bpf_ring.h"
#include "events/cnproc.h"

#define SM_CNRING_BYTES (128u << 10) /* 2,700 events */

struct sm_cnring {
	struct sm_bpf_ring ring;
	struct sm_bpf_array on; /* one uint32_t: 1 while the filter diverts events */
};

/* Attaches the filter to a listening socket, which then receives only these kinds (see sm_cnproc_filter());
 * diverting is off.  After an error the socket keeps its previous filter.  -EPERM; -ENOENT: no BTF; others as
 * in bpf(2). */
int sm_cnring_open(struct sm_cnring *r, const struct sm_root *root, struct sm_cnproc *socket,
	uint32_t mask) SM_MUST;
/* Switches diverting.  A filter that is running may still write an event to the ring after `false`. */
void sm_cnring_divert(struct sm_cnring *r, bool on);
/* Reads up to max events; 0: the ring is empty or not open; -EBADMSG: it is corrupt. */
ssize_t sm_cnring_read(struct sm_cnring *r, struct sm_cnproc *c, struct sm_proc_event *ev,
	size_t max) SM_MUST;
void sm_cnring_close(struct sm_cnring *r);

#endif
