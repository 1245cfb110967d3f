// SPDX-License-Identifier: GPL-2.0-or-later
/* Formatted and hostile text, bars and sparklines of tui.h, all drawn by sm_tui_put(),
 * and the colours of loads. */
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "tui/tui.h"

int sm_tui_printf(struct sm_tui *t, int row, int column, enum sm_tui_style style,
	const char *fmt, ...)
{
	char s[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	if (n < 0)
		return 0;
	if ((size_t)n >= sizeof(s))
		n = (int)sizeof(s) - 1;
	return sm_tui_put(t, row, column, t->columns, style, s, (size_t)n);
}

int sm_tui_text(struct sm_tui *t, int row, int column, int width, enum sm_tui_style style,
	const char *p, size_t n)
{
	unsigned int flags = t->utf8 ? SM_TEXT_UTF8 : 0;
	size_t clean;

	if (width > t->columns - column)
		width = t->columns - column;
	if (!t->open || width <= 0)
		return 0;
	sm_buf_reset(&t->text);
	sm_text_human(&t->text, p, n, flags);
	clean = t->text.len;
	/* The fitted text is appended after the whole text; reserve first, because fit
	 * reads b->p. */
	if (!sm_buf_room(&t->text, clean + 8))
		return 0;
	sm_text_fit(&t->text, t->text.p, clean, (size_t)width, flags);
	return sm_tui_put(
		t, row, column, width, style, t->text.p + clean, t->text.len - clean);
}

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
