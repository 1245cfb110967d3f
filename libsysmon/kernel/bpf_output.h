/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_output: how a program writes records to the ring of bpf_stream.h.  Private to *.bpf.c.
 */
#ifndef SM_BPF_OUTPUT_H
#define SM_BPF_OUTPUT_H

#include "kernel/bpf_kern.h"

RING(ring, 1 << 20); /* bytes; the reader gives its own */

uint64_t lost; /* records that found no room */

/* flags: 0 wakes a reader that had read all, BPF_RB_NO_WAKEUP lets it sleep until half of the ring is full.
 * False: the record found no room. */
INLINE bool output(const void *record, uint64_t bytes, uint64_t flags)
{
	if (bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= bpf_ringbuf_query(&ring, BPF_RB_RING_SIZE) / 2)
		flags = BPF_RB_FORCE_WAKEUP;
	if (!bpf_ringbuf_output(&ring, record, bytes, flags))
		return true;
	ADD(lost, 1);
	return false;
}

#endif
