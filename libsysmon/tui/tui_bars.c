// SPDX-License-Identifier: GPL-2.0-or-later
/* Bars and sparklines of tui.h, drawn as text, and the colours of loads. */
#include "tui/tui.h"

/* U+2581 .. U+2588 are one to eight eighths from below; from the left, the code points
 * decrease to U+2588. */
static void add_block(struct sm_buf *b, unsigned char last)
{
	sm_buf_str(b, "\xe2\x96");
	sm_buf_chr(b, (char)last);
}

/* Returns 0 .. steps, rounded; nan is 0. */
static int scaled(double fraction, int steps)
{
	if (!(fraction > 0))
		return 0;
	return fraction >= 1 ? steps : (int)(fraction * steps + 0.5);
}

void sm_tui_bar(struct sm_tui *t, int row, int column, int width, double fraction,
	enum sm_tui_style style)
{
	int parts = t->blocks ? 8 : 1;
	int filled, used;

	if (!t->open || width <= 0)
		return;
	if (width > t->columns)
		width = t->columns;
	filled = scaled(fraction, width * parts);
	sm_buf_reset(&t->text);
	for (int i = 0; i < filled / parts; i++)
		if (t->blocks)
			add_block(&t->text, 0x88);
		else
			sm_buf_chr(&t->text, '#');
	if (filled % parts)
		add_block(&t->text, (unsigned char)(0x90 - filled % parts));
	used = sm_tui_put(t, row, column, width, style, t->text.p, t->text.len);
	if (used < width)
		sm_tui_fill(t, row, column + used, width - used, SM_TUI_NORMAL);
}

void sm_tui_spark(struct sm_tui *t, int row, int column, int width, const double *v,
	size_t n, double max, enum sm_tui_style style)
{
	static const char ascii[] = "_.-:=+*#";

	if (!t->open || width <= 0)
		return;
	if (n > (size_t)width) {
		v += n - (size_t)width;
		n = (size_t)width;
	}
	sm_buf_reset(&t->text);
	for (size_t i = 0; i < n; i++) {
		int level = max > 0 ? scaled(v[i] / max, 7) : 0;

		if (t->blocks)
			add_block(&t->text, (unsigned char)(0x81 + level));
		else
			sm_buf_chr(&t->text, ascii[level]);
	}
	(void)sm_tui_put(t, row, column, width, style, t->text.p, t->text.len);
}

enum sm_tui_style sm_tui_load_style(double percent)
{
	if (!(percent >= 50))
		return SM_TUI_LOW;
	return percent < 80 ? SM_TUI_MIDDLE : SM_TUI_HIGH;
}
