// SPDX-License-Identifier: GPL-2.0-or-later
/* One sample on its way: merge of sub-samples -> filter -> sums -> rows -> views. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static int fail(struct run *r, const char *what, int err)
{
	if (!r->error) {
		r->error = err;
		r->error_what = what;
	}
	return err;
}

/* --- sub-samples -------------------------------------------------------------------- */

static void merge_sums(struct cs_sample *sum, const struct cs_sample *s)
{
	struct cs_sample new = *s;

	new.dt_ns += sum->dt_ns;
	new.births += sum->births;
	new.deaths += sum->deaths;
	new.unreadable += sum->unreadable;
	new.tasks_ns += sum->tasks_ns;
	new.exited_ns += sum->exited_ns;
	new.self_ns += sum->self_ns;
	new.busy_ns += sum->busy_ns;
	new.irq_ns += sum->irq_ns;
	new.softirq_ns += sum->softirq_ns;
	new.unaccounted_ns += sum->unaccounted_ns;
	*sum = new;
}

/* The counters of the machine as they were when the interval began. */
static int keep_before(struct sm_procstat *keep, const struct sm_procstat *now)
{
	struct sm_cpu_line *cpu = keep->cpu;
	unsigned int cap = keep->cap;

	if (now->ncpu > cap) {
		cpu = reallocarray(cpu, now->ncpu, sizeof(*cpu));
		if (!cpu)
			return -ENOMEM;
		cap = now->ncpu;
	}
	*keep = *now;
	keep->cpu = cpu;
	keep->cap = cap;
	if (now->ncpu)
		memcpy(cpu, now->cpu, now->ncpu * sizeof(*cpu));
	return 0;
}

static struct accum *merged(struct run *r)
{
	return &r->merged[r->merge.turn];
}

static int begin_merge(struct run *r, const struct cs_sample *s)
{
	if (r->opts.subsamples <= 1)
		return 0;
	r->merge.turn ^= 1;
	accum_reset(merged(r));
	r->merge.n = 0;
	r->merge.sum = (struct cs_sample){0};
	return s->now ? keep_before(&r->merge.before, s->now) : 0;
}

static int merge(struct run *r, const struct cs_sample *s)
{
	int err = 0;

	rows_subsample(&r->rows, s->rows, s->nrows, s->dt_ns);
	accum_begin(merged(r), s->dt_ns);
	for (size_t i = 0; i < s->nrows; i++)
		if (accum_add(merged(r), 0, &s->rows[i]) < 0)
			err = -ENOMEM;
	merge_sums(&r->merge.sum, s);
	r->merge.n++;
	return err;
}

/* The interval's sample out of its sub-samples. */
static void merged_sample(struct run *r, struct cs_sample *s)
{
	*s = r->merge.sum;
	if (s->now && s->before)
		s->before = &r->merge.before;
	s->nrows = accum_rows(merged(r), &s->rows);
}

/* --- sums --------------------------------------------------------------------------- */

/* Those that are asked for to the front; how many. */
static size_t choose(const struct cs_opts *o, struct cs_row *rows, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		struct cs_row row = rows[i];

		if (!rows_match(o, &row) || !rows_over_threshold(o, &row))
			continue;
		rows[i] = rows[to];
		rows[to++] = row;
	}
	return to;
}

static int add_up(struct run *r, const struct cs_sample *s, size_t n)
{
	int err = 0;

	if (r->opts.summary) {
		accum_begin(&r->total, s->dt_ns);
		for (size_t i = 0; i < n; i++)
			if (accum_add(&r->total, 0, &s->rows[i]) < 0)
				err = fail(r, "summary", -ENOMEM);
	}
	if (r->opts.distribution && dist_add(&r->dist, s, s->rows, n, r->view.scale) < 0)
		err = fail(r, "distribution", -ENOMEM);
	if (r->wide) {
		int failed = wide_add(r->wide, s, s->rows, n, r->view.scale);

		if (failed < 0)
			err = fail(r, r->opts.wide_csv, failed);
	}
	metrics_add(&r->metrics, s, s->rows, n);
	return err;
}

/* --- views -------------------------------------------------------------------------- */

static void show(struct run *r, const struct cs_sample *s, bool on_screen)
{
	struct cs_row *rows = s->rows;
	size_t n = rows_arrange(&r->rows, &rows, s->nrows, s->dt_ns);

	if (r->opts.system) {
		sm_buf_reset(&r->text);
		system_print(&r->system, s, &r->text);
	}
	view_sample(&r->view, s, &r->rows, rows, n, r->opts.system ? &r->text : NULL);
	if (on_screen) {
		screen_sample(r->screen, s, &r->rows, rows, n);
		screen_draw(r->screen);
	}
}

void run_rearrange(struct run *r)
{
	struct cs_row *rows = r->last.rows;
	size_t n;

	sampler_options(&r->sampler);
	n = rows_arrange(&r->rows, &rows, r->last.nrows, r->last.dt_ns);
	screen_sample(r->screen, &r->last, &r->rows, rows, n);
	screen_draw(r->screen);
}

