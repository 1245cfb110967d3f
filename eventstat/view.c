// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>

#include "cli/app_rows.h"
#include "columns.h"
#include "values.h"
#include "view.h"

void view_init(struct view *v, const struct opts *o, struct sm_app *app)
{
	*v = (struct view){.opts = o, .app = app};
}

void view_fini(struct view *v)
{
	sm_buf_fini(&v->text);
}

static void row(const struct view *v, struct sm_table *out, const struct sample *s,
	const struct event *e)
{
	struct values_text text;
	struct sm_value val[C_N];

	values_row(v->opts, s, e, out->format == SM_FORMAT_TABLE, &text, val);
	sm_table_row(out, val);
}

/* --- what comes after them -----------------------------------------------------------
 */

static void put_rate(struct sm_buf *b, const char *before, uint64_t n, uint64_t dt_ns)
{
	sm_buf_str(b, before);
	sm_buf_double(b, values_per_second(n, dt_ns), 2);
}

void view_stamp(struct view *v, uint64_t t_ns, uint64_t wall_ns)
{
	time_t sec = (time_t)(wall_ns / SM_NSEC_PER_SEC);
	char text[32] = "";
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	localtime_r(&sec, &tm);
	strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &tm);
	sm_buf_printf(&v->text, "Timestamp: %s, Total Run Duration: ", text);
	sm_buf_double(&v->text, (double)(t_ns - v->start_ns) / 1e9, 1);
	sm_buf_str(&v->text, " secs\n");
}

static void total_lines(struct view *v, struct sm_table *out, const struct sample *s)
{
	const struct sums *sums = &s->sums;
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
		view_stamp(v, s->t_ns, s->wall_ns);
	if (!v->opts->app.no_header)
		sm_buf_chr(b, '\n');
	sm_table_text(out, b, 0);
}

static void sample_record(struct view *v, struct sm_table *out, const struct sample *s,
	size_t n, size_t shown)
{
	const struct sums *sums = &s->sums;
	struct sm_json j;

	sm_table_record(out, &j, "sample", s->wall_ns);
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_seconds(&j, "dt_s", s->dt_ns);
	sm_json_u64(&j, "sample", v->samples);
	sm_json_bool(&j, "partial", s->partial);
	sm_json_u64(&j, "matched", n);
	sm_json_u64(&j, "shown", shown);
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

/* The original's rows are of starts alone. */
static void show_rows(struct view *v, struct sm_table *out, const struct sample *s,
	const struct event *rows, size_t n)
{
	bool all = out->format != SM_FORMAT_TABLE || v->opts->extended;

	for (size_t i = 0; i < n; i++)
		if (all || rows[i].now.starts)
			row(v, out, s, &rows[i]);
}

void view_sample(struct view *v, const struct sample *s, const struct event *rows,
	size_t n, size_t shown)
{
	counts_add(&v->all, &s->sums.all);
	if (!v->samples++)
		v->start_ns = s->t_ns - s->dt_ns;
	v->app->rows += shown;
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		bool human = out->format == SM_FORMAT_TABLE;

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (human && (v->opts->app.quiet || v->opts->tui))
			continue;
		if (human && v->samples > 1) /* the first one is there from the start */
			sm_table_header(out);
		show_rows(v, out, s, rows, shown);
		if (human)
			total_lines(v, out, s);
		else if (out->format == SM_FORMAT_JSON)
			sample_record(v, out, s, n, shown);
	}
}

void view_of_screen(
	struct view *v, const struct sample *s, const struct event *rows, size_t shown)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format != SM_FORMAT_TABLE)
			continue;
		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		out->no_header = v->opts->app.no_header;
		show_rows(v, out, s, rows, shown);
		total_lines(v, out, s);
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
