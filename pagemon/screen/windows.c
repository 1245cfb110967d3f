// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "windows.h"
#include "words.h"

#define PAGE_WIDTH 51
#define VM_WIDTH   28
#define PERF_WIDTH 51
/* First column of windows over the map: the first digits of addresses remain visible. */
#define OVER_COLUMN 2
#define MAP_MIN	    (SCREEN_ADDRESS + 16)

enum { PAGE, VM, PERF };

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static bool is_open(unsigned int open, int window)
{
	return open >> window & 1;
}

/* --- places ------------------------------------------------------------------------- */

static struct windows_place at(int row, int column, int width, int lines)
{
	return (struct windows_place){row, column, width, lines > 0 ? lines : 0};
}

/* Places the page window above the faults in one column, the memory window in another. */
static int beside(int columns, int height, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int left = columns - (is_open(open, VM) ? VM_WIDTH : 0);
	int perf = is_open(open, PERF) ? smaller(lines[PERF], height) : 0;

	if (is_open(open, VM))
		place[VM] = at(1, left, VM_WIDTH, smaller(lines[VM], height));
	if (is_open(open, PAGE) || is_open(open, PERF))
		left -= PAGE_WIDTH;
	if (is_open(open, PAGE))
		place[PAGE] =
			at(1, left, PAGE_WIDTH, smaller(lines[PAGE], height - perf));
	if (perf)
		place[PERF] = at(1 + place[PAGE].lines, left, PERF_WIDTH, perf);
	return left;
}

static void over(int columns, int height, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int column = columns > PAGE_WIDTH + OVER_COLUMN ? OVER_COLUMN : 0;
	int width = smaller(PAGE_WIDTH, columns), vm = smaller(VM_WIDTH, columns);
	int perf = smaller(lines[PERF], height);

	if (is_open(open, PAGE))
		place[PAGE] = at(1, column, width, smaller(lines[PAGE], height));
	if (is_open(open, VM))
		place[VM] = at(1, columns - vm, vm, smaller(lines[VM], height));
	if (is_open(open, PERF))
		place[PERF] = at(1 + height - perf, column, width, perf);
}

int windows_place(int columns, int rows, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int height = rows - 2, left;

	memset(place, 0, WINDOWS * sizeof(*place));
	if (height < 1)
		return columns;
	if (columns >= WINDOWS_BESIDE) {
		left = beside(columns, height, open, lines, place);
		if (left >= MAP_MIN)
			return left;
		memset(place, 0, WINDOWS * sizeof(*place));
	}
	over(columns, height, open, lines, place);
	return columns;
}

static int place_all(const struct screen *s, struct windows_place place[WINDOWS])
{
	static const int lines[WINDOWS] = {
		[PAGE] = PAGEWINDOW_LINES,
		[VM] = VMWINDOW_LINES,
		[PERF] = PERFWINDOW_LINES,
	};

	return windows_place(
		s->base.tui.columns, s->base.tui.rows, s->windows, lines, place);
}

int windows_arrange(const struct screen *s)
{
	struct windows_place place[WINDOWS];

	return place_all(s, place);
}

bool windows_cover(const struct screen *s, int row, int column)
{
	struct windows_place place[WINDOWS];

	(void)place_all(s, place);
	for (int i = 0; i < WINDOWS; i++)
		if (row >= place[i].row && row < place[i].row + place[i].lines &&
			column >= place[i].column &&
			column < place[i].column + place[i].width)
			return true;
	return false;
}

/* --- contents ----------------------------------------------------------------------- */

static int room(const struct pane *p)
{
	return p->place.width - 2;
}

/* Draws spaces over the map, between two bars. */
static bool begin_line(struct pane *p, int *row)
{
	struct paint *paint = &p->s->paint;
	const char *bar = p->s->base.tui.utf8 ? "\xe2\x94\x82" : "|";
	const struct windows_place *w = &p->place;

	if (p->at >= w->lines)
		return false;
	*row = w->row + p->at++;
	paint_fill(paint, *row, w->column, w->width, SM_TUI_NORMAL);
	paint_put(paint, *row, w->column, 1, SM_TUI_DIM, bar, strlen(bar));
	paint_put(paint, *row, w->column + w->width - 1, 1, SM_TUI_DIM, bar, strlen(bar));
	return true;
}

static void put_label(struct pane *p, int row, const char *label)
{
	paint_put(&p->s->paint, row, p->place.column + 1, room(p), SM_TUI_ACCENT, label,
		strlen(label));
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
		paint_put(&p->s->paint, row, p->place.column + 1 + column,
			room(p) - column, SM_TUI_NORMAL, text, strlen(text));
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
	paint_put(&p->s->paint, row, p->place.column + 1 + column, width, SM_TUI_NORMAL,
		p->s->name.p, p->s->name.len);
}

void windows_draw(struct screen *s)
{
	static void (*const draw[WINDOWS])(struct pane *) = {
		[PAGE] = pagewindow_draw,
		[VM] = vmwindow_draw,
		[PERF] = perfwindow_draw,
	};
	struct windows_place place[WINDOWS];

	(void)place_all(s, place);
	for (int i = 0; i < WINDOWS; i++) {
		struct pane p = {.s = s, .place = place[i]};

		if (!place[i].lines)
			continue;
		draw[i](&p);
		while (p.at < place[i].lines)
			pane_line(&p, "", "%s", "");
	}
}
