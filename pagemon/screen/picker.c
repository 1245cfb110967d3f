// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "search.h"
#include "state.h"
#include "words.h"

enum column { PID, RSS, COMM, ARGS };

static const struct sm_column columns[PICKER_COLUMNS] = {
	[PID] = {.head = "PID", .width = 7, .align = SM_ALIGN_RIGHT},
	[RSS] = {.head = "Rss", .width = 5, .align = SM_ALIGN_RIGHT, .priority = 2},
	[COMM] = {.head = "Name",
		.width = 15,
		.align = SM_ALIGN_LEFT,
		.priority = 1,
		.flags = SM_COLUMN_CUT},
	[ARGS] = {.head = "Command",
		.width = 8,
		.align = SM_ALIGN_LEFT,
		.flags = SM_COLUMN_LAST},
};

static const struct find_item *item(const struct screen *s, uint32_t i)
{
	return &s->in.processes->items[i];
}

/* --- rows --------------------------------------------------------------------------- */

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	struct picker *p = &s->picker;
	const struct find_item *it = item(s, p->order[i]);
	struct sm_str comm = find_comm(s->in.processes, it);
	struct sm_str args = find_name(s->in.processes, it);

	v[PID] = sm_value_u64((uint64_t)it->pid);
	v[RSS] = sm_value_str(words_size(it->rss_bytes, p->size));
	v[COMM] = sm_value_text(comm.p, comm.n);
	v[ARGS] = sm_value_bytes(SM_VALUE_ARGV, args.p, args.n);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	(void)ctx;
	(void)i;
	return col == PID ? SM_TUI_ACCENT : SM_TUI_NORMAL;
}

/* --- filter and order --------------------------------------------------------------- */

static bool matches(const struct screen *s, const struct find_item *it)
{
	struct sm_str text = {s->picker.filter, strlen(s->picker.filter)};
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)it->pid);
	return search_in(find_name(s->in.processes, it), text) ||
	       search_in(find_comm(s->in.processes, it), text) ||
	       strncmp(pid, text.p, text.n) == 0;
}

static int compare(const void *x, const void *y, void *ctx)
{
	const struct screen *s = ctx;
	const struct find_item *a = item(s, *(const uint32_t *)x);
	const struct find_item *b = item(s, *(const uint32_t *)y);
	int order = 0;

	if (s->picker.sort == PICKER_BY_RSS && a->rss_bytes != b->rss_bytes)
		order = a->rss_bytes < b->rss_bytes ? 1 : -1;
	else if (s->picker.sort == PICKER_BY_NAME)
		order = words_compare(
			find_comm(s->in.processes, a), find_comm(s->in.processes, b));
	return order ? order : a->pid < b->pid ? -1 : 1;
}

void picker_arrange(struct screen *s)
{
	struct picker *p = &s->picker;
	const struct find_list *l = s->in.processes;
	size_t all = l ? l->n : 0;

	p->n = 0;
	p->table.matched = 0;
	if (sm_array_reserve(&p->order, &p->order_cap, all, sizeof(*p->order)) ||
		sm_array_reserve(&p->keys, &p->keys_cap, all, sizeof(*p->keys)))
		all = 0;
	for (size_t i = 0; i < all; i++)
		if (!l->items[i].kthread && matches(s, &l->items[i]))
			p->order[p->n++] = (uint32_t)i;
	if (p->n)
		qsort_r(p->order, p->n, sizeof(*p->order), compare, s);
	for (size_t i = 0; i < p->n; i++)
		p->keys[i] = (uint64_t)item(s, p->order[i])->pid;
	sm_list_set(&p->table.list, p->keys, p->n);
	if (!p->table.list.present)
		sm_list_select(&p->table.list, 0);
	p->table.matched = p->n;
}

/* --- keys --------------------------------------------------------------------------- */

static bool sort_by(struct screen *s, enum picker_sort sort)
{
	s->picker.sort = sort;
	picker_arrange(s);
	return true;
}

static void watch(struct screen *s)
{
	const struct sm_list *l = &s->picker.table.list;

	if (!l->present || s->nasks == SCREEN_ASKS)
		return;
	s->asks[s->nasks++] =
		(struct screen_ask){.kind = ASK_WATCH, .pid = (pid_t)l->selected};
}

bool picker_key(struct screen *s, int key)
{
	switch (key) {
	case 'r':
		return sort_by(s, PICKER_BY_RSS);
	case 'p':
		return sort_by(s, PICKER_BY_PID);
	case 'n':
		return sort_by(s, PICKER_BY_NAME);
	case SM_KEY_ENTER:
		watch(s);
		return true;
	}
	return sm_list_key(&s->picker.table.list, key);
}

/* Like Enter, a second click on a row selects its process. */
void picker_click(struct screen *s)
{
	static const int sort[] = {[PID] = PICKER_BY_PID,
		[RSS] = PICKER_BY_RSS,
		[COMM] = PICKER_BY_NAME,
		[ARGS] = PICKER_BY_NAME};
	unsigned int col;

	switch (sm_tui_table_click(&s->picker.table, &s->base.tui, &col)) {
	case SM_TUI_HIT_SELECTED:
		watch(s);
		break;
	case SM_TUI_HIT_HEAD:
		sort_by(s, sort[col]);
		break;
	default:
		break;
	}
}

/* --- the table ---------------------------------------------------------------------- */

int picker_init(struct screen *s)
{
	struct picker *p = &s->picker;
	int err;

	memcpy(p->columns, columns, sizeof(columns));
	err = sm_tui_table_init(&p->table, p->columns, PICKER_COLUMNS);
	p->table.row = fill_row;
	p->table.style = style;
	p->table.ctx = s;
	p->filter = s->filter;
	return err;
}

void picker_fini(struct picker *p)
{
	sm_tui_table_fini(&p->table);
	free(p->order);
	free(p->keys);
}

void picker_draw(struct screen *s, int row, int lines)
{
	static const int sorted[] = {
		[PICKER_BY_RSS] = RSS, [PICKER_BY_PID] = PID, [PICKER_BY_NAME] = COMM};

	s->picker.table.none = *s->picker.filter ? "no process matches the filter"
						 : "reading the processes";
	s->picker.table.sorted = sorted[s->picker.sort];
	sm_tui_table_draw(&s->picker.table, &s->base.tui, row, lines);
}
