// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "columns.h"
#include "base/text.h"
#include "values.h"
#include "view.h"

#define PCT_DECIMALS 4 /* in JSON */

static uint64_t nearest(uint64_t ns, uint64_t unit_ns)
{
	return ns / unit_ns + (ns % unit_ns >= (unit_ns + 1) / 2);
}

/* --- rows ------------------------------------------------------------------------- */

static const char *const kinds[] = {[ROW_PROCESS] = "process",
	[ROW_THREAD] = "thread",
	[ROW_EXITED] = "exited",
	[ROW_GROUP] = "group",
	[ROW_SOFTIRQ] = "softirq",
	[ROW_IRQ] = "irq",
	[ROW_UNACCOUNTED] = "unaccounted",
	[ROW_OTHERS] = "others"};

struct stamp { /* times of all rows of a sample */
	uint64_t t_ns, wall_ns;
};

/* Returns the colour for the load of one CPU, or NULL for the default colour. */
static const char *colour(const struct row *row)
{
	double pct = percent(row, row->used_ns);

	return pct >= 80 ? "1;31" : pct >= 40 ? "31" : pct >= 10 ? "33" : NULL;
}

static void human(struct view *v, struct sm_table *out, const struct stamp *at,
	const struct row *row)
{
	struct sm_value val[C_N] = {0};

	v->scratch.text_flags = out->text_flags;
	val[C_TIME] = sm_value_time(at->wall_ns);
	values_percent(row, v->scale, val);
	values_task(row, val);
	if (v->opts->threads && row->kind == ROW_EXITED)
		val[C_PID] = (struct sm_value){0}; /* the column is TID */
	val[C_TASK] = view_name_value(view_name_form(v->opts), row, &v->scratch);
	out->sgr = v->color ? colour(row) : NULL;
	sm_table_row(out, val);
	out->sgr = NULL;
}

/* An empty comm is valid; comm is unknown only if stat was unreadable. */
static bool has_comm(const struct row *row)
{
	return row->comm.n || row->kind == ROW_GROUP ||
	       (row->kind < ROW_GROUP && row->start_ticks);
}

static void fill_arguments(const struct sm_poolstr *cmd, struct sm_value *val)
{
	val[C_ARGV] = val[C_COMMAND] = sm_value_bytes(SM_VALUE_ARGV, cmd->s, cmd->len);
	if (cmd->tag & ROW_CMD_CUT)
		val[C_TRUNCATED] = sm_value_bool(true);
}

static void machine(struct view *v, struct sm_table *out, const struct stamp *at,
	const struct row *row)
{
	struct sm_value val[C_N] = {0};

	val[C_TIME] = sm_value_time(at->wall_ns);
	val[C_MONO] = sm_value_u64(at->t_ns);
	val[C_DT] = sm_value_duration(row->dt_ns);
	val[C_KIND] = sm_value_str(kinds[row->kind]);
	values_percent(row, v->scale, val);
	values_task(row, val);
	if (row->ppid)
		val[C_PPID] = sm_value_u64((uint64_t)row->ppid);
	if (row->flags & ROW_HAS_UID)
		val[C_UID] = sm_value_u64(row->uid);
	val[C_USED] = sm_value_u64(row->used_ns);
	if (has_comm(row))
		val[C_COMM] = sm_value_text(row->comm.p, row->comm.n);
	if (row->cgroup)
		val[C_CGROUP] = sm_value_text(row->cgroup->s, row->cgroup->len);
	if (row->cmd)
		fill_arguments(row->cmd, val);
	val[C_EXITED] = view_name_exited(row, &v->scratch.exited);
	sm_table_row(out, val);
}

/* Shows in CSV that a sample was taken. */
static void empty_sample(struct sm_table *out, const struct sample *s)
{
	struct sm_value val[C_N] = {0};

	val[C_TIME] = sm_value_time(s->wall_ns);
	val[C_MONO] = sm_value_u64(s->t_ns);
	val[C_DT] = sm_value_duration(s->dt_ns);
	sm_table_row(out, val);
}

/* --- headers and totals ----------------------------------------------------------- */

static void clock_of_day(uint64_t wall_ns, struct sm_buf *b)
{
	time_t t = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	localtime_r(&t, &tm);
	sm_buf_str(b, "  (");
	sm_buf_u64_pad(b, (uint64_t)tm.tm_hour, 2);
	sm_buf_chr(b, ':');
	sm_buf_u64_pad(b, (uint64_t)tm.tm_min, 2);
	sm_buf_chr(b, ':');
	sm_buf_u64_pad(b, (uint64_t)tm.tm_sec, 2);
	sm_buf_chr(b, ')');
}

/* Prints a header that ends in "Task  (00:58:53)  (partial 0.62 s)". partial_ns is 0 if
 * the sample is whole. */
static void heading(
	struct view *v, struct sm_table *out, uint64_t wall_ns, uint64_t partial_ns)
{
	struct sm_buf *task = &v->head;

