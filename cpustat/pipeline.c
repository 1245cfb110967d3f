// SPDX-License-Identifier: GPL-2.0-or-later
/* The path of a sample: merge of sub-samples -> filter -> sums -> rows -> views. */
#include <errno.h>
#include <string.h>

#include "run.h"
#include "rows/select.h"

static int fail(struct run *r, const char *what, int err)
{
	sm_app_fail(&r->app, what, err);
	return err;
}

/* --- sub-samples ------------------------------------------------------------------ */

uint64_t run_step_ns(const struct run *r)
{
	uint64_t n = r->opts.subsamples > 1 ? r->opts.subsamples : 1;

	return r->shown.app.interval_ns / n;
}

static void merge_sums(struct sample *sum, const struct sample *s)
{
	struct sample new = *s;

	new.machine &= sum->machine || !sum->dt_ns;
	new.dt_ns += sum->dt_ns;
	new.created += sum->created;
	new.exited += sum->exited;
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

static int begin_merge(struct run *r, const struct sample *s)
{
	if (r->opts.subsamples <= 1)
		return 0;
	totals_reset(&r->merged);
	r->merge.n = 0;
	r->merge.sum = (struct sample){0};
	return s->now ? sm_procstat_copy(&r->merge.before, s->now) : 0;
}

static int merge(struct run *r, const struct sample *s)
{
	int err = 0;

	rows_subsample(&r->rows, s->rows, s->nrows, s->dt_ns);
	totals_begin(&r->merged, s->dt_ns);
	for (size_t i = 0; i < s->nrows; i++)
		if (totals_add(&r->merged, 0, &s->rows[i]) < 0)
			err = -ENOMEM;
	merge_sums(&r->merge.sum, s);
	r->merge.n++;
	return err;
}

/* Returns the merged sample of the interval. */
static void merged_sample(struct run *r, struct sample *s)
{
	*s = r->merge.sum;
	if (s->now && s->before)
		s->before = &r->merge.before;
	s->nrows = totals_rows(&r->merged, &s->rows);
}

/* --- sums ------------------------------------------------------------------------- */

static int add_up(struct run *r, const struct sample *s, size_t n)
{
	int err = 0;

	if (r->opts.app.summary) {
		totals_begin(&r->total, s->dt_ns);
		for (size_t i = 0; i < n; i++)
			if (totals_add(&r->total,
				    group_task_key(&r->total_rows.group, &s->rows[i],
					    r->total.map.seed),
				    &s->rows[i]) < 0)
				err = fail(r, "summary", -ENOMEM);
	}
	if (r->opts.distribution &&
		distribution_add(&r->dist, s, s->rows, n, r->view.scale) < 0)
		err = fail(r, "distribution", -ENOMEM);
	if (r->report) {
		int failed = report_add(r->report, s, s->rows, n, r->view.scale);

		if (failed < 0)
			err = fail(r, r->opts.report, failed);
	}
	metrics_add(&r->metrics, s, s->rows, n);
	return err;
}

/* --- views ------------------------------------------------------------------------ */

/* Shows a sample, whose first m rows are selected. */
static void show(struct run *r, const struct sample *s, size_t m, bool on_screen)
{
	struct row *rows = s->rows;
	size_t n = rows_arrange(&r->rows, &rows, m, s->nrows, s->dt_ns);

	if (r->opts.system) {
		sm_buf_reset(&r->text);
		sysline_print(&r->system, s, &r->text);
	}
	view_sample(&r->view, s, &r->rows, rows, n, r->opts.system ? &r->text : NULL);
	if (on_screen) {
		screen_sample(r->screen, s);
		sm_screen_draw(&r->screen->base);
	}
}

void run_rearrange(void *ctx)
{
	struct run *r = ctx;

	sampler_options(&r->sampler);
	screen_arrange(r->screen);
	sm_screen_draw(&r->screen->base);
}

/* Sets the time of records at the end of the run. */
static void stamp(struct run *r, const struct sample *s)
{
	r->view.t_ns = s->t_ns;
	r->view.wall_ns = s->wall_ns;
}

static int first_sample(struct run *r, const struct sample *s)
{
	int err = begin_merge(r, s);

	stamp(r, s);
	if (r->screen)
		show(r, s, select_rows(&r->opts, s->rows, s->nrows), true);
	return err ? fail(r, "sample", err) : 0;
}

static bool is_on_screen(const struct run *r)
{
	return r->screen && sm_screen_is_live(&r->screen->base);
}

static int whole_interval(struct run *r, struct sample *s, bool last)
{
	size_t m = select_rows(&r->opts, s->rows, s->nrows);
	int err;

	s->partial = last && s->dt_ns < r->shown.app.interval_ns;
	r->view.scale = r->opts.all_cpus ? 1 / s->capacity_cpus : 1;
	err = add_up(r, s, m);
	if (err)
		return err;
	r->intervals++;
	r->span_ns += s->dt_ns;
	r->counted = s->counted;
	r->created += s->created;
	r->exited += s->exited;
	stamp(r, s);
	if (!s->partial ||
		sm_app_rest_is_shown(&r->app, s->dt_ns, r->shown.app.interval_ns))
		show(r, s, m, is_on_screen(r));
	if (r->opts.app.count && r->intervals >= r->opts.app.count)
		r->app.stop = r->complete = true;
	return 0;
}

/* A recorded tree whose uptime does not advance for this time and two samples is a
 * copy. */
#define STANDSTILL_NS (5 * SM_NSEC_PER_SEC)

static int stands_still(struct run *r)
{
	if (r->still++ == 0)
		r->still_ns = r->sampled_ns;
	if (r->sampled_ns - r->still_ns < STANDSTILL_NS)
		return 0;
	return fail(r, "--root: the clock in proc/uptime does not advance", -ENODATA);
}

static int take(struct run *r, bool last)
{
	bool first = r->sampler.number == 0;
	struct sample s;
	int err;

	r->sampled_ns = sm_clock_mono_ns();
	err = sampler_take(&r->sampler, first && r->screen, &s);
	if (!r->sampler.own_time)
		r->sampled_ns = s.t_ns;
	if (err)
		return fail(r, "/proc", err);
	if (first)
		return first_sample(r, &s);
	if (s.dt_ns == 0)
		return stands_still(r);
	r->still = 0;
	if (r->opts.subsamples > 1) {
		err = merge(r, &s);
		if (err)
			return fail(r, "sample", err);
		if (r->merge.n < r->opts.subsamples && !last &&
			!(r->screen && r->screen->base.asked))
			return 0;
		merged_sample(r, &s);
		err = whole_interval(r, &s, last);
		return err ? err : begin_merge(r, &s);
	}
	return whole_interval(r, &s, last);
}

void run_sample(struct run *r, bool last)
{
	int err = take(r, last);

	if (err < 0)
		sm_app_fail(&r->app, "sample", err);
}
