/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strpool: reference-counted byte strings, each stored once.
 *
 * A fork storm of one program holds one copy of its command line.  Blocks come from
 * size-class free lists: once the working set has been seen there are no more calls to
 * malloc.  The total of live string bytes is bounded; past the bound sm_strpool_get()
 * returns NULL, and the caller retries with a shorter string or stores none.
 * Identity is (bytes, tag): the tag is a small number that belongs to the string, for
 * instance where it was read from.
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
/* A new reference to the string; NULL when out of memory or over the bound. */
struct sm_poolstr *sm_strpool_get(struct sm_strpool *t, const void *p, size_t n, uint32_t tag);
/* Counting references does not change the string: users may hold it const. */
static inline struct sm_poolstr *sm_strpool_ref(const struct sm_poolstr *s)
{
	struct sm_poolstr *ref = (struct sm_poolstr *)(uintptr_t)s;

	if (ref)
		ref->refs++;
	return ref;
}
/* Gives a reference back; NULL is allowed. */
void sm_strpool_put(struct sm_strpool *t, const struct sm_poolstr *ref);
size_t sm_strpool_bytes(const struct sm_strpool *t); /* live string bytes */
size_t sm_strpool_count(const struct sm_strpool *t); /* distinct live strings */

#endif