	if (v->opts->app.no_header)
		return;
	sm_buf_reset(task);
	sm_buf_str(task, cpustat_columns[C_TASK].head);
	if (v->opts->heading_time)
		clock_of_day(wall_ns, task);
	if (partial_ns) {
		sm_buf_str(task, "  (partial ");
		sm_buf_fixed(task, nearest(partial_ns, SM_NSEC_PER_SEC / 100), 2);
		sm_buf_str(task, " s)");
	}
	sm_buf_chr(task, '\0');
	if (sm_buf_error(task)) {
		sm_sink_put_buf(out->sink, task, 0);
		return;
	}
	sm_table_set_head(out, C_TASK, task->p);
	sm_table_header(out);
}

/* Prints a line such as "155.72 118.41  37.31 Total", with the word in the column PID. */
static void total_line(struct view *v, struct sm_table *out, const struct stamp *at,
	const struct row *sum, const char *word)
{
	struct sm_value val[C_N];

	for (unsigned int i = 0; i < C_N; i++)
		val[i] = sm_value_str("");
	values_percent(sum, v->scale, val);
	val[C_MIN_PCT] = val[C_MAX_PCT] = sm_value_str("");
	val[C_TIME] = sm_value_time(at->wall_ns);
	val[C_PID] = sm_value_str(word);
	sm_table_row(out, val);
}

static void blank_line(const struct view *v, struct sm_table *out)
{
	static char newline[] = "\n";

	if (!v->opts->app.no_header)
		sm_table_text(out, &(struct sm_buf){.p = newline, .len = 1, .cap = 1}, 0);
}

static bool silent(const struct view *v)
{
	return v->opts->app.quiet || v->opts->tui;
}

static void human_sample(struct view *v, struct sm_table *out, const struct sample *s,
	const struct rows *r, const struct row *rows, size_t n,
	const struct sm_buf *system)
{
	struct stamp at = {s->t_ns, s->wall_ns};
	if (system)
		sm_table_text(out, system, 0);
	heading(v, out, s->wall_ns, s->partial ? s->dt_ns : 0);
	for (size_t i = 0; i < n; i++)
		human(v, out, &at, &rows[i]);
	if (v->opts->total && v->opts->app.limit)
		total_line(v, out, &at, &r->shown, "Shown");
	if (v->opts->total)
		total_line(v, out, &at, &r->total, "Total");
	blank_line(v, out);
}

/* --- JSON records other than rows ------------------------------------------------- */

struct record {
	struct view *v;
	struct sm_json j;
	uint64_t dt_ns;
};

static void put_percent(struct record *rec, const char *key, double ns)
{
	double pct = 100.0 * ns / (double)rec->dt_ns;

	sm_json_double(&rec->j, key, rec->v->scale * pct, PCT_DECIMALS);
}

static void sum(struct record *rec, const struct row *total)
{
	put_percent(rec, "total_pct", (double)total->used_ns);
	put_percent(rec, "total_usr_pct", (double)total->usr_ns);
	put_percent(rec, "total_sys_pct", (double)total->sys_ns);
	if (total->flags & ROW_HAS_WAIT)
		put_percent(rec, "total_wait_pct", (double)total->wait_ns);
}

/* Adds the residual, which is known only if /proc/stat covers exactly these tasks. */
static void residual(struct record *rec, const struct sample *s)
{
	if (!s->machine)
		return;
	put_percent(rec, "busy_pct", (double)s->busy_ns);
	put_percent(rec, "irq_pct", (double)s->irq_ns);
	put_percent(rec, "softirq_pct", (double)s->softirq_ns);
	put_percent(rec, "unaccounted_pct", (double)s->unaccounted_ns);
}

static void open_record(
	struct record *rec, struct view *v, struct sm_table *out, const char *type)
{
	rec->v = v;
	sm_table_record(out, &rec->j, type, v->wall_ns);
	sm_json_u64(&rec->j, "mono_ns", v->t_ns);
}

static void sample_record(struct view *v, struct sm_table *out, const struct sample *s,
	const struct rows *r, size_t n)
{
	struct record rec = {.dt_ns = s->dt_ns};
	struct sm_json *j = &rec.j;

	open_record(&rec, v, out, "sample");
	sm_json_seconds(j, "dt_s", s->dt_ns);
	sm_json_u64(j, "sample", v->samples);
	sm_json_bool(j, "partial", s->partial);
	sm_json_str(j, "source", s->source);
	sm_json_u64(j, "procs", s->processes);
	if (s->counted) {
		sm_json_u64(j, "processes_created", s->created);
		sm_json_u64(j, "processes_exited", s->exited);
	}
	sm_json_u64(j, "unreadable", s->unreadable);
	sm_json_u64(j, "matched", r->matched);
	sm_json_u64(j, "shown", n);
	sum(&rec, &r->total);
	put_percent(&rec, "tasks_pct", (double)s->tasks_ns);
	put_percent(&rec, "exited_pct", (double)s->exited_ns);
	put_percent(&rec, "self_pct", (double)s->self_ns);
	residual(&rec, s);
	sm_json_double(j, "capacity_cpus", s->capacity_cpus, 3);
	sm_json_u64(j, "lost_rows", sm_outputs_dropped(v->outputs));
	if (v->system)
		sysline_json(v->system, s, j);
	sm_table_record_end(out, &rec.j, 1);
}

