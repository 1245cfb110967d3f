/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool: memory of which each page is full of one known byte, read and written by the methods.
 *
 * All readers share one position and all writers another, and both go round.  Pages are touched in order;
 * those from `touched` on have no memory yet.  A reader's sums are compared with what the pages hold; a
 * writer looks at some of the pages before it overwrites them.
 */
#ifndef STRESSORS_MEMORY_POOL_H
#define STRESSORS_MEMORY_POOL_H

#include "method.h"
#include "rate.h"

/* Pages that are moved at once. */
#define POOL_CHUNK_PAGES 256u

struct pool {
	char *p;
	size_t pages, touched;
	uint8_t *byte;             /* of each page that is touched */
	size_t read_at, write_at;
	bool touches;              /* readers touch what is not; else they keep to what is */
	unsigned int look;         /* writers look at one page in so many before they overwrite it */
	uint64_t written;          /* chunks: gives the next byte */
	uint64_t aside_ns;         /* for what is not the methods' work: checks, flushing */
	bool flush, spoil;
};

/* What memory_bytes() of a pool takes beside the memory itself: one byte for each page. */
int pool_init(struct stress *s, struct pool *p, size_t bytes, int advice) SM_MUST;
/* Touches all of it at that rate; returns early if the run ends. */
void pool_fill(const struct stress *s, struct pool *p, struct rate *r);
/* One chunk of at most so many pages: how many it was; or what stress_fail() returns. */
ssize_t pool_move(struct stress *s, struct pool *p, const struct method *m, size_t most) SM_MUST;
/* All that is touched, until the deadline. */
int pool_check(struct stress *s, const struct pool *p, uint64_t deadline) SM_MUST;

#endif
