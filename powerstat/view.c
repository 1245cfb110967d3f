// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "clock.h"
#include "minmax.h"
#include "num.h"
#include "text.h"
#include "view_priv.h"

/* To the first column and clear to the end of the line. */
#define REFRESH "\r\033[K"

void view_row_begin(struct sm_out *out)
{
	sm_buf_reset(&out->row);
}

/* A row that could not be built is a row that was not printed. */
void view_row_put(struct sm_out *out, unsigned int rows)
{
	if (SM_LIKELY(!sm_buf_error(&out->row)))
		sm_sink_put(out->sink, out->row.p, out->row.len, rows);
	else
		out->sink->dropped += rows;
}

void view_line_end(struct view *v, struct sm_out *out)
{
	static const char newline[] = "\n";

	if (!v->line_open || out->face != SM_FACE_HUMAN)
		return;
	sm_sink_put(out->sink, newline, 1, 0);
	v->line_open = false;
}

/* --- the beginning ----------------------------------------------------------------- */

/* 1.0, 0.25: at least so many decimals, and no more than it needs. */
static void put_seconds(struct sm_buf *b, uint64_t ns, unsigned int least)
{
	uint64_t unit_ns = SM_NSEC_PER_SEC, decimals = 0;

	while (decimals < 9 && (decimals < least || ns % unit_ns)) {
		unit_ns /= 10;
		decimals++;
	}
	sm_buf_fixed(b, ns / unit_ns, (int)decimals);
}

/* How long it takes by count and by --duration, whichever is less; 0: until stopped. */
static uint64_t run_ns(const struct view *v, const struct view_run *run)
{
	uint64_t ns = v->opts->duration_ns, by_count;

	if (!run->count ||
		__builtin_mul_overflow(run->count, run->interval_ns, &by_count))
		return ns;
	return ns && ns < by_count ? ns : by_count;
}

static void preamble(struct view *v, struct sm_out *out, const struct view_run *run)
{
	struct sm_buf *b = &out->row;
	uint64_t ns = run_ns(v, run);

	view_row_begin(out);
	sm_buf_str(b, "Running ");
	if (ns) {
		sm_buf_str(b, "for ");
		put_seconds(b, ns, 1);
		sm_buf_str(b, " seconds (");
	} else {
		sm_buf_str(b, "until stopped (");
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
	view_row_put(out, 0);
}

static void start_human(struct view *v, struct sm_out *out, const struct view_run *run)
{
	bool whole = run->interval_ns % SM_NSEC_PER_SEC == 0;

	/* Whole seconds would make rows of a fast run look the same; the original's clock
	 * has no more. */
	out->time_decimals = v->opts->row_time && !whole ? 3 : 0;
	v->time_width = sm_out_time_width(out->time_style, out->time_decimals);
	if (v->time_width < 8)
		v->time_width = 8;
	if (v->opts->no_heading_at_all || v->opts->minmax)
		return;
	preamble(v, out, run);
	/* On a terminal the countdown comes before it. */
	if (!v->tty || run->start_delay_ns == 0)
		view_heading(v, out, true);
}

void view_start(struct view *v, struct ps_table *t, const struct view_run *run)
{
	uint64_t wall_ns = sm_clock_ns(CLOCK_REALTIME);

	v->table = t;
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_HUMAN)
			start_human(v, out, run);
		else if (out->face == SM_FACE_CSV)
			view_csv_heading(v, out);
		else
			view_json_header(v, out, run, wall_ns);
	}
}

/* A terminal's line anew, of what is in the cell.  A line that wraps would scroll. */
static void renew(struct view *v, struct sm_out *out)
{
	view_row_begin(out);
	sm_buf_str(&out->row, REFRESH);
	/* Not in the last column: some terminals wrap there. */
	sm_text_fit(&out->row, v->cell.p, v->cell.len,
		v->columns > 1 ? v->columns - 1 : 1, out->text_flags);
	v->line_open = true;
}

void view_countdown(struct view *v, uint64_t seconds)
{
	struct sm_out *out = &v->faces.out[0];

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
		sm_buf_chr(&out->row, '\r');
	view_row_put(out, 0);
	v->line_open = seconds != 0;
	if (!seconds)
		view_heading(v, out, false);
}

