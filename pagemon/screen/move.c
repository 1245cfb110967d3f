// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/array.h"
#include "move.h"

#define ZOOM_MAX_KEY 999 /* the key ] sets at least this zoom */
#define WHEEL_ROWS   3

/* --- the layout -------------------------------------------------------------------- */

/* Returns the populated ranges for a compact map, or NULL for a flat one. */
static const struct populated *shown_ranges(const struct screen *s)
{
	const struct populated *t = s->set.fold ? s->in.populated : NULL;

	return t && t->ranges ? t : NULL;
}

static uint64_t fitting(struct screen *s)
{
	return layout_fitting(
		&s->layout, s->in.space, s->map_cells, s->map_lines, shown_ranges(s));
}

static void lay_out(struct screen *s)
{
	if (s->set.auto_zoom)
		s->set.zoom = fitting(s);
	if (layout_make(
		    &s->layout, s->in.space, s->set.zoom, s->map_cells, shown_ranges(s)))
		(void)screen_say(s, "out of memory: there is no map");
}

static struct laid_out parameters(const struct screen *s)
{
	const struct populated *t = shown_ranges(s);

	return (struct laid_out){.generation = s->in.space->generation,
		.populated_generation = t ? t->generation : 0,
		.zoom = s->set.zoom,
		.width = s->map_cells,
		.lines = s->map_lines,
		.fold = t != NULL,
		.auto_zoom = s->set.auto_zoom};
}

/* Finds the cursor's page again, which may have another ordinal or no longer exist. */
static void follow_address(struct screen *s)
{
	uint64_t ordinal = space_ordinal(s->in.space, s->cursor_address);

	if (!state_has_pages(s))
		s->cursor = 0;
	else if (ordinal < s->in.space->pages)
		s->cursor = ordinal;
	else
		s->cursor = s->in.space->pages - 1;
}

/* --- visible rows ------------------------------------------------------------------ */

uint64_t move_top(
	uint64_t top, uint64_t row, uint64_t lines, uint64_t first, uint64_t end)
{
	if (row < top)
		top = row;
	if (row >= top + lines)
		top = row - lines + 1;
	if (top + lines > end)
		top = end > lines ? end - lines : 0;
	return top < first ? first : top;
}

/* Sets the spans of the visible cells. */
static void take_spans(struct screen *s)
{
	const struct layout *l = &s->layout;
	uint64_t top = s->top * l->width, end = top + (uint64_t)s->map_lines * l->width;

	s->nspans = 0;
	s->nrows = (unsigned int)(l->rows - s->top < s->map_lines ? l->rows - s->top
								  : s->map_lines);
	s->ncells = (size_t)s->nrows * l->width;
	for (uint64_t at = top; at < end && at < l->cells;) {
		const struct layout_part *p = layout_part(l, at);
		uint64_t first = p->first + (at - p->cell) * l->zoom;
		uint64_t pages = (end - at) * l->zoom;

		if (sm_array_reserve(
			    &s->spans, &s->spans_cap, s->nspans + 1, sizeof(*s->spans)))
			return;
		if (pages > p[1].first - first)
			pages = p[1].first - first;
		if (!p->gap)
			s->spans[s->nspans++] = (struct cells_span){
				first, first + pages, (size_t)(at - top)};
		at = p[1].cell;
	}
}

void move_arrange(struct screen *s)
{
	struct laid_out now = parameters(s);
	uint64_t row, line = s->line;

	if (memcmp(&now, &s->laid, sizeof(now)) != 0) {
		if (s->laid.generation != s->in.space->generation)
			follow_address(s);
		lay_out(s);
		s->laid = parameters(s);
		row = layout_cell_of(&s->layout, s->cursor) / s->map_cells;
		s->top = row > line ? row - line : 0;
	}
	row = layout_cell_of(&s->layout, s->cursor) / s->map_cells;
	s->top = move_top(s->top, row, s->map_lines, 0, s->layout.rows);
	s->line = row - s->top;
	take_spans(s);
	if (state_has_pages(s))
		s->cursor_address = space_address(s->in.space, s->cursor);
}

/* --- steps ------------------------------------------------------------------------- */

