// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>

#include "clock.h"
#include "columns.h"
#include "task_names.h"
#include "text.h"
#include "view.h"
#include "view_fit.h"
#include "view_name.h"

#define HUMAN_DECIMALS	 2
#define MACHINE_DECIMALS 4

/* --- values ------------------------------------------------------------------------ */

static struct sm_val num(uint64_t u)
{
	return (struct sm_val){.type = SM_VAL_U64, .u = u};
}

static struct sm_val str(const char *s)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {s, strlen(s)}};
}

static struct sm_val text(const char *s, size_t n)
{
	return (struct sm_val){.type = SM_VAL_TEXT, .s = {s, n}};
}

static struct sm_val bytes(const struct sm_buf *b)
{
	return (struct sm_val){.type = SM_VAL_STR, .s = {b->p, b->len}};
}

static struct sm_val real(double d, int decimals)
{
	return (struct sm_val){.type = SM_VAL_DOUBLE, .scale = (uint8_t)decimals, .d = d};
}

static uint64_t nearest(uint64_t ns, uint64_t unit_ns)
{
	return ns / unit_ns + (ns % unit_ns >= (unit_ns + 1) / 2);
}

static struct sm_val with_unit(uint64_t centi, const char *unit)
{
	return (struct sm_val){
		.type = SM_VAL_FIXED, .scale = 2, .u = centi, .suffix = unit};
}

/* As the original has it: 59.99s, then minutes.seconds (1.30m is 90 seconds),
 * hours.minutes, and hundredths of days, weeks and years of 365 days. */
static struct sm_val cpu_time(uint64_t ns)
{
	const uint64_t minute_ns = 60 * SM_NSEC_PER_SEC, day_ns = 1440 * minute_ns;
	uint64_t n = nearest(ns, SM_NSEC_PER_SEC / 100);

	if (n < 6000)
		return with_unit(n, "s");
	n = nearest(ns, SM_NSEC_PER_SEC);
	if (n < 3600)
		return with_unit(n / 60 * 100 + n % 60, "m");
	n = nearest(ns, minute_ns);
	if (n < 1440)
		return with_unit(n / 60 * 100 + n % 60, "h");
	if (ns < 7 * day_ns)
		return with_unit(nearest(ns, day_ns / 100), "d");
	if (ns < 365 * day_ns)
		return with_unit(nearest(ns, 7 * day_ns / 100), "w");
	return with_unit(nearest(ns, 365 * day_ns / 100), "y");
}

/* --- rows -------------------------------------------------------------------------- */

static const char *const kinds[] = {[CS_PROCESS] = "process",
	[CS_THREAD] = "thread",
	[CS_EXITED] = "exited",
	[CS_GROUP] = "group",
	[CS_SOFTIRQ] = "softirq",
	[CS_IRQ] = "irq",
	[CS_UNACCOUNTED] = "unaccounted",
	[CS_OTHERS] = "others"};

struct stamp { /* what all rows of a sample have in common */
	uint64_t t_ns, wall_ns;
};

static struct sm_val wall(const struct stamp *at)
{
	return (struct sm_val){.type = SM_VAL_TIME, .u = at->wall_ns};
}

static struct sm_val seconds(uint64_t ns)
{
	return (struct sm_val){.type = SM_VAL_DURATION, .u = ns};
}

static void fill_percent(
	const struct view *v, const struct cs_row *row, int decimals, struct sm_val *val)
{
	val[C_CPU_PCT] = real(v->scale * cs_pct(row, row->used_ns), decimals);
	val[C_USR_PCT] = real(v->scale * cs_pct(row, row->usr_ns), decimals);
	val[C_SYS_PCT] = real(v->scale * cs_pct(row, row->sys_ns), decimals);
	if (row->flags & CS_HAS_WAIT)
		val[C_WAIT_PCT] = real(v->scale * cs_pct(row, row->wait_ns), decimals);
	val[C_MIN_PCT] = real(v->scale * (double)row->min_pct, decimals);
	val[C_MAX_PCT] = real(v->scale * (double)row->max_pct, decimals);
}

static void fill_task(const struct cs_row *row, struct sm_val *val)
{
	if (row->pid)
		val[C_PID] = num((uint64_t)row->pid);
	if (row->tgid)
		val[C_TGID] = num((uint64_t)row->tgid);
	if (row->state)
		val[C_STATE] = text(&row->state, 1);
	if (row->cpu >= 0)
		val[C_CPU] = num((uint64_t)row->cpu);
	if (row->members)
		val[C_MEMBERS] = num(row->members);
}

