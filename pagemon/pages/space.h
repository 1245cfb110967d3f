/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space: the mappings of the target in order of address, laid end to end.
 *
 * A page is known by its ordinal: the number of pages in the mappings before it, plus its number in its own
 * mapping.  Nothing is stored per page: ordinals and addresses are found from each other by a binary
 * search over the mappings, so that 16 TiB of address space cost as much as 16 KiB.
 *
 *	mapping    addresses            first   pages
 *	0          0x1000 .. 0x3000     0       2
 *	1          0x9000 .. 0xa000     2       1        ordinal 2 is address 0x9000
 */
#ifndef PAGEMON_SPACE_H
#define PAGEMON_SPACE_H

#include "base/strpool.h"
#include "kernel/maps.h"

struct mapping {
	uint64_t start, end;           /* addresses */
	uint64_t first;                /* ordinal of its first page */
	uint64_t offset_bytes, inode;
	uint32_t dev_major, dev_minor;
	uint32_t perms : 8;            /* SM_VMA_... */
	uint32_t name_cut : 1;         /* the name is longer */
	uint32_t name_len;             /* bytes */
	/* hostile bytes with a NUL behind them; "": anonymous; of the space's pool */
	const char *name;
};

struct space {
	struct mapping *mappings;
	size_t n, cap;
	uint64_t pages;                /* of all mappings */
	uint64_t page_bytes;
	uint64_t generation;           /* counts the updates that found a change */
	uint64_t names_cut;            /* mappings whose name SPACE_NAMES_BYTES did not let in whole */
	struct sm_strpool *names;
	size_t names_bytes;            /* bound of the pool */
	/* Scratch of an update: the mappings from the first one that has changed on. */
	struct mapping *next;
	size_t next_n, next_cap;
	size_t same;                   /* mappings before it */
	struct sm_buf line;
};

/* Bytes of distinct names that are kept. */
#define SPACE_NAMES_BYTES ((size_t)16 << 20)

/* names_bytes: SPACE_NAMES_BYTES, or fewer in a test. */
int space_init_names(struct space *s, size_t names_bytes) SM_MUST;
static inline int space_init(struct space *s)
{
	return space_init_names(s, SPACE_NAMES_BYTES);
}
void space_fini(struct space *s);
/* Reads an open /proc/PID/maps.  1: something has changed (generation is a new one), 0: nothing has; an error
 * of sm_maps_read(), after which the mappings are those of before. */
int space_update(struct space *s, int maps_fd) SM_MUST;

/* The mapping with this page; ordinal < s->pages. */
const struct mapping *space_of_page(const struct space *s, uint64_t ordinal);
/* The mapping that has the address, or the next one above it; NULL: there is none. */
const struct mapping *space_at_or_above(const struct space *s, uint64_t address);
uint64_t space_address(const struct space *s, uint64_t ordinal);
/* The ordinal of the address's page, or of the first page above it; s->pages: there is none. */
uint64_t space_ordinal(const struct space *s, uint64_t address);
static inline uint64_t mapping_pages(const struct space *s, const struct mapping *m)
{
	return (m->end - m->start) / s->page_bytes;
}

#endif
