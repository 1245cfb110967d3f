// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../columns.h"
#include "rows/select.h"
#include "base/array.h"
#include "base/text.h"
#include "page.h"
#include "proc/taskname.h"

#define TASK_MIN	10
#define HISTORY_COLUMNS 120 /* screen width for a history; names have precedence */

/* --- columns -------------------------------------------------------------- */

#define HISTORY	     C_N
#define NO_SORT	     (-1)
#define LAST_DROPPED 12

/* Widths hold every digit of any value; the widths of names are set when the table is
 * drawn. */
static const struct sm_tui_place timer_places[] = {
	{C_RATE, 9, SORT_EVENTS},
	{C_WAKE_RATE, 9, SORT_WAKE},
	{C_IDLE_RATE, 9, SORT_IDLE},
	{C_PID, 7, SORT_PID},
	{C_CPU_PCT, 5, SORT_CPU},
	{C_PR, 3, NO_SORT},
	{C_NI, 3, NO_SORT},
	{C_KIND, 1, NO_SORT},
	{HISTORY, 0, NO_SORT},
	{C_TASK, TASK_MIN, SORT_NAME},
	{C_FUNC, 18, NO_SORT},
};

static const struct sm_tui_place wakeup_places[] = {
	{C_WOKEN_RATE, 9, SORT_EVENTS},
	{C_SHARE, 6, NO_SORT},
	{C_SLEPT_MEAN, 9, NO_SORT},
	{C_PID, 7, SORT_PID},
	{HISTORY, 0, NO_SORT},
	{C_TASK, TASK_MIN, SORT_NAME},
	{C_CAUSE, 10, NO_SORT},
	{C_WOKE, SM_TASK_COMM_LEN + 1, NO_SORT},
	{C_WHAT, 12, NO_SORT},
};

struct page_type {
	const struct sm_tui_place *places; /* the first column is the rate */
	unsigned int n;
	const char *rate_head, *count_head;
};

static const struct page_type types[] = {
	[EVENT_TIMER] = {timer_places, SM_ARRAY_SIZE(timer_places), "Event/s", "Events"},
	[EVENT_WAKEUP] = {wakeup_places, SM_ARRAY_SIZE(wakeup_places), "Wakeup/s",
		"Wakeups"},
};

static bool has_wakeups(const struct page *p)
{
	return p->type == &types[EVENT_WAKEUP];
}

/* Returns the number of events in all rows of the sample. */
static uint64_t total(const struct page *p)
{
	return has_wakeups(p) ? p->sample.woken.all.sum.wakeups
			      : p->sample.sums.all.starts;
}

/* --- rows ----------------------------------------------------------------- */

/* Returns the name of a task, without its directory if it does not fit. */
static struct sm_value task_name(struct page *p, const struct event *e)
{
	unsigned int form = values_form(p->opts);
	struct sm_value v = values_name(form, e, &p->text);

	return v.s.n <= p->task_width
		       ? v
		       : values_name(form | SM_TASKNAME_STRIP, e, &p->text);
}

/* Adds the data of /proc to one of the copies. */
static void look_row(struct page *p, struct event *row)
{
	struct event looked = *row;

	if (row->flags & EVENT_LOOKED)
		return;
	tasks_look(p->tasks, &looked, 1);
	sm_copies_renew(&p->copies, row, &looked);
}

/* Groups are made of rows that have been looked up. */
const struct event *page_row(struct page *p, size_t i)
{
	if (p->rows == p->copies.rows)
		look_row(p, &p->rows[i]);
	return &p->rows[i];
}

static void fill_row(void *ctx, size_t i, struct sm_value *v)
{
	struct page *p = ctx;
	const struct event *e = page_row(p, i);
	const struct span span = values_span(&p->sample);

	values_row(p->opts, &span, e, true, &p->text, v);
	if (e->flags & EVENT_GROUP && p->opts->group != GROUP_PROCESS)
		v[C_PID] = v[C_MEMBERS];
	v[C_TASK] = task_name(p, e);
}

static void put_name(void *ctx, size_t i, struct sm_buf *out)
{
	struct page *p = ctx;
	struct sm_value v = values_name(
		values_form(p->opts) | SM_TASKNAME_STRIP, page_row(p, i), &p->text);

	sm_value_put(&v, SM_TEXT_UTF8, out);
}

static uint64_t key(void *ctx, size_t i, double *value)
{
	struct page *p = ctx;
	const struct event *e = &p->rows[i];

	*value = values_per_second(e->now.starts, p->sample.dt_ns);
	if (*value > p->table.history_max)
		p->table.history_max = *value;
	return event_key(e, p->table.seed);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int column)
{
	const struct page *p = ctx;
	const struct event *e = &p->rows[i];

	if (e->type == EVENT_WAKEUP && e->kind == SM_WAKE_UNKNOWN)
		return SM_TUI_WARN;
	if (column == C_CAUSE)
		return SM_TUI_ACCENT;
	if (column == C_IDLE_RATE && e->now.idle)
		return SM_TUI_HIGH;
	if (column == C_WAKE_RATE && e->now.expiries)
		return SM_TUI_MIDDLE;
	if (column == C_TASK && e->flags & (EVENT_KTHREAD | EVENT_TICK))
		return SM_TUI_DIM;
	return SM_TUI_NORMAL;
}

/* --- drawing -------------------------------------------------------------- */