/* What no task accounts for was never born; of what has gone or was merged it may be
 * unknown. */
static bool since_birth(const struct cs_row *row)
{
	switch (row->kind) {
	case CS_SOFTIRQ:
	case CS_IRQ:
	case CS_UNACCOUNTED:
		return false;
	case CS_PROCESS:
	case CS_THREAD:
		return true;
	default:
		return row->total_ns != 0;
	}
}

/* By load of one CPU; the rest is as the terminal has it. */
static const char *colour(const struct cs_row *row)
{
	double pct = cs_pct(row, row->used_ns);

	return pct >= 80 ? "1;31" : pct >= 40 ? "31" : pct >= 10 ? "33" : NULL;
}

static void human(struct view *v, struct sm_out *out, const struct stamp *at,
	const struct cs_row *row)
{
	struct sm_val val[C_N] = {0};
	char brackets[VIEW_BRACKETS_MAX];

	val[C_TIME] = wall(at);
	fill_percent(v, row, HUMAN_DECIMALS, val);
	fill_task(row, val);
	if (since_birth(row))
		val[C_TOTAL] = cpu_time(row->total_ns);
	val[C_TASK] = view_name_value(v->opts, row, brackets);
	out->sgr = v->color ? colour(row) : NULL;
	view_put_row(v, out, val);
	out->sgr = NULL;
}

/* An empty one is one; of a process whose stat could not be read none is known. */
static bool has_comm(const struct cs_row *row)
{
	return row->comm.n || row->kind == CS_GROUP ||
	       (row->kind < CS_GROUP && row->start_ticks);
}

static void fill_arguments(const struct sm_istr *cmd, struct sm_val *val)
{
	val[C_ARGV] = val[C_COMMAND] =
		(struct sm_val){.type = SM_VAL_ARGV, .s = {cmd->s, cmd->len}};
	if (cmd->tag & CS_CMD_CUT)
		val[C_TRUNCATED] = (struct sm_val){.type = SM_VAL_BOOL, .b = true};
}

static void machine(struct view *v, struct sm_out *out, const struct stamp *at,
	const struct cs_row *row)
{
	struct sm_val val[C_N] = {0};

	val[C_TIME] = wall(at);
	val[C_MONO] = num(at->t_ns);
	val[C_DT] = seconds(row->dt_ns);
	val[C_KIND] = str(kinds[row->kind]);
	fill_percent(v, row, MACHINE_DECIMALS, val);
	fill_task(row, val);
	if (row->ppid)
		val[C_PPID] = num((uint64_t)row->ppid);
	if (row->flags & CS_HAS_UID)
		val[C_UID] = num(row->uid);
	if (since_birth(row))
		val[C_TOTAL] = seconds(row->total_ns);
	val[C_USED] = num(row->used_ns);
	if (has_comm(row))
		val[C_COMM] = text(row->comm.p, row->comm.n);
	if (row->cgroup)
		val[C_CGROUP] = text(row->cgroup->s, row->cgroup->len);
	if (row->cmd)
		fill_arguments(row->cmd, val);
	view_put_row(v, out, val);
}

/* --- around the rows -----------------------------------------------------------------
 */

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

/* "Task  (00:58:53)  (partial 0.62 s)".  partial_ns 0: the sample is whole. */
static void heading(
	struct view *v, struct sm_out *out, uint64_t wall_ns, uint64_t partial_ns)
{
	struct sm_val val[C_N] = {0};
	struct sm_buf *task = &v->head;

	if (v->opts->no_header)
		return;
	sm_buf_reset(task);
	for (unsigned int i = 0; i < C_TASK; i++) {
		if (cs_columns[i].head)
			val[i] = str(cs_columns[i].head);
	}
	if (v->opts->threads)
		val[C_PID] = str("TID");
	sm_buf_str(task, cs_columns[C_TASK].head);
	if (v->opts->heading_time)
		clock_of_day(wall_ns, task);
	if (partial_ns) {
		sm_buf_str(task, "  (partial ");
		sm_buf_fixed(task, nearest(partial_ns, SM_NSEC_PER_SEC / 100), 2);
		sm_buf_str(task, " s)");
	}
	val[C_TASK] = bytes(task);
	if (!view_put_row(v, out, val))
		out->sink->dropped--; /* a heading is no row */
}

