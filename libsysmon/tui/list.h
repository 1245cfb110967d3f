/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: the selected item of a sample, and the part of the items that is on the screen.  cli layer.
 *
 * An item is identified by a key of 64 bits, not 0, that does not change from sample to sample.  The
 * selection follows that key if the order changes, and is kept while a sample lacks the item.  Items
 * are numbered from 0 in display order.  The list draws nothing and allocates no memory; a
 * zero-initialised list is empty.
 */
#ifndef SM_LIST_H
#define SM_LIST_H

#include "base/base.h"

struct sm_list {
	const uint64_t *keys; /* one for each item, borrowed until the next sm_list_set() */
	size_t n;
	uint64_t selected;    /* key, or 0 */
	size_t at;            /* index of the selected item, or its last index */
	bool present;         /* the selected item is in this sample */
	size_t top;           /* first item shown */
	size_t lines;         /* items shown at once, see sm_list_fit() */
};

/* Sets the items of a new sample. */
void sm_list_set(struct sm_list *l, const uint64_t *keys, size_t n);
/* Sets the number of items shown at once: moves top so that the selected item is shown, and no line is
 * empty that could show an item. */
void sm_list_fit(struct sm_list *l, size_t lines);
/* Selects the item at index `at`, or the last one if there are fewer; nothing in an empty list. */
void sm_list_select(struct sm_list *l, size_t at);
/* Selects the first item shown, unless an item is selected. */
void sm_list_select_any(struct sm_list *l);
void sm_list_unselect(struct sm_list *l);
/* Arrows, j, k, PgUp, PgDn, Home and End move the selection, the wheel of the mouse scrolls.  Returns
 * false for any other key. */
bool sm_list_key(struct sm_list *l, int key);

#endif
