/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_ring: the reader's side of a BPF ring buffer map (Documentation/bpf/ringbuf.rst).
 *
 * The map has a page with the consumer's position, which the reader writes, a page with the producer's
 * position, and 2^n bytes of records.  The beginning of the records is mapped again after their end, so no
 * record ever wraps.  A record is a header (u32 length with two flag bits, u32 for the kernel) and its bytes,
 * padded to 8.  Tests and fuzzers use plain memory (sm_bpf_ring_adopt()).  Reading takes no system call and
 * works after any drop of privileges.
 */
#ifndef SM_BPF_RING_H
#define SM_BPF_RING_H

#include "base/base.h"

/* Maximum length of a record of these tools.  This much of the ring is mapped a second time; if all of it
 * were, all of it would count as resident twice. */
#define SM_BPF_RING_RECORD_MAX (32u << 10)

struct sm_bpf_ring {
	unsigned long *consumer;
	const unsigned long *producer;
	const unsigned char *data; /* data_bytes, then the first of them again */
	size_t data_bytes;         /* power of two */
	size_t view_bytes;         /* readable at data */
	size_t page_bytes;         /* 0 for plain memory */
};

/* Maps a BPF_MAP_TYPE_RINGBUF of data_bytes.  The caller may close map_fd afterwards. */
int sm_bpf_ring_map(struct sm_bpf_ring *r, int map_fd, size_t data_bytes) SM_MUST;
/* Uses plain memory; data has data_bytes, twice. */
int sm_bpf_ring_adopt(struct sm_bpf_ring *r, unsigned long *consumer,
	const unsigned long *producer, const void *data, size_t data_bytes) SM_MUST;
void sm_bpf_ring_close(struct sm_bpf_ring *r);

/* record: 8-byte aligned, in the ring itself; valid until the function returns. */
typedef void (*sm_bpf_fn)(void *ctx, const void *record, size_t len);
/* Calls fn for each record that is in the ring at the time of the call.  Returns their number, or -EBADMSG
 * for a corrupt ring (all of it is then skipped).  A record that a CPU is still writing delays the records
 * after it; the function waits for it, but not forever. */
ssize_t sm_bpf_ring_drain(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx) SM_MUST;
/* Like sm_bpf_ring_drain(), for at most max records. */
ssize_t sm_bpf_ring_read(struct sm_bpf_ring *r, sm_bpf_fn fn, void *ctx, size_t max) SM_MUST;

#endif
