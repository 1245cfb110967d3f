/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracepage: the records of a page of tracefs' per_cpu/cpuN/trace_pipe_raw (Documentation/trace/
 * ring-buffer-map.rst, include/linux/ring_buffer.h), whose shape events/header_page tells.
 *
 * A page has a time stamp, how many bytes of data follow, and records: 5 bits of type or length, 27 bits
 * of time since the record before, and the data.  The bytes are not trusted: nothing beyond them is
 * read, and each step goes forward.
 */
#ifndef SM_TRACEPAGE_H
#define SM_TRACEPAGE_H

#include "base/base.h"

struct sm_tracepage_layout {
	uint32_t time_offset;
	uint32_t commit_offset, commit_bytes; /* 4 or 8: a long of the kernel */
	uint32_t data_offset;
	uint32_t page_bytes;
};

/* The text of events/header_page.  -EBADMSG: not such a page. */
int sm_tracepage_layout_parse(const char *s, size_t n, struct sm_tracepage_layout *l) SM_MUST;

struct sm_tracepage {
	const unsigned char *p, *end; /* what has not been given yet; the caller's memory */
	uint64_t time;                /* of the last record, in the units of the trace's clock */
	bool missed;                  /* records were overwritten before this page */
	uint64_t n_missed;            /* how many; 0: the page had no room for that */
};

#define SM_TRACEPAGE_NONE ((struct sm_tracepage){0}) /* without records */

/* n bytes of a page; -EBADMSG: too short for what it says. */
int sm_tracepage_begin(struct sm_tracepage *t, const struct sm_tracepage_layout *l, const void *page,
	size_t n) SM_MUST;
/* 1: the data of the next record, at t->time; 0: there is none; -EBADMSG: not a record, and nothing
 * follows. */
int sm_tracepage_next(struct sm_tracepage *t, const void **data, size_t *len) SM_MUST;

#endif
