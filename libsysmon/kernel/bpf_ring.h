/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_ring: the reader's side of a BPF ring buffer map (Documentation/bpf/ringbuf.rst).
 *
 * A page with the consumer's position, which the reader writes, a page with the producer's, and
 * 2^n bytes of records, whose beginning appears again behind the end, so no record ever wraps.  A
 * record is a header (u32 length with two flag bits, u32 for the kernel) and its bytes, padded to
 * 8.  Works on plain memory too (sm_bpf_ring_adopt), which is how it is tested and fuzzed.
 * Reading takes no system call and works after any drop of privileges.
 */
#ifndef SM_BPF_RING_H
#define SM_BPF_RING_H

#include "base/base.h"

/* No record of these tools is longer.  So much of the ring is mapped a second time: all of it would
 * count as resident twice. */
#define SM_BPF_RING_RECORD_MAX (32u << 10)

struct sm_bpf_ring {
	unsigned long *consumer;
	const unsigned long *producer;
	const unsigned char *data; /* data_bytes, then the first of them again */
	size_t data_bytes;         /* power of two */
	size_t view_bytes;         /* readable at data */
	size_t page_bytes;         /* 0 for plain memory */
};

/* map_fd: a BPF_MAP_TYPE_RINGBUF of data_bytes; may be closed afterwards. */
int sm_bpf_ring_map(struct sm_bpf_ring *r, int map_fd, size_t data_bytes) SM_MUST;
/* data: data_bytes, twice. */
int sm_bpf_ring_adopt(struct sm_bpf_ring *r, unsigned long *consumer,
	const unsigned long *producer, const void *data, size_t data_bytes) SM_MUST;
void sm_bpf_ring_close(struct sm_bpf_ring *r);

/* record: 8-byte aligned, in the ring itself; good until the function returns. */
typedef void (*sm_bpf_fn)(void *ctx, const void *record, size_t len);
/* Hands out what was in the ring at the time of the call; how many, or -EBADMSG for a
 * corrupt ring (all of it is then skipped).  A record that some CPU is still writing holds
 * up those behind it; that is waited for, but not for ever. */
ssize_t sm_bpf_ring_drain(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx) SM_MUST;
/* The same, at most max records. */
ssize_t sm_bpf_ring_read(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx, size_t max) SM_MUST;

#endif
