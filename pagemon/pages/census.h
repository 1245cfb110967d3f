/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * census: counts the pages in each state, of the whole process and, on request, of each mapping, and finds
 * the ranges of populated pages.
 *
 * Successive passes count the pages in bounded steps; the result of the last complete pass remains
 * available until the next pass is complete.  Counts of mappings use 80 bytes for each mapping, twice.
 * If the mappings change during a pass, a scanning pass continues at the last address that it walked;
 * a reading pass restarts.
 */
#ifndef PAGEMON_CENSUS_H
#define PAGEMON_CENSUS_H

#include "counts.h"
#include "populated.h"

struct census_parts {
	struct census_part *part;
	size_t n, cap;
};

struct census {
	bool mappings;           /* the pages of each mapping are counted; set it only between passes */
	uint64_t hidden;         /* categories of hidden pages that the last complete pass has determined
				  * (counts_swap()) */
	struct counts total;     /* counts so far of the pass in progress */
	struct populated populated;      /* populated ranges of the last complete pass */
	/* private */
	struct pass *pass;
	bool running, complete;
	uint64_t generation;
	const struct space *space;
	struct counts last_total;
	struct census_parts parts, last_parts;
};

int census_init(struct census *c) SM_MUST;
void census_fini(struct census *c);
/* Forgets all results, because of another process or after exec. */
void census_reset(struct census *c);
/*
 * Counts for about budget_ns, with at least one call; begins a pass if necessary.  Returns 1 if
 * there is more, 0 if a pass is complete, or -errno (-ESRCH: the memory no longer exists).
 */
int census_step(struct census *c, const struct pass_reader *r, const struct space *s, uint64_t budget_ns)
	SM_MUST;

/* Returns the counts of the last complete pass; NULL: no pass is complete yet. */
const struct counts *census_total(const struct census *c);
/* Returns the counts of the mapping with the start and end of m; NULL: it was not counted. */
const struct counts *census_of(const struct census *c, const struct mapping *m);

#endif
