/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: values that the kernel computes for each mapping (--smaps), from /proc/PID/smaps.
 *
 * The totals are the sums of the mappings, as smem(8) computes them.  The kernel rounds the shares of each
 * mapping down to kB, so smaps_rollup, which rounds only once, can be larger by less than 1 kB per mapping.
 * A value that the kernel does not report is unknown, not 0.
 */
#ifndef PAGEMON_USAGE_H
#define PAGEMON_USAGE_H

#include "pages/space.h"

enum usage_key { /* in the order of the columns */
	USAGE_PSS,        /* shared pages divided by the number of mappings */
	USAGE_SWAP_PSS,   /* shares of swapped-out pages */
	USAGE_REFERENCED, /* pages accessed since they were mapped or the bits were cleared */
	USAGE_LAZY_FREE,  /* present pages that were freed with MADV_FREE */
	USAGE_LOCKED,     /* share of locked pages */
	USAGE_DELETED,    /* size of a mapping whose file was deleted */
	USAGE_KEYS
};

struct usage {
	unsigned int known;            /* bit 1 << enum usage_key */
	uint64_t kb[USAGE_KEYS];
};

struct usages {
	struct usage total;
	struct usage *each;            /* of each mapping of the space; unknown if it has changed since */
	/* Files whose own names end in " (deleted)", found when this process could still look them up. */
	struct usage_odd {
		uint64_t inode;
		size_t name_len;
	} *odd;
	size_t nodd, odd_cap;
	uint64_t generation;           /* of the space that was read */
	/* scratch */
	size_t cap, at;
	const struct space *space;
	struct sm_buf line;
};

/* Reads smaps of the process whose mappings are in the space.  maps_fd and errors: sm_smaps_read(). */
int usages_read(struct usages *u, int smaps_fd, int maps_fd, const struct space *space) SM_MUST;
void usages_fini(struct usages *u);
/* Returns the usage of mapping i, or NULL if the mappings have changed since the reading. */
static inline const struct usage *usages_of(const struct usages *u, size_t i)
{
	return u->space && u->generation == u->space->generation ? &u->each[i] : NULL;
}

#endif
