// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "windows.h"
#include "format.h"

#define PAGE_WIDTH 51
#define VM_WIDTH   28
#define PERF_WIDTH 51
#define MAP_MIN	   (SCREEN_ADDRESS + 16)

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* --- places ------------------------------------------------------------------------- */

static struct windows_place at(int row, int column, int width, int lines)
{
	return (struct windows_place){row, column, width, lines > 0 ? lines : 0};
}

/* Places the page window above the faults in one column, the memory window in another. */
static int beside(int columns, int height, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int left = columns - (lines[WINDOW_VM] ? VM_WIDTH : 0);
	int perf = smaller(lines[WINDOW_PERF], height);

	place[WINDOW_VM] = at(1, left, VM_WIDTH, smaller(lines[WINDOW_VM], height));
	left -= lines[WINDOW_PAGE] || lines[WINDOW_PERF] ? PAGE_WIDTH : 0;
	place[WINDOW_PAGE] =
		at(1, left, PAGE_WIDTH, smaller(lines[WINDOW_PAGE], height - perf));
	place[WINDOW_PERF] = at(1 + place[WINDOW_PAGE].lines, left, PERF_WIDTH, perf);
	return left;
}

/* Places the windows so that they do not cover parts of an address, or of a line of
 * another window: they begin in the first column, or to the right of all that. */
static void over(int columns, int height, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int width = smaller(PAGE_WIDTH, columns), vm = columns - VM_WIDTH;
	int perf = smaller(lines[WINDOW_PERF], height);
	int covered = lines[WINDOW_PAGE] || lines[WINDOW_PERF] ? width : SCREEN_ADDRESS;
	int top = lines[WINDOW_PAGE] && vm < width ? height / 2 : 0;

	place[WINDOW_PAGE] = at(1, 0, width, smaller(lines[WINDOW_PAGE], height));
	if (vm >= covered)
		place[WINDOW_VM] = at(1, vm, VM_WIDTH, smaller(lines[WINDOW_VM], height));
	else
		place[WINDOW_VM] =
			at(1 + top, 0, width, smaller(lines[WINDOW_VM], height - top));
	place[WINDOW_PERF] = at(1 + height - perf, 0, width, perf);
}

int windows_place(int columns, int rows, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int height = rows > 2 ? rows - 2 : 0, left;

	if (columns >= WINDOWS_BESIDE) {
		left = beside(columns, height, lines, place);
		if (left >= MAP_MIN)
			return left;
	}
	over(columns, height, lines, place);
	return columns;
}

static const struct {
	int lines; /* at most */
	void (*draw)(struct pane *);
} windows[WINDOWS] = {
	[WINDOW_PAGE] = {23, pagewindow_draw},
	[WINDOW_VM] = {25, vmwindow_draw},
	[WINDOW_PERF] = {FAULT_KEYS + 1, perfwindow_draw},
};

int windows_arrange(struct screen *s)
{
	int lines[WINDOWS];

	for (int i = 0; i < WINDOWS; i++)
		lines[i] = s->windows >> i & 1 ? windows[i].lines : 0;
	return windows_place(s->base.tui.columns, s->base.tui.rows, lines, s->place);
}

bool windows_cover(const struct screen *s, int row, int column)
{
	for (int i = 0; i < WINDOWS; i++) {
		const struct windows_place *p = &s->place[i];

		if (row >= p->row && row < p->row + p->lines && column >= p->column &&
			column < p->column + p->width)
			return true;
	}
	return false;
}

/* --- lines -------------------------------------------------------------------------- */

int pane_rest(const struct pane *p)
{
	return p->place->width - 2 - p->label;
}

/* Draws a label in the next line, after spaces over the map between two bars.  Sets the
 * place of the text, which a label longer than the column of labels moves to the right,
 * and returns the columns that remain for the text; 0: no further line. */
static int begin_line(struct pane *p, const char *label, int *row, int *column)
{
	struct sm_tui *t = &p->s->base.tui;
	const struct windows_place *w = p->place;
	const char *bar = t->utf8 ? "\xe2\x94\x82" : "|";
	int n = (int)strlen(label), end = w->column + w->width - 1;

	if (p->at >= w->lines)
		return 0;
	*row = w->row + p->at++;
	*column = w->column + 1 + (n < p->label ? p->label : n + (n > 0));
	sm_tui_fill(t, *row, w->column, w->width, SM_TUI_NORMAL);
	sm_tui_put(t, *row, w->column, 1, SM_TUI_DIM, bar, strlen(bar));
	sm_tui_put(t, *row, end, 1, SM_TUI_DIM, bar, strlen(bar));
	sm_tui_put(t, *row, w->column + 1, w->width - 2, SM_TUI_ACCENT, label,
		strlen(label));
	return end - *column;
}

void pane_line(struct pane *p, const char *label, const char *fmt, ...)
{
	int row, column, width = begin_line(p, label, &row, &column);
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	if (width > 0 && vsnprintf(text, sizeof(text), fmt, ap) > 0)
		sm_tui_put(&p->s->base.tui, row, column, width, SM_TUI_NORMAL, text,
			format_fit(text, strlen(text), width));
	va_end(ap);
}

void pane_text(struct pane *p, const char *label, struct sm_str text)
{
	int row, column, width = begin_line(p, label, &row, &column);
	struct sm_buf *b = &p->s->name;

	if (width <= 0)
		return;
	sm_buf_reset(b);
	format_name(b, text, (unsigned int)width, p->s->base.tui.utf8);
	sm_tui_put(&p->s->base.tui, row, column, width, SM_TUI_NORMAL, b->p, b->len);
}

/* --- drawing ----------------------------------------------------------------------- */

void windows_draw(struct screen *s)
{
	for (int i = 0; i < WINDOWS; i++) {
		struct pane p = {.s = s, .place = &s->place[i]};

		if (!p.place->lines)
			continue;
		windows[i].draw(&p);
		while (p.at < p.place->lines)
			pane_line(&p, "", "%s", "");
	}
}
