/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uring: the rings of io_uring(7), with system calls only.
 *
 * Requests are prepared one after the other, at most as many as the ring has entries, and submitted together;
 * then all of their results are taken.
 */
#ifndef STRESSORS_URING_URING_H
#define STRESSORS_URING_URING_H

#include <linux/io_uring.h>

#include "base/base.h"

struct uring {
	int fd;
	uint32_t entries;    /* the requested number, or the next power of two */
	uint32_t prepared;   /* requests since the last submission */
	uint32_t *sq_tail, *sq_mask, *sq_array;
	uint32_t *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

/* Tests whether the kernel creates rings.  0 or -errno. */
int uring_try(void) SM_MUST;
/* Opens a ring, whose mappings end with the process.  0 or -errno. */
int uring_open(struct uring *u, uint32_t entries) SM_MUST;
/* Returns the next request, which is zeroed. */
struct io_uring_sqe *uring_prepare(struct uring *u) SM_MUST;
/* Submits the prepared requests and waits until all of them have ended.  0 or -errno. */
int uring_submit(struct uring *u) SM_MUST;
/* Takes a result; false: all were taken. */
bool uring_take(struct uring *u, struct io_uring_cqe *result) SM_MUST;

#endif
