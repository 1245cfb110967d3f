// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "page.h"

#define HISTORY_ROWS 512

int page_init(struct page *p, struct sm_strpool *names)
{
	p->copies.names = names;
	p->keys = calloc(PAGE_ROWS_MAX, sizeof(*p->keys));
	return p->keys ? sm_history_init(&p->history, HISTORY_ROWS) : -ENOMEM;
}

void page_fini(struct page *p)
{
	sm_history_fini(&p->history);
	sm_tui_table_fini(&p->table);
	copies_fini(&p->copies);
	sm_buf_fini(&p->selected_name);
	free(p->keys);
}

void page_add(struct page *p, size_t i, uint64_t key, double rate)
{
	if (i >= PAGE_ROWS_MAX)
		return;
	p->keys[i] = key;
	if (rate > p->rate_max)
		p->rate_max = rate;
	sm_history_add(&p->history, key, rate, p->table.list.selected);
}

void page_set(struct page *p, size_t n, size_t matched)
{
	p->table.matched = matched;
	p->table.history_max = p->rate_max;
	sm_list_set(&p->table.list, p->keys, n < PAGE_ROWS_MAX ? n : PAGE_ROWS_MAX);
}

ssize_t page_selected(const struct page *p)
{
	return p->table.list.present ? (ssize_t)p->table.list.at : -1;
}

unsigned int page_history_width(uint64_t samples, unsigned int max)
{
	unsigned int min = sizeof("History") - 1;

	return samples < min ? min : samples < max ? (unsigned int)samples : max;
}

unsigned int page_task_width(int columns)
{
	return columns > 4 * PAGE_TASK_MIN ? (unsigned int)columns / 4 : PAGE_TASK_MIN;
}
