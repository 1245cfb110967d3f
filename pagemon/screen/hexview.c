// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "map.h"
#include "move.h"
#include "windows.h"

#define ROW_MAX 64
/* Digits of a full address.  With one digit less, 16 bytes fit in 80 columns; only an
 * address above user memory, such as that of [vsyscall], needs all. */
#define DIGITS	   16
#define FULL_ABOVE (UINT64_C(1) << (4 * (DIGITS - 1)))

/* --- positions ---------------------------------------------------------------------- */

static int row_columns(unsigned int bytes, int digits)
{
	return digits + 1 + 4 * (int)bytes;
}

unsigned int hexview_row_bytes(int columns, uint64_t address)
{
	int digits = address < FULL_ABOVE ? DIGITS - 1 : DIGITS;
	unsigned int bytes = ROW_MAX;

	while (bytes > 4 && row_columns(bytes, digits) > columns)
		bytes /= 2;
	return bytes;
}

/* Returns the position of the cursor, in bytes since the start of the first page. */
static uint64_t position(const struct screen *s)
{
	return s->cursor * s->in.space->page_bytes + s->hex_byte;
}

static void set_position(struct screen *s, uint64_t at)
{
	uint64_t page = s->in.space->page_bytes;

	state_set_cursor(s, at / page);
	s->hex_byte = at % page;
}

/* Sets [*first, *end) to the rows of the cursor's mapping. */
static void mapping_rows(const struct screen *s, uint64_t *first, uint64_t *end)
{
	const struct mapping *m = state_mapping(s);
	uint64_t per_page = s->in.space->page_bytes / s->hex_row;

	*first = m->first * per_page;
	*end = *first + mapping_pages(s->in.space, m) * per_page;
}

void hexview_arrange(struct screen *s, int columns)
{
	const struct mapping *m = state_mapping(s);
	uint64_t first, end, rows;
	unsigned int bytes;

	if (!m)
		return;
	bytes = hexview_row_bytes(columns, m->start);
	if (bytes != s->hex_row) {
		s->hex_row = bytes;
		s->hex_top = position(s) / bytes;
	}
	mapping_rows(s, &first, &end);
	s->hex_top = move_top(s->hex_top, position(s) / bytes, s->map_lines, first, end);
	rows = end - s->hex_top < s->map_lines ? end - s->hex_top : s->map_lines;
	s->want.hex = !s->set.no_hex;
	s->want.hex_address = state_mapping(s)->start + (s->hex_top - first) * bytes;
	s->want.hex_bytes = (size_t)(rows * bytes);
}

/* --- keys --------------------------------------------------------------------------- */

static void step(struct screen *s, int64_t by)
{
	uint64_t at = position(s), all = s->in.space->pages * s->in.space->page_bytes;

	set_position(s, move_by(at, by, all - 1));
}

static void turn_page(struct screen *s, bool down)
{
	int64_t rows = s->map_lines > 1 ? s->map_lines / 2 : 1;
	uint64_t top = s->hex_top;

	step(s, (down ? rows : -rows) * (int64_t)s->hex_row);
	s->hex_top = move_by(top, down ? rows : -rows, UINT64_MAX);
}

bool hexview_key(struct screen *s, int key)
{
	if (!state_has_pages(s) || !s->hex_row)
		return false;
	switch (key) {
	case SM_KEY_LEFT:
	case SM_KEY_RIGHT:
		step(s, key == SM_KEY_LEFT ? -1 : 1);
		return true;
	case SM_KEY_UP:
	case SM_KEY_DOWN:
	case SM_KEY_WHEEL_UP:
	case SM_KEY_WHEEL_DOWN:
		step(s, (key == SM_KEY_UP || key == SM_KEY_WHEEL_UP ? -1 : 1) *
				(int64_t)s->hex_row);
		return true;
	case SM_KEY_PGUP:
	case SM_KEY_PGDN:
		turn_page(s, key == SM_KEY_PGDN);
		return true;
	case SM_KEY_HOME:
	case SM_KEY_END:
		s->hex_byte = key == SM_KEY_HOME ? 0 : s->in.space->page_bytes - 1;
		return true;
	default:
		return false;
	}
}

/* --- rows --------------------------------------------------------------------------- */

/* Text shown instead of the bytes. */
static const char *const reasons[] = {
	[PEEK_ABSENT] = "not present",
	[PEEK_UNMAPPED] = "not mapped",
	[PEEK_SWAPPED] = "not present: swapped out",
	[PEEK_GUARD] = "not present: guard region",
	[PEEK_DEVICE] = "device memory, not read",
	[PEEK_FAILED] = "cannot be read",
};

