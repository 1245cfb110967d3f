/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf: perf_event_open(2) events and their mmap rings (include/uapi/linux/perf_event.h,
 * tools/perf documentation).
 *
 * A ring is a header page and 2^n pages of records.  data_head is read with acquire and data_tail is
 * written with release, once per drain.  A record that wraps is copied into the ring's scratch buffer.
 * PERF_RECORD_LOST is counted here.  Lengths that do not fit end the drain, and memory outside of [tail,
 * head) is not accessed.  Tests and fuzzers use plain memory (sm_perf_ring_adopt()).
 */
#ifndef SM_PERF_H
#define SM_PERF_H

#include <linux/perf_event.h>
#include "base/base.h"

struct sm_perf_ring {
	int fd;              /* -1 for plain memory */
	struct perf_event_mmap_page *meta;
	unsigned char *data;
	size_t data_bytes;   /* power of two */
	uint64_t pos, head;  /* range that sm_perf_ring_next() has not returned yet */
	uint64_t lost;       /* records that the kernel could not write, from PERF_RECORD_LOST */
	unsigned char *scratch; /* 64 KiB: the longest record */
};

int sm_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
	unsigned long flags) SM_MUST;
/* Maps data_bytes, rounded down to a power of two of pages, at least one.  -EPERM, -ENOMEM: the limit of
 * locked memory is exceeded.  On success the ring owns the fd. */
int sm_perf_ring_map(struct sm_perf_ring *r, int fd, size_t data_bytes) SM_MUST;
int sm_perf_ring_adopt(struct sm_perf_ring *r, void *meta, void *data, size_t data_bytes) SM_MUST;
void sm_perf_ring_close(struct sm_perf_ring *r);

/* body: the len bytes after the header, 8-byte aligned. */
typedef void (*sm_perf_fn)(void *ctx, const struct perf_event_header *h, const void *body,
	size_t len);
/* Calls fn for every record except LOST.  Returns their number, or -EBADMSG for a corrupt ring (all of it is
 * then skipped). */
ssize_t sm_perf_ring_drain(struct sm_perf_ring *r, sm_perf_fn fn, void *ctx) SM_MUST;
/*
 * sm_perf_ring_next() returns the records that were in the ring at sm_perf_ring_begin(), one by one: 1, 0
 * after the last, or -EBADMSG (the rest is skipped).  The body is valid until the next call;
 * sm_perf_ring_end() frees the room of the returned records.
 */
void sm_perf_ring_begin(struct sm_perf_ring *r);
int sm_perf_ring_next(struct sm_perf_ring *r, struct perf_event_header *h, const void **body) SM_MUST;
void sm_perf_ring_end(struct sm_perf_ring *r);
/* Directs the records of a disabled event with equal CPU and clock to this ring, and enables the event. */
int sm_perf_ring_join(const struct sm_perf_ring *r, int event_fd) SM_MUST;
/* True if the ring has records. */
bool sm_perf_ring_ready(const struct sm_perf_ring *r);

#endif
