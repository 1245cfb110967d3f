// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel/tracefs.h"
#include "kernel/tracepage.h"

#define PAGE_BYTES_MAX (1u << 24)

/* Of the commit field: records were lost, and after the data is how many. */
#define MISSED	     (UINT64_C(1) << 31)
#define MISSED_COUNT (UINT64_C(1) << 30)
#define COMMIT_MASK  ((UINT64_C(1) << 27) - 1)

#define DELTA_BITS 27
#define TIME_HIGH  (~UINT64_C(0) << 59) /* what a time stamp record lacks */

enum { LONG_DATA = 0, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };

int sm_tracepage_layout_parse(const char *s, size_t n, struct sm_tracepage_layout *l)
{
	struct sm_tracefs_field time, commit, data;

	if (sm_tracefs_format_parse(s, n, "timestamp", &time) ||
		sm_tracefs_format_parse(s, n, "commit", &commit) ||
		sm_tracefs_format_parse(s, n, "data", &data))
		return -EBADMSG;
	if (time.size != 8 || (commit.size != 4 && commit.size != 8))
		return -EBADMSG;
	if (data.offset > PAGE_BYTES_MAX || data.size > PAGE_BYTES_MAX ||
		time.offset > data.offset || data.offset - time.offset < time.size ||
		commit.offset > data.offset || data.offset - commit.offset < commit.size)
		return -EBADMSG;
	*l = (struct sm_tracepage_layout){.time_offset = time.offset,
		.commit_offset = commit.offset,
		.commit_bytes = commit.size,
		.data_offset = data.offset,
		.page_bytes = data.offset + data.size};
	return 0;
}

static uint32_t u32_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* A long of the kernel. */
static uint64_t long_at(const unsigned char *p, uint32_t bytes)
{
	uint64_t v;

	if (bytes == sizeof(uint32_t))
		return u32_at(p);
	memcpy(&v, p, sizeof(v));
	return v;
}

int sm_tracepage_begin(struct sm_tracepage *t, const struct sm_tracepage_layout *l,
	const void *page, size_t n)
{
	const unsigned char *b = page;
	uint64_t commit, bytes;

	*t = SM_TRACEPAGE_NONE;
	if (n < l->data_offset)
		return -EBADMSG;
	commit = long_at(b + l->commit_offset, l->commit_bytes);
	bytes = commit & COMMIT_MASK;
	if (bytes > n - l->data_offset)
		return -EBADMSG;
	memcpy(&t->time, b + l->time_offset, sizeof(t->time));
	t->p = b + l->data_offset;
	t->end = t->p + bytes;
	t->missed = commit & MISSED;
	if (commit & MISSED_COUNT && n - l->data_offset - bytes >= l->commit_bytes)
		t->n_missed = long_at(t->end, l->commit_bytes);
	return 0;
}

struct record {
	uint32_t type, delta;
	uint32_t more; /* the word that follows, if there is one */
	size_t there;  /* bytes behind the first word */
};

static struct record record_at(const struct sm_tracepage *t)
{
	uint32_t word = u32_at(t->p);
	struct record r = {.there = (size_t)(t->end - t->p) - sizeof(word)};

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) {
		r.type = word >> DELTA_BITS;
		r.delta = word & ((1u << DELTA_BITS) - 1);
	} else {
		r.type = word & 31;
		r.delta = word >> 5;
	}
	if (r.there >= sizeof(word))
		r.more = u32_at(t->p + sizeof(word));
	return r;
}

/* How many bytes follow the first word; 0: there are not so many. */
static size_t length(const struct record *r)
{
	size_t n = sizeof(uint32_t);

	if (r->type > LONG_DATA && r->type < PADDING)
		n = r->type * sizeof(uint32_t);
	else if (r->type == LONG_DATA || r->type == PADDING)
		n = ((size_t)r->more + 3) & ~(size_t)3;
	return n <= r->there && (r->more >= 4 || r->type) ? n : 0;
}

static void pass_time(struct sm_tracepage *t, const struct record *r)
{
	uint64_t wide = (uint64_t)r->more << DELTA_BITS | r->delta;

	if (r->type == TIME_EXTEND) {
		t->time += wide;
	} else if (r->type == TIME_STAMP) {
		wide |= t->time & TIME_HIGH;
		t->time = wide < t->time ? wide + (UINT64_C(1) << 59) : wide;
	} else if (r->type != PADDING) {
		t->time += r->delta;
	}
}

static int refuse(struct sm_tracepage *t)
{
	t->p = t->end;
	return -EBADMSG;
}

int sm_tracepage_next(struct sm_tracepage *t, const void **data, size_t *len)
{
	while (t->p < t->end) {
		struct record r;
		size_t n;

		if (t->end - t->p < (ptrdiff_t)sizeof(uint32_t))
			return refuse(t);
		r = record_at(t);
		if (r.type == PADDING && r.delta == 0) /* the rest of the page */
			break;
		n = length(&r);
		if (!n)
			return refuse(t);
		pass_time(t, &r);
		*data = t->p + sizeof(uint32_t);
		*len = n;
		t->p += sizeof(uint32_t) + n;
		if (r.type == LONG_DATA) {
			*data = (const unsigned char *)*data + sizeof(uint32_t);
			*len = r.more - sizeof(uint32_t);
		}
		if (r.type < PADDING)
			return 1;
	}
	t->p = t->end;
	return 0;
}
