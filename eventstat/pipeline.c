// SPDX-License-Identifier: GPL-2.0-or-later
/* The path of a sample: counters -> sums -> filter -> order -> views. */
#include "cli/app_rows.h"
#include "run.h"
#include "select.h"

static void add(struct counts *to, const struct counts *c)
{
	to->starts += c->starts;
	to->expiries += c->expiries;
	to->idle += c->idle;
}

/* Every event of the machine is in one of the sums: the tool's own, the tick, all others.
 */
static void add_sums(struct sums *sums, const struct event *e)
{
	if (e->flags & EVENT_SELF) {
		sums->self += e->now.starts;
		return;
	}
	if (e->flags & EVENT_TICK) {
		add(&sums->tick, &e->now);
		return;
	}
	add(&sums->all, &e->now);
	if (e->flags & EVENT_KTHREAD)
		add(&sums->kernel, &e->now);
}

static bool is_shown(const struct opts *o, const struct event *e, uint64_t dt_ns)
{
	return select_match(o, e) && select_over_threshold(o, e, dt_ns);
}

/* Moves the selected rows to the front; their number. */
static size_t select_rows(const struct opts *o, struct sample *s)
{
	size_t m = 0;

	for (size_t i = 0; i < s->n; i++)
		if (is_shown(o, &s->events[i], s->dt_ns))
			s->events[m++] = s->events[i];
	return m;
}

void run_sample(struct run *r, bool last)
{
	const struct opts *o = &r->opts;
	struct sample *s = &r->sampler.now;
	struct sums sums = {0};
	size_t k;
	int err = sampler_take(&r->sampler);

	if (err < 0) {
		sm_app_fail(&r->app, "timer counters", err);
		return;
	}
	if (!s->dt_ns)
		return;
	s->partial = last;
	for (size_t i = 0; i < s->n; i++)
		add_sums(&sums, &s->events[i]);
	sums.matched = select_rows(o, s);
	k = o->app.limit && o->app.limit < sums.matched ? (size_t)o->app.limit
							: sums.matched;
	select_sort(o, s->events, sums.matched, k);
	sums.shown = k;
	view_sample(&r->view, s, k, &sums);
	r->complete = o->app.count && r->view.samples >= o->app.count;
	sm_app_rows_count(&r->app, r->view.samples);
}
