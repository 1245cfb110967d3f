/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block: the contents of a block of a file.
 *
 * All bytes follow from a key of 64 bits, so that a block is checked without a second copy of it.  A block
 * that was written elsewhere, or at another time, has another key, and therefore other bytes.
 */
#ifndef STRESSORS_DISK_BLOCK_H
#define STRESSORS_DISK_BLOCK_H

#include "base/base.h"

/* Returns the key of a block, from the seed, its place and the number of the write. */
uint64_t disk_block_key(uint64_t seed, uint64_t place, uint64_t time);
/* p is aligned to 8 bytes, of which `bytes` need not be a multiple. */
void disk_block_fill(void *p, size_t bytes, uint64_t key);
/* Returns the place of the first wrong byte; `bytes`: all are right. */
size_t disk_block_check(const void *p, size_t bytes, uint64_t key);
/* Returns the place of the first byte that is not zero; `bytes`: all are zero. */
size_t disk_block_check_zero(const void *p, size_t bytes);

#endif
