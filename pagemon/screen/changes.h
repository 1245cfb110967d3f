/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes: the cells of the screen that have changed within the last second (marks), and the cursor that
 * moves to changes (f).
 *
 * A cell is compared with its sign in the last frame.  If other pages are shown, all marks are removed.  A
 * cell that was unknown before is not marked.
 *
 * The cursor moves to a visible cell that has changed or, if no visible cell has, to the mapping whose number
 * of present and swapped-out pages has changed most since the last check.
 */
#ifndef PAGEMON_SCREEN_CHANGES_H
#define PAGEMON_SCREEN_CHANGES_H

#include "pages/cells.h"

struct screen;

struct marks {
	size_t n;                  /* cells */
	uint64_t views;            /* `views` of the cells in the last frame */
	unsigned char *signs;      /* signs of the last frame */
	uint64_t *until_ns;        /* end of the mark of each cell; 0: no mark */
	size_t signs_cap, until_cap;
	uint64_t now_ns;
	bool unknown;              /* there are unknown cells */
	size_t changed;            /* the first cell that changed in this frame; n: no cell changed */
};

struct follow_count {
	uint64_t start;            /* address of the mapping */
	uint64_t pages;            /* present or swapped out */
};

struct follow {
	struct follow_count *counts[2]; /* in order; the last check is number `at` */
	size_t cap[2], n;
	bool at;
	uint64_t looked_ns;        /* time of the last check; 0: not yet */
};

void changes_fini(struct screen *s);
/* Compares the cells with the last frame and updates the marks; with f, moves the cursor if something has
 * changed.  Checks the mappings at most once a second.  While the display is frozen, marks do not expire. */
void changes_take(struct screen *s);

#endif
