/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uring: the rings of io_uring(7), by system calls alone.
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
	uint32_t entries;    /* the number asked for, or the next power of two */
	uint32_t prepared;   /* since the last submission */
	uint32_t *sq_tail, *sq_mask, *sq_array;
	uint32_t *cq_head, *cq_tail, *cq_mask;
	struct io_uring_sqe *sqe;
	struct io_uring_cqe *cqe;
};

/* Only whether the kernel makes rings: 0 or -errno. */
int uring_try(void) SM_MUST;
/* The mappings end with the process.  -errno */
int uring_open(struct uring *u, uint32_t entries) SM_MUST;
/* The next request, all zero. */
struct io_uring_sqe *uring_prepare(struct uring *u) SM_MUST;
/* Submits what is prepared and waits until all of it has ended.  -errno */
int uring_submit(struct uring *u) SM_MUST;
/* Takes a result; false: there is none. */
bool uring_take(struct uring *u, struct io_uring_cqe *result) SM_MUST;

#endif
