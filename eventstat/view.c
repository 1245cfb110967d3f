// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <time.h>

#include "cli/app_rows.h"
#include "columns.h"
#include "rows/select.h"
#include "view.h"
#include "wakeups/wakeview.h"

int view_init(struct view *v, const struct opts *o, struct sm_app *app)
{
	*v = (struct view){.opts = o, .app = app};
	return rows_init(&v->table, o);
}

void view_fini(struct view *v)
{
	rows_fini(&v->table);
	sm_buf_fini(&v->text);
}

/* --- rows ----------------------------------------------------------------- */

static void put_rows(const struct view *v, struct sm_table *out, const struct span *span,
	const struct event *rows, size_t n)
{
	bool human = out->format == SM_FORMAT_TABLE;

	for (size_t i = 0; i < n; i++) {
		struct values_text text;
		struct sm_value val[C_N];

		values_row(v->opts, span, &rows[i], human, &text, val);
		sm_table_row(out, val);
	}
}

static unsigned int shown_columns(struct sm_table *out)
{
	unsigned int n, shown = 0;
	const uint16_t *cols;

	n = sm_table_shown(out, &cols);
	for (unsigned int i = 0; i < n; i++)
		shown |= cols[i] == C_FUNC || cols[i] == C_WHAT ? GROUP_SHOWS_FUNC
			 : cols[i] == C_KIND			? GROUP_SHOWS_KIND
			 : cols[i] == C_TIMER			? GROUP_SHOWS_TIMER
								: 0;
	return shown;
}

/* Prints the first n rows of v->table.  Without -x the table, like the original, has only
 * rows with starts. */
static int put_table(
	const struct view *v, struct sm_table *out, const struct span *span, ssize_t n)
{
	struct event *e = v->table.groups.event;

	tasks_look(v->table.tasks, e, n > 0 ? (size_t)n : 0);
	for (ssize_t i = 0; i < n; i++)
		if (v->opts->extended || e[i].now.starts)
			put_rows(v, out, span, &e[i], 1);
	return n < 0 ? (int)n : 0;
}

/* A sample without rows has this row in CSV, so that a reader knows the length of the
 * run. */
static void put_empty(struct sm_table *out, const struct span *span)
{
	struct sm_value val[C_N];

	values_empty(span, val);
	sm_table_row(out, val);
}

/* --- the text below the rows ---------------------------------------------- */

void view_put_rate(struct view *v, const char *before, uint64_t n, uint64_t dt_ns)
{
	sm_buf_str(&v->text, before);
	sm_buf_double(&v->text, values_per_second(n, dt_ns), 2);
}

/* Appends the line of -w. */
static void put_stamp(struct view *v, const struct sample *s)
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

void view_put_end(struct view *v, const struct sample *s)
{
	if (s->lost.events) {
		sm_buf_str(&v->text, "Lost: ");
		sm_buf_u64(&v->text, s->lost.events);
		sm_buf_str(&v->text, " events\n");
	}
	if (s->lost_cpus)
		sm_buf_printf(&v->text, "Not counted: %u CPU%s that came online\n",
			s->lost_cpus, s->lost_cpus > 1 ? "s" : "");
	if (s->partial) {
		sm_buf_str(&v->text, "Partial sample: ");
		sm_buf_double(&v->text, (double)s->dt_ns / 1e9, 2);
		sm_buf_str(&v->text, " seconds\n");
	}
	if (v->opts->stamp)
		put_stamp(v, s);
	if (!v->opts->app.no_header)
		sm_buf_chr(&v->text, '\n');
}

static void put_timer_totals(struct view *v, const struct sample *s)
{
	const struct sums *sums = &s->sums;
	struct sm_buf *b = &v->text;

	sm_buf_u64(b, sums->all.starts);
	view_put_rate(v, " Total events, ", sums->all.starts, s->dt_ns);
	view_put_rate(v, " events/sec (kernel: ", sums->kernel.starts, s->dt_ns);
	view_put_rate(
		v, ", userspace: ", sums->all.starts - sums->kernel.starts, s->dt_ns);
	sm_buf_str(b, ")\n");
	if (v->opts->extended) {
		view_put_rate(v, "Expiries: ", sums->all.expiries, s->dt_ns);
		view_put_rate(v, "/sec, on an idle CPU: ", sums->all.idle, s->dt_ns);
		view_put_rate(v, "/sec; tick: ", sums->tick.expiries, s->dt_ns);
		sm_buf_str(b, "/sec\n");
	}
	view_put_end(v, s);
}

