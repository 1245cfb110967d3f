// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "oneline.h"
#include "view.h"

/* Moves to the first column and clears the line. */
#define REFRESH	    "\r\033[K"
#define HEADING_SGR "1"

/* Ends the line of -m or of the countdown. */
static void line_end(struct view *v, struct sm_table *out)
{
	if (!v->line_open || out->format != SM_FORMAT_TABLE)
		return;
	sm_sink_put(out->sink, "\n", 1, 0);
	v->line_open = false;
}

/* Prints "--- text ---", centred in the width of the table. */
static void centred(struct view *v, struct sm_table *out, const char *text)
{
	static const char left[] = "--- ", right[] = " ---\n";
	size_t n = strlen(text) + sizeof(left) + sizeof(right) - 3;
	size_t width = sm_table_full_width(out);

	if (out->columns && width > out->columns)
		width = out->columns;
	line_end(v, out);
	sm_buf_reset(&v->line);
	sm_buf_fill(&v->line, ' ', width > n ? (width - n) / 2 : 0);
	sm_buf_str(&v->line, left);
	sm_buf_str(&v->line, text);
	sm_buf_str(&v->line, right);
	sm_table_wrap(out, &v->line, 0);
}

/* Prints a record {"type":TYPE,"time":...,"text":...}. */
static void text_record(
	struct sm_table *out, const char *type, const char *p, size_t n, uint64_t wall_ns)
{
	struct sm_json j;

	sm_table_record(out, &j, type, wall_ns);
	sm_json_text(&j, "text", p, n);
	sm_table_record_end(out, &j, 0);
}

/* --- start of the output ----------------------------------------------------------- */

/* Appends seconds (1.0, 0.25) with as few decimals as possible, at least `min`. */
static void put_seconds(struct sm_buf *b, uint64_t ns, unsigned int min)
{
	uint64_t unit_ns = SM_NSEC_PER_SEC, decimals = 0;

	while (decimals < 9 && (decimals < min || ns % unit_ns)) {
		unit_ns /= 10;
		decimals++;
	}
	sm_buf_fixed(b, ns / unit_ns, (int)decimals);
}

/* Returns the lower of count x interval and --duration; 0: runs until interrupted. */
static uint64_t run_ns(const struct view *v, const struct view_run *run)
{
	uint64_t ns = v->opts->app.duration_ns, by_count;

	if (!run->count ||
		__builtin_mul_overflow(run->count, run->interval_ns, &by_count))
		return ns;
	return ns && ns < by_count ? ns : by_count;
}

static void preamble(struct view *v, struct sm_table *out, const struct view_run *run)
{
	struct sm_buf *b = &v->line;
	uint64_t ns = run_ns(v, run);

	sm_buf_reset(b);
	sm_buf_str(b, "Running ");
	if (ns) {
		sm_buf_str(b, "for ");
		put_seconds(b, ns, 1);
		sm_buf_str(b, " seconds (");
	} else {
		sm_buf_str(b, "until interrupted (");
	}
	if (ns && run->count) {
		sm_buf_u64(b, ns / run->interval_ns);
		sm_buf_chr(b, ' ');
	}
	sm_buf_str(b, "samples at ");
	put_seconds(b, run->interval_ns, 1);
	sm_buf_str(b, " second intervals).\nPower measurements will start in ");
	put_seconds(b, run->start_delay_ns, 0);
	sm_buf_str(b, " seconds time.\n\n");
	sm_table_wrap(out, b, 0);
}

static void start_human(struct view *v, struct sm_table *out, const struct view_run *run)
{
	out->head_sgr = v->color ? HEADING_SGR : NULL;
	sm_table_set_head(out, C_TIME, "  Time  "); /* as in the original */
	view_resized(v);
	if (out->no_header)
		return;
	preamble(v, out, run);
	/* On a terminal the countdown is printed before the header. */
	if (!v->tty || run->start_delay_ns == 0)
		sm_table_header(out);
}

/* Lists all domains; only domains of the source itself can be included in the watts. */
static void zones(struct sm_json *j, const struct sm_source *p)
{
	bool own = true;

	sm_json_array(j, "zones");
	for (; p; p = p->beside, own = false)
		for (unsigned int i = 0; i < p->n; i++) {
			const struct sm_source_domain *d = &p->domain[i];

			sm_json_object(j, NULL);
			sm_json_text(j, "label", d->label, strlen(d->label));
			sm_json_bool(j, "counted", own && d->counted);
			sm_json_str(j, "source", summary_source(p));
			sm_json_end(j);
		}
	sm_json_end(j);
}

static void header_record(const struct view *v, struct sm_table *out,
	const struct view_run *run, uint64_t wall_ns)
{
	uint64_t average_ns = run->power ? sm_source_average_ns(run->power) : 0;
	struct sm_json j;

	sm_table_record_header(out, &j, "powerstat", SM_VERSION, run->boot_id, wall_ns);
	sm_json_str(&j, "source", summary_source(run->power));
	if (average_ns)
		sm_json_seconds(&j, "average_s", average_ns);
	zones(&j, run->power);
	sm_json_seconds(&j, "delay_s", run->interval_ns);
	sm_json_u64(&j, "count", run->count);
	sm_json_seconds(&j, "start_delay_s", run->start_delay_ns);
	sm_json_bool(&j, "process_events", v->columns->list.col[V_FORK].head != NULL);
	sm_table_record_end(out, &j, 0);
}