/* "155.72 118.41  37.31 Total": the word stands where the PID would. */
static void total_line(struct view *v, struct sm_out *out, const struct stamp *at,
	const struct cs_row *sum, const char *word)
{
	struct sm_val val[C_N];

	for (unsigned int i = 0; i < C_N; i++)
		val[i] = str("");
	fill_percent(v, sum, HUMAN_DECIMALS, val);
	val[C_MIN_PCT] = val[C_MAX_PCT] = str("");
	val[C_TIME] = wall(at);
	val[C_PID] = str(word);
	view_put_row(v, out, val);
}

static void blank_line(const struct view *v, struct sm_out *out)
{
	static char newline[] = "\n";

	if (!v->opts->no_header)
		sm_out_text(out, &(struct sm_buf){.p = newline, .len = 1, .cap = 1}, 0);
}

static bool silent(const struct view *v)
{
	return v->opts->quiet || v->opts->tui;
}

static void human_sample(struct view *v, struct sm_out *out, const struct cs_sample *s,
	const struct rows *r, const struct cs_row *rows, size_t n,
	const struct sm_buf *system)
{
	struct stamp at = {s->t_ns, s->wall_ns};
	uint64_t shown = view_narrow(v, out);

	if (system)
		view_put_text(v, out, system);
	heading(v, out, s->wall_ns, s->partial ? s->dt_ns : 0);
	for (size_t i = 0; i < n; i++)
		human(v, out, &at, &rows[i]);
	if (v->opts->total && v->opts->limit)
		total_line(v, out, &at, &r->shown, "Shown");
	if (v->opts->total)
		total_line(v, out, &at, &r->total, "Total");
	blank_line(v, out);
	out->show = shown;
}

/* --- JSON records other than rows ----------------------------------------------------
 */

struct record {
	struct view *v;
	struct sm_json j;
	uint64_t dt_ns;
};

static void percent(struct record *rec, const char *key, double ns)
{
	double pct = 100.0 * ns / (double)rec->dt_ns;

	sm_json_double(&rec->j, key, rec->v->scale * pct, MACHINE_DECIMALS);
}

static void sum(struct record *rec, const struct cs_row *total)
{
	percent(rec, "total_pct", (double)total->used_ns);
	percent(rec, "total_usr_pct", (double)total->usr_ns);
	percent(rec, "total_sys_pct", (double)total->sys_ns);
	if (total->flags & CS_HAS_WAIT)
		percent(rec, "total_wait_pct", (double)total->wait_ns);
}

/* What no task accounts for; known only if the figures of /proc/stat are of these tasks.
 */
static void residual(struct record *rec, const struct cs_sample *s)
{
	if (!s->machine)
		return;
	percent(rec, "busy_pct", (double)s->busy_ns);
	percent(rec, "irq_pct", (double)s->irq_ns);
	percent(rec, "softirq_pct", (double)s->softirq_ns);
	percent(rec, "unaccounted_pct", (double)s->unaccounted_ns);
}

static void open_record(struct record *rec, struct view *v, const char *type)
{
	sm_buf_reset(&v->line);
	rec->v = v;
	sm_json_open(&rec->j, &v->line, type);
	sm_json_time(&rec->j, "time", v->wall_ns);
	sm_json_u64(&rec->j, "mono_ns", v->t_ns);
}

static void close_record(struct record *rec, struct sm_out *out)
{
	sm_json_close(&rec->j);
	if (!sm_buf_error(rec->j.b))
		sm_sink_put(out->sink, rec->j.b->p, rec->j.b->len, 1);
	else
		out->sink->dropped++;
}

static void sample_record(struct view *v, struct sm_out *out, const struct cs_sample *s,
	const struct rows *r, size_t n)
{
	struct record rec = {.dt_ns = s->dt_ns};
	struct sm_json *j = &rec.j;

	open_record(&rec, v, "sample");
	sm_json_seconds(j, "dt_s", s->dt_ns);
	sm_json_u64(j, "sample", v->samples);
	sm_json_bool(j, "partial", s->partial);
	sm_json_u64(j, "procs", s->live);
	sm_json_u64(j, "births", s->births);
	sm_json_u64(j, "deaths", s->deaths);
	sm_json_u64(j, "unreadable", s->unreadable);
	sm_json_u64(j, "matched", r->matched);
	sm_json_u64(j, "shown", n);
	sum(&rec, &r->total);
	percent(&rec, "tasks_pct", (double)s->tasks_ns);
	percent(&rec, "exited_pct", (double)s->exited_ns);
	percent(&rec, "self_pct", (double)s->self_ns);
	residual(&rec, s);
	sm_json_double(j, "capacity_cpus", s->capacity_cpus, 3);
	sm_json_u64(j, "lost_rows", sm_faces_dropped(&v->faces));
	if (v->system)
		system_json(v->system, s, j);
	close_record(&rec, out);
}