/* --- samples ----------------------------------------------------------------------- */

static void refresh(struct view *v, struct sm_out *out, const struct ps_sample *s,
	const struct ps_stats *stats)
{
	sm_buf_reset(&v->cell);
	minmax_line(v->table, s, stats, out->text_flags, &v->cell);
	if (v->tty) {
		renew(v, out);
	} else {
		view_row_begin(out);
		sm_buf_add(&out->row, v->cell.p, v->cell.len);
		sm_buf_chr(&out->row, '\n');
	}
	view_row_put(out, 1);
}

static void say_lost(struct view *v, struct sm_out *out, uint64_t lost)
{
	char text[96];
	struct sm_buf b = {.p = text, .cap = sizeof(text)};

	if (!lost || v->opts->minmax)
		return;
	sm_buf_u64(&b, lost);
	sm_buf_str(&b, " fork/exec/exit events lost");
	sm_buf_chr(&b, '\0');
	view_centred(v, out, text);
}

static void human(struct view *v, struct sm_out *out, const struct ps_sample *s,
	const struct ps_stats *stats)
{
	out->wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
	if (v->opts->minmax)
		refresh(v, out, s, stats);
	else
		view_human_row(v, out, s);
	say_lost(v, out, s->events_lost);
}

void view_sample(struct view *v, const struct ps_sample *s, const struct ps_stats *stats)
{
	v->said = 0;
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_HUMAN) {
			human(v, out, s, stats);
		} else if (out->face == SM_FACE_CSV) {
			out->wall_offset_ns = (int64_t)(s->wall_ns - s->t_ns);
			view_csv_row(v, out, s);
		} else {
			view_json_sample(v, out, s);
		}
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

void view_skipped(struct view *v, const struct ps_sample *s, unsigned int reasons)
{
	bool told = (v->said | reasons) == v->said;

	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_JSON)
			view_json_skipped(out, s, reasons);
		if (out->face != SM_FACE_HUMAN || told || v->opts->minmax)
			continue;
		view_heading(v, out, false);
		view_centred(v, out, skip_text(reasons));
	}
	v->said |= reasons;
}

void view_note(struct view *v, const char *text, uint64_t wall_ns)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_HUMAN && !v->opts->minmax)
			view_centred(v, out, text);
		else if (out->face == SM_FACE_JSON)
			view_json_text(out, "note", text, strlen(text), wall_ns);
	}
}

static void json_lines(struct sm_out *out, const struct sm_buf *b)
{
	const char *p = b->p, *end = b->p + b->len, *nl;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (nl > p)
			view_json_text(out, "log", p, (size_t)(nl - p), 0);
	}
}

void view_text(struct view *v, const struct sm_buf *b)
{
	if (sm_buf_error(b) || !b->len)
		return;
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		view_line_end(v, out);
		if (out->face == SM_FACE_JSON)
			json_lines(out, b);
		else
			sm_out_text(out, b, 0);
	}
}

/* --- the end ----------------------------------------------------------------------- */

static void end_human(struct view *v, struct sm_out *out, const struct summary *s)
{
	view_line_end(v, out);
	if (s->stats->samples && !v->opts->minmax)
		view_stat_rows(v, out, s->stats);
	view_row_begin(out);
	summary_text(s, &out->row);
	view_row_put(out, 1);
}

static void end_json(struct sm_out *out, const struct summary *s, uint64_t wall_ns)
{
	struct sm_json j;

	view_row_begin(out);
	sm_json_open(&j, &out->row, "summary");
	sm_json_time(&j, "time", wall_ns);
	summary_json(s, &j);
	sm_json_close(&j);
	view_row_put(out, 1);
}

void view_end(struct view *v, const struct summary *s, uint64_t wall_ns)
{
	for (unsigned int i = 0; i < v->faces.n; i++) {
		struct sm_out *out = &v->faces.out[i];

		if (out->face == SM_FACE_HUMAN)
			end_human(v, out, s);
		else if (out->face == SM_FACE_JSON)
			end_json(out, s, wall_ns);
	}
}
