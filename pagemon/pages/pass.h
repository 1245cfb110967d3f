/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: walks a range of the target's pages once and hands out runs of pages in equal state, in bounded
 * steps: a step ends when its share of CPU time is used up, and no system call of it holds the
 * target's mmap lock for longer than about 2 ms.
 *
 * With PAGEMAP_SCAN (Linux 6.7) the kernel finds the runs.  A call covers a piece of address
 * space, with all mappings and gaps in it.  Pieces begin at 256 MiB, are halved when a call took
 * more than 1 ms and doubled when it took less than 0.25 ms; a call on a larger piece ends after
 * 128 pages that are there, because each of them can cost the walk of a page table of its own.
 *
 * Before that, and with PASS_READ, entries are read 64 KiB at a time, and mappings whose smaps
 * entry has neither Rss nor Swap come last, because only zero pages and guard regions can be in
 * them.  Entries do not tell what is mapped by a PMD: of the aligned blocks whose pages are all
 * there and follow each other physically, all are if their number agrees with the sums of smaps,
 * none are if those are 0.  Otherwise the pass cannot tell, and pass_known() lacks SM_PAGE_HUGE.
 *
 * Both ways hand out the same runs, but for what pass_known() lacks.  A soft-dirty bit counts
 * where there is a page (or swap entry, or guard region): those of pages never touched say only
 * that the mapping is new.
 */
#ifndef PAGEMON_PASS_H
#define PAGEMON_PASS_H

#include "pass_reader.h"
#include "space.h"

struct pass;

int pass_new(struct pass **out) SM_MUST;
void pass_free(struct pass *p);
/* Starts a pass over ordinals [first, end).  exclusive: PAGE_EXCLUSIVE is wanted, too, which costs reading
 * the entries of all pages that are there.  The space must not change until the pass is done or started
 * anew. */
void pass_begin(struct pass *p, const struct pass_reader *r, const struct space *s, uint64_t first,
	uint64_t end, bool exclusive, pass_run_fn fn, void *ctx);
/* After pass_begin(): be told what is walked, too.  Runs are then split where the walk is. */
void pass_tell_walked(struct pass *p, pass_walked_fn fn);
/* The mappings have changed: a pass over all pages that tells what is walked goes on in the new ones, at
 * the address that it has reached.  false: it cannot (reading goes by what smaps said of the old ones),
 * begin anew. */
bool pass_move(struct pass *p, const struct space *s) SM_MUST;
/* Goes on for about so much CPU time, at least one call.  1: there is more, 0: done, or -errno (-ESRCH: the
 * memory is no more). */
int pass_step(struct pass *p, uint64_t budget_ns) SM_MUST;
bool pass_done(const struct pass *p);
/* The categories that the pass could tell of all its pages: SM_PAGE_..., at most r->known. */
uint64_t pass_known(const struct pass *p);

#endif
