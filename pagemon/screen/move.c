// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/array.h"
#include "move.h"

#define ZOOM_BY_ONE  16	 /* a step is one page up to this zoom */
#define ZOOM_MAX_KEY 999 /* the key ] sets at least this zoom */
#define WHEEL_ROWS   3

/* --- the layout -------------------------------------------------------------------- */

/* Returns whether the map can be folded: the populated ranges of the mappings are known.
 */
static bool is_folded(const struct screen *s)
{
	return s->set.fold && s->in.there && s->in.there->ranges;
}

static uint64_t fitting(struct screen *s)
{
	const struct screen_input *in = &s->in;

	if (is_folded(s))
		return layout_fitting_fold(&s->layout, in->space, s->map_cells,
			s->map_lines, in->there->ranges, in->there->n);
	return layout_fitting(in->space, s->map_cells, s->map_lines);
}

static void lay_out(struct screen *s)
{
	const struct screen_input *in = &s->in;

	if (s->set.auto_zoom)
		s->set.zoom = fitting(s);
	if (!is_folded(s))
		layout_flat(&s->layout, in->space, s->set.zoom, s->map_cells);
	else if (layout_fold(&s->layout, in->space, s->set.zoom, s->map_cells,
			 in->there->ranges, in->there->n))
		(void)sm_screen_say(&s->base, "out of memory: the map is not folded");
}

static bool is_laid_out(const struct screen *s)
{
	const struct laid_out *l = &s->laid;

	return l->done && l->generation == s->in.space->generation &&
	       l->zoom == s->set.zoom && l->width == s->map_cells &&
	       l->lines == s->map_lines && l->fold == is_folded(s) &&
	       l->auto_zoom == s->set.auto_zoom &&
	       (!l->fold || l->there_generation == s->in.there->generation);
}

static void keep_laid_out(struct screen *s)
{
	s->laid = (struct laid_out){.generation = s->in.space->generation,
		.there_generation = is_folded(s) ? s->in.there->generation : 0,
		.zoom = s->set.zoom,
		.width = s->map_cells,
		.lines = s->map_lines,
		.fold = is_folded(s),
		.auto_zoom = s->set.auto_zoom,
		.done = true};
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

/* Sets the first row so that the cursor's row is visible and no line is empty needlessly.
 */
static void scroll(struct screen *s, uint64_t row)
{
	uint64_t lines = s->map_lines, rows = s->layout.rows;

	if (row < s->top)
		s->top = row;
	if (row >= s->top + lines)
		s->top = row - lines + 1;
	if (s->top + lines > rows)
		s->top = rows > lines ? rows - lines : 0;
}

static void take_rows(struct screen *s)
{
	s->nrows = 0;
	if (sm_array_reserve(&s->rows, &s->rows_cap, s->map_lines, sizeof(*s->rows)))
		return;
	while (s->nrows < s->map_lines && s->top + s->nrows < s->layout.rows) {
		struct layout_row r = layout_row(&s->layout, s->top + s->nrows);

		s->rows[s->nrows++] = (struct cells_row){
			r.pages.first, r.empty ? r.pages.first : r.pages.end};
	}
}

void move_arrange(struct screen *s)
{
	unsigned int column;
	uint64_t row;

	if (!is_laid_out(s)) {
		uint64_t line = s->line;

		if (s->laid.generation != s->in.space->generation)
			follow_address(s);
		lay_out(s);
		keep_laid_out(s);
		row = layout_row_of(&s->layout, s->cursor, &column);
		s->top = row > line ? row - line : 0;
	}
	row = layout_row_of(&s->layout, s->cursor, &column);
	scroll(s, row);
	s->line = row - s->top;
	take_rows(s);
	if (state_has_pages(s))
		s->cursor_address = space_address(s->in.space, s->cursor);
}

/* --- steps ------------------------------------------------------------------------- */

static void to_cell(struct screen *s, uint64_t row, unsigned int column)
{
	struct layout_row r = layout_row(&s->layout, row);
	unsigned int n = layout_cells(&s->layout, &r), wish = column;

	if (!n)
		return;
	if (column >= n)
		column = n - 1;
	state_set_cursor(s, layout_cell(&s->layout, &r, column).first);
	s->column = wish;
}

static void sideways(struct screen *s, bool right)
{
	unsigned int column;
	uint64_t row = layout_row_of(&s->layout, s->cursor, &column);
	struct layout_row r = layout_row(&s->layout, row);

	if (right && column + 1 < layout_cells(&s->layout, &r)) {
		to_cell(s, row, column + 1);
	} else if (right && row + 1 < s->layout.rows) {
		to_cell(s, row + 1, 0);
	} else if (!right && column) {
		to_cell(s, row, column - 1);
	} else if (!right && row) {
		r = layout_row(&s->layout, row - 1);
		to_cell(s, row - 1, layout_cells(&s->layout, &r) - 1);
	}
}

static uint64_t moved(uint64_t from, int64_t by, uint64_t last)
{
	if (by < 0)
		return from > (uint64_t)-by ? from - (uint64_t)-by : 0;
	return last - from > (uint64_t)by ? from + (uint64_t)by : last;
}

static void vertically(struct screen *s, int64_t by)
{
	unsigned int column;
	uint64_t row = layout_row_of(&s->layout, s->cursor, &column);

	if (s->layout.rows)
		to_cell(s, moved(row, by, s->layout.rows - 1), s->column);
}

/* Scrolls by rows; the cursor stays in its line. */
static void turn_page(struct screen *s, int64_t by)
{
	uint64_t rows = s->layout.rows, lines = s->map_lines;

	vertically(s, by);
	s->top = moved(s->top, by, rows > lines ? rows - lines : 0);
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
		state_set_cursor(s, 0);
		return true;
	case SM_KEY_END:
		state_set_cursor(s, UINT64_MAX);
		return true;
	default:
		return false;
	}
}

void move_click(struct screen *s, int line, int column)
{
	unsigned int at = column < 0 ? 0 : (unsigned int)column;
	struct layout_row r;

	if (line < 0 || (unsigned int)line >= s->nrows)
		return;
	r = layout_row(&s->layout, s->top + (uint64_t)line);
	if (r.empty)
		at = 0;
	if (at < layout_cells(&s->layout, &r))
		to_cell(s, s->top + (uint64_t)line, at);
}

/* --- zoom -------------------------------------------------------------------------- */

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

uint64_t move_next_zoom(uint64_t zoom, bool more)
{
	if (more) {
		zoom += zoom_step(zoom);
		return zoom < SCREEN_ZOOM_MAX ? zoom : SCREEN_ZOOM_MAX;
	}
	return zoom > 1 ? zoom - zoom_step(zoom - 1) : 1;
}

static void set_zoom(struct screen *s, uint64_t zoom)
{
	s->set.zoom = zoom;
	s->set.auto_zoom = false;
}

/* Returns the largest zoom: all pages on the screen, but at least the original's maximum.
 */
static uint64_t farthest(struct screen *s)
{
	uint64_t zoom = state_has_pages(s)
				? layout_fitting(s->in.space, s->map_cells, s->map_lines)
				: 1;

	return zoom > ZOOM_MAX_KEY ? zoom : ZOOM_MAX_KEY;
}

bool move_zoom_key(struct screen *s, int key)
{
	switch (key) {
	case '+':
	case 'z':
	case '-':
	case 'Z':
		set_zoom(s, move_next_zoom(s->set.zoom, key == '+' || key == 'z'));
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
		return true;
	case 'e':
		s->set.fold = !s->set.fold;
		return true;
	default:
		return false;
	}
}
