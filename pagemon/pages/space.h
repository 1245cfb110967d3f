/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space: the mappings of the target in order of address, laid end to end.
 *
 * A page is identified by its ordinal: the number of pages in the mappings before it, plus its number in its
 * own mapping.  Nothing is stored per page: ordinals and addresses are converted with a binary search over
 * the mappings, so 16 TiB of address space cost as much as 16 KiB.
 *
 *	mapping    addresses            first   pages
 *	0          0x1000 .. 0x3000     0       2
 *	1          0x9000 .. 0xa000     2       1        ordinal 2 is address 0x9000
 */
#ifndef PAGEMON_SPACE_H
#define PAGEMON_SPACE_H

#include "base/strpool.h"
#include "proc/maps.h"

struct mapping {
	uint64_t start, end;           /* addresses */
	uint64_t first;                /* ordinal of its first page */
	uint64_t offset_bytes, inode;
	uint32_t dev_major, dev_minor;
	uint32_t perms : 8;            /* SM_VMA_... */
	uint32_t name_cut : 1;         /* the name is truncated */
	uint32_t name_len;             /* bytes */
	/* hostile bytes, terminated by a NUL; "": anonymous; owned by the space's pool */
	const char *name;
};

/* A range of ordinals or addresses [first, end). */
struct space_range {
	uint64_t first, end;
};

struct space {
	struct mapping *mappings;
	size_t n, cap;
	uint64_t pages;                /* pages of all mappings */
	uint64_t page_bytes;
	uint64_t generation;           /* counts the updates that found a change */
	uint64_t names_cut;            /* mappings with a name truncated because of SPACE_NAMES_BYTES */
	struct sm_strpool *names;
	size_t names_bytes;            /* maximum size of the pool */
	/* Scratch of an update: the first mapping that has changed, and all mappings after it. */
	struct mapping *next;
	size_t next_n, next_cap;
	size_t same;                   /* number of mappings before the first changed one */
	struct sm_buf line;
};

/* Maximum bytes of distinct names. */
#define SPACE_NAMES_BYTES ((size_t)16 << 20)

/* names_bytes: SPACE_NAMES_BYTES, or fewer in a test. */
int space_init_names(struct space *s, size_t names_bytes) SM_MUST;
static inline int space_init(struct space *s)
{
	return space_init_names(s, SPACE_NAMES_BYTES);
}
void space_fini(struct space *s);
/* Reads an open /proc/PID/maps.  Returns 1 if something has changed (with a new generation), 0 if not, or an
 * error of sm_maps_read(), after which the mappings are unchanged. */
int space_update(struct space *s, int maps_fd) SM_MUST;

/* Returns the mapping with this page; ordinal < s->pages. */
const struct mapping *space_of_page(const struct space *s, uint64_t ordinal);
/* Returns the mapping that contains the address, or the next one above it, or NULL. */
const struct mapping *space_at_or_above(const struct space *s, uint64_t address);
uint64_t space_address(const struct space *s, uint64_t ordinal);
/* Returns the ordinal of the page at the address or of the next page above it, or s->pages. */
uint64_t space_ordinal(const struct space *s, uint64_t address);
static inline uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}
static inline uint64_t mapping_pages(const struct space *s, const struct mapping *m)
{
	return (m->end - m->start) / s->page_bytes;
}

#endif
