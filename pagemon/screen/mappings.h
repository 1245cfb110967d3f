/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings: the list of mappings (m) with their addresses, sizes and populated pages, sorted by any of these.
 *
 * Rows are numbers of mappings; they are sorted again when the mappings, their counts or the order change.
 * A mapping is identified by its address, so that it remains selected.
 */
#ifndef PAGEMON_SCREEN_MAPPINGS_H
#define PAGEMON_SCREEN_MAPPINGS_H

#include "facts/usage.h"
#include "tui/table.h"

struct screen;

enum mappings_sort { MAPPINGS_BY_ADDRESS, MAPPINGS_BY_SIZE, MAPPINGS_BY_RAM, MAPPINGS_BY_SWAP,
	MAPPINGS_BY_NAME };
enum { MAPPINGS_COLUMNS = 7 + USAGE_KEYS };

struct mappings {
	struct sm_tui_table table;
	struct sm_column columns[MAPPINGS_COLUMNS];
	enum mappings_sort sort;
	struct mappings_row {
		uint64_t value;    /* sort key, descending; 0 for the orders of name and address */
		uint32_t number;   /* number of the mapping */
	} *order;
	uint64_t *keys;            /* their addresses + 1: never 0 */
	size_t n, order_cap, keys_cap;
	/* texts of the current row */
	char text[MAPPINGS_COLUMNS][24];
	struct sm_buf density, name;
};

int mappings_init(struct screen *s) SM_MUST;
void mappings_fini(struct mappings *m);
/* Opens the list, with the cursor's mapping selected. */
void mappings_open(struct screen *s);
/* Sorts the rows again. */
void mappings_arrange(struct screen *s);
bool mappings_key(struct screen *s, int key);
/* The mouse: selects the row, or sorts by the column. */
void mappings_click(struct screen *s);
void mappings_draw(struct screen *s, int row, int lines);

#endif
