/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * items: small items side by side on a screen: figures of a status line, keys and their meaning,
 * a help page of keys, bars of percentages in parts.
 *
 * Each function draws as many whole items as fit, in order.  Texts are the tool's own, except
 * those of sm_items_text().  cli layer.
 */
#ifndef SM_ITEMS_H
#define SM_ITEMS_H

#include "tui/tui.h"

/* A line of figures, two blanks between them. */
struct sm_items {
	struct sm_tui *tui;
	int row;
	int limit; /* columns */
	int at;    /* column after the last item; 0: none yet */
	bool full; /* one did not fit: the following are dropped */
};

struct sm_items sm_items_begin(struct sm_tui *t, int row);
void sm_items_add(struct sm_items *l, enum sm_tui_style style, const char *fmt, ...)
	SM_PRINTF(3, 4);
/* "NAME TEXT", the text being hostile bytes. */
void sm_items_text(struct sm_items *l, enum sm_tui_style style, const char *name,
	struct sm_str text);
/* "N NAME", unless n is 0. */
void sm_items_count(struct sm_items *l, enum sm_tui_style style, uint64_t n, const char *name);

struct sm_items_key {
	const char *key, *text;
};

/* The last line of a screen. */
void sm_items_keys(struct sm_tui *t, int row, const struct sm_items_key *keys, size_t n);
/* A page (from 1) of a whole screen.  True: there is a further page. */
bool sm_items_help(struct sm_tui *t, const char *title, const struct sm_items_key *keys, size_t n,
	int page);

#define SM_ITEMS_PARTS 4

/* Parts of a bar, from the left, differ by colour; without colour by letter. */
struct sm_items_part {
	const char *name;
	char letter;
	enum sm_tui_style style;
};

struct sm_items_bar {
	float pct; /* the number behind it; below 0: no bar */
	float part[SM_ITEMS_PARTS]; /* percent of its length */
};

struct sm_items_bars {
	const struct sm_items_part *parts;
	const struct sm_items_bar *bar;
	unsigned int n;
	const char *units;
};

/* Draws each bar with its index before it.  If they do not fit in max_lines: one bar of their means,
 * "N UNITS" before it, and below it a cell for each of them, whose height is its pct, if those fit.
 * Returns how many lines it drew. */
int sm_items_bars(struct sm_tui *t, int row, int max_lines, const struct sm_items_bars *b);

#endif
