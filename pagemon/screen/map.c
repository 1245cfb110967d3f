// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "words.h"

/* Maximum number of columns of a terminal (tui/tui.h). */
#define CELLS_MAX 1024

static void mark(struct screen *s, unsigned int line, unsigned int n, uint8_t *styles)
{
	for (unsigned int i = 0; i < n; i++) {
		if (!marks_has(&s->marks, line, i))
			continue;
		if (styles[i] == SM_TUI_DIM)
			styles[i] = SM_TUI_NORMAL;
		styles[i] |= SM_TUI_STRONG;
	}
}

/* cursor: the cell of the cursor; -1: the cursor is in another row. */
static void draw_cells(
	struct screen *s, unsigned int line, const struct layout_row *row, int cursor)
{
	unsigned int n = layout_cells(&s->layout, row);
	char unknown[CELLS_MAX];
	uint8_t styles[CELLS_MAX];
	const char *signs = unknown;

	/* Only after the last row, draw the cells after its last page. */
	if (row->pages.end == s->layout.pages)
		n = s->map_cells;
	if (n > CELLS_MAX)
		n = CELLS_MAX;
	if (line < s->marks.nrows)
		signs = s->marks.signs + (size_t)line * s->marks.width;
	else
		memset(unknown, CELL_UNKNOWN, n);
	state_styles(signs, n, styles);
	if (marks_row_has(&s->marks, line))
		mark(s, line, n, styles);
	if (cursor >= 0 && cursor < (int)n)
		styles[cursor] |= SM_TUI_REVERSED;
	paint_cells(&s->paint, 1 + (int)line, SCREEN_ADDRESS, (int)n, signs, styles);
}

static void draw_empty(
	struct screen *s, unsigned int line, const struct layout_row *row, bool cursor)
{
	const char *dots = s->base.tui.utf8 ? "\xc2\xb7\xc2\xb7\xc2\xb7\xc2\xb7" : "....";
	uint64_t bytes = (row->pages.end - row->pages.first) * s->in.space->page_bytes;
	char text[60], size[WORDS_SIZE];
	int n = snprintf(text, sizeof(text), "%s %s empty %s", dots,
		words_size(bytes, size), dots);

	paint_put(&s->paint, 1 + (int)line, SCREEN_ADDRESS, (int)s->map_cells,
		cursor ? SM_TUI_DIM | SM_TUI_REVERSED : SM_TUI_DIM, text, (size_t)n);
}

static void draw_address(struct screen *s, unsigned int line, uint64_t address)
{
	static const char digits[] = "0123456789abcdef";
	char text[16];

	for (int i = 15; i >= 0; i--, address >>= 4)
		text[i] = digits[address & 15];
	paint_put(&s->paint, 1 + (int)line, 0, 16, SM_TUI_NORMAL, text, 16);
}

static void draw_line(struct screen *s, unsigned int line)
{
	const struct layout_row row = layout_row(&s->layout, s->top + line);
	bool here = s->cursor >= row.pages.first && s->cursor < row.pages.end;
	unsigned int column = 0;

	draw_address(s, line, space_address(s->in.space, row.pages.first));
	if (here)
		(void)layout_row_of(&s->layout, s->cursor, &column);
	if (row.empty)
		draw_empty(s, line, &row, here);
	else
		draw_cells(s, line, &row, here ? (int)column : -1);
}

static void draw_past(struct screen *s, unsigned int line)
{
	char text[CELLS_MAX];
	unsigned int n = s->map_cells < CELLS_MAX ? s->map_cells : CELLS_MAX;

	paint_put(&s->paint, 1 + (int)line, 0, SCREEN_ADDRESS, SM_TUI_DIM,
		"----------------", 16);
	memset(text, CELL_NONE, n);
	paint_put(&s->paint, 1 + (int)line, SCREEN_ADDRESS, (int)n, SM_TUI_DIM, text, n);
}

void map_draw(struct screen *s)
{
	for (unsigned int line = 0; line < s->map_lines; line++)
		if (line < s->nrows)
			draw_line(s, line);
		else
			draw_past(s, line);
}
