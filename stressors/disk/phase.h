/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase: the blocks of a file that are written in a phase, and the order in which they are read afterwards.
 *
 * A pass writes each block of the file once, in the order of the file or at random; a phase is a part of a
 * pass.  Its blocks follow from their places in the order of writing, without a table.
 */
#ifndef STRESSORS_DISK_PHASE_H
#define STRESSORS_DISK_PHASE_H

#include "order.h"

struct disk_phase {
	uint64_t set;            /* options of io.h */
	uint64_t blocks, seed;
	uint64_t number;         /* number of this phase, from 1 */
	struct disk_order write; /* DISK_IO_WR_RND */
	uint64_t first, next;    /* places of the blocks that were written */
	struct disk_order read;  /* DISK_IO_RD_RND */
	uint64_t at;             /* number of blocks read or searched */
};

/* Starts with a new file, which must have a block at least. */
void disk_phase_init(struct disk_phase *p, uint64_t set, uint64_t blocks, uint64_t seed);
/* Begins a phase where the last one ended, or a new pass. */
void disk_phase_begin(struct disk_phase *p);
/* Returns the next block to write; false: the pass is complete. */
bool disk_phase_write(struct disk_phase *p, uint64_t *block);

enum disk_phase_read {
	DISK_PHASE_BLOCK,
	DISK_PHASE_SEARCH, /* a block was not found yet: call it again */
	DISK_PHASE_END,
};

/* Returns the next block to read; called after the last write. */
enum disk_phase_read disk_phase_read(struct disk_phase *p, uint64_t *block);

#endif