void view_sample(struct view *v, const struct sample *s, const struct rows *r,
	const struct row *rows, size_t n, const struct sm_buf *system)
{
	struct stamp at = {s->t_ns, s->wall_ns};

	if (!s->dt_ns)
		return;
	v->samples++;
	v->rows += n;
	v->t_ns = s->t_ns;
	v->wall_ns = s->wall_ns;
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (out->format == SM_FORMAT_TABLE) {
			if (!silent(v))
				human_sample(v, out, s, r, rows, n, system);
			continue;
		}
		for (size_t k = 0; k < n; k++)
			machine(v, out, &at, &rows[k]);
		if (out->format == SM_FORMAT_JSON)
			sample_record(v, out, s, r, n);
		else if (!n)
			empty_sample(out, s);
	}
}

/* --- the end of the run ----------------------------------------------------------- */

static void grand_total_title(
	struct view *v, struct sm_table *out, uint64_t samples, uint64_t span_ns)
{
	struct sm_buf *title = &v->head;

	sm_buf_reset(title);
	sm_buf_str(title, "Grand Total (from ");
	sm_buf_u64(title, samples);
	sm_buf_str(title, samples == 1 ? " sample, " : " samples, ");
	sm_buf_fixed(title, nearest(span_ns, SM_NSEC_PER_SEC / 10), 1);
	sm_buf_str(title, " seconds):\n");
	sm_table_text(out, title, 0);
}

static void grand_total_record(struct view *v, struct sm_table *out, uint64_t samples,
	uint64_t span_ns, size_t n, const struct row *total)
{
	struct record rec = {.dt_ns = span_ns};

	open_record(&rec, v, out, "grand_total");
	sm_json_u64(&rec.j, "samples", samples);
	sm_json_seconds(&rec.j, "span_s", span_ns);
	sm_json_u64(&rec.j, "shown", n);
	if (total)
		sum(&rec, total);
	sm_table_record_end(out, &rec.j, 1);
}

static void grand_total_json(struct view *v, struct sm_table *out, const struct stamp *at,
	const struct row *rows, size_t n)
{
	const char *record = out->record;

	out->record = "total";
	for (size_t i = 0; i < n; i++)
		machine(v, out, at, &rows[i]);
	out->record = record;
}

static void grand_total_table(struct view *v, struct sm_table *out,
	const struct stamp *at, const struct row *rows, size_t n, const struct row *total)
{
	heading(v, out, at->wall_ns, 0);
	for (size_t i = 0; i < n; i++)
		human(v, out, at, &rows[i]);
	if (total && v->opts->total)
		total_line(v, out, at, total, "Total");
	blank_line(v, out);
}

void view_grand_total(struct view *v, uint64_t samples, uint64_t span_ns,
	const struct row *rows, size_t n, const struct row *total)
{
	struct stamp at = {v->t_ns, v->wall_ns};

	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (out->format == SM_FORMAT_JSON) {
			grand_total_json(v, out, &at, rows, n);
			grand_total_record(v, out, samples, span_ns, n, total);
		}
		if (out->format != SM_FORMAT_TABLE)
			continue;
		grand_total_title(v, out, samples, span_ns);
		grand_total_table(v, out, &at, rows, n, total);
	}
}

void view_text(struct view *v, const struct sm_buf *b)
{
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		if (v->outputs->out[i].format == SM_FORMAT_TABLE)
			sm_table_text(&v->outputs->out[i], b, 0);
	}
}

void view_json(struct view *v, const struct sm_buf *b)
{
	for (unsigned int i = 0; i < v->outputs->n; i++)
		if (v->outputs->out[i].format == SM_FORMAT_JSON)
			sm_sink_put_buf(&v->outputs->sink[i], b, 1);
}

/* --- start and end ---------------------------------------------------------------- */

void view_resized(struct view *v)
{
	if (v->outputs->n && v->outputs->out[0].format == SM_FORMAT_TABLE)
		columns_fit(&v->outputs->out[0], v->opts);
}

void view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs)
{
	*v = (struct view){.opts = o,
		.outputs = outputs,
		.color = sm_outputs_color(outputs, (enum sm_color)o->app.color),
		.scale = 1};
}

void view_start(struct view *v, const char *boot_id)
{
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		if (v->outputs->out[i].format == SM_FORMAT_JSON)
			sm_table_json_header(&v->outputs->out[i], "cpustat", SM_VERSION,
				boot_id, sm_clock_ns(CLOCK_REALTIME));
		else if (v->outputs->out[i].format == SM_FORMAT_CSV)
			sm_table_header(&v->outputs->out[i]);
	}
}

void view_fini(struct view *v)
{
	sm_buf_fini(&v->head);
	sm_buf_fini(&v->scratch.exited);
}
