// SPDX-License-Identifier: GPL-2.0-or-later
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

/* The original's rows are of starts alone. */
static void show_rows(struct view *v, struct sm_table *out, const struct sample *s,
	const struct event *rows, const struct sums *sums)
{
	bool all = out->format != SM_FORMAT_TABLE || v->opts->extended;

	for (size_t i = 0; i < sums->shown; i++)
		if (all || rows[i].now.starts)
			row(v, out, s, &rows[i]);
	if (out->format == SM_FORMAT_TABLE)
		total_lines(v, out, s, sums);
	else if (out->format == SM_FORMAT_JSON)
		sample_record(v, out, s, sums);
}

void view_sample(struct view *v, const struct sample *s, const struct event *rows,
	const struct sums *sums)
{
	v->samples++;
	v->app->rows += sums->shown;
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		bool human = out->format == SM_FORMAT_TABLE;

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (human && (v->opts->app.quiet || v->opts->tui))
			continue;
		if (human && v->samples > 1) /* the first one is there from the start */
			sm_table_header(out);
		show_rows(v, out, s, rows, sums);
	}
}

void view_of_screen(struct view *v, const struct sample *s, const struct event *rows,
	const struct sums *sums)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format != SM_FORMAT_TABLE)
			continue;
		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		out->no_header = v->opts->app.no_header;
		show_rows(v, out, s, rows, sums);
	}
}