/* Moves to a cell; from a gap without mapped pages to the cell after or before it. */
static void to_cell(struct screen *s, uint64_t cell, bool back)
{
	const struct layout *l = &s->layout;
	struct layout_cell c = layout_cell(l, cell < l->cells ? cell : l->cells - 1);

	if (back && c.pages.first == c.pages.end && c.cell)
		c = layout_cell(l, c.cell - 1);
	state_set_cursor(s, c.pages.first);
}

static void sideways(struct screen *s, bool right)
{
	const struct layout *l = &s->layout;
	struct layout_cell c = layout_cell(l, layout_cell_of(l, s->cursor));

	if (right && c.cell + c.n < l->cells)
		to_cell(s, c.cell + c.n, false);
	else if (!right && c.cell)
		to_cell(s, c.cell - 1, true);
}

uint64_t move_by(uint64_t from, int64_t by, uint64_t last)
{
	if (by < 0)
		return from > (uint64_t)-by ? from - (uint64_t)-by : 0;
	return last - from > (uint64_t)by ? from + (uint64_t)by : last;
}

/* Moves by rows; the column stays. */
static void vertically(struct screen *s, int64_t by)
{
	const struct layout *l = &s->layout;
	unsigned int column = s->column;
	uint64_t row = layout_cell_of(l, s->cursor) / s->map_cells;

	if (!l->rows)
		return;
	to_cell(s, move_by(row, by, l->rows - 1) * l->width + column, by < 0);
	s->column = column;
}

/* Scrolls by rows; the cursor stays in its line. */
static void turn_page(struct screen *s, int64_t by)
{
	uint64_t rows = s->layout.rows, lines = s->map_lines;

	vertically(s, by);
	s->top = move_by(s->top, by, rows > lines ? rows - lines : 0);
}

bool move_key(struct screen *s, int key)
{
	int64_t half = s->map_lines > 1 ? s->map_lines / 2 : 1;

	switch (key) {
	case SM_KEY_LEFT:
	case SM_KEY_RIGHT:
		sideways(s, key == SM_KEY_RIGHT);
		return true;
	case SM_KEY_UP:
	case SM_KEY_DOWN:
		vertically(s, key == SM_KEY_UP ? -1 : 1);
		return true;
	case SM_KEY_WHEEL_UP:
	case SM_KEY_WHEEL_DOWN:
		turn_page(s, key == SM_KEY_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		return true;
	case SM_KEY_PGUP:
	case SM_KEY_PGDN:
		turn_page(s, key == SM_KEY_PGUP ? -half : half);
		return true;
	case SM_KEY_HOME:
	case SM_KEY_END:
		state_set_cursor(s, key == SM_KEY_HOME ? 0 : UINT64_MAX);
		return true;
	default:
		return false;
	}
}

void move_click(struct screen *s, int line, int column)
{
	uint64_t cell = (s->top + (uint64_t)line) * s->layout.width + (uint64_t)column;

	if (line >= 0 && column >= 0 && cell < s->layout.cells &&
		(unsigned int)column < s->layout.width)
		to_cell(s, cell, false);
}

/* --- zoom -------------------------------------------------------------------------- */

static void set_zoom(struct screen *s, uint64_t zoom)
{
	s->set.zoom = zoom;
	s->set.auto_zoom = false;
}

/* Returns the largest zoom: all pages on the screen, but at least the original's maximum.
 */
static uint64_t farthest(struct screen *s)
{
	uint64_t zoom = fitting(s);

	s->laid.zoom = 0;
	return zoom > ZOOM_MAX_KEY ? zoom : ZOOM_MAX_KEY;
}

bool move_zoom_key(struct screen *s, int key)
{
	switch (key) {
	case '+':
	case 'z':
	case '-':
	case 'Z':
		set_zoom(s, layout_next_zoom(s->set.zoom, key == '+' || key == 'z'));
		return true;
	case '[':
		set_zoom(s, 1);
		return true;
	case ']':
		set_zoom(s, farthest(s));
		return true;
	case 'a':
	case 'A':
		s->set.auto_zoom = !s->set.auto_zoom;
		s->set.fold |= s->set.auto_zoom;
		return true;
	case 'e':
		s->set.fold = !s->set.fold;
		return true;
	default:
		return false;
	}
}
