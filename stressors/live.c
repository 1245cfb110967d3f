// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/app_rows.h"
#include "cli/tty.h"
#include "run.h"

#define PROGRESS_NS SM_NSEC_PER_SEC

uint64_t live_ops(const struct stage *g, const struct job *j)
{
	uint64_t ops = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->worker[i].job == j)
			ops += atomic_load(&g->worker[i].slot->ops);
	return ops;
}

static void look(struct run *r, const struct stage *g, uint64_t now_ns)
{
	for (size_t i = 0; i < g->n_jobs; i++) {
		struct progress_job *s = &r->seen[i];

		s->name = g->job[i].stressor->name;
		s->before = s->ops;
		s->ops = live_ops(g, &g->job[i]);
		s->dt_s = (double)(now_ns - r->seen_ns) / 1e9;
	}
	r->seen_ns = now_ns;
}

/* Collects the ops since the start of the stage. */
static void look_back(struct run *r, const struct stage *g, uint64_t now_ns)
{
	for (size_t i = 0; i < g->n_jobs; i++)
		r->so_far[i] = (struct progress_job){.name = g->job[i].stressor->name,
			.ops = live_ops(g, &g->job[i]),
			.dt_s = (double)(now_ns - g->go_ns) / 1e9};
}

static struct progress state_of(struct run *r, const struct stage *g, uint64_t now_ns)
{
	uint64_t time_ns = r->c->plan.time_ns;

	return (struct progress){.elapsed_s = (double)(now_ns - g->go_ns) / 1e9,
		.total_s = time_ns == UINT64_MAX ? INFINITY : (double)time_ns / 1e9,
		.stage = (unsigned int)r->n_stages,
		.stages = r->c->plan.sequential ? (unsigned int)r->c->plan.n : 1,
		.job = r->seen,
		.n = g->n_jobs,
		.celsius = meters_temperature(&r->meters),
		.watts = meters_watts(&r->meters)};
}

static void put_rows(struct run *r, const struct progress *p, bool interim,
	uint64_t wall_ns, unsigned int i)
{
	for (size_t k = 0; k < p->n; k++) {
		struct rows_interval row = {.stressor = p->job[k].name,
			.job = r->v.stage->job[k].number,
			.instance = -1,
			.wall_ns = wall_ns,
			.t_s = p->elapsed_s,
			.ops = p->job[k].ops,
			.ops_per_s = progress_rate(&p->job[k]),
			.interim = interim};

		rows_interval(&r->rows[i], &row, &r->text);
	}
	run_put(r, i);
}

static void put_text(struct run *r, const struct progress *p, bool interim,
	uint64_t wall_ns, unsigned int i)
{
	unsigned int flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0;

	if (!run_has_report(r->c))
		return;
	if (r->c->app.time_given) {
		rows_time(&r->rows[i], wall_ns, &r->text);
		sm_buf_chr(&r->text, ' ');
	}
	if (interim)
		progress_interim(p, flags, &r->text);
	else
		progress_interval(p, flags, &r->text);
	run_put(r, i);
}

static void put_all(
	struct run *r, const struct progress *p, bool interim, uint64_t now_ns)
{
	uint64_t wall_ns = sm_app_rows_wall_ns(now_ns);

	for (unsigned int i = 0; i < r->app.outputs.n; i++) {
		if (run_is_machine(r, i))
			put_rows(r, p, interim, wall_ns, i);
		else
			put_text(r, p, interim, wall_ns, i);
	}
}

static void show_progress(struct run *r, const struct progress *p)
{
	unsigned int columns = 80, lines;

	(void)(sm_tty_size(STDERR_FILENO, &columns, &lines) < 0);
	progress_line(p, columns, sm_tty_utf8() ? SM_TEXT_UTF8 : 0, &r->text);
	(void)(sm_file_write(STDERR_FILENO, r->text.p, r->text.len) < 0);
	sm_buf_reset(&r->text);
}

void live_erase(struct run *r)
{
	if (!r->progress)
		return;
	progress_erase(&r->text);
	(void)(sm_file_write(STDERR_FILENO, r->text.p, r->text.len) < 0);
	sm_buf_reset(&r->text);
}

static void on_go(void *ctx, const struct stage *g)
{
	struct run *r = ctx;

	(void)g;
	memset(r->seen, 0, r->c->plan.n * sizeof(*r->seen));
	r->seen_ns = sm_clock_mono_ns();
	meters_begin(&r->meters);
}

static void on_tick(void *ctx, const struct stage *g, uint64_t now_ns)
{
	struct run *r = ctx;
	struct progress p;

	meters_read(&r->meters);
	if (!r->c->app.interval_ns && !r->progress)
		return;
	look(r, g, now_ns);
	p = state_of(r, g, now_ns);
	live_erase(r);
	if (r->c->app.interval_ns)
		put_all(r, &p, false, now_ns);
	if (!r->progress)
		return;
	/* The rows must precede the live line.  The error is ignored, because the frame
	 * flushes again and checks it. */
	(void)sm_writers_flush(&r->app.writers);
	show_progress(r, &p);
}

/* Shows the progress so far, without a change to the rates of the next interval. */
void live_interim(struct run *r)
{
	const struct stage *g = r->v.stage;
	uint64_t now_ns = sm_clock_mono_ns();
	struct progress p;

	if (r->v.phase != SUPERVISOR_RUNS)
		return;
	meters_read(&r->meters);
	look_back(r, g, now_ns);
	p = state_of(r, g, now_ns);
	p.job = r->so_far;
	live_erase(r);
	put_all(r, &p, true, now_ns);
}

/* Returns the interval of the supervisor's periodic work, in ns; 0: there is no such
 * work. */
static uint64_t every(const struct run *r)
{
	uint64_t gap;

	if (r->c->app.interval_ns)
		return r->c->app.interval_ns;
	if (r->progress)
		return PROGRESS_NS;
	if (!r->meters.has_power)
		return 0;
	gap = sm_energy_gap_ns(&r->meters.energy);
	return gap == UINT64_MAX ? 0 : gap;
}

void live_watch(struct run *r)
{
	r->watch = (struct supervisor_watch){
		.ctx = r, .every_ns = every(r), .go = on_go, .tick = on_tick};
}
