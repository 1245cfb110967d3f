/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rowlist: a list on the screen, sorted by one of its orders: of the mappings (m) with their addresses, sizes
 * and populated pages, or of the processes (the picker), if pagemon was started without a process.
 *
 * The rows are given again when they, their values or the order change; a row remains selected by its key.
 * The filter matches processes whose arguments or comm contain it, in upper or lower case, or whose PID
 * begins with it.
 */
#ifndef PAGEMON_SCREEN_ROWLIST_H
#define PAGEMON_SCREEN_ROWLIST_H

#include "facts/usage.h"
#include "tui/table.h"
#include "format.h"

struct screen;

struct rowlist_row {
	uint64_t value;      /* rows are sorted by it, descending, */
	struct sm_str name;  /* then by this */
	uint64_t key;        /* and by this; identifies the row, not 0 */
	size_t number;       /* of the mapping or process */
};

struct rowlist {
	struct sm_tui_table table; /* its `row` and `style` get the number of the rows[] as i */
	const char *letters;       /* key of each order */
	/* with table.ctx: gives the rows again; uses the selected row (Enter) */
	void (*arrange)(void *ctx), (*enter)(void *ctx);
	struct rowlist_row *rows;
	uint64_t *keys;
	size_t n, cap, keys_cap;
};

/* The caller sets the other members before the first row. */
int rowlist_init(struct rowlist *l, const struct sm_column *columns, const int8_t *orders, unsigned int n)
	SM_MUST;
void rowlist_fini(struct rowlist *l);
/* Removes the rows.  Returns the number of rows for which there is room: n, or 0 if memory is lacking. */
size_t rowlist_begin(struct rowlist *l, size_t n);
/* Sorts the rows, which the caller has put into l->rows[l->n++]. */
void rowlist_sort(struct rowlist *l);
/* Moves the selection, sorts, or uses the selected row.  Returns false for any other key. */
bool rowlist_key(struct rowlist *l, int key);
/* Selects a row, or sorts by a column.  Returns whether the row was selected before. */
bool rowlist_click(struct rowlist *l, struct sm_tui *t);

/* --- mappings ------------------------------------------------------------------------- */

enum { MAPPINGS_COLUMNS = 7 + USAGE_KEYS };

struct mappings {
	struct rowlist list;
	char text[MAPPINGS_COLUMNS][24]; /* texts of the current row */
};

int mappings_init(struct screen *s) SM_MUST;
/* Opens the list, with the cursor's mapping selected. */
void mappings_open(struct screen *s);

/* --- processes ------------------------------------------------------------------------ */

struct picker {
	struct rowlist list;
	char size[FORMAT_SIZE];     /* text of the current row */
};

int picker_init(struct screen *s) SM_MUST;
/* Filters and sorts the rows again. */
void picker_arrange(void *screen);

#endif