static void make_text_below(struct view *v, const struct sample *s)
{
	sm_buf_reset(&v->text);
	if (v->opts->wakeups)
		wakeview_put_totals(v, s);
	else
		put_timer_totals(v, s);
}

/* --- records of JSON ------------------------------------------------------ */

static void json_timers(struct sm_json *j, const struct sample *s)
{
	sm_json_u64(j, "starts", s->sums.all.starts);
	sm_json_u64(j, "kernel_starts", s->sums.kernel.starts);
	sm_json_u64(j, "expiries", s->sums.all.expiries);
	sm_json_u64(j, "idle_expiries", s->sums.all.idle);
	sm_json_u64(j, "tick_expiries", s->sums.tick.expiries);
	sm_json_u64(j, "self_starts", s->sums.self);
}

static void json_lost(const struct view *v, struct sm_json *j, const struct sample *s)
{
	sm_json_u64(j, "lost_events", s->lost.events);
	sm_json_u64(j, "lost_owners", s->lost.owners);
	if (!v->opts->wakeups)
		sm_json_u64(j, "lost_cpus", s->lost_cpus);
	sm_json_u64(j, "lost_rows", sm_outputs_dropped(&v->app->outputs));
}

static void sample_record(struct view *v, struct sm_table *out, const struct sample *s,
	size_t n, size_t shown)
{
	bool wakeups = v->opts->wakeups;
	struct sm_json j;

	sm_table_record(out, &j, wakeups ? "wakeup_sample" : "sample", s->wall_ns);
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_seconds(&j, "dt_s", s->dt_ns);
	sm_json_u64(&j, "sample", v->samples);
	sm_json_bool(&j, "partial", s->partial);
	sm_json_u64(&j, "matched", n);
	sm_json_u64(&j, "shown", shown);
	if (wakeups)
		wakeview_json(&j, s);
	else
		json_timers(&j, s);
	json_lost(v, &j, s);
	sm_table_record_end(out, &j, 1);
}

static void summary_record(
	struct view *v, struct sm_table *out, const struct sample *last)
{
	bool wakeups = v->opts->wakeups;
	struct sm_json j;

	sm_table_record(out, &j, "summary",
		wakeups ? last->wall_ns : sm_app_rows_wall_ns(sm_clock_mono_ns()));
	sm_json_u64(&j, "samples", v->samples);
	sm_json_seconds(&j, "span_s", v->samples ? last->t_ns - v->start_ns : 0);
	sm_json_u64(&j, "missed_samples", v->app->ticker.missed);
	if (wakeups) {
		sm_json_u64(&j, "wakeups", v->wakeups);
	} else {
		sm_json_u64(&j, "starts", v->all.starts);
		sm_json_u64(&j, "expiries", v->all.expiries);
		sm_json_u64(&j, "idle_expiries", v->all.idle);
	}
	sm_json_u64(&j, "rows", v->app->rows);
	if (wakeups)
		sm_json_u64(&j, "without_task", v->no_room);
	json_lost(v, &j, last);
	sm_table_record_end(out, &j, 1);
}

void view_summary(struct view *v, const struct sample *last)
{
	for (unsigned int i = 0; i < v->app->outputs.n; i++)
		if (v->app->outputs.out[i].format == SM_FORMAT_JSON)
			summary_record(v, &v->app->outputs.out[i], last);
}

/* --- a sample ------------------------------------------------------------- */

void view_count(struct view *v, const struct sample *s)
{
	counts_add(&v->all, &s->sums.all);
	v->wakeups += s->woken.all.sum.wakeups;
	v->no_room += s->woken.no_room;
	if (!v->samples++)
		v->start_ns = s->t_ns - s->dt_ns;
}

