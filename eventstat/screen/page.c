// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../columns.h"
#include "../select.h"
#include "base/array.h"
#include "base/text.h"
#include "kernel/taskname.h"
#include "page.h"

#define HISTORY_ROWS	512
#define ROWS_MAX	4096 /* limit of the rows shown; all rows are counted */
#define TASK_MIN	10
#define HISTORY_COLUMNS 120 /* screen width for a history; names have precedence */

/* --- columns -------------------------------------------------------------- */

#define HISTORY		C_N /* not a column of columns.h */
#define NO_SORT		(-1)
#define LAST_DROPPED	12
#define COLUMNS_OWN	0 /* the priority in columns.h */
#define HISTORY_DROPPED 1

/* When a column is shown.  A group has only the columns that its rows have in common. */
enum when { ALWAYS, OF_THREADS, OF_TASKS, OF_CALLBACKS, WITH_WOKE };

/* Widths hold every digit of any value; the widths of names are set when the table is
 * drawn. */
struct place {
	uint8_t column, width;
	int8_t sort; /* enum sort */
	uint8_t when;
	uint8_t priority;
};

static const struct place timer_places[] = {
	{C_RATE, 9, SORT_EVENTS, ALWAYS, LAST_DROPPED},
	{C_WAKE_RATE, 9, SORT_WAKE, ALWAYS, COLUMNS_OWN},
	{C_IDLE_RATE, 9, SORT_IDLE, ALWAYS, COLUMNS_OWN},
	{C_PID, 7, SORT_PID, ALWAYS, COLUMNS_OWN},
	{C_CPU_PCT, 5, SORT_CPU, OF_THREADS, COLUMNS_OWN},
	{C_PR, 3, NO_SORT, OF_THREADS, COLUMNS_OWN},
	{C_NI, 3, NO_SORT, OF_THREADS, COLUMNS_OWN},
	{C_KIND, 1, NO_SORT, OF_CALLBACKS, COLUMNS_OWN},
	{HISTORY, 0, NO_SORT, ALWAYS, HISTORY_DROPPED},
	{C_TASK, TASK_MIN, SORT_NAME, OF_TASKS, COLUMNS_OWN},
	{C_FUNC, 18, NO_SORT, OF_CALLBACKS, COLUMNS_OWN},
};

static const struct place wakeup_places[] = {
	{C_WOKEN_RATE, 9, SORT_EVENTS, ALWAYS, COLUMNS_OWN},
	{C_SHARE, 6, NO_SORT, ALWAYS, COLUMNS_OWN},
	{C_SLEPT_MEAN, 9, NO_SORT, ALWAYS, COLUMNS_OWN},
	{C_PID, 7, SORT_PID, ALWAYS, COLUMNS_OWN},
	{HISTORY, 0, NO_SORT, ALWAYS, HISTORY_DROPPED},
	{C_TASK, TASK_MIN, SORT_NAME, ALWAYS, COLUMNS_OWN},
	{C_CAUSE, 10, NO_SORT, ALWAYS, COLUMNS_OWN},
	{C_WOKE, SM_TASK_COMM_LEN + 1, NO_SORT, WITH_WOKE, COLUMNS_OWN},
	{C_WHAT, 12, NO_SORT, ALWAYS, COLUMNS_OWN},
};

static uint64_t starts_of(const struct sample *s)
{
	return s->sums.all.starts;
}

static uint64_t wakeups_of(const struct sample *s)
{
	return s->woken.all.sum.wakeups;
}

static const char *no_timers(const struct page *p)
{
	const struct opts *o = p->opts;

	if (o->name_glob || o->text || o->uids.n || o->pids.n || o->kernel || o->user)
		return "no task that passes the filter armed a timer";
	return "no timer was armed";
}

static const char *no_wakeups(const struct page *p)
{
	return wakeups_of(&p->sample) ? "no wakeup passes the filter"
				      : "no idle CPU was woken";
}