/* The instant that what is told at the end is of. */
static void stamp(struct run *r, const struct cs_sample *s)
{
	r->view.t_ns = s->t_ns;
	r->view.wall_ns = s->wall_ns;
}

static int first_sample(struct run *r, const struct cs_sample *s)
{
	int err = begin_merge(r, s);

	r->last = *s;
	stamp(r, s);
	if (r->screen)
		show(r, s, true);
	return err ? fail(r, "sample", err) : 0;
}

/* While the screen is paused keys arrange the sample that stands there, not the newest.
 */
static bool is_frozen(const struct run *r)
{
	return r->screen && screen_paused(r->screen) && !r->asked;
}

static void keep_last(struct run *r, const struct cs_sample *s)
{
	if (is_frozen(r))
		return;
	r->last = *s;
	if (r->screen)
		screen_release(r->screen);
}

static int whole_interval(struct run *r, struct cs_sample *s, bool last)
{
	int err;

	s->partial = last && s->dt_ns < r->opts.interval_ns;
	r->view.scale = r->opts.all_cpus ? 1 / s->capacity_cpus : 1;
	err = add_up(r, s, choose(&r->opts, s->rows, s->nrows));
	if (err)
		return err;
	r->intervals++;
	r->span_ns += s->dt_ns;
	r->births += s->births;
	r->deaths += s->deaths;
	keep_last(r, s);
	/* Too short to say much: it counts, but is no row. */
	stamp(r, s);
	if (!s->partial || s->dt_ns >= r->opts.interval_ns / 2)
		show(r, s, r->screen && !is_frozen(r));
	err = metrics_commit(&r->metrics, sm_faces_dropped(&r->view.faces), false);
	return err ? fail(r, r->opts.prom, err) : 0;
}

int run_sample(struct run *r, bool last)
{
	bool first = r->sampler.number == 0;
	struct cs_sample s;
	int err;

	r->sampled_ns = sm_mono_ns();
	if (r->screen)
		screen_hold(r->screen, &r->last, r->names);
	err = sampler_take(&r->sampler, first && r->screen, &s);
	if (err)
		return fail(r, "/proc", err);
	if (first)
		return first_sample(r, &s);
	if (s.dt_ns == 0)
		return 0;
	if (r->opts.subsamples > 1) {
		err = merge(r, &s);
		if (err)
			return fail(r, "sample", err);
		if (r->merge.n < r->opts.subsamples && !last && !r->asked)
			return 0;
		merged_sample(r, &s);
		err = whole_interval(r, &s, last);
		return err ? err : begin_merge(r, &s);
	}
	return whole_interval(r, &s, last);
}

/* --- the end ------------------------------------------------------------------------ */

/* JSON's last record: what the run was, and what was lost. */
static void show_summary_record(struct run *r)
{
	struct sm_json j;

	sm_buf_reset(&r->text);
	sm_json_open(&j, &r->text, "summary");
	sm_json_time(&j, "time", sm_mono_ns() + (uint64_t)sm_clock_wall_offset_ns());
	sm_json_u64(&j, "samples", r->intervals);
	sm_json_seconds(&j, "span_s", r->span_ns);
	sm_json_u64(&j, "births", r->births);
	sm_json_u64(&j, "deaths", r->deaths);
	sm_json_u64(&j, "missed_samples", r->ticker.missed);
	sm_json_u64(&j, "lost_rows", sm_faces_dropped(&r->view.faces));
	sm_json_close(&j);
	view_json(&r->view, &r->text);
}

static void show_total(struct run *r)
{
	struct cs_row *rows;
	size_t n = accum_rows(&r->total, &rows);

	n = rows_arrange(&r->total_rows, &rows, n, r->total.span_ns);
	view_grand_total(&r->view, r->total.samples, r->total.span_ns, rows, n,
		&r->total_rows.total);
}

void run_summary(struct run *r)
{
	if (r->opts.summary)
		show_total(r);
	if (r->opts.distribution) {
		sm_buf_reset(&r->text);
		dist_print(&r->dist, &r->text);
		view_text(&r->view, &r->text);
		sm_buf_reset(&r->text);
		dist_json(&r->dist, &r->text);
		view_json(&r->view, &r->text);
	}
	show_summary_record(r);
}

/* A reader that makes us wait for ever: a further signal ends it. */
static int finish_wide(struct run *r)
{
	bool waits = wide_may_wait(r->wide);
	int err;

	if (waits)
		sm_loop_release(&r->loop);
	err = wide_finish(r->wide);
	if (waits)
		sm_loop_catch(&r->loop);
	return err;
}

void run_files(struct run *r)
{
	int err = r->wide ? finish_wide(r) : 0;

	if (err < 0)
		fail(r, r->opts.wide_csv, err);
	err = metrics_commit(&r->metrics, sm_faces_dropped(&r->view.faces), true);
	if (err < 0)
		fail(r, r->opts.prom, err);
}
