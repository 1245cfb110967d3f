// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/app_rows.h"
#include "columns.h"
#include "kernel/taskname.h"
#include "view.h"

#define TIMER_ID_MAX 9

void view_init(struct view *v, const struct opts *o, struct sm_app *app)
{
	*v = (struct view){.opts = o, .app = app};
}

void view_fini(struct view *v)
{
	sm_buf_fini(&v->text);
}

/* --- rows ----------------------------------------------------------------------------
 */

static double per_second(uint64_t n, uint64_t dt_ns)
{
	return dt_ns ? (double)n * 1e9 / (double)dt_ns : 0;
}

static unsigned int name_form(const struct opts *o)
{
	return (o->full_command ? SM_TASKNAME_FULL : 0u) |
	       (o->short_name ? SM_TASKNAME_SHORT : 0u) |
	       (o->strip_path ? SM_TASKNAME_STRIP : 0u);
}

static struct sm_value text_of(struct sm_str s)
{
	return s.n ? sm_value_text(s.p, s.n) : sm_value_str("?");
}

struct sm_value view_task_name(
	const struct opts *o, const struct event *e, char *brackets)
{
	unsigned int form = name_form(o);
	struct sm_str s;

	if (e->flags & EVENT_GROUP && !e->comm.n)
		return (struct sm_value){0};
	if (e->flags & EVENT_KTHREAD && e->comm.n < SM_TASK_COMM_LEN)
		return text_of(sm_taskname_kthread(e->comm, brackets));
	if (!e->cmd || !e->cmd->len)
		return text_of(e->comm);
	s = sm_taskname_command((struct sm_str){e->cmd->s, e->cmd->len}, form);
	if (form & SM_TASKNAME_FULL)
		return sm_value_bytes(SM_VALUE_ARGV, s.p, s.n);
	return text_of(s);
}

static void put_task(const struct event *e, struct sm_value *val)
{
	if (e->tid >= 0)
		val[C_PID] = sm_value_u64((uint64_t)e->tid);
	if (e->tgid >= 0)
		val[C_TGID] = sm_value_u64((uint64_t)e->tgid);
	if (e->flags & EVENT_HAS_UID)
		val[C_UID] = sm_value_u64(e->uid);
	val[C_CPU_PCT] = sm_value_double((double)e->cpu_pct);
	if (e->flags & EVENT_HAS_PRIO) {
		val[C_PR] = sm_value_u64(e->rtprio);
		val[C_NI] = sm_value_number(SM_VALUE_I64, 0);
		val[C_NI].i = e->nice;
	}
	val[C_MEMBERS] = sm_value_u64(e->members);
	val[C_KTHREAD] = sm_value_bool(e->flags & EVENT_KTHREAD);
}

static void put_names(const struct event *e, struct sm_value *val)
{
	if (e->comm.n)
		val[C_COMM] = sm_value_text(e->comm.p, e->comm.n);
	if (e->cgroup)
		val[C_CGROUP] = sm_value_text(e->cgroup->s, e->cgroup->len);
	if (e->cmd) {
		val[C_ARGV] = sm_value_bytes(SM_VALUE_ARGV, e->cmd->s, e->cmd->len);
		val[C_COMMAND] = val[C_ARGV];
	}
}

static void put_counts(const struct event *e, uint64_t dt_ns, struct sm_value *val)
{
	val[C_DT] = sm_value_duration(dt_ns);
	val[C_RATE] = sm_value_double(per_second(e->now.starts, dt_ns));
	val[C_STARTS] = sm_value_u64(e->now.starts);
	val[C_EXPIRIES] = sm_value_u64(e->now.expiries);
	val[C_IDLE] = sm_value_u64(e->now.idle);
	val[C_WAKE_RATE] = sm_value_double(per_second(e->now.expiries, dt_ns));
	val[C_IDLE_RATE] = sm_value_double(per_second(e->now.idle, dt_ns));
}

static struct sm_value kind_of(const struct event *e, bool human)
{
	static const char *const letter[] = {"H", "W", "D"};
	static const char *const word[] = {"hrtimer", "wheel", "deferrable"};

