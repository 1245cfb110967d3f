// SPDX-License-Identifier: GPL-2.0-or-later
#include "io.h"
#include "phase.h"

/* Number of blocks that a call searches. */
#define SEARCH 4096u

static bool has(const struct disk_phase *p, enum disk_io_option option)
{
	return p->set & DISK_IO_BIT(option);
}

void disk_phase_init(struct disk_phase *p, uint64_t set, uint64_t blocks, uint64_t seed)
{
	p->set = set;
	p->blocks = blocks;
	p->seed = seed;
	p->first = p->next = 0;
	disk_order_init(&p->write, blocks, seed);
}

void disk_phase_begin(struct disk_phase *p)
{
	p->first = p->next == p->blocks ? 0 : p->next;
	p->next = p->first;
	p->at = 0;
	p->number++;
}

static uint64_t block_at(const struct disk_phase *p, uint64_t place)
{
	return has(p, DISK_IO_WR_RND) ? disk_order_at(&p->write, place) : place;
}

bool disk_phase_write(struct disk_phase *p, uint64_t *block)
{
	if (p->next == p->blocks)
		return false;
	*block = block_at(p, p->next++);
	return true;
}

static bool is_written(const struct disk_phase *p, uint64_t block)
{
	uint64_t place = disk_order_of(&p->write, block);

	return place >= p->first && place < p->next;
}

/* Searches the blocks in the order of the file for those that were written at random. */
static enum disk_phase_read search(struct disk_phase *p, uint64_t *block)
{
	for (unsigned int i = 0; i < SEARCH && p->at < p->blocks; i++) {
		*block = p->at++;
		if (is_written(p, *block))
			return DISK_PHASE_BLOCK;
	}
	return p->at < p->blocks ? DISK_PHASE_SEARCH : DISK_PHASE_END;
}

enum disk_phase_read disk_phase_read(struct disk_phase *p, uint64_t *block)
{
	uint64_t n = p->next - p->first, place;

	if (has(p, DISK_IO_WR_RND) && !has(p, DISK_IO_RD_RND))
		return search(p, block);
	if (p->at == n)
		return DISK_PHASE_END;
	if (p->at == 0)
		disk_order_init(&p->read, n, p->seed + p->number);
	place = has(p, DISK_IO_RD_RND) ? disk_order_at(&p->read, p->at) : p->at;
	*block = block_at(p, p->first + place);
	p->at++;
	return DISK_PHASE_BLOCK;
}
