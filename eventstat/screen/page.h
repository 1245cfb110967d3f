/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page: one kind of rows on the screen: copies of a sample's rows, their table and their history.
 */
#ifndef EVENTSTAT_SCREEN_PAGE_H
#define EVENTSTAT_SCREEN_PAGE_H

#include "copies.h"
#include "tui/history.h"
#include "tui/table.h"

#define PAGE_COLUMNS  11
#define PAGE_TASK_MIN 10
#define PAGE_HISTORY_COLUMNS 120 /* of the screen: names come first */
#define PAGE_ROWS_MAX 4096 /* shown at most; all are counted */

struct page {
	struct copies copies;      /* rows of the sample */
	uint64_t *keys;            /* of each row of the table */
	struct sm_tui_table table; /* its columns are the caller's to set */
	struct sm_column columns[PAGE_COLUMNS];
	struct sm_history history; /* of each row: how often a second */
	double rate_max;           /* of any row in it */
	struct sm_buf selected_name;
};

/* names: the pool of the rows' cmd and cgroup. */
int page_init(struct page *p, struct sm_strpool *names) SM_MUST;
void page_fini(struct page *p);
/* The key and the rate of row i of the table; then page_set(). */
void page_add(struct page *p, size_t i, uint64_t key, double rate);
/* n rows, the first PAGE_ROWS_MAX of them are in the table; matched: before the limit. */
void page_set(struct page *p, size_t n, size_t matched);
/* The selected row of the table; -1: none, or not in this sample. */
ssize_t page_selected(const struct page *p);
/* Columns of history have so many cells as there are samples: others are left to the names. */
unsigned int page_history_width(uint64_t samples, unsigned int max);
/* A quarter of the screen. */
unsigned int page_task_width(int columns);

#endif
