/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page: one type of rows on the screen, timers or wake-ups: copies of a sample's rows, their table and
 * their history.  The table has a selection of the columns in columns.h, and one of its own, the history.
 */
#ifndef EVENTSTAT_SCREEN_PAGE_H
#define EVENTSTAT_SCREEN_PAGE_H

#include "../rows.h"
#include "../values.h"
#include "copies.h"
#include "tui/history.h"
#include "tui/table.h"

#define PAGE_COLUMNS 11

struct page_type;

struct page {
	const struct page_type *type;
	const struct opts *opts;
	uint64_t samples;
	struct sample sample;      /* the last one; of its pointers only woken.cpu is valid */
	struct copies copies;      /* of its rows and of woken.cpu */
	struct rows arrange;
	const struct event *rows;  /* n of them, arranged */
	size_t n;
	uint64_t seed;             /* of the keys */
	uint64_t *keys;            /* of each row of the table */
	struct sm_tui_table table;
	struct sm_column columns[PAGE_COLUMNS];
	struct sm_history history; /* of each row: how often a second */
	double rate_max;           /* of any row in it */
	struct values_text text;   /* of the row that is drawn */
	struct sm_buf selected_name;
};

/* type: EVENT_TIMER, EVENT_WAKEUP; names: the pool of the rows' cmd and cgroup. */
int page_init(struct page *p, int type, const struct opts *o, struct sm_strpool *names) SM_MUST;
void page_fini(struct page *p);
/* Copies a sample; page_arrange() follows.  -ENOMEM: it has no rows. */
int page_take(struct page *p, const struct sample *s) SM_MUST;
/* Filters, groups and sorts the rows by the options.  -ENOMEM: there are none. */
int page_arrange(struct page *p) SM_MUST;
/* The selected row; NULL: none, or not in this sample. */
const struct event *page_selected(const struct page *p);
/* Notes the name of the selected row: its history is drawn also in samples without it. */
void page_keep_name(struct page *p);
void page_draw(struct page *p, struct sm_tui *t, int row, int lines);

#endif