void view_sample(struct view *v, const struct cs_sample *s, const struct rows *r,
	const struct cs_row *rows, size_t n, const struct sm_buf *system)
{
	struct stamp at = {s->t_ns, s->wall_ns};

	if (!s->dt_ns)
		return;
	v->samples++;
	v->rows += n;
	v->t_ns = s->t_ns;
	v->wall_ns = s->wall_ns;
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		out->wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (out->face == SM_FACE_HUMAN) {
			if (!silent(v))
				human_sample(v, out, s, r, rows, n, system);
			continue;
		}
		for (size_t k = 0; k < n; k++)
			machine(v, out, &at, &rows[k]);
		if (out->face == SM_FACE_JSON)
			sample_record(v, out, s, r, n);
	}
}

/* --- at the end ----------------------------------------------------------------------
 */

static void grand_total_title(
	struct view *v, struct sm_out *out, uint64_t samples, uint64_t span_ns)
{
	struct sm_buf *title = &v->head;

	sm_buf_reset(title);
	sm_buf_str(title, "Grand Total (from ");
	sm_buf_u64(title, samples);
	sm_buf_str(title, " samples, ");
	sm_buf_fixed(title, nearest(span_ns, SM_NSEC_PER_SEC / 10), 1);
	sm_buf_str(title, " seconds):\n");
	view_put_text(v, out, title);
}

static void grand_total_record(struct view *v, struct sm_out *out, uint64_t samples,
	uint64_t span_ns, size_t n, const struct cs_row *total)
{
	struct record rec = {.dt_ns = span_ns};

	open_record(&rec, v, "grand_total");
	sm_json_u64(&rec.j, "samples", samples);
	sm_json_seconds(&rec.j, "span_s", span_ns);
	sm_json_u64(&rec.j, "shown", n);
	if (total)
		sum(&rec, total);
	close_record(&rec, out);
}

static void grand_total_json(struct view *v, struct sm_out *out, const struct stamp *at,
	const struct cs_row *rows, size_t n)
{
	const char *record = out->record;

	out->record = "total";
	for (size_t i = 0; i < n; i++)
		machine(v, out, at, &rows[i]);
	out->record = record;
}

static void grand_total_table(struct view *v, struct sm_out *out, const struct stamp *at,
	const struct cs_row *rows, size_t n, const struct cs_row *total)
{
	uint64_t shown = view_narrow(v, out);

	heading(v, out, at->wall_ns, 0);
	for (size_t i = 0; i < n; i++)
		human(v, out, at, &rows[i]);
	if (total && v->opts->total)
		total_line(v, out, at, total, "Total");
	blank_line(v, out);
	out->show = shown;
}

void view_grand_total(struct view *v, uint64_t samples, uint64_t span_ns,
	const struct cs_row *rows, size_t n, const struct cs_row *total)
{
	struct stamp at = {v->t_ns, v->wall_ns};

	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_JSON) {
			grand_total_json(v, out, &at, rows, n);
			grand_total_record(v, out, samples, span_ns, n, total);
		}
		if (out->face != SM_FACE_HUMAN)
			continue;
		grand_total_title(v, out, samples, span_ns);
		grand_total_table(v, out, &at, rows, n, total);
	}
}

void view_text(struct view *v, const struct sm_buf *b)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		if (v->faces.out[i].face == SM_FACE_HUMAN)
			view_put_text(v, &v->faces.out[i], b);
	}
}

void view_json(struct view *v, const struct sm_buf *b)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		if (v->faces.out[i].face != SM_FACE_JSON)
			continue;
		if (!sm_buf_error(b))
			sm_sink_put(&v->faces.sink[i], b->p, b->len, 1);
		else
			v->faces.sink[i].dropped++;
	}
}
