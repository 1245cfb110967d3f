// SPDX-License-Identifier: GPL-2.0-or-later
#include "load/ops_impl.h"

#define WORDS (SM_OPS_LINE_BYTES / sizeof(uint64_t))

/* Adds 1 to each word of the lines, and adds their old values to sum. */
static uint64_t pass(uint64_t *p, uint64_t lines, uint64_t sum)
{
	for (; lines > 0; lines--, p += WORDS)
		for (size_t i = 0; i < WORDS; i++)
			sum += p[i]++;
	return sum;
}

void sm_ops_mem(struct sm_ops_state *st, uint64_t n)
{
	while (n > 0) {
		uint64_t now = st->lines - st->at;

		now = n < now ? n : now;
		st->sum = pass(st->mem + st->at * WORDS, now, st->sum);
		st->at += now;
		if (st->at == st->lines)
			st->at = 0;
		n -= now;
	}
}
