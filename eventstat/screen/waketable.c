// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "../columns.h"
#include "../select.h"
#include "kernel/taskname.h"
#include "waketable.h"

/* --- columns -------------------------------------------------------------- */

enum place { RATE, SHARE, SLEPT, PID, HISTORY, TASK, CAUSE, WHAT, COLUMNS };

#define OWN C_N /* no column of columns.h */

static const struct {
	uint8_t column, width;
	int8_t sort; /* enum sort; -1: none */
} places[COLUMNS] = {
	[RATE] = {C_WOKEN_RATE, 9, SORT_EVENTS},
	[SHARE] = {C_SHARE, 6, -1},
	[SLEPT] = {C_SLEPT_MEAN, 9, -1},
	[PID] = {C_PID, 7, SORT_PID},
	[HISTORY] = {OWN, 20, -1},
	[TASK] = {C_TASK, PAGE_TASK_MIN, SORT_NAME},
	[CAUSE] = {C_CAUSE, 10, -1},
	[WHAT] = {C_WHAT, 12, -1},
};

/* --- rows ----------------------------------------------------------------- */

/* Without its directory, if it has no room with it. */
static struct sm_value task_name(struct screen *s, const struct event *e)
{
	unsigned int form = values_form(s->opts);
	struct sm_value v = values_name(form, e, &s->row_text);

	if (v.s.n <= sm_table_width(&s->wakeups.table.table, TASK))
		return v;
	return values_name(form | SM_TASKNAME_STRIP, e, &s->row_text);
}

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	const struct event *e = &s->causes[i];
	const struct span span = values_span(&s->woken);
	struct sm_value val[C_N + 1] = {0};

	values_row(s->opts, &span, e, true, &s->row_text, val);
	val[C_TASK] = task_name(s, e);
	if (e->flags & EVENT_GROUP && s->opts->group != GROUP_PROCESS)
		val[C_PID] = val[C_MEMBERS];
	for (unsigned int k = 0; k < COLUMNS; k++)
		v[k] = val[places[k].column];
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	const struct screen *s = ctx;
	const struct event *e = &s->causes[i];

	if (e->kind == SM_WAKE_UNKNOWN)
		return SM_TUI_WARN;
	if (col == CAUSE)
		return SM_TUI_ACCENT;
	return col == TASK && e->flags & EVENT_KTHREAD ? SM_TUI_DIM : SM_TUI_NORMAL;
}

int waketable_arrange(struct screen *s)
{
	struct copies *c = &s->wakeups.copies;
	struct event *rows = c->rows;
	uint64_t dt_ns = s->woken.dt_ns;
	size_t m = select_rows(s->opts, rows, c->n);
	ssize_t n = rows_arrange(&s->arrange_causes, &rows, m, dt_ns);

	s->causes = rows;
	s->causes_shown = n < 0 ? 0 : (size_t)n;
	for (size_t i = 0; i < s->causes_shown; i++)
		page_add(&s->wakeups, i, event_key(&rows[i], s->seed),
			values_per_second(rows[i].now.starts, dt_ns));
	page_set(&s->wakeups, s->causes_shown, s->arrange_causes.matched);
	return n < 0 ? (int)n : 0;
}

/* --- the table ------------------------------------------------------------ */

int waketable_init(struct screen *s)
{
	static const struct sm_column history = {
		.head = "History", .align = SM_ALIGN_LEFT, .priority = 1};
	struct sm_tui_table *w = &s->wakeups.table;
	int err;

	for (unsigned int k = 0; k < COLUMNS; k++) {
		struct sm_column *c = &s->wakeups.columns[k];

		*c = k == HISTORY ? history : eventstat_columns[places[k].column];
		c->width = places[k].width;
	}
	err = sm_tui_table_init(w, s->wakeups.columns, COLUMNS);
	w->history = HISTORY;
	w->values = &s->wakeups.history;
	w->row = fill_row;
	w->style = style;
	w->ctx = s;
	return err;
}

static const char *no_rows(const struct screen *s)
{
	if (!s->samples)
		return "waiting for the first sample";
	return s->woken.woken.all.sum.wakeups ? "no wake-up passes the filter"
					      : "no idle CPU was woken";
}

void waketable_draw(struct screen *s, int row, int lines)
{
	const struct opts *o = s->opts;
	struct sm_tui_table *w = &s->wakeups.table;
	bool threads = o->group == GROUP_THREAD || o->group == GROUP_PROCESS;

	sm_table_show(&w->table, HISTORY, s->base.tui.columns >= PAGE_HISTORY_COLUMNS);
	sm_table_set_width(&w->table, HISTORY,
		page_history_width(s->samples, places[HISTORY].width));
	sm_table_set_width(&w->table, TASK, page_task_width(s->base.tui.columns));
	sm_table_set_head(&w->table, PID, threads ? "PID" : "Rows");
	sm_table_set_head(&w->table, RATE, o->cumulative ? "Wakeups" : "Wakeup/s");
	w->sorted = RATE; /* all counts of a row are its wake-ups */
	for (int k = 0; k < COLUMNS; k++)
		if (places[k].sort == o->sort)
			w->sorted = k;
	w->none = no_rows(s);
	sm_tui_table_draw(w, &s->base.tui, row, lines);
}