	if (!e->func || e->kind >= SM_ARRAY_SIZE(word))
		return (struct sm_value){0};
	return sm_value_str(human ? letter[e->kind] : word[e->kind]);
}

struct sm_value view_func_name(const struct event *e, char *address)
{
	if (!e->func)
		return (struct sm_value){0};
	if (e->func_name[0])
		return sm_value_str(e->func_name);
	snprintf(address, VIEW_ADDRESS_MAX, "0x%llx", (unsigned long long)e->func);
	return sm_value_str(address);
}

static struct sm_value timer_id_of(const struct event *e, char *text)
{
	if (!e->timer_id)
		return (struct sm_value){0};
	snprintf(text, TIMER_ID_MAX, "%08x", (unsigned int)e->timer_id);
	return sm_value_str(text);
}

static void row(const struct view *v, struct sm_table *out, const struct sample *s,
	const struct event *e)
{
	bool human = out->format == SM_FORMAT_TABLE;
	char brackets[VIEW_BRACKETS_MAX], address[VIEW_ADDRESS_MAX], timer[TIMER_ID_MAX];
	struct sm_value val[C_N];

	memset(val, 0, sizeof(val));
	val[C_TIME] = sm_value_time(s->wall_ns);
	val[C_MONO] = sm_value_u64(s->t_ns);
	put_counts(e, s->dt_ns, val);
	put_task(e, val);
	put_names(e, val);
	val[C_TASK] = view_task_name(v->opts, e, brackets);
	val[C_KIND] = kind_of(e, human);
	val[C_FUNC] = view_func_name(e, address);
	val[C_TIMER] = timer_id_of(e, timer);
	if (human && v->opts->cumulative)
		val[C_RATE] = sm_value_u64(e->total.starts);
	sm_table_row(out, val);
}

/* --- what comes after them -----------------------------------------------------------
 */

static void put_rate(struct sm_buf *b, const char *before, uint64_t n, uint64_t dt_ns)
{
	sm_buf_str(b, before);
	sm_buf_double(b, per_second(n, dt_ns), 2);
}

/* -w */
static void stamp_line(struct view *v, const struct sample *s)
{
	time_t sec = (time_t)(s->wall_ns / SM_NSEC_PER_SEC);
	char text[32] = "";
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	localtime_r(&sec, &tm);
	strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
	sm_buf_printf(&v->text, "Timestamp: %s, Total Run Duration: ", text);
	sm_buf_double(&v->text, (double)(s->t_ns - v->start_ns) / 1e9, 1);
	sm_buf_str(&v->text, " secs\n");
}

static void total_lines(struct view *v, struct sm_table *out, const struct sample *s,
	const struct sums *sums)
{
	struct sm_buf *b = &v->text;

	sm_buf_reset(b);
	sm_buf_u64(b, sums->all.starts);
	put_rate(b, " Total events, ", sums->all.starts, s->dt_ns);
	put_rate(b, " events/sec (kernel: ", sums->kernel.starts, s->dt_ns);
	put_rate(b, ", userspace: ", sums->all.starts - sums->kernel.starts, s->dt_ns);
	sm_buf_str(b, ")\n");
	if (v->opts->extended) {
		put_rate(b, "Expiries: ", sums->all.expiries, s->dt_ns);
		put_rate(b, "/sec, of a CPU that was idle: ", sums->all.idle, s->dt_ns);
		put_rate(b, "/sec; tick: ", sums->tick.expiries, s->dt_ns);
		sm_buf_str(b, "/sec\n");
	}
	if (s->lost.events) {
		sm_buf_str(b, "Lost: ");
		sm_buf_u64(b, s->lost.events);
		sm_buf_str(b, " events\n");
	}
	if (v->opts->stamp)
		stamp_line(v, s);
	if (!v->opts->app.no_header)
		sm_buf_chr(b, '\n');
	sm_table_text(out, b, 0);
}

