/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages: addresses that a system call must not accept, and some that it may read or write.
 *
 * The addresses lie in a mapping of their own, with pages without access between them: a call that goes
 * beyond the bytes it was given hits one of these.  One page is not mapped; it remains so as long as the
 * process maps nothing.  Memory that calls read never changes: no page of it can be written.
 */
#ifndef STRESSORS_REFUSED_PAGES_H
#define STRESSORS_REFUSED_PAGES_H

#include "run/stress.h"

enum pages_bad {
	PAGES_NULL,
	PAGES_NO_ACCESS, /* mapped with PROT_NONE */
	PAGES_UNMAPPED,
	PAGES_KERNEL,    /* near the end of the address space */
	PAGES_HIGH,      /* the lowest address with the highest bit; KERNEL if that may be mapped */
	PAGES_CROSSING,  /* the first half of the bytes can be read and written, the second half not */
	PAGES_READ_ONLY, /* bad for what a call writes only */
	PAGES_BAD,
};

extern const char *const pages_names[PAGES_BAD];

struct pages {
	size_t page;   /* bytes of a page */
	char *base;
	char *zeros;   /* a page of zero bytes, which cannot be written */
	char *ones;    /* a page of bytes 0xff, which cannot be written */
	char *text;    /* a page of letters without an end, which cannot be written */
	char *output;  /* a page for results, which nothing reads */
	char *no_access, *unmapped;
};

/* -1: stress_lacks() was called. */
int pages_map(struct stress *s, struct pages *p) SM_MUST;

enum pages_use { PAGES_READ, PAGES_WRITTEN, PAGES_TEXT };

/* bytes: the least that the call reads or writes; if below 8, CROSSING is NO_ACCESS.  What can be read of
 * CROSSING is zero, and letters of a text. */
uintptr_t pages_bad(const struct pages *p, enum pages_bad kind, size_t bytes,
	enum pages_use use) SM_MUST;

#endif
