// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "../columns.h"
#include "../select.h"
#include "kernel/taskname.h"
#include "timertable.h"

/* --- columns ----------------------------------------------------------------------- */

enum place { EVENTS, WAKE, IDLE, PID, CPU_PCT, PR, NI, KIND, HISTORY, TASK, FUNC };

#define OWN		C_N /* no column of columns.h */
#define EVENTS_PRIORITY 12  /* dropped last */

/* The widths hold every digit of any value; those of names are set when the table is
 * drawn. */
static const struct {
	uint8_t column, width;
	int8_t sort; /* enum sort; -1: none */
} places[PAGE_COLUMNS] = {
	[EVENTS] = {C_RATE, 9, SORT_EVENTS},
	[WAKE] = {C_WAKE_RATE, 9, SORT_WAKE},
	[IDLE] = {C_IDLE_RATE, 9, SORT_IDLE},
	[PID] = {C_PID, 7, SORT_PID},
	[CPU_PCT] = {C_CPU_PCT, 5, SORT_CPU},
	[PR] = {C_PR, 3, -1},
	[NI] = {C_NI, 3, -1},
	[KIND] = {C_KIND, 1, -1},
	[HISTORY] = {OWN, 20, -1},
	[TASK] = {C_TASK, PAGE_TASK_MIN, SORT_NAME},
	[FUNC] = {C_FUNC, 18, -1},
};

/* --- rows -------------------------------------------------------------------------- */

/* Without its directory, if it has no room with it. */
static struct sm_value task_name(struct screen *s, const struct event *e)
{
	unsigned int form = values_form(s->opts);
	struct sm_value v = values_name(form, e, &s->row_text);

	if (v.s.n <= sm_table_width(&s->timers.table.table, TASK))
		return v;
	return values_name(form | SM_TASKNAME_STRIP, e, &s->row_text);
}

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct screen *s = ctx;
	const struct span span = values_span(&s->sample);
	struct sm_value val[C_N + 1] = {0};

	values_row(s->opts, &span, &s->rows[i], true, &s->row_text, val);
	val[C_TASK] = task_name(s, &s->rows[i]);
	if (s->rows[i].flags & EVENT_GROUP && s->opts->group != GROUP_PROCESS)
		val[C_PID] = val[C_MEMBERS];
	for (unsigned int k = 0; k < PAGE_COLUMNS; k++)
		v[k] = val[places[k].column];
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	const struct screen *s = ctx;
	const struct event *e = &s->rows[i];

	if (col == IDLE && e->now.idle)
		return SM_TUI_HIGH;
	if (col == WAKE && e->now.expiries)
		return SM_TUI_MIDDLE;
	if (col == TASK && e->flags & (EVENT_KTHREAD | EVENT_TICK))
		return SM_TUI_DIM;
	return SM_TUI_NORMAL;
}

/* A group is known by what its rows have in common. */
static uint64_t key_of(const struct screen *s, const struct event *e)
{
	uint64_t h = sm_map_hash_u64(
		(uint64_t)(uint32_t)e->tgid << 32 | (uint32_t)e->tid, s->seed + e->kind);

	h = sm_map_hash_u64(h ^ e->func, s->seed) ^ e->timer_id;
	if (e->flags & EVENT_GROUP)
		h ^= sm_map_hash_bytes(
			e->comm.p, e->comm.n, s->seed + (e->flags & EVENT_KTHREAD));
	return h ? h : 1;
}

int timertable_arrange(struct screen *s)
{
	struct copies *c = &s->timers.copies;
	struct event *rows = c->rows;
	size_t m = select_rows(s->opts, rows, c->n);
	ssize_t n = rows_arrange(&s->arrange, &rows, m, s->sample.dt_ns);

	s->rows = rows;
	s->rows_shown = n < 0 ? 0 : (size_t)n;
	for (size_t i = 0; i < s->rows_shown; i++)
		page_add(&s->timers, i, key_of(s, &rows[i]),
			values_per_second(rows[i].now.starts, s->sample.dt_ns));
	page_set(&s->timers, s->rows_shown, s->arrange.matched);
	return n < 0 ? (int)n : 0;
}

/* --- the table --------------------------------------------------------------------- */

/* Events are not all that is sorted by. */
static uint8_t priority_of(unsigned int k)
{
	switch (k) {
	case EVENTS:
		return EVENTS_PRIORITY;
	case HISTORY:
		return 1;
	default:
		return eventstat_columns[places[k].column].priority;
	}
}

int timertable_init(struct screen *s)
{
	static const struct sm_column history = {
		.head = "History", .align = SM_ALIGN_LEFT};
	struct sm_tui_table *w = &s->timers.table;
	int err;

	for (unsigned int k = 0; k < PAGE_COLUMNS; k++) {
		struct sm_column *c = &s->timers.columns[k];

		*c = k == HISTORY ? history : eventstat_columns[places[k].column];
		c->width = places[k].width;
	}
	err = sm_tui_table_init(w, s->timers.columns, PAGE_COLUMNS);
	w->history = HISTORY;
	w->values = &s->timers.history;
	w->row = fill_row;
	w->style = style;
	w->ctx = s;
	return err;
}

static const char *no_rows(const struct screen *s)
{
	const struct opts *o = s->opts;

	if (!s->samples)
		return "waiting for the first sample";
	if (o->name_glob || o->text || o->uids.n || o->pids.n || o->kernel || o->user)
		return "no task that passes the filter armed a timer";
	return "no timer was armed";
}

static const char *pid_heading(const struct opts *o)
{
	return o->group == GROUP_THREAD || o->group == GROUP_PROCESS ? "PID" : "Rows";
}

/* The column sorted by is not dropped on a narrow screen. */
static void show_sorted(struct screen *s)
{
	struct sm_tui_table *w = &s->timers.table;

	w->sorted = -1;
	for (int k = 0; k < PAGE_COLUMNS; k++) {
		bool sorted = places[k].sort == s->opts->sort;

		s->timers.columns[k].priority = sorted ? 0 : priority_of((unsigned int)k);
		if (sorted)
			w->sorted = k;
	}
}

void timertable_draw(struct screen *s, int row, int lines)
{
	const struct opts *o = s->opts;
	struct sm_tui_table *w = &s->timers.table;
	bool task = o->group != GROUP_FUNCTION;
	bool func = o->group == GROUP_THREAD || o->group == GROUP_FUNCTION;

	/* Of a group only what its rows have in common. */
	sm_table_show(&w->table, CPU_PCT, o->group == GROUP_THREAD);
	sm_table_show(&w->table, PR, o->group == GROUP_THREAD);
	sm_table_show(&w->table, NI, o->group == GROUP_THREAD);
	sm_table_show(&w->table, KIND, func);
	sm_table_show(&w->table, TASK, task);
	sm_table_show(&w->table, FUNC, func);
	sm_table_show(&w->table, HISTORY, s->base.tui.columns >= PAGE_HISTORY_COLUMNS);
	sm_table_set_width(&w->table, HISTORY,
		page_history_width(s->samples, places[HISTORY].width));
	sm_table_set_width(&w->table, TASK, page_task_width(s->base.tui.columns));
	sm_table_set_head(&w->table, PID, pid_heading(o));
	sm_table_set_head(&w->table, EVENTS, o->cumulative ? "Events" : "Event/s");
	show_sorted(s);
	w->none = no_rows(s);
	sm_tui_table_draw(w, &s->base.tui, row, lines);
}
