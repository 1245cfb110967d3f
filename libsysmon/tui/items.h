/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items: small items next to each other on a screen: values of a status line, bars of percentages in
 * parts.  cli layer.
 *
 * Each function draws as many whole items as fit, in order.  Texts are the tool's own, except in
 * sm_items_text().
 */
#ifndef SM_ITEMS_H
#define SM_ITEMS_H

#include "base/strpool.h"
#include "format/table.h"
#include "tui/tui.h"

/* A line of values, separated by two spaces. */
struct sm_items {
	struct sm_tui *tui;
	int row;
	int limit; /* columns */
	int at;    /* column after the last item; 0: no items yet */
	bool full; /* an item did not fit: the following are dropped */
};

struct sm_items sm_items_begin(struct sm_tui *t, int row);
void sm_items_add(struct sm_items *l, enum sm_tui_style style, const char *fmt, ...)
	SM_PRINTF(3, 4);
/* Adds "NAME TEXT"; text is hostile bytes. */
void sm_items_text(struct sm_items *l, enum sm_tui_style style, const char *name,
	struct sm_str text);
/* Adds "N NAME", unless n is 0. */
void sm_items_count(struct sm_items *l, enum sm_tui_style style, uint64_t n, const char *name);

/* Draws a whole line "TITLE VALUE", with "-" for a missing value; scratch is overwritten. */
void sm_items_line(struct sm_tui *t, int row, const char *title, struct sm_value v, struct sm_buf *scratch);
/* Returns a string of a pool as a value of this type; a missing value if it is NULL or empty. */
struct sm_value sm_items_pooled(const struct sm_poolstr *s, int type);

#define SM_ITEMS_PARTS 4

/* The parts of a bar, from left to right, differ by colour; without colour, by letter. */
struct sm_items_part {
	const char *name;
	char letter;
	enum sm_tui_style style;
};

struct sm_items_bar {
	float pct; /* the number after the bar; below 0: no bar */
	float part[SM_ITEMS_PARTS]; /* percent of the bar's length */
};

struct sm_items_bars {
	const struct sm_items_part *parts;
	const struct sm_items_bar *bar;
	unsigned int n;
	const char *units;
};

/* Draws each bar, preceded by its index.  If they do not fit in max_lines, draws one bar of their
 * means, preceded by "N UNITS", and below it a cell for each bar, whose height is its pct, if these
 * fit.  Returns the number of lines drawn. */
int sm_items_bars(struct sm_tui *t, int row, int max_lines, const struct sm_items_bars *b);

#endif
