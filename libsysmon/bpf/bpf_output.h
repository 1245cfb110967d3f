/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf_output: writes records to the ring of bpf_stream.h.  Private to *.bpf.c.
 */
#ifndef SM_BPF_OUTPUT_H
#define SM_BPF_OUTPUT_H

#include "bpf/bpf_kern.h"

RING(ring, 1 << 20); /* bytes; the reader sets another size */

uint64_t lost; /* records that did not fit */

/* Writes a record; false if it did not fit.  flags: 0 wakes a reader that has read all earlier records;
 * BPF_RB_NO_WAKEUP wakes it only when half of the ring is full. */
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
