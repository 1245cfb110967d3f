/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_stream: records from a BPF program on a raw tracepoint: the ring buffer, a counter of lost records,
 * and the descriptor that keeps the program attached.
 *
 * The program writes records with output() of bpf_output.h.  Opening requires 64-bit Linux 5.8, CAP_BPF and
 * CAP_PERFMON, and before Linux 5.11 a limit of locked memory above the ring's size.  Reading uses mapped
 * memory only and requires no privileges.
 */
#ifndef SM_BPF_STREAM_H
#define SM_BPF_STREAM_H

#include "bpf/bpf_object.h"
#include "bpf/bpf_ring.h"

struct sm_bpf_stream {
	int attach_fd;               /* keeps the program attached while open */
	int ring_fd;                 /* for poll(2): see output() */
	struct sm_bpf_ring ring;
	struct sm_bpf_array lost;    /* one uint64_t */
};

#define SM_BPF_STREAM_INIT {.attach_fd = -1, .ring_fd = -1}

/* Creates the maps "ring" and "lost" of an open loader; ring and lost are their numbers.  ring_bytes is a
 * power of two of pages.  -EPERM: not allowed; -ENOSYS: not with a 32-bit tool; other errors as in bpf(2). */
int sm_bpf_stream_open(struct sm_bpf_stream *s, struct sm_bpf_loader *l, unsigned int ring,
	unsigned int lost, size_t ring_bytes) SM_MUST;
/* Loads the program and attaches it to its tracepoint. */
int sm_bpf_stream_attach(struct sm_bpf_stream *s, struct sm_bpf_loader *l, unsigned int program) SM_MUST;
/* Opens the loader of an object with one program, and does both. */
int sm_bpf_stream_start(struct sm_bpf_stream *s, const struct sm_bpf_object *object,
	const struct sm_root *root, unsigned int ring, unsigned int lost, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
/* Returns the number of records that did not fit in the ring. */
uint64_t sm_bpf_stream_lost(const struct sm_bpf_stream *s);
void sm_bpf_stream_close(struct sm_bpf_stream *s);

#endif
