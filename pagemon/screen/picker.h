/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * picker: the list of processes, shown if pagemon was started without a process.
 *
 * The filter matches processes whose arguments or comm contain it, in upper or lower case, or whose PID
 * begins with it.
 */
#ifndef PAGEMON_SCREEN_PICKER_H
#define PAGEMON_SCREEN_PICKER_H

#include "rowlist.h"
#include "words.h"

struct screen;

enum picker_order { PICKER_BY_RSS, PICKER_BY_PID, PICKER_BY_NAME };
enum { PICKER_COLUMNS = 4 };

struct picker {
	struct rowlist list;
	const char *filter;        /* "": all */
	char size[WORDS_SIZE];     /* text of the current row */
};

int picker_init(struct screen *s) SM_MUST;
/* Filters and sorts the rows again. */
void picker_arrange(void *screen);
/* Asks to monitor the selected process. */
void picker_watch(struct screen *s);
void picker_draw(struct screen *s, int row, int lines);

#endif
