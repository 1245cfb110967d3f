// SPDX-License-Identifier: GPL-2.0-or-later
#include "cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "sign.h"

/* Pages found in a cell so far by the current walk. */
struct cell {
	uint64_t walked; /* pages */
	struct sign sign;
};

struct cells {
	struct cells_row *rows;
	size_t nrows, rows_cap;
	unsigned int width;
	uint64_t zoom;

	struct cell *cell;
	size_t cell_cap;
	char *sign;
	size_t sign_cap;
	bool any_changed;

	/* A walk consists of passes over groups of rows with consecutive pages. */
	struct pass *pass;
	const struct space *space;
	bool walking, fresh;	 /* a walk is in progress; the view has not been walked */
	uint64_t hidden;	 /* categories of hidden pages in this walk */
	uint64_t generation;	 /* generation of the space at the start of the walk */
	size_t from_row, to_row; /* rows [from_row, to_row) of the current pass */
	size_t start_row;	 /* first row of the walk, which wraps around */
	size_t rows_left;	 /* rows that no pass has reached yet */
	uint64_t pages, done_pages;
};

int cells_new(struct cells **out)
{
	struct cells *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	err = pass_new(&c->pass);
	if (err < 0)
		free(c);
	else
		*out = c;
	return err;
}

void cells_free(struct cells *c)
{
	if (!c)
		return;
	pass_free(c->pass);
	free(c->rows);
	free(c->cell);
	free(c->sign);
	free(c);
}

static uint64_t row_pages(const struct cells_row *r)
{
	return r->end - r->first;
}

static size_t ncells(const struct cells *c)
{
	return c->nrows * c->width;
}

/* Returns the number of pages in cell i of the row. */
static uint64_t pages_of_cell(
	const struct cells *c, const struct cells_row *r, uint64_t i)
{
	uint64_t pages = row_pages(r), before;

	if (__builtin_mul_overflow(i, c->zoom, &before) || before >= pages)
		return 0;
	return pages - before < c->zoom ? pages - before : c->zoom;
}

static int reserve(struct cells *c, size_t nrows, size_t n)
{
	int err = sm_array_reserve(&c->rows, &c->rows_cap, nrows, sizeof(*c->rows));

	if (err == 0)
		err = sm_array_reserve(&c->cell, &c->cell_cap, n, sizeof(*c->cell));
	if (err == 0)
		err = sm_array_reserve(&c->sign, &c->sign_cap, n, sizeof(*c->sign));
	return err;
}

int cells_view(struct cells *c, const struct cells_row *rows, size_t nrows,
	unsigned int width, uint64_t zoom)
{
	size_t bytes = nrows * sizeof(*rows), n = nrows * width;
	int err;

	if (c->nrows == nrows && c->width == width && c->zoom == zoom &&
		(!nrows || memcmp(c->rows, rows, bytes) == 0))
		return 0;
	c->nrows = 0;
	c->walking = false;
	c->fresh = false;
	err = reserve(c, nrows, n);
	if (err < 0 || !n)
		return err;
	memcpy(c->rows, rows, bytes);
	c->nrows = nrows;
	c->width = width;
	c->zoom = zoom;
	c->start_row = 0;
	for (size_t i = 0; i < n; i++)
		c->sign[i] = pages_of_cell(c, &rows[i / width], i % width) ? CELL_UNKNOWN
									   : CELL_NONE;
	c->any_changed = true;
	c->fresh = true;
	return 0;
}

/* --- results of a pass ---------------------------------------------------------- */

static void set_sign(struct cells *c, size_t i, uint64_t pages)
{
	char sign = sign_of(&c->cell[i].sign, pages);

	if (c->sign[i] == sign)
		return;
	c->sign[i] = sign;
	c->any_changed = true;
}

/* Returns the last row that begins at or before the page. */
static size_t row_of(const struct cells *c, uint64_t page)
{
	size_t low = c->from_row, high = c->to_row;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (c->rows[middle].first <= page)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Adds pages [first, end) of the row, which have kinds k; k 0: they have been walked. */
static void add_to_row(
	struct cells *c, size_t row, uint64_t first, uint64_t end, unsigned char k)
{
	const struct cells_row *r = &c->rows[row];
	uint64_t i = (first - r->first) / c->zoom;

	for (; first < end; i++) {
		uint64_t cell_pages = pages_of_cell(c, r, i);
		uint64_t cell_end = r->first + i * c->zoom + cell_pages;
		uint64_t n = (end < cell_end ? end : cell_end) - first;
		size_t at = row * c->width + (size_t)i;

		if (i >= c->width)
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
	for (size_t row = row_of(c, first); first < end && row < c->to_row; row++) {
		uint64_t row_end = c->rows[row].end;

		if (row_end <= first)
			continue;
		if (row_end > end)
			row_end = end;
		add_to_row(c, row, first, row_end, k);
		first = row_end;
		if (!k)
			c->start_row = row;
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
	struct cells *c = ctx;

	c->done_pages += end - first;
	add(c, first, end, 0);
}

/* --- a walk --------------------------------------------------------------------- */

/* Begins the pass over the next group of rows.  Returns false if no rows are left. */
static bool next_group(struct cells *c, const struct pass_reader *r)
{
	size_t row = c->to_row;

	for (; c->rows_left; c->rows_left--, row++) {
		if (row == c->nrows)
			row = 0;
		if (row_pages(&c->rows[row]))
			break;
	}
	if (!c->rows_left)
		return false;
	c->from_row = row;
	do {
		row++;
		c->rows_left--;
	} while (c->rows_left && row < c->nrows &&
		 c->rows[row].first == c->rows[row - 1].end);
	c->to_row = row;
	pass_begin(c->pass, r, c->space, c->rows[c->from_row].first, c->rows[row - 1].end,
		false, take_run, c);
	pass_tell_walked(c->pass, take_walked);
	return true;
}

static bool begin_walk(
	struct cells *c, const struct pass_reader *r, const struct space *s)
{
	memset(c->cell, 0, ncells(c) * sizeof(*c->cell));
	c->space = s;
	c->hidden = r->hidden;
	c->generation = s->generation;
	c->rows_left = c->nrows;
	c->to_row = c->start_row;
	c->pages = c->done_pages = 0;
	for (size_t row = 0; row < c->nrows; row++)
		c->pages += row_pages(&c->rows[row]);
	c->walking = next_group(c, r);
	return c->walking;
}

/* Continues the walk, which is one pass for each group of rows. */
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
			c->start_row = 0;
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

	if (!c->nrows)
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

const char *cells_signs(const struct cells *c, size_t row)
{
	return c->sign + row * c->width;
}

bool cells_any_changed(const struct cells *c)
{
	return c->any_changed;
}

void cells_seen(struct cells *c)
{
	c->any_changed = false;
}
