/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool: memory of which each page is full of one known byte, read and written by the methods.
 *
 * All readers share one position and all writers another, and both wrap around.  Pages are touched in order;
 * pages after the first `touched` ones are not allocated yet.  A reader's sums are compared with the contents
 * of the pages; a writer checks some of the pages before it overwrites them.
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
	bool touches;              /* readers also read pages that are not touched yet */
	unsigned int look;         /* writers check every look-th page before they overwrite it */
	uint64_t written;          /* chunks written; determines the next byte */
	uint64_t aside_ns;         /* time for checks and flushing, which the methods do not count */
	bool flush, spoil;
};

/* Allocates the pool, which takes one byte for each page in addition to the memory itself. */
int pool_init(struct stress *s, struct pool *p, size_t bytes, int advice) SM_MUST;
/* Touches all of it at that rate; returns early if the run ends. */
void pool_fill(const struct stress *s, struct pool *p, struct rate *r);
/* Reads or writes a chunk of at most `most` pages.  Returns the number of pages, or the value of
 * stress_fail(). */
ssize_t pool_move(struct stress *s, struct pool *p, const struct method *m, size_t most) SM_MUST;
/* Checks all pages that are touched, until the deadline. */
int pool_check(struct stress *s, const struct pool *p, uint64_t deadline) SM_MUST;

#endif
