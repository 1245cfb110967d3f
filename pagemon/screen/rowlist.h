/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rowlist: a list on the screen, of mappings or of processes, sorted by one of its orders.
 *
 * The rows are given again when they, their values or the order change; a row remains selected by its key.
 */
#ifndef PAGEMON_SCREEN_ROWLIST_H
#define PAGEMON_SCREEN_ROWLIST_H

#include "tui/table.h"

struct rowlist_row {
	uint64_t value;      /* rows are sorted by it, descending, */
	struct sm_str name;  /* then by this */
	uint64_t key;        /* and by this; identifies the row, not 0 */
	size_t number;       /* of the mapping or process */
};

struct rowlist {
	struct sm_tui_table table; /* its `row` and `style` get the number of the rows[] as i */
	const char *letters;       /* key of each order */
	void (*arrange)(void *ctx); /* gives the rows, with table.ctx */
	int order;
	struct rowlist_row *rows;
	uint64_t *keys;
	size_t n, cap, keys_cap;
};

/* The caller sets the other members before the first row. */
int rowlist_init(struct rowlist *l, const struct sm_column *columns, unsigned int n) SM_MUST;
void rowlist_fini(struct rowlist *l);
/* Make room for n rows (-ENOMEM: it is empty), add each of them, and sort them. */
int rowlist_begin(struct rowlist *l, size_t n);
void rowlist_add(struct rowlist *l, struct rowlist_row row);
void rowlist_sort(struct rowlist *l);
/* Returns the selected row, or NULL. */
const struct rowlist_row *rowlist_selected(const struct rowlist *l);
/* Moves the selection, or sorts.  Returns false for any other key. */
bool rowlist_key(struct rowlist *l, int key);
/* Selects a row, or sorts by a column.  Returns whether the row was selected before. */
bool rowlist_click(struct rowlist *l, struct sm_tui *t);
void rowlist_draw(struct rowlist *l, struct sm_tui *t, int row, int lines);

#endif
