// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "format/value.h"
#include "tui/items.h"

#define BAR_CELL     20 /* columns for a bar: label, bar, percentage */
#define BAR_CELL_MIN 10 /* label and bar */
#define PCT_WIDTH    5

/* --- figures ----------------------------------------------------------------------- */

struct sm_items sm_items_begin(struct sm_tui *t, int row)
{
	return (struct sm_items){.tui = t, .row = row, .limit = t->columns};
}

void sm_items_add(struct sm_items *l, enum sm_tui_style style, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n, gap = l->at ? 2 : 0;
	size_t width;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n <= 0 || l->full)
		return;
	if ((size_t)n >= sizeof(text))
		n = (int)sizeof(text) - 1;
	width = sm_text_width(text, (size_t)n);
	if (l->at + gap + (int)width > l->limit) {
		l->full = true;
		return;
	}
	l->at += gap;
	l->at += sm_tui_put(l->tui, l->row, l->at, (int)width, style, text, (size_t)n);
}

void sm_items_text(
	struct sm_items *l, enum sm_tui_style style, const char *name, struct sm_str text)
{
	struct sm_buf *b = &l->tui->text;

	sm_buf_reset(b);
	sm_text_human(b, text.p, text.n, l->tui->utf8 ? SM_TEXT_UTF8 : 0);
	sm_items_add(l, style, "%s %.*s", name, (int)b->len, b->p ? b->p : "");
}

void sm_items_count(
	struct sm_items *l, enum sm_tui_style style, uint64_t n, const char *name)
{
	if (n)
		sm_items_add(l, style, "%llu %s", (unsigned long long)n, name);
}

struct sm_value sm_items_pooled(const struct sm_poolstr *s, int type)
{
	return s && s->len ? sm_value_bytes(type, s->s, s->len) : (struct sm_value){0};
}

void sm_items_line(struct sm_tui *t, int row, const char *title, struct sm_value v,
	struct sm_buf *scratch)
{
	int at = sm_tui_printf(t, row, 0, SM_TUI_BOLD, "%s ", title);

	sm_buf_reset(scratch);
	if (v.type == SM_VALUE_NONE)
		sm_buf_chr(scratch, '-');
	else
		sm_value_put(&v, SM_TEXT_UTF8, scratch);
	(void)sm_tui_text(
		t, row, at, t->columns - at, SM_TUI_NORMAL, scratch->p, scratch->len);
}

/* --- bars -------------------------------------------------------------------------- */

/* Returns the number of bars. */
static int add_up(const struct sm_items_bars *b, struct sm_items_bar *mean)
{
	int present = 0;

	*mean = (struct sm_items_bar){0};
	for (unsigned int i = 0; i < b->n; i++)
		present += b->bar[i].pct >= 0;
	for (unsigned int i = 0; i < b->n; i++) {
		if (b->bar[i].pct < 0)
			continue;
		mean->pct += b->bar[i].pct / (float)present;
		for (int k = 0; k < SM_ITEMS_PARTS; k++)
			mean->part[k] += b->bar[i].part[k] / (float)present;
	}
	return present;
}

static int rounded(float cells)
{
	return (int)(cells + 0.5f);
}

static void draw_part(struct sm_tui *t, int row, int at, int room, float cells,
	const struct sm_items_part *part)
{
	if (t->color)
		sm_tui_bar(t, row, at, room, (double)cells / room, part->style);
	else
		for (int i = 0; i < rounded(cells) && i < room; i++)
			(void)sm_tui_put(
				t, row, at + i, 1, part->style, &part->letter, 1);
}

/* Only the last part can end within a cell. */
static void draw_parts(struct sm_tui *t, int row, int at, int room,
	const struct sm_items_bar *bar, const struct sm_items_part *parts)
{
	float end = 0, sum = 0;
	int from = 0;

	for (int k = 0; k < SM_ITEMS_PARTS; k++)
		end += bar->part[k];
	for (int k = 0; k < SM_ITEMS_PARTS && from < room; k++) {
		float to;

		sum += bar->part[k];
		to = sum / 100 * (float)room;
		if (sum < end)
			to = (float)rounded(to);
		draw_part(t, row, at + from, room - from, to - (float)from, &parts[k]);
		from = rounded(to);
	}
}

static void draw_bar(struct sm_tui *t, int row, int at, int width, const char *label,
	const struct sm_items_bar *bar, const struct sm_items_part *parts)
{
	int used = sm_tui_printf(t, row, at, SM_TUI_NORMAL, "%s ", label);
	int number = width >= BAR_CELL - 4 ? PCT_WIDTH + 1 : 0;
	int room = width - used - number - 2; /* the bar's end, a space */

	if (room < 1)
		return;
	draw_parts(t, row, at + used, room, bar, parts);
	(void)sm_tui_put(t, row, at + used + room, 1, SM_TUI_DIM, "|", 1);
	if (number)
		(void)sm_tui_printf(t, row, at + used + room + 1,
			sm_tui_load_style((double)bar->pct), "%5.1f", (double)bar->pct);
}

static void draw_each(
	struct sm_tui *t, int row, const struct sm_items_bars *b, int per_line)
{
	int width = t->columns / per_line, drawn = 0;
	int label = snprintf(NULL, 0, "%u", b->n - 1);

	for (unsigned int i = 0; i < b->n; i++) {
		char name[24];

		if (b->bar[i].pct < 0)
			continue;
		snprintf(name, sizeof(name), "%*u", label, i);
		draw_bar(t, row + drawn / per_line, drawn % per_line * width, width, name,
			&b->bar[i], b->parts);
		drawn++;
	}
}

/* Draws before each line the index of its first cell.  Returns the number of lines; 0:
 * they do not fit. */
static int draw_cells(
	struct sm_tui *t, int row, int max_lines, const struct sm_items_bars *b)
{
	int label = snprintf(NULL, 0, "%u", b->n - 1) + 1, per_line = t->columns - label;
	int lines;

	per_line -= per_line > 10 ? per_line % 10 : 0;
	if (per_line < 1)
		return 0;
	lines = ((int)b->n + per_line - 1) / per_line;
	if (lines > max_lines)
		return 0;
	for (int i = 0; i < (int)b->n; i++) {
		double pct = (double)b->bar[i].pct;
		int line = row + i / per_line, column = i % per_line;

		if (!column)
			(void)sm_tui_printf(
				t, line, 0, SM_TUI_NORMAL, "%*d", label - 1, i);
		if (pct >= 0)
			sm_tui_spark(t, line, label + column, 1, &pct, 1, 100,
				sm_tui_load_style(pct));
	}
	return lines;
}

int sm_items_bars(struct sm_tui *t, int row, int max_lines, const struct sm_items_bars *b)
{
	struct sm_items_bar mean;
	int present = add_up(b, &mean);
	int per_line = t->columns / BAR_CELL;
	char name[32];

	if (!present || max_lines < 1)
		return 0;
	if (per_line > present)
		per_line = present;
	if (per_line < 1)
		per_line = 1;
	if ((present + per_line - 1) / per_line > max_lines)
		per_line = (present + max_lines - 1) / max_lines;
	if (t->columns / per_line >= BAR_CELL_MIN) {
		draw_each(t, row, b, per_line);
		return (present + per_line - 1) / per_line;
	}
	snprintf(name, sizeof(name), "%d %s", present, b->units);
	draw_bar(t, row, 0, t->columns, name, &mean, b->parts);
	return 1 + draw_cells(t, row + 1, max_lines - 1, b);
}
