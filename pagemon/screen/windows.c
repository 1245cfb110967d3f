// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "windows.h"

#define PAGE_WIDTH 51
#define VM_WIDTH   28
#define PERF_WIDTH 51
#define MAP_MIN	   (SCREEN_ADDRESS + 16)

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

/* Places the windows so that they do not cover parts of an address, or of a line of
 * another window: they begin in the first column, or to the right of all that. */
static void over(int columns, int height, unsigned int open, const int lines[WINDOWS],
	struct windows_place place[WINDOWS])
{
	int width = smaller(PAGE_WIDTH, columns), vm = columns - VM_WIDTH;
	int perf = smaller(lines[PERF], height), others = open & ~(1U << VM);
	int top = is_open(open, PAGE) && vm < width ? height / 2 : 0;

	if (is_open(open, PAGE))
		place[PAGE] = at(1, 0, width, smaller(lines[PAGE], height));
	if (is_open(open, VM) && vm >= (others ? width : SCREEN_ADDRESS))
		place[VM] = at(1, vm, VM_WIDTH, smaller(lines[VM], height));
	else if (is_open(open, VM))
		place[VM] = at(1 + top, 0, width, smaller(lines[VM], height - top));
	if (is_open(open, PERF))
		place[PERF] = at(1 + height - perf, 0, width, perf);
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

/* --- drawing ----------------------------------------------------------------------- */

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