/* A group has only the columns that its rows have in common. */
static bool is_shown(const struct page *p, unsigned int column)
{
	int group = p->opts->group;

	switch (column) {
	case C_CPU_PCT:
	case C_PR:
	case C_NI:
		return group == GROUP_THREAD;
	case C_KIND:
	case C_FUNC:
		return group == GROUP_THREAD || group == GROUP_FUNCTION;
	case C_TASK:
		return group != GROUP_FUNCTION || has_wakeups(p);
	case C_WOKE:
		return p->opts->woke;
	default:
		return true;
	}
}

/* The sort column is not dropped on a narrow screen. */
static uint8_t priority_of(const struct page *p, const struct sm_tui_place *place)
{
	if (place->order == p->opts->sort)
		return 0;
	return place->column == C_RATE ? LAST_DROPPED
				       : eventstat_columns[place->column].priority;
}

static const char *no_rows(const struct page *p)
{
	const struct opts *o = p->opts;

	if (!p->samples)
		return "waiting for the first sample";
	if (has_wakeups(p))
		return total(p) ? "no wakeup passes the filter" : "no idle CPU was woken";
	if (o->name_glob || o->text || o->uids.n || o->pids.n || o->kernel || o->user)
		return "no task that passes the filter armed a timer";
	return "no timer was armed";
}

static void prepare(void *ctx, int columns)
{
	struct page *p = ctx;
	struct sm_tui_table *w = &p->table;
	const struct opts *o = p->opts;
	bool pid = o->group == GROUP_THREAD || o->group == GROUP_PROCESS;

	w->none = no_rows(p);
	w->sorted = 0; /* by default: all counts of a wakeup are equal */
	/* The name of a task has a quarter of the screen. */
	p->task_width = columns > 4 * TASK_MIN ? (unsigned int)columns / 4 : TASK_MIN;
	for (unsigned int k = 0; k < p->type->n; k++) {
		const struct sm_tui_place *place = &p->type->places[k];

		sm_table_show(&w->table, k, is_shown(p, place->column));
		if (place->column == C_TASK)
			sm_table_set_width(&w->table, k, p->task_width);
		if (place->column == C_PID)
			sm_table_set_head(&w->table, k, pid ? "PID" : "Rows");
		if (place->column != HISTORY)
			w->columns[k].priority = priority_of(p, place);
	}
	sm_table_set_head(
		&w->table, 0, o->cumulative ? p->type->count_head : p->type->rate_head);
}

static const struct sm_copies_type row_type = {.size = sizeof(struct event),
	.pooled = {offsetof(struct event, cmd), offsetof(struct event, cgroup)},
	.names = {offsetof(struct event, comm), offsetof(struct event, process)},
	.nnames = 2};

/* --- open and close ------------------------------------------------------- */

int page_init(struct page *p, int type, const struct opts *o, struct sm_strpool *names)
{
	const struct page_type *t = &types[type];
	struct sm_tui_table *w = &p->table;
	int err = sm_tui_table_init_samples(w, eventstat_columns, C_N, t->places, t->n);

	w->history_columns = HISTORY_COLUMNS;
	w->prepare = prepare;
	w->row = fill_row;
	w->key = key;
	w->style = style;
	w->name = put_name;
	w->ctx = p;
	p->type = t;
	p->opts = o;
	p->copies.type = &row_type;
	p->copies.pool = names;
	return err ? err : rows_init(&p->arrange, o);
}

void page_fini(struct page *p)
{
	sm_tui_table_fini(&p->table);
	rows_fini(&p->arrange);
	sm_copies_fini(&p->copies);
	free(p->cpu);
}

/* --- samples -------------------------------------------------------------- */

static int take_cpus(struct page *p)
{
	struct wake_sums *woken = &p->sample.woken;
	int err = sm_array_reserve(&p->cpu, &p->cpu_cap, woken->cpus, sizeof(*p->cpu));

	if (err)
		woken->cpus = 0;
	if (woken->cpus)
		memcpy(p->cpu, woken->cpu, woken->cpus * sizeof(*p->cpu));
	woken->cpu = p->cpu;
	return err;
}

int page_take(struct page *p, const struct sample *s)
{
	int err;

	p->sample = *s;
	p->samples++;
	sm_history_begin(&p->table.values, values_per_second(total(p), s->dt_ns));
	err = take_cpus(p);
	return err ? err : sm_copies_take(&p->copies, s->events, s->n);
}

/* True if the data of /proc decide which rows are shown, and where. */
static bool needs_data(const struct opts *o)
{
	return select_uses_proc(o) || o->sort == SORT_CPU || o->sort == SORT_NAME ||
	       (o->group != GROUP_THREAD && o->group != GROUP_FUNCTION);
}

int page_arrange(struct page *p)
{
	struct event *rows = p->copies.rows;
	ssize_t n;
	size_t m;

	for (size_t i = 0; i < p->copies.n && needs_data(p->opts); i++)
		look_row(p, &rows[i]);
	m = select_rows(p->opts, NULL, rows, p->copies.n);
	n = rows_arrange(&p->arrange, &rows, m, p->sample.dt_ns);

	p->rows = rows;
	p->n = n < 0 ? 0 : (size_t)n;
	sm_tui_table_take(&p->table, p->n, p->arrange.matched);
	return n < 0 ? (int)n : 0;
}
