/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_stream: records from a BPF program on a raw tracepoint: the ring buffer, a counter of the
 * records that did not fit, and what keeps the program attached.
 *
 * Open the maps, assemble the program around sm_bpf_stream_output(), attach it.  Needs a 64-bit
 * Linux 5.8, CAP_BPF and CAP_PERFMON (before Linux 5.11 also a limit of locked memory above the
 * ring's size) to open, and no privilege afterwards: reading uses mapped memory only.
 */
#ifndef SM_BPF_STREAM_H
#define SM_BPF_STREAM_H

#include "kernel/bpf.h"
#include "kernel/bpf_ring.h"

struct sm_bpf_stream {
	int attach_fd;               /* keeps the program attached while open */
	int ring_fd;                 /* wakes poll(2) when the ring is half full */
	bool wakes;                  /* before the output is emitted: wakes it at each record that a
	                              * reader finds who had read all before */
	struct sm_bpf_ring ring;
	struct sm_bpf_array lost;    /* one uint64_t */
};

#define SM_BPF_STREAM_INIT {.attach_fd = -1, .ring_fd = -1}

/* name: of the maps, at most 10 bytes.  ring_bytes: a power of two of pages.  -EPERM: not allowed;
 * -ENOSYS: not with a 32-bit tool; others as bpf(2). */
int sm_bpf_stream_open(struct sm_bpf_stream *s, const char *name, size_t ring_bytes) SM_MUST;
/* Emits: write the R3 bytes at R2 to the ring, or count them as lost.  Destroys R0 to R5. */
void sm_bpf_stream_output(struct sm_bpf_asm *a, const struct sm_bpf_stream *s);
/* Loads the program and attaches it to the tracepoint; *log as sm_bpf_prog_load(). */
int sm_bpf_stream_attach(struct sm_bpf_stream *s, const char *name, const char *tracepoint,
	const struct sm_bpf_asm *a, struct sm_bpf_log *log) SM_MUST;
/* Records that did not fit in the ring. */
uint64_t sm_bpf_stream_lost(const struct sm_bpf_stream *s);
void sm_bpf_stream_close(struct sm_bpf_stream *s);

#endif
