// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "windows.h"
#include "words.h"

static int room(const struct pane *p)
{
	return p->place.width - 2;
}

/* Draws spaces over the map, between two bars. */
static bool begin_line(struct pane *p, int *row)
{
	struct sm_tui *tui = &p->s->base.tui;
	const char *bar = p->s->base.tui.utf8 ? "\xe2\x94\x82" : "|";
	const struct windows_place *w = &p->place;

	if (p->at >= w->lines)
		return false;
	*row = w->row + p->at++;
	sm_tui_fill(tui, *row, w->column, w->width, SM_TUI_NORMAL);
	sm_tui_put(tui, *row, w->column, 1, SM_TUI_DIM, bar, strlen(bar));
	sm_tui_put(tui, *row, w->column + w->width - 1, 1, SM_TUI_DIM, bar, strlen(bar));
	return true;
}

static void put_label(struct pane *p, int row, const char *label)
{
	sm_tui_put(&p->s->base.tui, row, p->place.column + 1, room(p), SM_TUI_ACCENT,
		label, strlen(label));
}

int pane_rest(const struct pane *p)
{
	return room(p) - p->label;
}

/* A label longer than the column of labels moves its text to the right. */
static int text_column(const struct pane *p, const char *label)
{
	int n = (int)strlen(label);

	return n < p->label ? p->label : n + (n > 0);
}

void pane_line(struct pane *p, const char *label, const char *fmt, ...)
{
	int row, column = text_column(p, label), n;
	char text[256];
	va_list ap;

	if (!begin_line(p, &row))
		return;
	put_label(p, row, label);
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n > 0)
		sm_tui_put(&p->s->base.tui, row, p->place.column + 1 + column,
			room(p) - column, SM_TUI_NORMAL, text,
			words_fit(text, strlen(text), room(p) - column));
}

void pane_text(struct pane *p, const char *label, struct sm_str text)
{
	int row, column = text_column(p, label), width = room(p) - column;

	if (!begin_line(p, &row))
		return;
	put_label(p, row, label);
	if (width <= 0)
		return;
	sm_buf_reset(&p->s->name);
	words_name(&p->s->name, text, (unsigned int)width, p->s->base.tui.utf8);
	sm_tui_put(&p->s->base.tui, row, p->place.column + 1 + column, width,
		SM_TUI_NORMAL, p->s->name.p, p->s->name.len);
}
