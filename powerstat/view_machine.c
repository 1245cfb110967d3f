// SPDX-License-Identifier: GPL-2.0-or-later
/* CSV and JSON lines. */
#include <math.h>
#include <string.h>

#include "columns.h"
#include "out_value.h"
#include "view_priv.h"

#define WATTS_DECIMALS 6

/* --- CSV --------------------------------------------------------------------------- */

void view_csv_heading(const struct view *v, struct sm_out *out)
{
	if (v->opts->no_heading_at_all)
		return;
	view_row_begin(out);
	for (unsigned int i = C_TIME; i <= C_LOST; i++) {
		if (i)
			sm_buf_chr(&out->row, ',');
		sm_buf_str(&out->row, ps_columns[i].key);
	}
	for (unsigned int i = 0; i < v->table->n; i++) {
		const struct ps_col *c = &v->table->col[i];

		if (!c->shown)
			continue;
		sm_buf_chr(&out->row, ',');
		sm_buf_add(&out->row, c->key, c->key_len);
	}
	sm_buf_chr(&out->row, '\n');
	view_row_put(out, 0);
}

static bool has_window(const struct ps_sample *s)
{
	return s->kind == PS_LEVEL || s->kind == PS_ESTIMATE;
}

/* The columns from C_TIME to C_LOST. */
static void csv_about(struct sm_out *out, const struct ps_sample *s)
{
	const struct sm_val t = {.type = SM_VAL_TIME, .u = s->wall_ns};
	struct sm_buf *b = &out->row;

	if (out->time_style == SM_TIME_ISO)
		sm_out_csv_value(out, &t);
	else
		sm_out_human_value(out, &t, 0);
	sm_buf_chr(b, ',');
	sm_buf_u64(b, s->t_ns);
	sm_buf_chr(b, ',');
	sm_buf_fixed(b, s->dt_ns, 9);
	sm_buf_chr(b, ',');
	sm_buf_str(b, summary_kind(s->kind));
	sm_buf_chr(b, ',');
	sm_buf_chr(b, s->incomplete ? '1' : '0');
	sm_buf_chr(b, ',');
	if (has_window(s))
		sm_buf_fixed(b, s->window_ns, 9);
	sm_buf_chr(b, ',');
	sm_buf_u64(b, s->events_lost);
}

void view_csv_row(const struct view *v, struct sm_out *out, const struct ps_sample *s)
{
	view_row_begin(out);
	csv_about(out, s);
	for (unsigned int i = 0; i < v->table->n; i++) {
		const struct ps_col *c = &v->table->col[i];

		if (!c->shown)
			continue;
		sm_buf_chr(&out->row, ',');
		if (isfinite(s->v[i]))
			sm_buf_double(&out->row, s->v[i], c->machine_decimals);
	}
	sm_buf_chr(&out->row, '\n');
	view_row_put(out, 1);
}

/* --- JSON -------------------------------------------------------------------------- */

static void zones(struct sm_json *j, const struct power *p)
{
	sm_json_array(j, "zones");
	for (unsigned int i = 0; p && i < p->n; i++) {
		const struct power_domain *d = &p->domain[i];

		sm_json_object(j, NULL);
		sm_json_text(j, "label", d->label, strlen(d->label));
		sm_json_bool(j, "counted", d->counted);
		sm_json_end(j);
	}
	sm_json_end(j);
}

void view_json_header(const struct view *v, struct sm_out *out,
	const struct view_run *run, uint64_t wall_ns)
{
	struct sm_json j;

	view_row_begin(out);
	sm_json_open(&j, &out->row, "header");
	sm_json_text(&j, "tool", "powerstat", strlen("powerstat"));
	sm_json_text(&j, "version", SM_VERSION, strlen(SM_VERSION));
	sm_json_u64(&j, "schema", 1);
	if (run->boot_id)
		sm_json_text(&j, "boot_id", run->boot_id, strlen(run->boot_id));
	sm_json_time(&j, "start", wall_ns);
	sm_json_text(&j, "source", summary_source(run->power),
		strlen(summary_source(run->power)));
	zones(&j, run->power);
	sm_json_seconds(&j, "delay_s", run->interval_ns);
	sm_json_u64(&j, "count", run->count);
	sm_json_seconds(&j, "start_delay_s", run->start_delay_ns);
	sm_json_bool(&j, "process_events", v->table->col[PS_FORK].human);
	sm_json_close(&j);
	view_row_put(out, 0);
}

