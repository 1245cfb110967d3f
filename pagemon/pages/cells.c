// SPDX-License-Identifier: GPL-2.0-or-later
#include "cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "sign.h"

/* Largest gap between spans that a pass walks as well, instead of beginning another. */
enum { GAP_PAGES = 65536 };

/* Pages found in a cell so far by the current walk. */
struct cell {
	uint64_t walked; /* pages */
	struct sign sign;
};

int cells_init(struct cells *c)
{
	*c = (struct cells){0};
	return pass_new(&c->pass);
}

void cells_fini(struct cells *c)
{
	pass_free(c->pass);
	free(c->spans);
	free(c->cell);
	free(c->signs);
}

static uint64_t span_pages(const struct cells_span *r)
{
	return r->end - r->first;
}

/* Returns the number of pages in cell i of the span. */
static uint64_t pages_of_cell(
	const struct cells *c, const struct cells_span *r, uint64_t i)
{
	uint64_t pages = span_pages(r), before;

	if (__builtin_mul_overflow(i, c->zoom, &before) || before >= pages)
		return 0;
	return pages - before < c->zoom ? pages - before : c->zoom;
}

static int reserve(struct cells *c, size_t nspans, size_t n)
{
	int err = sm_array_reserve(&c->spans, &c->spans_cap, nspans, sizeof(*c->spans));

	if (err == 0)
		err = sm_array_reserve(&c->cell, &c->cell_cap, n, sizeof(*c->cell));
	if (err == 0)
		err = sm_array_reserve(&c->signs, &c->signs_cap, n, sizeof(*c->signs));
	return err;
}

/* Makes the cells of all spans unknown. */
static void forget(struct cells *c)
{
	memset(c->signs, CELL_NONE, c->n);
	for (size_t k = 0; k < c->nspans; k++) {
		size_t at = c->spans[k].cell;

		for (size_t i = 0; at + i < c->n && pages_of_cell(c, &c->spans[k], i);
			i++)
			c->signs[at + i] = CELL_UNKNOWN;
	}
	c->views++;
	c->any_changed = true;
}

int cells_view(struct cells *c, const struct cells_span *spans, size_t nspans, size_t n,
	uint64_t zoom)
{
	size_t bytes = nspans * sizeof(*spans);
	int err;

	if (c->nspans == nspans && c->n == n && c->zoom == zoom &&
		(!nspans || memcmp(c->spans, spans, bytes) == 0))
		return 0;
	c->nspans = c->n = 0;
	c->walking = false;
	c->fresh = false;
	err = reserve(c, nspans, n);
	if (err < 0 || !n)
		return err;
	if (nspans)
		memcpy(c->spans, spans, bytes);
	c->nspans = nspans;
	c->n = n;
	c->zoom = zoom;
	c->start = 0;
	c->fresh = nspans > 0;
	forget(c);
	return 0;
}

/* --- results of a pass ---------------------------------------------------------- */

static void set_sign(struct cells *c, size_t i, uint64_t pages)
{
	unsigned char sign = sign_of(&c->cell[i].sign, pages);

	if (c->signs[i] == sign)
		return;
	c->signs[i] = sign;
	c->any_changed = true;
}

/* Returns the last span that begins at or before the page. */
static size_t span_of(const struct cells *c, uint64_t page)
{
	size_t low = c->from, high = c->to;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->spans[middle].first <= page)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Adds pages [first, end) of the span, which have kinds k; k 0: they have been walked. */
static void add_to_span(struct cells *c, const struct cells_span *r, uint64_t first,
	uint64_t end, unsigned char k)
{
	uint64_t i = (first - r->first) / c->zoom;

	if (!k)
		c->done_pages += end - first;
	for (; first < end; i++) {
		uint64_t cell_pages = pages_of_cell(c, r, i);
		uint64_t cell_end = r->first + i * c->zoom + cell_pages;
		uint64_t n = (end < cell_end ? end : cell_end) - first;
		size_t at = r->cell + (size_t)i;

		if (at >= c->n)
			return;
		if (k) {
			sign_add(&c->cell[at].sign, n, k);
		} else {
			c->cell[at].walked += n;
			if (c->cell[at].walked == cell_pages)
				set_sign(c, at, cell_pages);
		}
		first += n;
	}
}

