// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "proc/taskname.h"
#include "state.h"
#include "format.h"

enum column { PID, RSS, COMM, ARGS, COLUMNS };

/* The orders of the list, and their keys. */
enum order { BY_RSS, BY_PID, BY_NAME };
#define LETTERS "rpn"

static const struct sm_column columns[COLUMNS] = {
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

/* --- rows --------------------------------------------------------------------------- */

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	struct picker *p = &s->picker;
	const struct find_item *it = &s->in.processes->items[p->list.rows[i].number];
	struct sm_str comm = find_comm(s->in.processes, it);
	struct sm_str args = find_name(s->in.processes, it);

	v[PID] = sm_value_u64((uint64_t)it->pid);
	v[RSS] = sm_value_str(format_size(it->rss_bytes, p->size));
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
	const char *text = s->filter;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)it->pid);
	return strncmp(pid, text, strlen(text)) == 0 ||
	       sm_taskname_has(text, find_comm(s->in.processes, it),
		       find_name(s->in.processes, it));
}

void picker_arrange(void *screen)
{
	struct screen *s = screen;
	struct rowlist *l = &s->picker.list;
	const struct find_list *all = s->in.processes;
	size_t n = rowlist_begin(l, all ? all->n : 0);

	l->table.none =
		*s->filter ? "no process matches the filter" : "reading the processes";
	for (size_t i = 0; all && i < n; i++) {
		const struct find_item *it = &all->items[i];

		if (it->kthread || !matches(s, it))
			continue;
		l->rows[l->n++] = (struct rowlist_row){
			l->table.order == BY_RSS ? it->rss_bytes : 0,
			l->table.order == BY_NAME ? find_comm(all, it) : SM_STR(""),
			(uint64_t)it->pid, i};
	}
	rowlist_sort(l);
	if (!l->table.list.present)
		sm_list_select(&l->table.list, 0);
}

/* Asks to monitor the selected process. */
static void watch(void *screen)
{
	struct screen *s = screen;
	const struct sm_list *l = &s->picker.list.table.list;

	if (l->present)
		state_ask(s, (struct screen_ask){
				     .kind = ASK_WATCH, .pid = (pid_t)l->selected});
}

/* --- the table ---------------------------------------------------------------------- */

int picker_init(struct screen *s)
{
	static const int8_t orders[COLUMNS] = {
		[PID] = BY_PID, [RSS] = BY_RSS, [COMM] = BY_NAME, [ARGS] = BY_NAME};
	struct rowlist *l = &s->picker.list;
	int err = rowlist_init(l, columns, orders, COLUMNS);

	l->table.row = fill_row;
	l->table.style = style;
	l->table.ctx = s;
	l->letters = LETTERS;
	l->arrange = picker_arrange;
	l->enter = watch;
	return err;
}
