/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: the last values of each item, one per sample, to be drawn as sparklines.  cli layer.
 *
 * A key identifies an item; key 0 is the total, which has a value in each sample.  An item has zeros
 * for samples without it.  Memory is bounded: if all places are in use, a new item replaces the one
 * that has been absent longest, but never an item of the current sample or the item to keep; if no item
 * can be replaced, the new item has no history.  All memory is allocated by sm_history_init().
 */
#ifndef SM_HISTORY_H
#define SM_HISTORY_H

#include "base/map.h"
#include "tui/tui.h"

#define SM_HISTORY_LENGTH 240 /* samples */

struct sm_history_item {
	uint64_t key, first, last; /* numbers of its first and its latest sample */
	float v[SM_HISTORY_LENGTH]; /* index: number of the sample modulo SM_HISTORY_LENGTH */
};

struct sm_history {
	struct sm_map map;         /* key -> item */
	struct sm_history_item *items;
	size_t n, cap;
	struct sm_history_item whole;
	uint64_t now;              /* number of the current sample, from 1; 0: not started */
};

int sm_history_init(struct sm_history *h, size_t items) SM_MUST;
void sm_history_fini(struct sm_history *h);
/* Starts a new sample with the total `whole`. */
void sm_history_begin(struct sm_history *h, double whole);
/* Adds a value to the current sample; a second value replaces the first.  keep: key of an item that
 * must not be replaced. */
void sm_history_add(struct sm_history *h, uint64_t key, double v, uint64_t keep);
/* Returns the number of values of an item up to now, and the values, oldest first. */
size_t sm_history_get(const struct sm_history *h, uint64_t key, double out[SM_HISTORY_LENGTH]);

/* Draws a sparkline in a cell of a table; max has full height. */
void sm_history_cell(const struct sm_history *h, struct sm_tui *t, int row, int column, int width,
	uint64_t key, double max);
/* Draws a line of the screen: name (hostile bytes), the values times scale as a sparkline, and their
 * maximum with its unit ("%", "/s"). */
void sm_history_line(const struct sm_history *h, struct sm_tui *t, int row, uint64_t key,
	double scale, struct sm_str name, const char *unit);

#endif
