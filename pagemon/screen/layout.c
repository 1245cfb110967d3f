// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/array.h"
#include "layout.h"

#define ZOOM_BY_ONE 16 /* a step is one page up to this zoom */
/* At most one of this number of rows is cut short by a gap ... */
#define ROWS_PER_CUT 4
/* ... whose size has at least this binary logarithm. */
#define CUT_MIN 30

void layout_fini(struct layout *l)
{
	free(l->parts);
	*l = (struct layout){0};
}

static uint64_t quotient_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* --- parts -------------------------------------------------------------------------- */

static int add(struct layout *l, uint64_t first, bool gap)
{
	int err = sm_array_reserve(&l->parts, &l->cap, l->n + 1, sizeof(*l->parts));

	if (!err)
		l->parts[l->n++] = (struct layout_part){.first = first, .gap = gap};
	return err;
}

/* Adds a part for each populated range, extended to whole cells, and for each gap of more
 * than one cell between them. */
static int add_ranges(struct layout *l, const struct populated *t)
{
	const struct space *s = l->space;
	uint64_t bytes = l->zoom * s->page_bytes, end = 0;
	const struct space_range *r = t->ranges;
	int err = 0;

	for (size_t i = 0; i < t->n && !err; i++) {
		uint64_t from = r[i].first / bytes * bytes, to = r[i].end, first;

		while (i + 1 < t->n && r[i + 1].first / bytes <= (to - 1) / bytes + 2)
			to = r[++i].end;
		to = quotient_up(to, bytes) * bytes;
		first = space_ordinal(s, from);
		to = space_ordinal(s, to);
		if (first == to)
			continue; /* no longer mapped */
		if (l->n || first)
			err = add(l, end, true);
		if (!err)
			err = add(l, first, false);
		end = to;
	}
	if (!err && end < s->pages)
		err = add(l, end, true);
	return err;
}

struct space_range layout_gap(const struct layout *l, const struct layout_part *gap)
{
	const struct space *s = l->space;
	uint64_t before = gap->first ? space_address(s, gap->first - 1) + s->page_bytes
				     : space_address(s, 0);
	uint64_t behind = gap[1].first < s->pages ? space_address(s, gap[1].first)
						  : s->mappings[s->n - 1].end;

	return (struct space_range){before, behind};
}

/* Returns the binary logarithm of the size of a gap between parts; otherwise 0. */
static unsigned int magnitude(const struct layout *l, const struct layout_part *gap)
{
	struct space_range r = layout_gap(l, gap);

	if (gap == l->parts || gap + 1 == l->parts + l->n)
		return 0;
	return 63 - (unsigned int)__builtin_clzll((r.end - r.first) | 1);
}

static uint64_t part_cells(const struct layout *l, const struct layout_part *p)
{
	return p->gap ? 1 : quotient_up(p[1].first - p->first, l->zoom);
}

/* Returns the magnitude from which on gaps take the rest of their row: as small as the
 * permitted number of such gaps allows. */
static unsigned int large_gap(const struct layout *l)
{
	uint64_t cells = 0, large = 0, most;
	unsigned int gaps[64] = {0}, at = 64;

	for (size_t i = 0; i < l->n; i++) {
		cells += part_cells(l, &l->parts[i]);
		if (l->parts[i].gap)
			gaps[magnitude(l, &l->parts[i])]++;
	}
	most = cells / l->width / ROWS_PER_CUT;
	while (at > CUT_MIN && large + gaps[at - 1] <= most)
		large += gaps[--at];
	return at;
}

static void number(struct layout *l)
{
	unsigned int large = large_gap(l);

	l->cells = 0;
	for (size_t i = 0; i < l->n; i++) {
		struct layout_part *p = &l->parts[i];

		p->cell = l->cells;
		if (p->gap && magnitude(l, p) >= large)
			l->cells += l->width - l->cells % l->width;
		else
			l->cells += part_cells(l, p);
	}
	l->parts[l->n].cell = l->cells;
	l->rows = quotient_up(l->cells, l->width);
}

