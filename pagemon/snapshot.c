// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "snapshot.h"

int snapshot_init(struct snapshot *s, enum snapshot_detail detail)
{
	int err;

	*s = (struct snapshot){.target = TARGET_INIT, .detail = detail};
	vmfacts_init(&s->facts);
	err = space_init(&s->space);
	return err ? err : pass_new(&s->pass);
}

void snapshot_fini(struct snapshot *s)
{
	target_close(&s->target);
	if (s->pass)
		pass_free(s->pass);
	space_fini(&s->space);
	vmfacts_fini(&s->facts);
	usages_fini(&s->usages);
	free(s->each);
	free(s->runs);
}

int snapshot_attach(struct snapshot *s, enum pass_method method, int self_pagemap_fd,
	bool dirty_known)
{
	const struct target *t = &s->target;
	int err = pass_reader_init(&s->reader, method, self_pagemap_fd,
		t->fd[TARGET_PAGEMAP], t->fd[TARGET_SMAPS]);

	if (err)
		return err;
	s->reader.maps_fd = t->fd[TARGET_MAPS];
	s->reader.status_fd = t->fd[TARGET_STATUS];
	s->unknown = dirty_known ? 0 : SM_PAGE_SOFT_DIRTY;
	s->known = (s->reader.known | PAGE_EXCLUSIVE) & ~s->unknown;
	return 0;
}

/* --- runs ----------------------------------------------------------------------- */

/* Returns whether the caller takes more runs now. */
static bool hand_out(struct snapshot *s)
{
	bool more = !s->run.n || s->run_fn(s->ctx, s, &s->run);

	s->run.n = 0;
	return more;
}

/* Returns whether run b continues run a, which a pass can hand out in pieces. */
static bool joins(const struct page_run *a, const struct page_run *b)
{
	return a->n && a->m == b->m && a->first + a->n == b->first &&
	       a->categories == b->categories;
}

static bool in_order(struct snapshot *s, struct page_run run)
{
	bool more;

	/* The kind of a hidden page can be unknown; the page remains. */
	run.categories &= s->known | SM_PAGE_SWAPPED;
	if (!run.categories)
		return true;
	if (joins(&s->run, &run)) {
		s->run.n += run.n;
		return true;
	}
	more = hand_out(s);
	s->run = run;
	return more;
}

static bool is_hidden(const struct page_run *run)
{
	return (run->categories & SM_PAGE_HIDDEN) == SM_PAGE_HIDDEN;
}

static void hold_back(struct snapshot *s, const struct page_run *run)
{
	int err = sm_array_reserve(&s->runs, &s->runs_cap, s->nruns + 1, sizeof(*run));

	if (err)
		s->err = err;
	else
		s->runs[s->nruns++] = *run;
}

static int by_place(const void *a, const void *b)
{
	const struct page_run *x = a, *y = b;

	if (x->m != y->m)
		return x->m < y->m ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Determines the categories of the hidden pages in runs i to end, one mapping's. */
static void reveal(struct snapshot *s, size_t i, size_t end)
{
	uint64_t hidden = 0, kind;

	for (size_t k = i; k < end; k++)
		hidden += is_hidden(&s->runs[k]) ? s->runs[k].n : 0;
	if (!hidden)
		return;
	kind = counts_kind(hidden, pass_swap_pages(s->pass, s->runs[i].m));
	for (size_t k = i; k < end; k++)
		if (is_hidden(&s->runs[k]))
			s->runs[k].categories ^= SM_PAGE_HIDDEN ^ kind;
}

static void reveal_all(struct snapshot *s)
{
	size_t end;

	for (size_t i = 0; i < s->nruns; i = end) {
		for (end = i; end < s->nruns && s->runs[end].m == s->runs[i].m;)
			end++;
		reveal(s, i, end);
	}
}

/* Hands out the runs that are held back.  Returns whether the caller does not take all
 * of them now. */
static bool hand_out_all(struct snapshot *s)
{
	while (s->handed < s->nruns)
		if (!in_order(s, s->runs[s->handed++]))
			return true;
	s->nruns = s->handed = 0;
	return s->more ? false : !hand_out(s);
}

/* --- a snapshot ----------------------------------------------------------------- */

static void take(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct snapshot *s = ctx;
	struct page_run run = {m, first, n, categories};

	counts_add(&s->now.counts, n, categories);
	if (s->detail == SNAPSHOT_MAPPINGS)
		counts_add(&s->each[m], n, categories);
	if (s->detail != SNAPSHOT_RUNS)
		return;
	s->held |= is_hidden(&run);
	hold_back(s, &run);
}

static int clear_each(struct snapshot *s)
{
	int err = sm_array_reserve(&s->each, &s->each_cap, s->space.n, sizeof(*s->each));

	if (!err && s->space.n)
		memset(s->each, 0, s->space.n * sizeof(*s->each));
	return err;
}

int snapshot_begin(struct snapshot *s, snapshot_run_fn fn, void *ctx)
{
	int err;

	s->now = (struct snapshot_totals){.t_ns = sm_clock_mono_ns()};
	s->run_fn = fn;
	s->ctx = ctx;
	s->run.n = 0;
	s->nruns = s->handed = 0;
	s->more = true;
	s->held = s->reader.method == PASS_READ;
	s->err = 0;
	s->known = (s->reader.known | PAGE_EXCLUSIVE) & ~s->unknown;
	err = space_update(&s->space, s->target.fd[TARGET_MAPS]);
	if (err >= 0 && s->detail == SNAPSHOT_MAPPINGS)
		err = clear_each(s);
	if (err >= 0 && s->smaps)
		err = usages_read(&s->usages, s->target.fd[TARGET_SMAPS],
			s->target.fd[TARGET_MAPS], &s->space);
	if (err < 0)
		return err;
	s->now.mappings = s->space.n;
	s->now.pages = s->space.pages;
	s->now.usage = s->usages.total;
	pass_begin(s->pass, &s->reader, &s->space, 0, s->space.pages, true, take, s);
	return 0;
}

static void finish(struct snapshot *s)
{
	int hidden = counts_swap(&s->now.counts,
		s->detail == SNAPSHOT_MAPPINGS ? s->each : NULL, sizeof(*s->each),
		s->pass, &s->space);

	s->more = false;
	if (hidden < 0 && hidden != -ENODATA)
		s->err = hidden;
	s->known = (pass_known(s->pass) | PAGE_EXCLUSIVE) & ~s->unknown;
	if (hidden < 0)
		s->known &= ~(uint64_t)SM_PAGE_SWAPPED;
	if (s->held && s->nruns)
		qsort(s->runs, s->nruns, sizeof(*s->runs), by_place);
	reveal_all(s);
	s->now.faults_known = vmfacts_read(&s->facts, &s->target, s->now.t_ns) == 0 &&
			      s->facts.faults_known;
	s->now.faults = s->facts.faults;
	s->last = s->now;
}

int snapshot_step(struct snapshot *s, uint64_t budget_ns)
{
	int more = 1;

	if (s->more && (s->held || !s->nruns))
		more = pass_step(s->pass, budget_ns);
	if (more < 0)
		return more;
	if (!more)
		finish(s);
	if (s->err)
		return s->err;
	return !(s->held && s->more) && hand_out_all(s) ? 1 : s->more;
}
