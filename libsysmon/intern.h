/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intern: reference-counted byte strings, each stored once.
 *
 * A fork storm of one program holds one copy of its command line.  Blocks come from
 * size-class free lists: once the working set has been seen there are no more calls to
 * malloc.  The total of live string bytes is bounded; past the bound sm_intern_get()
 * gives NULL and the caller shortens the string or goes without.
 * Identity is (bytes, tag): the tag is a small number that belongs to the string, for
 * instance where it was read from.
 */
#ifndef SM_INTERN_H
#define SM_INTERN_H

#include "base.h"
#include "hash.h"

struct sm_istr {
	struct sm_istr *next; /* hash chain */
	uint64_t hash;
	uint32_t refs;
	uint32_t len;
	uint32_t tag;
	char s[]; /* len bytes, then a NUL */
};

struct sm_intern;

int sm_intern_new(struct sm_intern **out, size_t max_bytes) SM_MUST;
void sm_intern_free(struct sm_intern *t);
/* A new reference to the string; NULL when out of memory or over the bound. */
struct sm_istr *sm_intern_get(struct sm_intern *t, const void *p, size_t n, uint32_t tag);
static inline struct sm_istr *sm_istr_ref(struct sm_istr *s)
{
	if (s)
		s->refs++;
	return s;
}
/* Gives a reference back; NULL is allowed. */
void sm_intern_put(struct sm_intern *t, struct sm_istr *s);
size_t sm_intern_bytes(const struct sm_intern *t); /* live string bytes */
size_t sm_intern_count(const struct sm_intern *t); /* distinct live strings */

#endif
