// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paint.h"

enum what { PUT, TEXT, FILL };

/* A drawing command, followed by its text. */
struct command {
	uint8_t what, style;
	int16_t column, width;
	uint32_t n;
};

void paint_fini(struct paint *p)
{
	for (int i = 0; i < p->cap; i++) {
		sm_buf_fini(&p->lines[i].now);
		sm_buf_fini(&p->lines[i].drawn);
	}
	free(p->lines);
	*p = (struct paint){0};
}

void paint_forget(struct paint *p)
{
	p->all = true;
}

static int make_lines(struct paint *p, int n)
{
	struct paint_line *lines;

	if (n <= p->cap)
		return 0;
	lines = realloc(p->lines, (size_t)n * sizeof(*lines));
	if (!lines)
		return -ENOMEM;
	memset(lines + p->cap, 0, (size_t)(n - p->cap) * sizeof(*lines));
	p->lines = lines;
	p->cap = n;
	return 0;
}

int paint_begin(struct paint *p, struct sm_tui *t)
{
	int err = make_lines(p, t->rows);

	if (err)
		return err;
	p->tui = t;
	p->all |= p->n != t->rows || p->columns != t->columns;
	p->n = t->rows;
	p->columns = t->columns;
	for (int i = 0; i < p->n; i++)
		sm_buf_reset(&p->lines[i].now);
	return 0;
}

/* Adds a command and returns room for its text; NULL: outside the screen.  Without
 * memory, the command is not added at all. */
static char *add(struct paint *p, int row, struct command c)
{
	char *to;

	if (row < 0 || row >= p->n || c.width <= 0 || c.column < 0)
		return NULL;
	to = sm_buf_room(&p->lines[row].now, sizeof(c) + c.n);
	if (!to)
		return NULL;
	memcpy(to, &c, sizeof(c));
	p->lines[row].now.len += sizeof(c) + c.n;
	return to + sizeof(c);
}

static struct command command(
	enum what what, int column, int width, enum sm_tui_style style, size_t n)
{
	return (struct command){.what = (uint8_t)what,
		.style = (uint8_t)style,
		.column = (int16_t)column,
		.width = (int16_t)(width < INT16_MAX ? width : INT16_MAX),
		.n = (uint32_t)n};
}

static void add_text(
	struct paint *p, int row, struct command c, const char *text, size_t n)
{
	char *to = add(p, row, c);

	if (to && n)
		memcpy(to, text, n);
}

void paint_put(struct paint *p, int row, int column, int width, enum sm_tui_style style,
	const char *text, size_t n)
{
	add_text(p, row, command(PUT, column, width, style, n), text, n);
}

void paint_text(struct paint *p, int row, int column, int width, enum sm_tui_style style,
	const char *text, size_t n)
{
	add_text(p, row, command(TEXT, column, width, style, n), text, n);
}

void paint_fill(struct paint *p, int row, int column, int width, enum sm_tui_style style)
{
	(void)add(p, row, command(FILL, column, width, style, 0));
}

void paint_printf(struct paint *p, int row, int column, enum sm_tui_style style,
	const char *fmt, ...)
{
	char s[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(s, sizeof(s), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(s))
		n = (int)sizeof(s) - 1;
	paint_put(p, row, column, INT16_MAX, style, s, (size_t)n);
}

static void draw(struct paint *p, int row, const struct command *c, const char *text)
{
	enum sm_tui_style style = (enum sm_tui_style)c->style;

	switch (c->what) {
	case PUT:
		(void)sm_tui_put(p->tui, row, c->column, c->width, style, text, c->n);
		break;
	case TEXT:
		(void)sm_tui_text(p->tui, row, c->column, c->width, style, text, c->n);
		break;
	default:
		sm_tui_fill(p->tui, row, c->column, c->width, style);
	}
}

static void draw_line(struct paint *p, int row)
{
	const struct sm_buf *b = &p->lines[row].now;

	sm_tui_fill(p->tui, row, 0, p->columns, SM_TUI_NORMAL);
	for (size_t at = 0; at < b->len;) {
		struct command c;

		memcpy(&c, b->p + at, sizeof(c));
		draw(p, row, &c, b->p + at + sizeof(c));
		at += sizeof(c) + c.n;
	}
}

static bool same(const struct paint_line *l)
{
	return l->now.len == l->drawn.len &&
	       (!l->now.len || memcmp(l->now.p, l->drawn.p, l->now.len) == 0);
}

bool paint_end(struct paint *p)
{
	bool changed = p->all;

	if (p->all)
		sm_tui_clear(p->tui);
	for (int i = 0; i < p->n; i++) {
		struct paint_line *l = &p->lines[i];
		struct sm_buf drawn = l->drawn;

		if (!p->all && !l->forgotten && same(l))
			continue;
		l->forgotten = false;
		draw_line(p, i);
		l->drawn = l->now;
		l->now = drawn;
		changed = true;
	}
	p->all = false;
	return changed;
}

void paint_forget_line(struct paint *p, int row)
{
	if (row >= 0 && row < p->n)
		p->lines[row].forgotten = true;
}