struct page_type {
	const struct place *places; /* the first column is the rate */
	unsigned int n;
	const char *rate_head, *count_head;
	uint64_t (*total)(const struct sample *s);
	const char *(*none)(const struct page *p); /* text shown if there are no rows */
};

static const struct page_type types[] = {
	[EVENT_TIMER] = {timer_places, SM_ARRAY_SIZE(timer_places), "Event/s", "Events",
		starts_of, no_timers},
	[EVENT_WAKEUP] = {wakeup_places, SM_ARRAY_SIZE(wakeup_places), "Wakeup/s",
		"Wakeups", wakeups_of, no_wakeups},
};

/* --- rows ----------------------------------------------------------------- */

/* Returns the name of a task, without its directory if it does not fit. */
static struct sm_value task_name(
	struct page *p, const struct event *e, unsigned int width)
{
	unsigned int form = values_form(p->opts);
	struct sm_value v = values_name(form, e, &p->text);

	return v.s.n <= width ? v : values_name(form | SM_TASKNAME_STRIP, e, &p->text);
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
	struct sm_value val[C_N + 1] = {0};

	values_row(p->opts, &span, e, true, &p->text, val);
	if (e->flags & EVENT_GROUP && p->opts->group != GROUP_PROCESS)
		val[C_PID] = val[C_MEMBERS];
	for (unsigned int k = 0; k < p->type->n; k++) {
		unsigned int column = p->type->places[k].column;

		if (column == C_TASK)
			val[C_TASK] = task_name(p, e, sm_table_width(&p->table.table, k));
		v[k] = val[column];
	}
}

static void put_name(void *ctx, size_t i, struct sm_buf *out)
{
	struct page *p = ctx;
	struct sm_value v = values_name(
		values_form(p->opts) | SM_TASKNAME_STRIP, page_row(p, i), &p->text);

	sm_value_put(&v, SM_TEXT_UTF8, out);
}

