/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * buf: a growable byte buffer with the append functions that rows are made with.
 *
 * It replaces printf on the hot path.  An allocation error is sticky: after it every append is ignored
 * and sm_buf_error() returns -ENOMEM, so a caller checks once per row.  sm_buf_reset() keeps the
 * memory, so in steady state no memory is allocated.
 */
#ifndef SM_BUF_H
#define SM_BUF_H

#include <string.h>
#include "base/base.h"

struct sm_buf {
	char *p;
	size_t len, cap;
	int err; /* 0 or -ENOMEM, sticky until sm_buf_reset() */
};

void sm_buf_fini(struct sm_buf *b);
int sm_buf_grow(struct sm_buf *b, size_t need); /* slow path of sm_buf_room() */

static inline void sm_buf_reset(struct sm_buf *b)
{
	b->len = 0;
	b->err = 0;
}

static inline int sm_buf_error(const struct sm_buf *b)
{
	return b->err;
}

/* Marks the content as incomplete. */
static inline void sm_buf_fail(struct sm_buf *b, int err)
{
	if (!b->err)
		b->err = err;
}

/* Returns room for n > 0 more bytes, or NULL if out of memory.  The caller commits with b->len += used. */
static inline char *sm_buf_room(struct sm_buf *b, size_t n)
{
	if (SM_UNLIKELY(b->cap - b->len < n) && sm_buf_grow(b, n) < 0)
		return NULL;
	return b->p + b->len;
}

static inline void sm_buf_add(struct sm_buf *b, const char *s, size_t n)
{
	char *to = n ? sm_buf_room(b, n) : NULL;

	if (to) {
		memcpy(to, s, n);
		b->len += n;
	}
}

static inline void sm_buf_chr(struct sm_buf *b, char c)
{
	sm_buf_add(b, &c, 1);
}

static inline void sm_buf_str(struct sm_buf *b, const char *s)
{
	sm_buf_add(b, s, strlen(s));
}

void sm_buf_fill(struct sm_buf *b, char c, size_t n);
void sm_buf_u64(struct sm_buf *b, uint64_t v);                 /* decimal */
void sm_buf_i64(struct sm_buf *b, int64_t v);
void sm_buf_u64_pad(struct sm_buf *b, uint64_t v, int digits); /* zero-padded, digits <= 20 */
/* Appends v / 10^scale with `scale` decimals (0..19): (1234, 3) -> 1.234; never a locale's comma. */
void sm_buf_fixed(struct sm_buf *b, uint64_t v, int scale);
/* Appends a double with that many decimals (0..9); halves are rounded away from zero, the decimal point
 * is '.', never "-0"; nan and inf are "-". */
void sm_buf_double(struct sm_buf *b, double v, int decimals);
/* sm_buf_double(), right-aligned in `width` columns. */
void sm_buf_double_right(struct sm_buf *b, double v, int decimals, size_t width);
/* Appends text that is not on the hot path: headers, summaries, messages. */
void sm_buf_printf(struct sm_buf *b, const char *fmt, ...) SM_PRINTF(2, 3);
/* Standard base64 with padding, RFC 4648 section 4. */
void sm_buf_base64(struct sm_buf *b, const char *s, size_t n);

#endif
