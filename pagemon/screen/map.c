// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "pages/sign.h"
#include "format.h"

/* Maximum number of columns of a terminal (tui/tui.h). */
#define CELLS_MAX 1024

/* --- glyphs ------------------------------------------------------------------------- */

const char *map_step(const struct screen *s, unsigned int step)
{
	static const char blocks[][4] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
		"\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87"};
	static const char ascii[][2] = {",", ":", "-", "=", "+", "*", "#"};

	return s->base.tui.blocks ? blocks[step - 1] : ascii[step - 1];
}

const char *map_gap(const struct screen *s)
{
	return s->base.tui.utf8 ? "\xe2\x94\x82" : "|";
}

/* Returns whether the last populated cell before cell i has the state of cell i. */
static bool is_like_last(const unsigned char *signs, unsigned int i)
{
	unsigned int k = i;

	while (k && (signs[k - 1] == CELL_NONE || signs[k - 1] == '.'))
		k--;
	return k && ((sign_letter(signs[k - 1]) ^ sign_letter(signs[i])) & ~0x20) == 0;
}

/* Appends the glyph of cell i of a row. */
static void put_glyph(const struct screen *s, struct sm_buf *b,
	const unsigned char *signs, unsigned int i, bool color)
{
	unsigned int step = sign_step(signs[i]);
	char letter = sign_letter(signs[i]);
	bool block = color && state_style(letter) != SM_TUI_DIM;

	if (step < SIGN_FULL && (block || is_like_last(signs, i)))
		sm_buf_str(b, map_step(s, step));
	else
		sm_buf_chr(b, letter);
}

/* Appends the part of a gap that is in a row: a bar, or a line with the size. */
static void put_gap(const struct screen *s, struct sm_buf *b,
	const struct layout_part *part, unsigned int cells)
{
	struct space_range gap = layout_gap(&s->layout, part);
	const char *line = s->base.tui.utf8 ? "\xe2\x94\x80" : "-";
	char size[FORMAT_SIZE], text[FORMAT_SIZE + 8];
	unsigned int n = (unsigned int)snprintf(text, sizeof(text),
		cells < 16 ? " %s " : " gap %s ", format_size(gap.end - gap.first, size));
	bool fits = cells > n + 1;

	if (cells == 1)
		sm_buf_str(b, map_gap(s));
	for (unsigned int i = fits ? n : 0; cells > 1 && i < cells; i++) {
		sm_buf_str(b, line);
		if (fits && i == n)
			sm_buf_str(b, text);
	}
}

/* --- rows --------------------------------------------------------------------------- */

/* Cells [from, to) of a row: a gap, or cells that have a sign. */
struct piece {
	unsigned int from, to;
	const struct layout_part *gap; /* or NULL */
};

static struct piece next_piece(const struct screen *s, uint64_t row, unsigned int from)
{
	const struct layout *l = &s->layout;
	uint64_t begin = row * l->width, end = begin + l->width;
	struct piece piece = {.from = from, .to = l->width};
	const struct layout_part *p;

	if (begin + from >= l->cells)
		return piece;
	p = layout_part(l, begin + from);
	if (p[1].cell < end)
		piece.to = (unsigned int)(p[1].cell - begin);
	piece.gap = p->gap ? p : NULL;
	return piece;
}

/* Returns the signs of a line, which are unknown before the first walk. */
static const unsigned char *signs_of(const struct screen *s, unsigned int line)
{
	static unsigned char unknown[CELLS_MAX];
	size_t at = (size_t)line * s->layout.width;

	memset(unknown, CELL_UNKNOWN, sizeof(unknown));
	return at + s->layout.width <= s->marks.n ? s->marks.signs + at : unknown;
}

