// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "layout.h"

void layout_fini(struct layout *l)
{
	free(l->parts);
	*l = (struct layout){0};
}

static uint64_t quotient_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static uint64_t row_pages(const struct layout *l)
{
	return l->zoom * l->width;
}

static void set(
	struct layout *l, const struct space *s, uint64_t zoom, unsigned int width)
{
	l->space = s;
	l->zoom = zoom;
	l->width = width;
	l->pages = s->pages;
}

void layout_flat(
	struct layout *l, const struct space *s, uint64_t zoom, unsigned int width)
{
	set(l, s, zoom, width);
	l->folded = false;
	l->n = 0;
	l->rows = quotient_up(s->pages, row_pages(l));
}

/* --- folding ----------------------------------------------------------------------- */

/* Appends a part that starts with page `first` and has this number of rows. */
static int add_part(struct layout *l, uint64_t first, bool empty, uint64_t rows)
{
	int err;

	if (empty && l->n && l->parts[l->n - 1].empty)
		return 0;
	err = sm_array_reserve(&l->parts, &l->cap, l->n + 2, sizeof(*l->parts));
	if (err)
		return err;
	l->parts[l->n++] =
		(struct layout_part){.first = first, .row = l->rows, .empty = empty};
	l->rows += empty ? 1 : rows;
	return 0;
}

/* A mapping that is being folded. */
struct folding {
	struct layout_range addresses;
	uint64_t first;	    /* ordinal */
	uint64_t row_bytes; /* of address space */
	uint64_t rows;
};

/* Finds the next range of rows that are not empty, starting at `from`.  Returns false if
 * there is none. */
static bool next_rows(const struct folding *m, uint64_t from,
	const struct layout_range **r, const struct layout_range *end,
	struct layout_range *out)
{
	uint64_t begin = m->addresses.first + from * m->row_bytes;
	bool found = false;

	for (; *r < end && (*r)->first < m->addresses.end; (*r)++) {
		uint64_t first = (*r)->first > begin ? (*r)->first : begin;
		uint64_t last =
			(*r)->end < m->addresses.end ? (*r)->end : m->addresses.end;

		if (last <= first)
			continue;
		first = (first - m->addresses.first) / m->row_bytes;
		last = (last - 1 - m->addresses.first) / m->row_bytes + 1;
		if (found && first > out->end)
			return true;
		if (!found)
			out->first = first;
		out->end = last;
		found = true;
		if ((*r)->end > m->addresses.end)
			break; /* the range continues in the next mapping */
	}
	return found;
}

static int fold_mapping(struct layout *l, const struct folding *m,
	const struct layout_range **r, const struct layout_range *end)
{
	uint64_t done = 0;
	struct layout_range there;
	int err = 0;

	while (!err && done < m->rows && next_rows(m, done, r, end, &there)) {
		if (there.first > done)
			err = add_part(l, m->first + done * row_pages(l), true, 0);
		if (!err)
			err = add_part(l, m->first + there.first * row_pages(l), false,
				there.end - there.first);
		done = there.end;
	}
	if (!err && done < m->rows)
		err = add_part(l, m->first + done * row_pages(l), true, 0);
	return err;
}

int layout_fold(struct layout *l, const struct space *s, uint64_t zoom,
	unsigned int width, const struct layout_range *there, size_t n)
{
	const struct layout_range *end = n ? there + n : there;
	int err = 0;

	set(l, s, zoom, width);
	l->folded = true;
	l->n = 0;
	l->rows = 0;
	for (size_t i = 0; i < s->n && !err; i++) {
		const struct mapping *m = &s->mappings[i];
		struct folding f = {.addresses = {m->start, m->end},
			.first = m->first,
			.row_bytes = row_pages(l) * s->page_bytes,
			.rows = quotient_up(mapping_pages(s, m), row_pages(l))};

		err = fold_mapping(l, &f, &there, end);
	}
	if (err || !l->n) {
		layout_flat(l, s, zoom, width);
		return err;
	}
	l->parts[l->n] = (struct layout_part){.first = s->pages, .row = l->rows};
	return 0;
}

/* --- the zoom that fits ------------------------------------------------------------ */

uint64_t layout_fitting(const struct space *s, unsigned int width, unsigned int rows)
{
	uint64_t zoom = quotient_up(s->pages, (uint64_t)width * rows);

	return zoom ? zoom : 1;
}

static bool fits(struct layout *l, const struct space *s, uint64_t zoom,
	unsigned int width, unsigned int rows, const struct layout_range *there, size_t n)
{
	return !layout_fold(l, s, zoom, width, there, n) && l->rows <= rows;
}

uint64_t layout_fitting_fold(struct layout *l, const struct space *s, unsigned int width,
	unsigned int rows, const struct layout_range *there, size_t n)
{
	uint64_t low = 1, high = 1;

	for (size_t i = 0; i < s->n; i++) {
		uint64_t pages = mapping_pages(s, &s->mappings[i]);

		if (quotient_up(pages, width) > high)
			high = quotient_up(pages, width);
	}
	if (!fits(l, s, high, width, rows, there, n))
		return layout_fitting(s, width, rows);
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (fits(l, s, middle, width, rows, there, n))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

/* --- rows and cells ---------------------------------------------------------------- */

/* Returns the last part that begins at or before the row or the ordinal. */
static const struct layout_part *part_of(
	const struct layout *l, uint64_t at, bool by_ordinal)
{
	size_t low = 0, high = l->n - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;
		const struct layout_part *p = &l->parts[middle];

		if ((by_ordinal ? p->first : p->row) <= at)
			low = middle;
		else
			high = middle - 1;
	}
	return &l->parts[low];
}

struct layout_row layout_row(const struct layout *l, uint64_t row)
{
	const struct layout_part whole = {0}, *p = &whole;
	uint64_t first, end = l->pages;

	if (row >= l->rows)
		return (struct layout_row){.pages = {l->pages, l->pages}};
	if (l->folded) {
		p = part_of(l, row, false);
		end = p[1].first;
	}
	if (p->empty)
		return (struct layout_row){.pages = {p->first, end}, .empty = true};
	first = p->first + (row - p->row) * row_pages(l);
	if (end - first > row_pages(l))
		end = first + row_pages(l);
	return (struct layout_row){.pages = {first, end}};
}

unsigned int layout_cells(const struct layout *l, const struct layout_row *r)
{
	if (r->empty)
		return 1;
	return (unsigned int)quotient_up(r->pages.end - r->pages.first, l->zoom);
}

struct layout_range layout_cell(
	const struct layout *l, const struct layout_row *r, unsigned int i)
{
	struct layout_range c = r->pages;

	if (r->empty)
		return c;
	c.first += i * l->zoom;
	if (c.end - c.first > l->zoom)
		c.end = c.first + l->zoom;
	return c;
}

uint64_t layout_row_of(const struct layout *l, uint64_t ordinal, unsigned int *column)
{
	const struct layout_part whole = {0}, *p = &whole;
	uint64_t at;

	*column = 0;
	if (!l->pages)
		return 0;
	if (ordinal >= l->pages)
		ordinal = l->pages - 1;
	if (l->folded)
		p = part_of(l, ordinal, true);
	if (p->empty)
		return p->row;
	at = ordinal - p->first;
	*column = (unsigned int)(at % row_pages(l) / l->zoom);
	return p->row + at / row_pages(l);
}
