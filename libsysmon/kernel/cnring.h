/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cnring: the proc connector's events through a BPF ring instead of the socket's queue.
 *
 * A BPF socket filter copies each event to a ring and keeps it from the queue: reading takes no
 * system call, no process is woken, and the kernel holds no datagrams.  The filter lets an event
 * pass to the queue while diverting is off, when the ring is full, while the queue is not empty,
 * and when the datagram is not the kernel's.  So nothing is lost that the queue has room for, and
 * what the ring has is older than what the queue has: read the ring first, then the queue, if it
 * was not empty before.  Needs Linux 5.8 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON to
 * open, and no privilege afterwards.
 */
#ifndef SM_CNRING_H
#define SM_CNRING_H

#include "kernel/bpf.h"
#include "kernel/bpf_ring.h"
#include "kernel/cnproc.h"
#include "kernel/root.h"

#define SM_CNRING_BYTES (128u << 10) /* 2,700 events */

struct sm_cnring {
	struct sm_bpf_ring ring;
	struct sm_bpf_array on; /* one uint32_t: does the filter divert? */
};

/* On a listening socket: events of these kinds from now on, as sm_cnproc_filter(); diverting is off.
 * The socket has the filter it had when this fails: -EPERM, -ENOENT: no BTF; others as bpf(2). */
int sm_cnring_open(struct sm_cnring *r, const struct sm_root *root, struct sm_cnproc *socket,
	uint32_t mask) SM_MUST;
/* A filter that runs at this moment may still write an event to the ring after `false`. */
void sm_cnring_divert(struct sm_cnring *r, bool on);
/* Up to max events; 0: the ring is empty or not open; -EBADMSG: it is corrupt. */
ssize_t sm_cnring_read(struct sm_cnring *r, struct sm_cnproc *c, struct sm_proc_event *ev,
	size_t max) SM_MUST;
void sm_cnring_close(struct sm_cnring *r);

#endif