static enum sm_tui_style style(void *ctx, size_t i, unsigned int col)
{
	const struct page *p = ctx;
	const struct event *e = &p->rows[i];
	unsigned int column = p->type->places[col].column;

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

static const struct sm_copies_type row_type = {.size = sizeof(struct event),
	.pooled = {offsetof(struct event, cmd), offsetof(struct event, cgroup)},
	.names = {offsetof(struct event, comm), offsetof(struct event, process)},
	.nnames = 2};

/* --- open and close ------------------------------------------------------- */

static int init_table(struct page *p)
{
	struct sm_tui_table *w = &p->table;
	int err;

	for (unsigned int k = 0; k < p->type->n; k++) {
		const struct place *place = &p->type->places[k];

		p->columns[k] = place->column == HISTORY
					? sm_tui_table_history
					: eventstat_columns[place->column];
		p->columns[k].width = place->width;
	}
	err = sm_tui_table_init(w, p->columns, p->type->n);
	for (unsigned int k = 0; k < p->type->n && !err; k++) {
		w->orders[k] = p->type->places[k].sort;
		if (p->type->places[k].column == HISTORY)
			w->history = (int)k;
	}
	w->values = &p->history;
	w->row = fill_row;
	w->style = style;
	w->name = put_name;
	w->ctx = p;
	return err;
}

int page_init(struct page *p, int type, const struct opts *o, struct sm_strpool *names)
{
	int err;

	p->type = &types[type];
	p->opts = o;
	p->seed = sm_map_hash_seed();
	p->copies.type = &row_type;
	p->copies.pool = names;
	p->keys = calloc(ROWS_MAX, sizeof(*p->keys));
	err = p->keys ? sm_history_init(&p->history, HISTORY_ROWS) : -ENOMEM;
	if (!err)
		err = rows_init(&p->arrange, o);
	return err ? err : init_table(p);
}

void page_fini(struct page *p)
{
	sm_history_fini(&p->history);
	sm_tui_table_fini(&p->table);
	rows_fini(&p->arrange);
	sm_copies_fini(&p->copies);
	free(p->cpu);
	free(p->keys);
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
	sm_history_begin(&p->history, values_per_second(p->type->total(s), s->dt_ns));
	err = take_cpus(p);
	return err ? err : sm_copies_take(&p->copies, s->events, s->n);
}

static void add_to_history(struct page *p, size_t i)
{
	const struct event *e = &p->rows[i];
	double rate = values_per_second(e->now.starts, p->sample.dt_ns);

	p->keys[i] = event_key(e, p->seed);
	if (rate > p->rate_max)
		p->rate_max = rate;
	sm_history_add(&p->history, p->keys[i], rate, p->table.list.selected);
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
	size_t m, in_table;
	ssize_t n;

	for (size_t i = 0; i < p->copies.n && needs_data(p->opts); i++)
		look_row(p, &rows[i]);
	m = select_rows(p->opts, NULL, rows, p->copies.n);
	n = rows_arrange(&p->arrange, &rows, m, p->sample.dt_ns);

	p->rows = rows;
	p->n = n < 0 ? 0 : (size_t)n;
	in_table = p->n < ROWS_MAX ? p->n : ROWS_MAX;
	for (size_t i = 0; i < in_table; i++)
		add_to_history(p, i);
	p->table.matched = p->arrange.matched;
	p->table.history_max = p->rate_max;
	sm_list_set(&p->table.list, p->keys, in_table);
	return n < 0 ? (int)n : 0;
}

/* --- drawing -------------------------------------------------------------- */

static bool is_shown(const struct page *p, const struct place *place)
{
	int group = p->opts->group;

	switch (place->when) {
	case OF_THREADS:
		return group == GROUP_THREAD;
	case OF_TASKS:
		return group != GROUP_FUNCTION;
	case OF_CALLBACKS:
		return group == GROUP_THREAD || group == GROUP_FUNCTION;
	case WITH_WOKE:
		return p->opts->woke;
	default:
		return true;
	}
}

/* The name of a task has a quarter of the screen. */
static unsigned int width_of(const struct place *place, int columns)
{
	if (place->column != C_TASK)
		return place->width;
	return columns > 4 * TASK_MIN ? (unsigned int)columns / 4 : TASK_MIN;
}

/* The sort column is not dropped on a narrow screen. */
static uint8_t priority_of(const struct page *p, const struct place *place)
{
	if (place->sort == p->opts->sort)
		return 0;
	return place->priority == COLUMNS_OWN ? eventstat_columns[place->column].priority
					      : place->priority;
}

static void set_heads(struct page *p)
{
	const struct opts *o = p->opts;
	bool pid = o->group == GROUP_THREAD || o->group == GROUP_PROCESS;

	for (unsigned int k = 0; k < p->type->n; k++)
		if (p->type->places[k].column == C_PID)
			sm_table_set_head(&p->table.table, k, pid ? "PID" : "Rows");
	sm_table_set_head(&p->table.table, 0,
		o->cumulative ? p->type->count_head : p->type->rate_head);
}

static void set_columns(struct page *p, int columns)
{
	struct sm_tui_table *w = &p->table;

	w->sorted = 0; /* by default: all counts of a wakeup are equal */
	for (unsigned int k = 0; k < p->type->n; k++) {
		const struct place *place = &p->type->places[k];

		sm_table_show(&w->table, k, is_shown(p, place));
		sm_table_set_width(&w->table, k, width_of(place, columns));
		p->columns[k].priority = priority_of(p, place);
	}
	sm_tui_table_mark_order(w, p->opts->sort);
	sm_tui_table_show_history(w, columns >= HISTORY_COLUMNS);
}

void page_draw(struct page *p, struct sm_tui *t, int row, int lines)
{
	set_columns(p, t->columns);
	set_heads(p);
	p->table.none = p->samples ? p->type->none(p) : "waiting for the first sample";
	sm_tui_table_draw(&p->table, t, row, lines);
}