static void sample_record(struct view *v, struct sm_table *out, const struct sample *s,
	const struct sums *sums)
{
	struct sm_json j;

	sm_table_record(out, &j, "sample", s->wall_ns);
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_seconds(&j, "dt_s", s->dt_ns);
	sm_json_u64(&j, "sample", v->samples);
	sm_json_bool(&j, "partial", s->partial);
	sm_json_u64(&j, "matched", sums->matched);
	sm_json_u64(&j, "shown", sums->shown);
	sm_json_u64(&j, "starts", sums->all.starts);
	sm_json_u64(&j, "kernel_starts", sums->kernel.starts);
	sm_json_u64(&j, "expiries", sums->all.expiries);
	sm_json_u64(&j, "idle_expiries", sums->all.idle);
	sm_json_u64(&j, "tick_expiries", sums->tick.expiries);
	sm_json_u64(&j, "self_starts", sums->self);
	sm_json_u64(&j, "lost_events", s->lost.events);
	sm_json_u64(&j, "lost_owners", s->lost.owners);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
	sm_table_record_end(out, &j, 1);
}

void view_sample(struct view *v, const struct sample *s, const struct event *rows,
	const struct sums *sums)
{
	size_t n = sums->shown;

	counts_add(&v->all, &sums->all);
	if (!v->samples++)
		v->start_ns = s->t_ns - s->dt_ns;
	v->app->rows += n;
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		bool human = out->format == SM_FORMAT_TABLE;

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (human && v->opts->app.quiet)
			continue;
		if (human && v->samples > 1) /* the first one is there from the start */
			sm_table_header(out);
		/* The original's rows are of starts alone. */
		for (size_t k = 0; k < n; k++)
			if (!human || v->opts->extended || rows[k].now.starts)
				row(v, out, s, &rows[k]);
		if (human)
			total_lines(v, out, s, sums);
		else if (out->format == SM_FORMAT_JSON)
			sample_record(v, out, s, sums);
	}
}

/* --- the end -------------------------------------------------------------------------
 */

static void totals_head(struct view *v, struct sm_table *out, uint64_t span_ns)
{
	struct sm_buf *b = &v->text;

	sm_buf_reset(b);
	sm_buf_printf(b, "Total (from %llu samples, ", (unsigned long long)v->samples);
	sm_buf_double(b, (double)span_ns / 1e9, 1);
	sm_buf_str(b, " seconds):\n");
	sm_table_text(out, b, 0);
	sm_table_header(out);
}

void view_totals(struct view *v, const struct event *totals, size_t n, uint64_t span_ns)
{
	uint64_t t_ns = sm_clock_mono_ns();
	struct sample s = {
		.t_ns = t_ns, .wall_ns = sm_app_rows_wall_ns(t_ns), .dt_ns = span_ns};

	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		const char *record = out->record;
		bool human = out->format == SM_FORMAT_TABLE;

		if (out->format == SM_FORMAT_CSV)
			continue;
		if (human)
			totals_head(v, out, span_ns);
		out->record = "total";
		for (size_t k = 0; k < n; k++)
			if (!human || v->opts->extended || totals[k].now.starts)
				row(v, out, &s, &totals[k]);
		out->record = record;
	}
}

static void summary_record(
	struct view *v, struct sm_table *out, const struct sample *last)
{
	struct sm_json j;

	sm_table_record(out, &j, "summary", sm_app_rows_wall_ns(sm_clock_mono_ns()));
	sm_json_u64(&j, "samples", v->samples);
	sm_json_seconds(&j, "span_s", v->samples ? last->t_ns - v->start_ns : 0);
	sm_json_u64(&j, "missed_samples", v->app->ticker.missed);
	sm_json_u64(&j, "starts", v->all.starts);
	sm_json_u64(&j, "expiries", v->all.expiries);
	sm_json_u64(&j, "idle_expiries", v->all.idle);
	sm_json_u64(&j, "rows", v->app->rows);
	sm_json_u64(&j, "lost_events", last->lost.events);
	sm_json_u64(&j, "lost_owners", last->lost.owners);
	sm_json_u64(&j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
	sm_table_record_end(out, &j, 1);
}

void view_summary(struct view *v, const struct sample *last)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++)
		if (v->app->outputs.out[i].format == SM_FORMAT_JSON)
			summary_record(v, &v->app->outputs.out[i], last);
}