int view_sample(struct view *v, const struct sample *s, struct event *rows,
	const struct rows *r, size_t shown)
{
	const struct span span = values_span(s);
	int err = 0;

	v->app->rows += shown;
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		bool human = out->format == SM_FORMAT_TABLE;

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (human && (v->opts->app.quiet || v->opts->tui))
			continue;
		if (human && v->samples > 1) /* the first header is printed at startup */
			sm_table_header(out);
		if (human) {
			err = put_table(v, out, &span,
				rows_alike(&v->table, shown_columns(out), rows, r->n,
					s->dt_ns));
			make_text_below(v, s);
			sm_table_text(out, &v->text, 0);
			continue;
		}
		tasks_look(v->table.tasks, rows, shown);
		put_rows(v, out, &span, rows, shown);
		if (out->format == SM_FORMAT_JSON)
			sample_record(v, out, s, r->matched, shown);
		else if (!shown)
			put_empty(out, &span);
	}
	return err;
}

/* Returns the lines left for rows; the header and the shell's prompt need one each. */
static size_t lines_for_rows(const struct view *v, size_t lines)
{
	size_t other = 2;

	for (size_t i = 0; i < v->text.len; i++)
		other += v->text.p[i] == '\n';
	return lines > other ? lines - other : 0;
}

int view_of_screen(struct view *v, const struct sample *s, const struct event *rows,
	size_t n, size_t lines)
{
	const struct span span = values_span(s);
	ssize_t shown = 0;

	make_text_below(v, s);
	lines = lines_for_rows(v, lines);
	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];

		if (out->format != SM_FORMAT_TABLE)
			continue;
		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		out->no_header = v->opts->app.no_header;
		shown = group_alike(&v->table.groups, shown_columns(out), rows, n);
		(void)put_table(
			v, out, &span, shown > (ssize_t)lines ? (ssize_t)lines : shown);
		sm_table_text(out, &v->text, 0);
	}
	return shown < 0 ? (int)shown : 0;
}

/* --- the totals of the run ------------------------------------------------ */

static void totals_head(struct view *v, struct sm_table *out, uint64_t span_ns)
{
	bool wakeups = v->opts->wakeups;
	struct sm_buf *b = &v->text;

	sm_buf_reset(b);
	sm_buf_str(b, wakeups ? "Total of " : "Total (from ");
	sm_buf_u64(b, v->samples);
	sm_buf_str(b, " samples, ");
	sm_buf_double(b, (double)span_ns / 1e9, 1);
	sm_buf_str(b, wakeups ? " seconds:\n" : " seconds):\n");
	sm_table_text(out, b, 0);
	sm_table_header(out);
}

/* Adds up the totals of timers that look alike; all of them are shown. */
static ssize_t timers_alike(
	struct view *v, unsigned int shown, const struct event *totals, size_t n)
{
	struct groups *g = &v->table.groups;
	ssize_t alike = group_alike(g, shown, totals, n);

	if (alike > 0)
		select_sort(v->opts, g->event, (size_t)alike, (size_t)alike);
	return alike;
}

static int put_totals(struct view *v, struct sm_table *out, const struct span *span,
	const struct event *totals, size_t n)
{
	unsigned int shown = shown_columns(out);

	totals_head(v, out, span->dt_ns);
	return put_table(v, out, span,
		v->opts->wakeups ? rows_alike(&v->table, shown, totals, n, span->dt_ns)
				 : timers_alike(v, shown, totals, n));
}

int view_totals(struct view *v, const struct span *span, const struct event *totals,
	size_t n, size_t shown)
{
	int err = 0;

	for (unsigned int i = 0; i < v->app->outputs.n; i++) {
		struct sm_table *out = &v->app->outputs.out[i];
		const char *record = out->record;

		if (out->format == SM_FORMAT_CSV)
			continue;
		if (out->format == SM_FORMAT_TABLE) {
			err = put_totals(v, out, span, totals, n);
			continue;
		}
		out->record = v->opts->wakeups ? "wakeup_total" : "total";
		put_rows(v, out, span, totals, shown);
		out->record = record;
	}
	return err;
}