int view_start(struct view *v, const struct columns *c, const struct view_run *run)
{
	uint64_t wall_ns = sm_clock_ns(CLOCK_REALTIME);
	int err = 0;

	v->columns = c;
	for (unsigned int i = 0; i < v->outputs->n && !err; i++) {
		struct sm_table *out = &v->outputs->out[i];

		err = columns_use(out, c, v->opts, run->interval_ns);
		if (out->format == SM_FORMAT_TABLE)
			start_human(v, out, run);
		else if (out->format == SM_FORMAT_CSV)
			sm_table_header(out);
		else
			header_record(v, out, run, wall_ns);
	}
	return err;
}

/* Replaces the terminal's current line by the cell, which is truncated because a line
 * that wraps would scroll. */
static void renew(struct view *v, const struct sm_table *out)
{
	sm_buf_reset(&v->line);
	sm_buf_str(&v->line, REFRESH);
	/* The last column stays empty, because some terminals wrap there. */
	sm_text_fit(&v->line, v->cell.p, v->cell.len,
		out->columns > 1 ? out->columns - 1 : 1, out->text_flags);
	v->line_open = true;
}

void view_countdown(struct view *v, uint64_t seconds)
{
	struct sm_table *out = &v->outputs->out[0];

	if (!v->tty)
		return;
	sm_buf_reset(&v->cell);
	if (seconds) {
		sm_buf_str(&v->cell, "Waiting ");
		sm_buf_u64(&v->cell, seconds);
		sm_buf_str(&v->cell, " seconds before starting (gathering samples). ");
	}
	renew(v, out);
	if (seconds)
		sm_buf_chr(&v->line, '\r');
	sm_table_text(out, &v->line, 0);
	v->line_open = seconds != 0;
	if (!seconds)
		sm_table_need_header(out);
}

/* --- samples ----------------------------------------------------------------------- */

static void refresh(struct view *v, struct sm_table *out, const struct sample *s,
	const struct stats *stats)
{
	sm_buf_reset(&v->cell);
	oneline(v->columns, s, stats, out->text_flags, false, &v->cell);
	if (v->tty && sm_text_width(v->cell.p, v->cell.len) >= out->columns) {
		sm_buf_reset(&v->cell);
		oneline(v->columns, s, stats, out->text_flags, true, &v->cell);
	}
	if (v->tty)
		renew(v, out);
	else
		sm_buf_chr(&v->cell, '\n');
	sm_table_text(out, v->tty ? &v->line : &v->cell, 1);
}

static void note_lost(struct view *v, struct sm_table *out, uint64_t lost)
{
	char text[96] = "";
	struct sm_buf b = {.p = text, .cap = sizeof(text)};

	if (!lost || v->opts->minmax)
		return;
	sm_buf_u64(&b, lost);
	sm_buf_str(&b, " fork/exec/exit events lost");
	sm_buf_chr(&b, '\0');
	centred(v, out, text);
}

static void human(struct view *v, struct sm_table *out, const struct sample *s,
	const struct sm_value *row, const struct stats *stats)
{
	if (v->opts->app.quiet)
		return;
	if (v->opts->minmax)
		refresh(v, out, s, stats);
	else
		sm_table_row(out, row);
	note_lost(v, out, s->events_lost);
}

void view_sample(struct view *v, const struct sample *s, const struct stats *stats)
{
	const struct sm_value *row = columns_row(v->columns, s);

	v->noted = 0;
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		out->time.wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
		if (out->format == SM_FORMAT_TABLE)
			human(v, out, s, row, stats);
		else
			sm_table_row(out, row);
	}
}

static const char *skip_text(unsigned int reasons)
{
	if (reasons == VIEW_LOW_IDLE)
		return "Skipped samples(s) because of low CPU idle";
	if (reasons == VIEW_PROCESSES)
		return "Skipped samples(s) because of fork/exec/exit activity";
	return "Skipped samples(s) because of low CPU idle and fork/exec/exit activity";
}

static void skipped_record(
	struct sm_table *out, const struct sample *s, unsigned int reasons)
{
	struct sm_json j;

	sm_table_record(out, &j, "skipped", s->wall_ns);
	sm_json_u64(&j, "mono_ns", s->t_ns);
	sm_json_seconds(&j, "dt_s", s->dt_ns);
	sm_json_bool(&j, "low_idle", reasons & VIEW_LOW_IDLE);
	sm_json_bool(&j, "processes", reasons & VIEW_PROCESSES);
	sm_table_record_end(out, &j, 0);
}

