/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: walks a range of the target's pages once and hands out runs of pages in the same state.
 *
 * A pass works in bounded steps: a step ends when its time is used up.  With PAGEMAP_SCAN (Linux 6.7) the
 * kernel finds the runs.  A call holds the target's mmap lock and covers a piece of address space with all
 * mappings and gaps in it.  It ends after 512 page tables, even if they are empty, or after the pages of 64
 * tables, and so takes about 1 ms at most.  16 TiB of unused addresses are 16,000 calls, or 30 ms.
 *
 * Before Linux 6.7, and with PASS_READ, entries are read 64 KiB at a time.  Mappings whose smaps entry has
 * neither Rss nor Swap are read last, because they can only contain zero pages and guard regions.  smaps
 * holds the lock while it walks a mapping, and is not read if a mapping can have more than 512 page tables;
 * then large mappings are read last.  Pagemap entries do not show whether a block is mapped by a PMD.
 * Candidates are aligned blocks whose pages are all present and physically contiguous.  If their number
 * agrees with the sums in smaps, all of them are taken as huge; if the sums are 0, none is.  Otherwise
 * pass_known() lacks SM_PAGE_HUGE.
 *
 * A scan reports SM_PAGE_SWAPPED for all kinds of SM_PAGE_NOT_SWAP, so the entries of these runs are read.
 *
 * Both methods hand out equal runs, except for categories that pass_known() lacks.  Soft-dirty bits are
 * used only for pages, swap entries and guard regions: for a page that was never touched, the bit only
 * means that the mapping is new.
 */
#ifndef PAGEMON_PASS_H
#define PAGEMON_PASS_H

#include "pass_reader.h"
#include "space.h"

struct pass;

int pass_new(struct pass **out) SM_MUST;
void pass_free(struct pass *p);
/* Starts a pass over ordinals [first, end).  exclusive: also determine PAGE_EXCLUSIVE, which requires
 * reading the entries of all present pages.  The space must not change until the pass is done or
 * restarted. */
void pass_begin(struct pass *p, const struct pass_reader *r, const struct space *s, uint64_t first,
	uint64_t end, bool exclusive, pass_run_fn fn, void *ctx);
/* After pass_begin(): also call fn for each range that was walked.  Runs are then split at these ranges. */
void pass_tell_walked(struct pass *p, pass_walked_fn fn);
/* Continues a pass over all pages, when the mappings have changed, at the address that it has reached.
 * Returns false if the pass must be restarted: a reading pass depends on smaps of the old mappings, and a
 * scanning pass needs pass_tell_walked(). */
bool pass_move(struct pass *p, const struct space *s) SM_MUST;
/* Walks for about budget_ns, with at least one call.  Returns 1 if there is more, 0 if the pass is done, or
 * -errno (-ESRCH: the memory no longer exists). */
int pass_step(struct pass *p, uint64_t budget_ns) SM_MUST;
bool pass_done(const struct pass *p);
/* Reads smaps, after the pass, for pass_swap_pages(). */
int pass_read_swap(struct pass *p) SM_MUST;
/* Returns the pages in swap of mapping m, from smaps; -1: unknown. */
int64_t pass_swap_pages(const struct pass *p, size_t m);
/* Returns the categories that the pass could determine for all of its pages: a subset of r->known. */
uint64_t pass_known(const struct pass *p);

#endif
