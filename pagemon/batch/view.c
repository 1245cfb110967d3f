// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "cli/app_rows.h"
#include "../columns.h"
#include "values.h"
#include "view.h"

/* --- rows ----------------------------------------------------------------------- */

static bool takes_row(struct view *v)
{
	v->matched++;
	if (v->opts->app.limit && v->shown >= v->opts->app.limit)
		return false;
	v->shown++;
	return true;
}

size_t view_rows(const struct snapshot *s)
{
	return s->detail == SNAPSHOT_MAPPINGS ? s->space.n : s->detail == SNAPSHOT_TOTALS;
}

void view_row(struct view *v, const struct snapshot *s, size_t i)
{
	struct values_text text;
	struct sm_value val[C_N];

	if (!takes_row(v))
		return;
	if (s->detail == SNAPSHOT_MAPPINGS)
		values_mapping(s, i, &text, val);
	else
		values_process(s, &s->now, val);
	sm_app_rows_put(v->app, val);
}

void view_run(struct view *v, const struct snapshot *s, const struct page_run *run)
{
	struct values_text text;
	struct sm_value val[C_N];

	if (!takes_row(v))
		return;
	values_run(s, run, &text, val);
	sm_app_rows_put(v->app, val);
}

/* --- records -------------------------------------------------------------------- */

static void put_sample(struct view *v, struct sm_table *out, const struct view_sample *s)
{
	struct sm_json j;

	sm_table_record(out, &j, "sample", sm_app_rows_wall_ns(s->t_ns));
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_u64(&j, "sample", s->number);
	sm_json_u64(&j, "processes", s->processes);
	if (v->app->command)
		sm_json_u64(&j, "left_out", s->left_out);
	sm_json_u64(&j, "matched", v->matched);
	sm_json_u64(&j, "shown", v->shown);
	sm_json_seconds(&j, "cpu_s", s->cpu_ns);
	sm_json_u64(&j, "missed_samples", s->missed);
	sm_json_u64(&j, "names_cut", s->names_cut);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
	sm_table_record_end(out, &j, 1);
}

void view_sample(struct view *v, const struct view_sample *s)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++)
		if (v->app->outputs.out[i].format == SM_FORMAT_JSON)
			put_sample(v, &v->app->outputs.out[i], s);
}

struct event {
	const char *name;
	uint64_t t_ns;
	uint64_t peak_kb; /* 0: unknown */
};

static void put_event(
	struct sm_table *out, const struct snapshot *s, const struct event *e)
{
	struct sm_json j;

	sm_table_record(out, &j, e->name, sm_app_rows_wall_ns(e->t_ns));
	sm_json_u64(&j, "pid", (uint64_t)s->target.pid);
	sm_json_text(&j, "comm", s->target.stat.comm, s->target.stat.comm_len);
	if (e->peak_kb)
		sm_json_u64(&j, "peak_kb", e->peak_kb);
	sm_table_record_end(out, &j, 1);
}

/* Prints a line with the columns time and pid of a row, and the event. */
static void put_event_line(struct view *v, struct sm_table *out, const struct snapshot *s,
	const struct event *e)
{
	struct sm_value time = sm_value_time(sm_app_rows_wall_ns(e->t_ns));

	sm_buf_reset(&v->text);
	sm_table_cell(out, C_TIME, &time, &v->text);
	sm_buf_printf(&v->text, " %*d %s", (int)sm_table_width(out, C_PID),
		(int)s->target.pid, e->name);
	if (e->peak_kb)
		sm_buf_printf(&v->text, ", peak_kB %llu", (unsigned long long)e->peak_kb);
	sm_buf_chr(&v->text, '\n');
	sm_table_text(out, &v->text, 1);
}

static void put_exit_row(
	struct sm_table *out, const struct snapshot *s, const struct event *e)
{
	struct sm_value val[C_N];

	values_exited(s, e->t_ns, e->peak_kb, val);
	sm_table_row(out, val);
}

static void report(struct view *v, const struct snapshot *s, const struct event *e)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format == SM_FORMAT_JSON)
			put_event(out, s, e);
		else if (out->format == SM_FORMAT_TABLE && !v->opts->app.quiet)
			put_event_line(v, out, s, e);
		else if (out->format == SM_FORMAT_CSV && e->peak_kb &&
			 s->detail == SNAPSHOT_TOTALS)
			put_exit_row(out, s, e);
	}
}

void view_event(struct view *v, const struct snapshot *s, const char *event)
{
	report(v, s, &(struct event){event, sm_clock_mono_ns(), 0});
}

void view_command_exited(struct view *v, const struct snapshot *s, uint64_t peak_kb)
{
	report(v, s, &(struct event){"exited", sm_clock_mono_ns(), peak_kb});
}

/* --- the end -------------------------------------------------------------------- */

static void put_summary(
	struct view *v, struct sm_table *out, const struct view_sample *last)
{
	struct sm_json j;

	sm_table_record(out, &j, "summary", sm_app_rows_wall_ns(sm_clock_mono_ns()));
	sm_json_u64(&j, "samples", last->number);
	sm_json_u64(&j, "missed_samples", last->missed);
	sm_json_u64(&j, "names_cut", last->names_cut);
	sm_json_u64(&j, "rows", v->app->rows);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
	sm_table_record_end(out, &j, 1);
}

static void put_summary_line(
	struct view *v, struct sm_table *out, const struct view_sample *last)
{
	sm_buf_reset(&v->text);
	sm_buf_printf(&v->text,
		"%llu snapshots, %llu missed; %llu rows, %llu lost; %llu names "
		"truncated\n",
		(unsigned long long)last->number, (unsigned long long)last->missed,
		(unsigned long long)v->app->rows,
		(unsigned long long)sm_outputs_dropped(&v->app->outputs),
		(unsigned long long)last->names_cut);
	sm_table_text(out, &v->text, 1);
}

void view_summary(struct view *v, const struct view_sample *last)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format == SM_FORMAT_JSON)
			put_summary(v, out, last);
		else if (out->format == SM_FORMAT_TABLE && v->opts->app.summary)
			put_summary_line(v, out, last);
	}
}