void view_skipped(struct view *v, const struct sample *s, unsigned int reasons)
{
	bool noted = (v->noted | reasons) == v->noted;

	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (out->format == SM_FORMAT_JSON)
			skipped_record(out, s, reasons);
		if (out->format != SM_FORMAT_TABLE || noted || v->opts->minmax)
			continue;
		sm_table_need_header(out);
		centred(v, out, skip_text(reasons));
	}
	v->noted |= reasons;
}

void view_note(struct view *v, const char *text, uint64_t wall_ns)
{
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (out->format == SM_FORMAT_TABLE && !v->opts->minmax)
			centred(v, out, text);
		else if (out->format == SM_FORMAT_JSON)
			text_record(out, "note", text, strlen(text), wall_ns);
	}
}

static void run_record(
	struct sm_table *out, const struct repeat_run *run, uint64_t wall_ns)
{
	struct sm_json j;

	sm_table_record(out, &j, "run", wall_ns);
	repeat_run_json(run, &j);
	sm_table_record_end(out, &j, 0);
}

void view_repeat(struct view *v, const struct repeat_run *run, uint64_t wall_ns)
{
	sm_buf_reset(&v->cell);
	repeat_run_text(run, &v->cell);
	sm_buf_chr(&v->cell, '\0');
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (out->format == SM_FORMAT_JSON)
			run_record(out, run, wall_ns);
		else if (out->format == SM_FORMAT_TABLE && v->cell.p)
			centred(v, out, v->cell.p);
	}
}

static void json_lines(struct sm_table *out, const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (nl > p)
			text_record(out, "log", p, (size_t)(nl - p), 0);
	}
}

void view_text(struct view *v, const struct sm_buf *b)
{
	if (!sm_buf_error(b) && !b->len)
		return;
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		line_end(v, out);
		if (sm_buf_error(b))
			sm_sink_put_buf(out->sink, b, 1);
		else if (out->format == SM_FORMAT_JSON)
			json_lines(out, b);
		else
			sm_table_wrap(out, b, 0);
	}
}

/* --- the end ----------------------------------------------------------------------- */

/* The mean of counts has a decimal if it fits, so that the rows stay aligned. */
static uint8_t stat_decimals(struct view *v, double x, unsigned int width)
{
	sm_buf_reset(&v->cell);
	sm_buf_double(&v->cell, x, 1);
	return v->cell.len <= width;
}

static void stat_row(struct view *v, struct sm_table *out, const struct stats *stats,
	enum stat_kind what, const char *name)
{
	struct sm_value *val = v->columns->val;

	val[C_TIME] = sm_value_str(name);
	for (unsigned int i = V_USER; i < v->columns->list.n; i++) {
		val[i] = sm_value_double(stats_get(stats, i, what));
		val[i].scale = stat_decimals(v, val[i].d, sm_table_width(out, i));
	}
	sm_table_row(out, val);
}

static void stat_rows(struct view *v, struct sm_table *out, const struct stats *stats)
{
	sm_table_terminal(out, out->columns, 0, out->fit); /* do not repeat the header */
	sm_table_grow(out);
	sm_table_rule(out);
	stat_row(v, out, stats, STAT_AVERAGE, "Average");
	stat_row(v, out, stats, STAT_GEOMEAN, "GeoMean");
	stat_row(v, out, stats, STAT_STDDEV, "StdDev");
	sm_table_rule(out);
	stat_row(v, out, stats, STAT_MIN, "Minimum");
	stat_row(v, out, stats, STAT_MAX, "Maximum");
	sm_table_rule(out);
}

static void end_human(struct view *v, struct sm_table *out, const struct summary *s)
{
	line_end(v, out);
	if (s->stats->samples && !v->opts->minmax)
		stat_rows(v, out, s->stats);
	sm_buf_reset(&v->line);
	summary_text(s, &v->line);
	sm_table_wrap(out, &v->line, 1);
}

static void end_json(struct sm_table *out, const struct summary *s, uint64_t wall_ns)
{
	struct sm_json j;

	sm_table_record(out, &j, "summary", wall_ns);
	summary_json(s, &j);
	sm_table_record_end(out, &j, 1);
}

void view_end(struct view *v, const struct summary *s, uint64_t wall_ns)
{
	for (unsigned int i = 0; i < v->outputs->n; i++) {
		struct sm_table *out = &v->outputs->out[i];

		if (out->format == SM_FORMAT_TABLE)
			end_human(v, out, s);
		else if (out->format == SM_FORMAT_JSON)
			end_json(out, s, wall_ns);
	}
}

/* --- set-up ------------------------------------------------------------------------ */

void view_resized(struct view *v)
{
	v->tty = v->outputs->n && v->outputs->out[0].format == SM_FORMAT_TABLE &&
		 columns_fit(&v->outputs->out[0], v->opts);
}

void view_init(struct view *v, const struct opts *o, struct sm_outputs *outputs)
{
	*v = (struct view){.opts = o,
		.outputs = outputs,
		.color = sm_outputs_color(outputs, (enum sm_color)o->app.color)};
	view_resized(v);
}

void view_fini(struct view *v)
{
	sm_buf_fini(&v->cell);
	sm_buf_fini(&v->line);
}