static void add(struct cells *c, uint64_t first, uint64_t end, unsigned char k)
{
	for (size_t i = span_of(c, first); i < c->to; i++) {
		const struct cells_span *r = &c->spans[i];
		uint64_t from = first > r->first ? first : r->first;
		uint64_t to = end < r->end ? end : r->end;

		if (end <= r->first)
			return;
		if (from >= to)
			continue;
		add_to_span(c, r, from, to, k);
		if (!k)
			c->start = i;
	}
}

static void take_run(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct cells *c = ctx;
	unsigned char k;

	if ((categories & SM_PAGE_HIDDEN) == SM_PAGE_HIDDEN)
		categories ^= SM_PAGE_HIDDEN ^ c->hidden;
	k = sign_kinds(categories);
	first += c->space->mappings[m].first;
	if (k)
		add(c, first, first + n, k);
}

static void take_walked(void *ctx, uint64_t first, uint64_t end)
{
	add(ctx, first, end, 0);
}

/* --- a walk --------------------------------------------------------------------- */

/* Begins the pass over the next group of spans.  Returns false if no spans are left. */
static bool next_group(struct cells *c, const struct pass_reader *r)
{
	size_t i = c->to;

	for (; c->left; c->left--, i++) {
		if (i == c->nspans)
			i = 0;
		if (span_pages(&c->spans[i]))
			break;
	}
	if (!c->left)
		return false;
	c->from = i;
	do {
		i++;
		c->left--;
	} while (c->left && i < c->nspans &&
		 c->spans[i].first - c->spans[i - 1].end <= GAP_PAGES);
	c->to = i;
	pass_begin(c->pass, r, c->space, c->spans[c->from].first, c->spans[i - 1].end,
		false, take_run, c);
	pass_tell_walked(c->pass, take_walked);
	return true;
}

static bool begin_walk(
	struct cells *c, const struct pass_reader *r, const struct space *s)
{
	memset(c->cell, 0, c->n * sizeof(*c->cell));
	c->space = s;
	c->hidden = r->hidden;
	c->generation = s->generation;
	c->left = c->nspans;
	c->to = c->start;
	c->pages = c->done_pages = 0;
	for (size_t i = 0; i < c->nspans; i++)
		c->pages += span_pages(&c->spans[i]);
	c->walking = next_group(c, r);
	return c->walking;
}

/* Continues the walk, which is one pass for each group of spans. */
static int walk(struct cells *c, const struct pass_reader *r, uint64_t budget_ns)
{
	uint64_t begin_ns = sm_clock_mono_ns(), used_ns = 0;

	while (used_ns <= budget_ns) {
		int more = pass_step(c->pass, budget_ns - used_ns);

		if (more)
			return more;
		if (!next_group(c, r)) {
			c->walking = false;
			c->fresh = false;
			c->start = 0;
			return 0;
		}
		used_ns = sm_clock_mono_ns() - begin_ns;
	}
	return 1;
}

int cells_step(struct cells *c, const struct pass_reader *r, const struct space *s,
	uint64_t budget_ns)
{
	int ret;

	if (!c->nspans)
		return 0;
	if ((!c->walking || c->generation != s->generation) && !begin_walk(c, r, s)) {
		c->fresh = false;
		return 0;
	}
	ret = walk(c, r, budget_ns);
	if (ret < 0)
		c->walking = c->fresh = false;
	return ret;
}

double cells_progress(const struct cells *c)
{
	if (c->walking && c->pages)
		return (double)c->done_pages / (double)c->pages;
	return !c->fresh;
}
