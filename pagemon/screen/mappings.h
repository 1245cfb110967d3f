/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mappings: the list of mappings (m) with their addresses, sizes and populated pages, sorted by any of these.
 */
#ifndef PAGEMON_SCREEN_MAPPINGS_H
#define PAGEMON_SCREEN_MAPPINGS_H

#include "facts/usage.h"
#include "rowlist.h"

struct screen;

enum mappings_order { MAPPINGS_BY_ADDRESS, MAPPINGS_BY_SIZE, MAPPINGS_BY_RAM, MAPPINGS_BY_SWAP,
	MAPPINGS_BY_NAME };
enum { MAPPINGS_COLUMNS = 7 + USAGE_KEYS };

struct mappings {
	struct rowlist list;
	/* texts of the current row */
	char text[MAPPINGS_COLUMNS][24];
	struct sm_buf density, name;
};

int mappings_init(struct screen *s) SM_MUST;
void mappings_fini(struct mappings *m);
/* Opens the list, with the cursor's mapping selected. */
void mappings_open(struct screen *s);
/* Sorts the rows again. */
void mappings_arrange(void *screen);
/* Closes the list, with the cursor on the selected mapping. */
void mappings_go(struct screen *s);
void mappings_draw(struct screen *s, int row, int lines);

#endif
