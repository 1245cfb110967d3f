/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf: perf_event_open(2) events and their mmap rings (include/uapi/linux/perf_event.h,
 * tools/perf documentation).
 *
 * A ring is a header page and 2^n pages of records.  data_head is read with acquire and
 * data_tail written with release, once per drain.  A record that wraps is linearised into
 * the ring's scratch buffer.  PERF_RECORD_LOST is counted here.  Works on plain memory
 * too (sm_perf_ring_adopt), which is how it is tested and fuzzed: lengths that do not fit
 * end the drain, nothing beyond [tail, head) is touched.
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
	uint64_t pos, head;  /* what sm_perf_ring_next() has not given yet */
	uint64_t lost;       /* records the kernel could not write, from PERF_RECORD_LOST */
	unsigned char *scratch; /* 64 KiB, allocated at map: one record at the most */
};

int sm_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
	unsigned long flags) SM_MUST;
/* Maps data_bytes, rounded down to a power of two of pages, at least one.  -EPERM, -ENOMEM: over the
 * limit of locked memory.  The ring owns the fd on success. */
int sm_perf_ring_map(struct sm_perf_ring *r, int fd, size_t data_bytes) SM_MUST;
int sm_perf_ring_adopt(struct sm_perf_ring *r, void *meta, void *data, size_t data_bytes) SM_MUST;
void sm_perf_ring_close(struct sm_perf_ring *r);

/* body: the bytes after the header, len of them, 8-byte aligned. */
typedef void (*sm_perf_fn)(void *ctx, const struct perf_event_header *h, const void *body,
	size_t len);
/* Hands every record but LOST to fn; returns how many, or -EBADMSG for a corrupt ring (all
 * of it is then skipped). */
ssize_t sm_perf_ring_drain(struct sm_perf_ring *r, sm_perf_fn fn, void *ctx) SM_MUST;
/*
 * The same one by one, of what was there at sm_perf_ring_begin(): 1, 0 at its end, or -EBADMSG (the
 * rest is skipped).  The body is valid until the next call; those that were given free their room at
 * sm_perf_ring_end().
 */
void sm_perf_ring_begin(struct sm_perf_ring *r);
int sm_perf_ring_next(struct sm_perf_ring *r, struct perf_event_header *h, const void **body) SM_MUST;
void sm_perf_ring_end(struct sm_perf_ring *r);
/* The records of a disabled event of the same CPU and clock come in this ring, and it is enabled. */
int sm_perf_ring_join(const struct sm_perf_ring *r, int event_fd) SM_MUST;
/* True when there is something to drain. */
bool sm_perf_ring_ready(const struct sm_perf_ring *r);

#endif
