/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picker: the list of processes, shown if pagemon was started without a process.
 *
 * The filter matches processes whose arguments or comm contain it, in upper or lower case, or whose PID
 * begins with it.
 */
#ifndef PAGEMON_SCREEN_PICKER_H
#define PAGEMON_SCREEN_PICKER_H

#include "tui/table.h"
#include "words.h"

struct screen;

enum picker_sort { PICKER_BY_RSS, PICKER_BY_PID, PICKER_BY_NAME };
enum { PICKER_COLUMNS = 4 };

struct picker {
	struct sm_tui_table table;
	struct sm_column columns[PICKER_COLUMNS];
	enum picker_sort sort;
	const char *filter;        /* "": all */
	uint32_t *order;           /* numbers in the list of processes */
	uint64_t *keys;            /* PIDs */
	size_t n, order_cap, keys_cap;
	char size[WORDS_SIZE];     /* text of the current row */
};

int picker_init(struct screen *s) SM_MUST;
void picker_fini(struct picker *p);
void picker_arrange(struct screen *s);
bool picker_key(struct screen *s, int key);
void picker_click(struct screen *s);
void picker_draw(struct screen *s, int row, int lines);

#endif
