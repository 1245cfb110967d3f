/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page: one type of rows on the screen, timers or wakeups: copies of the rows of a sample, their table and
 * their history.
 */
#ifndef EVENTSTAT_SCREEN_PAGE_H
#define EVENTSTAT_SCREEN_PAGE_H

#include "rows/rows.h"
#include "../values.h"
#include "tui/copies.h"
#include "tui/table.h"

struct page_type;

struct page {
	const struct page_type *type;
	const struct opts *opts;
	struct tasks *tasks;       /* where the visible rows are looked up, or NULL */
	uint64_t samples;
	struct sample sample;      /* the last sample; its only valid pointer is woken.cpu */
	struct sm_copies copies;   /* copies of its rows */
	struct wake_cpu *cpu;      /* copy of woken.cpu */
	size_t cpu_cap;
	struct rows arrange;
	struct event *rows;        /* n rows, arranged */
	size_t n;
	struct sm_tui_table table; /* history: rate of each row, per second */
	unsigned int task_width;   /* width of the column Task */
	struct values_text text;   /* texts of the row that is being drawn */
};

/* type: EVENT_TIMER or EVENT_WAKEUP; names: the pool of the rows' cmd and cgroup. */
int page_init(struct page *p, int type, const struct opts *o, struct sm_strpool *names) SM_MUST;
void page_fini(struct page *p);
/* Copies a sample; page_arrange() must follow.  Returns 0, or -ENOMEM without rows. */
int page_take(struct page *p, const struct sample *s) SM_MUST;
/* Filters, groups and sorts the rows by the options.  Returns 0, or -ENOMEM without rows. */
int page_arrange(struct page *p) SM_MUST;
/* Returns row i with the data of /proc. */
const struct event *page_row(struct page *p, size_t i);

#endif
