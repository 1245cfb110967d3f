/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: the last values of each item, one for each sample, to be drawn as sparklines.
 *
 * A key identifies an item; key 0 is the total, which has a value in each sample.  An item has
 * zeros for the samples without it.  Memory is bounded: if all places are used, a new item
 * replaces the one that was absent for the longest time, but never an item of the current
 * sample or the one to keep; if there is none to replace, the new item has no history.
 * All memory is allocated by sm_history_init().  cli layer.
 */
#ifndef SM_HISTORY_H
#define SM_HISTORY_H

#include "base/map.h"
#include "tui/tui.h"

#define SM_HISTORY_LENGTH 240 /* samples */

struct sm_history_item {
	uint64_t key, first, last; /* numbers of the first and the latest sample it was in */
	float v[SM_HISTORY_LENGTH]; /* by number of the sample, modulo */
};

struct sm_history {
	struct sm_map map;         /* key -> item */
	struct sm_history_item *items;
	size_t n, cap;
	struct sm_history_item whole;
	uint64_t now;              /* number of the current sample, from 1; 0: none yet */
};

int sm_history_init(struct sm_history *h, size_t items) SM_MUST;
void sm_history_fini(struct sm_history *h);
/* Starts a new sample; whole: its total. */
void sm_history_begin(struct sm_history *h, double whole);
/* keep: key of an item that is not replaced.  A second value in a sample replaces the first. */
void sm_history_add(struct sm_history *h, uint64_t key, double v, uint64_t keep);
/* The values of an item up to now, oldest first; returns their number. */
size_t sm_history_get(const struct sm_history *h, uint64_t key, double out[SM_HISTORY_LENGTH]);

/* A cell of a table: full height is max. */
void sm_history_cell(const struct sm_history *h, struct sm_tui *t, int row, int column, int width,
	uint64_t key, double max);
/* A line of the screen: name (hostile bytes), the values times scale, and their maximum with its
 * unit ("%", "/s"). */
void sm_history_line(const struct sm_history *h, struct sm_tui *t, int row, uint64_t key,
	double scale, struct sm_str name, const char *unit);

#endif
