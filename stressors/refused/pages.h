/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages: addresses that a system call must not accept, and some that it may read or write.
 *
 * The addresses are in a separate mapping, with inaccessible pages between them: a call that accesses more
 * than the bytes that it was given hits one of these.  One page is not mapped, and remains so as long as the
 * process maps nothing.  Memory that calls read never changes, because its pages cannot be written.
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
	PAGES_READ_ONLY, /* bad only for the output of a call */
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

/* Maps the pages.  -1: stress_lacks() was called. */
int pages_map(struct stress *s, struct pages *p) SM_MUST;

enum pages_use { PAGES_READ, PAGES_WRITTEN, PAGES_TEXT };

/* Returns a bad address.  bytes: the minimum that the call reads or writes; below 8, CROSSING is NO_ACCESS.
 * The readable half of CROSSING contains zero bytes, or letters for PAGES_TEXT. */
uintptr_t pages_bad(const struct pages *p, enum pages_bad kind, size_t bytes,
	enum pages_use use) SM_MUST;

#endif