/* Returns whether a window covers one of the two digits. */
static bool is_cut(const struct screen *s, int row, int column)
{
	return windows_cover(s, row, column) != windows_cover(s, row, column + 1);
}

/* Draws a row in hex and as characters, and the byte under the cursor on top of it. */
static void draw_bytes(struct screen *s, int row, int at, const unsigned char *bytes)
{
	char hex[3 * ROW_MAX + 1], text[ROW_MAX];
	unsigned int n = s->hex_row;
	int text_at = at + 3 * (int)n;

	for (unsigned int i = 0; i < n; i++) {
		bool cut = is_cut(s, row, at + 3 * (int)i);

		snprintf(hex + 3 * i, 4, cut ? "   " : "%02x ", bytes[i]);
		text[i] = bytes[i] >= ' ' && bytes[i] < 0x7f ? (char)bytes[i] : '.';
	}
	sm_tui_put(&s->base.tui, row, at, 3 * (int)n, SM_TUI_NORMAL, hex, 3 * (size_t)n);
	sm_tui_put(&s->base.tui, row, text_at, (int)n, SM_TUI_ACCENT, text, n);
}

static void draw_cursor(struct screen *s, int row, int at, unsigned char byte)
{
	const enum sm_tui_style style = SM_TUI_NORMAL | SM_TUI_REVERSED;
	int i = (int)(s->hex_byte % s->hex_row);
	char c = byte >= ' ' && byte < 0x7f ? (char)byte : '.', hex[3];

	snprintf(hex, sizeof(hex), "%02x", byte);
	if (!is_cut(s, row, at + 3 * i))
		sm_tui_put(&s->base.tui, row, at + 3 * i, 2, style, hex, 2);
	sm_tui_put(&s->base.tui, row, at + 3 * (int)s->hex_row + i, 1, style, &c, 1);
}

static enum peek_state take_bytes(
	const struct screen *s, uint64_t address, unsigned char bytes[ROW_MAX])
{
	enum peek_state state = PEEK_ABSENT;

	for (unsigned int i = 0; i < s->hex_row; i++) {
		state = peek_at(s->in.peek, address + i, &bytes[i]);
		if (state != PEEK_BYTES)
			break;
	}
	return state;
}

static void draw_row(
	struct screen *s, int row, uint64_t address, bool cursor, int columns)
{
	bool full = row_columns(s->hex_row, DIGITS) <= columns || address >= FULL_ABOVE;
	int digits = full ? DIGITS : DIGITS - 1;
	unsigned char bytes[ROW_MAX];
	enum peek_state state;
	const char *why;

	sm_tui_printf(&s->base.tui, row, 0, SM_TUI_NORMAL, "%0*llx", digits,
		(unsigned long long)address);
	if (!s->in.peek)
		return;
	state = take_bytes(s, address, bytes);
	if (state == PEEK_BYTES) {
		draw_bytes(s, row, digits + 1, bytes);
		if (cursor)
			draw_cursor(s, row, digits + 1, bytes[s->hex_byte % s->hex_row]);
		return;
	}
	why = reasons[state];
	sm_tui_put(&s->base.tui, row, digits + 1, columns - digits - 1,
		cursor ? SM_TUI_DIM | SM_TUI_REVERSED : SM_TUI_DIM, why, strlen(why));
}

/* Shows why no bytes can be read. */
static bool draw_refusal(struct screen *s)
{
	struct sm_buf *b = &s->text;

	if (!s->in.peek_err || s->in.peek_err == -EINPROGRESS)
		return s->in.peek_err;
	sm_buf_reset(b);
	if (s->in.peek_err == -EBADF && s->in.target)
		target_explain_file(s->in.target, TARGET_MEM, b);
	else
		sm_buf_printf(
			b, "the bytes cannot be read: %s", strerror(-s->in.peek_err));
	sm_tui_text(&s->base.tui, 1, 0, s->base.tui.columns, SM_TUI_WARN, b->p, b->len);
	return true;
}

void hexview_draw(struct screen *s)
{
	int columns = s->base.tui.columns;
	uint64_t first, end, row;

	if (!state_mapping(s) || draw_refusal(s))
		return;
	mapping_rows(s, &first, &end);
	for (unsigned int line = 0; line < s->map_lines; line++) {
		row = s->hex_top + line;
		if (row >= end)
			sm_tui_put(&s->base.tui, 1 + (int)line, 0, 1, SM_TUI_DIM, "~", 1);
		else
			draw_row(s, 1 + (int)line,
				s->want.hex_address + (uint64_t)line * s->hex_row,
				row == position(s) / s->hex_row, columns);
	}
}