void map_text(const struct screen *s, struct sm_buf *b)
{
	for (unsigned int line = 0; line < s->nrows; line++) {
		const unsigned char *signs = signs_of(s, line);
		struct piece p = {0};

		sm_buf_printf(b, "%016llx ",
			(unsigned long long)layout_address(&s->layout, s->top + line));
		while (p.to < s->layout.width) {
			p = next_piece(s, s->top + line, p.to);
			if (p.gap)
				put_gap(s, b, p.gap, p.to - p.from);
			for (unsigned int i = p.from; !p.gap && i < p.to; i++)
				put_glyph(s, b, signs, i, false);
		}
		sm_buf_chr(b, '\n');
	}
}

/* --- drawing ------------------------------------------------------------------------ */

static enum sm_tui_style style_of(const struct screen *s, const unsigned char *signs,
	unsigned int line, unsigned int i, uint64_t cursor)
{
	size_t at = (size_t)line * s->layout.width + i;
	enum sm_tui_style style = state_style(sign_letter(signs[i]));

	if (at < s->marks.n && s->marks.until_ns[at] > s->marks.now_ns)
		style = (style == SM_TUI_DIM ? SM_TUI_NORMAL : style) | SM_TUI_STRONG;
	if (s->top * s->layout.width + at == cursor)
		style |= SM_TUI_REVERSED;
	return style;
}

/* Draws the text in the buffer in cells [from, to) of the line. */
static void put(struct screen *s, unsigned int line, unsigned int from, unsigned int to,
	enum sm_tui_style style)
{
	sm_tui_put(&s->base.tui, 1 + (int)line, SCREEN_ADDRESS + (int)from,
		(int)(to - from), style, s->text.p, s->text.len);
	sm_buf_reset(&s->text);
}

/* Draws neighbours with equal styles in one call. */
static void draw_cells(
	struct screen *s, unsigned int line, const struct piece *p, uint64_t cursor)
{
	const unsigned char *signs = signs_of(s, line);
	unsigned int from = p->from;
	enum sm_tui_style style = style_of(s, signs, line, from, cursor);

	for (unsigned int i = p->from; i < p->to; i++) {
		enum sm_tui_style next = style_of(s, signs, line, i, cursor);

		if (next != style) {
			put(s, line, from, i, style);
			from = i;
		}
		style = next;
		put_glyph(s, &s->text, signs, i, s->base.tui.color);
	}
	put(s, line, from, p->to, style);
}

static void draw_gap(
	struct screen *s, unsigned int line, const struct piece *p, uint64_t cursor)
{
	put_gap(s, &s->text, p->gap, p->to - p->from);
	put(s, line, p->from, p->to,
		SM_TUI_DIM | (p->gap->cell == cursor ? SM_TUI_REVERSED : 0));
}

static void draw_line(struct screen *s, unsigned int line, uint64_t cursor)
{
	struct piece p = {0};

	sm_buf_reset(&s->text);
	sm_tui_printf(&s->base.tui, 1 + (int)line, 0, SM_TUI_NORMAL, "%016llx",
		(unsigned long long)layout_address(&s->layout, s->top + line));
	while (p.to < s->layout.width) {
		p = next_piece(s, s->top + line, p.to);
		(p.gap ? draw_gap : draw_cells)(s, line, &p, cursor);
	}
}

static void draw_past(struct screen *s, unsigned int line)
{
	sm_tui_put(&s->base.tui, 1 + (int)line, 0, SCREEN_ADDRESS, SM_TUI_DIM,
		"----------------", 16);
	sm_buf_reset(&s->text);
	for (unsigned int i = 0; i < s->map_cells; i++)
		sm_buf_chr(&s->text, CELL_NONE);
	put(s, line, 0, s->map_cells, SM_TUI_DIM);
}

void map_draw(struct screen *s)
{
	uint64_t cursor = layout_cell_of(&s->layout, s->cursor);

	for (unsigned int line = 0; line < s->map_lines; line++)
		if (line < s->nrows)
			draw_line(s, line, cursor);
		else
			draw_past(s, line);
}
