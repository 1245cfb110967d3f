// SPDX-License-Identifier: GPL-2.0-or-later
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "report.h"
#include "values.h"

struct sm_widecsv_want report_want(const struct opts *o)
{
	return (struct sm_widecsv_want){.path = o->report,
		.names = "Time:,Task:",
		.second_names = ",Callback:",
		.pids = ",PID:",
		.amounts = ",Total:",
		.amount_unit = 1,
		.clock = SM_WIDECSV_CLOCK_FIRST,
		.zeros = true,
		.sorted = true,
		.statistics = o->statistics};
}

/* Returns the time of a task's start; the birth of a group is unknown. */
static uint64_t birth_ticks(const struct event *e)
{
	const uint64_t tick_ns = SM_NSEC_PER_SEC / (uint64_t)sysconf(_SC_CLK_TCK);

	return e->birth ? e->birth / tick_ns : UINT64_MAX;
}

static uint32_t new_column(
	struct sm_widecsv *w, uint64_t key, const struct opts *o, const struct event *e)
{
	struct values_text names;
	struct sm_value name = values_name(values_form(o), e, &names);
	struct sm_value func = values_func(e, &names);
	struct sm_buf text = {0};
	uint32_t column;

	if (name.type == SM_VALUE_ARGV)
		sm_text_args(&text, name.s.p, name.s.n, SM_TEXT_UTF8);
	else if (name.type != SM_VALUE_NONE)
		sm_buf_add(&text, name.s.p, name.s.n);
	column = sm_widecsv_column(w, key,
		&(struct sm_widecsv_name){.name = {text.p, text.len},
			.second = func.type == SM_VALUE_NONE ? "" : func.s.p,
			.task = {e->tid, e->tgid, birth_ticks(e)}});
	sm_buf_fini(&text);
	return column;
}

static void add_row(struct sm_widecsv *w, const struct opts *o, struct tasks *t,
	struct event *e, uint64_t dt_ns)
{
	uint64_t key = event_key(e, sm_widecsv_seed(w)), n = e->now.starts;
	double rate = (double)n * (double)SM_NSEC_PER_SEC / (double)dt_ns;
	uint32_t column;

	if (sm_widecsv_find(w, key, &column) < 0) {
		tasks_look(t, e, 1);
		column = new_column(w, key, o, e);
	}
	sm_widecsv_value(w, column, o->counts ? (double)n : rate, n);
}

int report_add(struct sm_widecsv *w, const struct opts *o, const struct sample *s,
	struct tasks *t, struct event *rows, size_t n)
{
	bool rest = s->partial && s->dt_ns < o->app.interval_ns / 2;
	int err = sm_widecsv_begin(w, s->t_ns, s->wall_ns);

	if (err)
		return err;
	sm_widecsv_weigh(w, o->counts ? 1 : (double)s->dt_ns / SM_NSEC_PER_SEC, rest);
	for (size_t i = 0; i < n; i++)
		if (rows[i].now.starts)
			add_row(w, o, t, &rows[i], s->dt_ns);
	return sm_widecsv_end(w);
}
