/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * census: how many pages of the whole process are in which state, and, if that is asked for, of each mapping.
 *
 * One pass after another counts them in bounded steps; what the last complete one found stays
 * until the next one is complete.  Memory: 80 bytes for each mapping, twice, while counts of
 * mappings are wanted; else nothing. When mappings change in the middle, a pass by scanning goes
 * on behind the address that it has reached, and one by reading begins anew.
 */
#ifndef PAGEMON_CENSUS_H
#define PAGEMON_CENSUS_H

#include "counts.h"

struct census;

int census_new(struct census **out) SM_MUST;
void census_free(struct census *c);
/* From the next pass on: PAGE_EXCLUSIVE, and counts of each mapping. */
void census_want(struct census *c, bool exclusive, bool mappings);
/* Another process, or the same after exec: what was counted is forgotten. */
void census_reset(struct census *c);
/*
 * Goes on for about so much time, at least one call; begins a pass if none is in progress.  1:
 * there is more, 0: a pass is complete, or -errno (-ESRCH: the memory is no more).
 */
int census_step(struct census *c, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;

/* What the last complete pass found; NULL: none is complete yet. */
const struct counts *census_total(const struct census *c);
/* What the pass in progress has found so far. */
const struct counts *census_so_far(const struct census *c);
/* Of the mapping that begins and ends where this one does; NULL: was not counted. */
const struct counts *census_of(const struct census *c, const struct mapping *m);

#endif
