// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cli/loop.h"
#include "rates.h"

static const struct sm_column columns[R_N] = {
	[R_TIME] = {.key = "time", .head = "Time", .align = SM_ALIGN_LEFT},
	[R_NAME] = {.head = "Event", .width = 11},
	[R_INTERVAL] = {.key = "interval_s"},
	[R_LOST] = {.key = "lost",
		.head = "lost",
		.align = SM_ALIGN_LEFT,
		.flags = SM_COLUMN_INLINE},
};

static void set_columns(struct rates *r)
{
	memcpy(r->column, columns, sizeof(columns));
	for (enum event e = 0; e < EVENT_LOST; e++)
		r->column[R_EVENTS + e] = (struct sm_column){.key = event_name(e),
			.head = event_name(e),
			.align = SM_ALIGN_LEFT,
			.flags = SM_COLUMN_INLINE,
			.group = "per_s",
			.unit = "/s",
			.decimals = 1,
			.machine_decimals = 3};
}

static int set_up(struct rates *r, struct sm_table *rows, const struct sm_table *events)
{
	sm_table_init(rows, events->format, r->column, R_N, "rate", events->sink);
	sm_table_set_time(rows, R_TIME, events->time.style, events->time.decimals);
	rows->no_header = true;
	for (enum event e = 0; e < EVENT_LOST; e++)
		sm_table_show(rows, R_EVENTS + e, r->opts->events & EVENT_BIT(e));
	return sm_table_error(rows);
}

int rates_start(struct rates *r, const struct opts *o, struct view *v, uint64_t now_ns)
{
	int err = 0;

	*r = (struct rates){.opts = o, .view = v, .last_ns = now_ns};
	if (!o->app.interval_ns)
		return 0;
	sm_ticker_start(&r->ticker, now_ns, o->app.interval_ns);
	set_columns(r);
	for (unsigned int i = 0; i < v->outputs->n && !err; i++)
		err = set_up(r, &r->table[i], &v->outputs->out[i]);
	return err;
}

void rates_fini(struct rates *r)
{
	for (unsigned int i = 0; i < SM_OUTPUTS_MAX; i++)
		sm_table_fini(&r->table[i]);
}

uint64_t rates_next(const struct rates *r)
{
	return r->ticker.interval_ns ? r->ticker.next_ns : SM_LOOP_FOREVER;
}

/* --- rows of rates ------------------------------------------------------------------ */

/* Fills "13:05:59 rate  ----- fork 12.0/s exec 10.0/s ... lost 0", in the order of enum
 * event. */
static void fill(struct rates *r, const struct summary *s, uint64_t now_ns)
{
	uint64_t ns = now_ns - r->last_ns;

	r->val[R_TIME] = sm_value_time(view_wall_ns(r->view, now_ns));
	r->val[R_NAME] = sm_value_str("rate  -----");
	r->val[R_INTERVAL] = sm_value_duration(ns);
	for (enum event e = 0; e < EVENT_LOST; e++)
		r->val[R_EVENTS + e] = sm_value_double(
			ns ? (double)(s->count[e] - r->count[e]) * 1e9 / (double)ns : 0);
	r->val[R_LOST] = sm_value_u64(summary_lost_total(s) - r->lost);
}

/* Both tables of an output share the time style, and "delta" is the time since the
 * previous row of either table. */
static void put_row(struct rates *r, struct sm_table *rows, struct sm_table *events)
{
	rows->time = events->time;
	rows->time.wall_offset_ns = r->view->wall_offset_ns;
	sm_table_row(rows, r->val);
	events->time = rows->time;
	events->since_header++;
}

static void show(struct rates *r, const struct summary *s, uint64_t now_ns)
{
	struct sm_outputs *to = r->view->outputs;

	fill(r, s, now_ns);
	/* CSV has only rows of events. */
	for (unsigned int i = 0; i < to->n; i++)
		if (to->out[i].format != SM_FORMAT_CSV)
			put_row(r, &r->table[i], &to->out[i]);
	memcpy(r->count, s->count, sizeof(r->count));
	r->lost = summary_lost_total(s);
	r->last_ns = now_ns;
}

void rates_iterate(struct rates *r, const struct summary *s, uint64_t now_ns)
{
	if (r->ticker.interval_ns && sm_ticker_due(&r->ticker, now_ns))
		show(r, s, now_ns);
}

void rates_last(
	struct rates *r, const struct summary *s, const struct sm_app *a, uint64_t now_ns)
{
	if (r->ticker.interval_ns && sm_app_rest_counts(a, r->last_ns) &&
		sm_app_rest_is_shown(a, now_ns - r->last_ns, r->ticker.interval_ns))
		show(r, s, now_ns);
}