static void value(struct sm_buf *b, const struct ps_col *c, double x)
{
	if (isfinite(x))
		sm_buf_double(b, x, c->machine_decimals);
	else
		sm_buf_add(b, "null", 4);
}

/* ,"name":{...}: columns [from, to). */
static void group(struct sm_buf *b, const char *name, const struct ps_table *t,
	const double *x, unsigned int from, unsigned int to)
{
	bool comma = false;

	sm_buf_str(b, name);
	for (unsigned int i = from; i < to; i++) {
		const struct ps_col *c = &t->col[i];

		if (!c->shown)
			continue;
		if (comma)
			sm_buf_chr(b, ',');
		comma = true;
		sm_buf_add(b, c->member, c->member_len);
		value(b, c, x[i]);
	}
	sm_buf_chr(b, '}');
}

/* ,"member":value of columns [from, to). */
static void members(struct sm_buf *b, const struct ps_table *t, const double *x,
	unsigned int from, unsigned int to)
{
	for (unsigned int i = from; i < to; i++) {
		const struct ps_col *c = &t->col[i];

		if (!c->shown)
			continue;
		sm_buf_chr(b, ',');
		sm_buf_add(b, c->member, c->member_len);
		value(b, c, x[i]);
	}
}

static void open_record(struct sm_json *j, struct sm_out *out, const char *type,
	const struct ps_sample *s)
{
	const struct sm_val t = {.type = SM_VAL_TIME, .u = s->wall_ns};

	view_row_begin(out);
	sm_json_open(j, &out->row, type);
	sm_out_json_value(out, "time", &t);
	j->comma |= 1;
	sm_json_u64(j, "mono_ns", s->t_ns);
	sm_json_seconds(j, "dt_s", s->dt_ns);
}

void view_json_sample(const struct view *v, struct sm_out *out, const struct ps_sample *s)
{
	const struct ps_table *t = v->table;
	const char *kind = summary_kind(s->kind);
	struct sm_buf *b = &out->row;
	struct sm_json j;

	open_record(&j, out, "sample", s);
	group(b, ",\"cpu\":{", t, s->v, PS_USER, PS_FORK);
	members(b, t, s->v, PS_WATTS, PS_FIXED);
	sm_json_text(&j, "kind", kind, strlen(kind));
	sm_json_bool(&j, "estimate", s->kind == PS_ESTIMATE);
	sm_json_bool(&j, "incomplete", s->incomplete);
	if (has_window(s))
		sm_json_seconds(&j, "window_s", s->window_ns);
	group(b, ",\"domains\":{", t, s->v, t->domain0, t->domain0 + t->ndomains);
	group(b, ",\"temps\":{", t, s->v, t->thermal0, t->thermal0 + t->nthermal);
	group(b, ",\"freq\":{", t, s->v, t->freq0, t->n);
	members(b, t, s->v, PS_FORK, PS_WATTS);
	sm_json_u64(&j, "lost", s->events_lost);
	sm_json_close(&j);
	view_row_put(out, 1);
}

void view_json_skipped(
	struct sm_out *out, const struct ps_sample *s, unsigned int reasons)
{
	struct sm_json j;

	open_record(&j, out, "skipped", s);
	sm_json_bool(&j, "low_idle", reasons & VIEW_LOW_IDLE);
	sm_json_bool(&j, "processes", reasons & VIEW_PROCESSES);
	sm_json_close(&j);
	view_row_put(out, 0);
}

void view_json_text(
	struct sm_out *out, const char *type, const char *p, size_t n, uint64_t wall_ns)
{
	struct sm_json j;

	view_row_begin(out);
	sm_json_open(&j, &out->row, type);
	if (wall_ns)
		sm_json_time(&j, "time", wall_ns);
	sm_json_text(&j, "text", p, n);
	sm_json_close(&j);
	view_row_put(out, 0);
}