int layout_make(struct layout *l, const struct space *s, uint64_t zoom,
	unsigned int width, const struct populated *ranges)
{
	int err = 0;

	*l = (struct layout){.space = s,
		.zoom = zoom,
		.width = width,
		.parts = l->parts,
		.cap = l->cap};
	if (ranges)
		err = add_ranges(l, ranges);
	else if (s->pages)
		err = add(l, 0, false);
	if (!err)
		err = add(l, s->pages, false); /* the end */
	if (!err) {
		l->n--;
		number(l);
	}
	return err;
}

/* --- zoom --------------------------------------------------------------------------- */

/* Returns the step of the zoom: a quarter of the power of two at or below it. */
static uint64_t zoom_step(uint64_t zoom)
{
	uint64_t step = 1;

	while (zoom >= 2 * ZOOM_BY_ONE) {
		zoom /= 2;
		step *= 2;
	}
	return zoom >= ZOOM_BY_ONE ? step * ZOOM_BY_ONE / 4 : 1;
}

uint64_t layout_next_zoom(uint64_t zoom, bool more)
{
	if (more) {
		zoom += zoom_step(zoom);
		return zoom < LAYOUT_ZOOM_MAX ? zoom : LAYOUT_ZOOM_MAX;
	}
	return zoom > 1 ? zoom - zoom_step(zoom - 1) : 1;
}

static uint64_t populated_pages(const struct space *s, const struct populated *t)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < t->n; i++)
		pages += space_ordinal(s, t->ranges[i].end) -
			 space_ordinal(s, t->ranges[i].first);
	return pages;
}

uint64_t layout_fitting(struct layout *l, const struct space *s, unsigned int width,
	unsigned int rows, const struct populated *ranges)
{
	uint64_t cells = (uint64_t)width * rows, zoom = 1, least;

	if (!ranges)
		return s->pages ? quotient_up(s->pages, cells) : 1;
	least = populated_pages(s, ranges) / cells;
	while (zoom < least)
		zoom = layout_next_zoom(zoom, true);
	while (zoom < LAYOUT_ZOOM_MAX && !layout_make(l, s, zoom, width, ranges) &&
		l->rows > rows)
		zoom = layout_next_zoom(zoom, true);
	return zoom;
}

/* --- cells -------------------------------------------------------------------------- */

/* Returns the last part that begins at or before the cell or the ordinal. */
static const struct layout_part *part_at(
	const struct layout *l, uint64_t at, bool by_ordinal)
{
	size_t low = 0, high = l->n - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;
		const struct layout_part *p = &l->parts[middle];

		if ((by_ordinal ? p->first : p->cell) <= at)
			low = middle;
		else
			high = middle - 1;
	}
	return &l->parts[low];
}

const struct layout_part *layout_part(const struct layout *l, uint64_t cell)
{
	return part_at(l, cell, false);
}

struct layout_cell layout_cell(const struct layout *l, uint64_t cell)
{
	const struct layout_part *p;
	struct layout_cell c = {.cell = cell, .n = 1};

	if (cell >= l->cells) {
		c.pages.first = c.pages.end = l->space->pages;
		return c;
	}
	p = layout_part(l, cell);
	c.gap = p->gap;
	c.pages = (struct space_range){p->first, p[1].first};
	if (p->gap) {
		c.cell = p->cell;
		c.n = p[1].cell - p->cell;
		return c;
	}
	c.pages.first += (cell - p->cell) * l->zoom;
	if (c.pages.end - c.pages.first > l->zoom)
		c.pages.end = c.pages.first + l->zoom;
	return c;
}

uint64_t layout_address(const struct layout *l, uint64_t row)
{
	const struct layout_part *p = layout_part(l, row * l->width);

	if (p->gap)
		return layout_gap(l, p).first;
	return space_address(l->space, layout_cell(l, row * l->width).pages.first);
}

uint64_t layout_cell_of(const struct layout *l, uint64_t ordinal)
{
	const struct layout_part *p;

	if (!l->cells)
		return 0;
	if (ordinal >= l->space->pages)
		ordinal = l->space->pages - 1;
	p = part_at(l, ordinal, true);
	return p->gap ? p->cell : p->cell + (ordinal - p->first) / l->zoom;
}
