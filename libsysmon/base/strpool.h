/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strpool: reference-counted byte strings, each stored once.
 *
 * A fork storm of one program needs one copy of its command line.  Blocks come from free lists by size
 * class: once the working set has been seen, malloc is no longer called.  The total of live string
 * bytes is bounded; beyond the bound sm_strpool_get() returns NULL, and the caller retries with a
 * shorter string or stores none.  Two strings are equal if their bytes and their tags are equal; the
 * tag is a small number that belongs to the string, for example the source that it was read from.
 */
#ifndef SM_STRPOOL_H
#define SM_STRPOOL_H

#include "base/base.h"
#include "base/map.h"

struct sm_poolstr {
	struct sm_poolstr *next; /* hash chain */
	uint64_t hash;
	uint32_t refs;
	uint32_t len;
	uint32_t tag;
	char s[]; /* len bytes, then a NUL */
};

struct sm_strpool;

int sm_strpool_new(struct sm_strpool **out, size_t max_bytes) SM_MUST;
void sm_strpool_free(struct sm_strpool *t);
/* Returns a new reference to the string; NULL if out of memory or over the bound. */
struct sm_poolstr *sm_strpool_get(struct sm_strpool *t, const void *p, size_t n, uint32_t tag);
/* Counting references does not change the string, so users may hold const pointers. */
static inline struct sm_poolstr *sm_strpool_ref(const struct sm_poolstr *s)
{
	struct sm_poolstr *ref = (struct sm_poolstr *)(uintptr_t)s;

	if (ref)
		ref->refs++;
	return ref;
}
/* Returns the bytes of a string; if it is NULL, an empty one. */
static inline struct sm_str sm_strpool_str(const struct sm_poolstr *s)
{
	struct sm_str str = {s ? s->s : NULL, s ? s->len : 0};

	return str;
}
/* Releases a reference; NULL is allowed. */
void sm_strpool_put(struct sm_strpool *t, const struct sm_poolstr *ref);
size_t sm_strpool_bytes(const struct sm_strpool *t); /* live string bytes */
size_t sm_strpool_count(const struct sm_strpool *t); /* distinct live strings */

#endif
