// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "repeat.h"

static const struct {
	const char *key, *unit;
	int decimals;
} figures[RUN_FIGURES] = {
	[RUN_SECONDS] = {"seconds", " seconds", 3},
	[RUN_JOULES] = {"joules", " Joules", 3},
	[RUN_ABOVE_IDLE] = {"joules_above_idle", " Joules above idle", 3},
	[RUN_WATTS] = {"watts", " Watts", 2},
};

void repeat_begin(struct repeat *r, const struct stats *s, uint64_t now_ns)
{
	r->run.number++;
	r->start_ns = now_ns;
	r->joules = stats_joules(s, &r->covered_ns);
}

void repeat_end(struct repeat *r, const struct stats *s, double idle_w, int status,
	uint64_t now_ns)
{
	uint64_t covered_ns;
	double joules = stats_joules(s, &covered_ns) - r->joules;
	double covered_s = (double)(covered_ns - r->covered_ns) * 1e-9;
	double *v = r->run.v;

	if (covered_ns == r->covered_ns)
		joules = NAN;
	r->run.status = status;
	v[RUN_SECONDS] = (double)(now_ns - r->start_ns) * 1e-9;
	v[RUN_JOULES] = joules;
	v[RUN_ABOVE_IDLE] = joules - idle_w * covered_s;
	v[RUN_WATTS] = joules / covered_s;
	for (unsigned int i = 0; !status && i < RUN_FIGURES; i++)
		if (isfinite(v[i]))
			sm_stats_add(&r->of[i], v[i], 1, false);
}

void repeat_run_text(const struct repeat_run *run, struct sm_buf *b)
{
	const char *between = ": ";

	sm_buf_str(b, "Run ");
	sm_buf_u64(b, run->number);
	for (unsigned int i = 0; i < RUN_FIGURES; i++) {
		if (!isfinite(run->v[i]))
			continue;
		sm_buf_str(b, between);
		sm_buf_double(b, run->v[i], figures[i].decimals);
		sm_buf_str(b, figures[i].unit);
		between = ", ";
	}
	if (run->status)
		sm_buf_printf(b, ", exit status %d", run->status);
}

void repeat_run_json(const struct repeat_run *run, struct sm_json *j)
{
	sm_json_u64(j, "run", run->number);
	sm_json_u64(j, "status", (uint64_t)run->status);
	for (unsigned int i = 0; i < RUN_FIGURES; i++)
		sm_json_double(j, figures[i].key, run->v[i], 6);
}

/* Returns the sample standard deviation (divisor n - 1), 0 for one run. */
static double deviation(const struct sm_stats *s)
{
	double n = (double)s->n;

	return n > 1 ? sm_stats_stddev(s) * sqrt(n / (n - 1)) : 0;
}

void repeat_text(const struct repeat *r, struct sm_buf *b)
{
	if (!r->of[RUN_SECONDS].n)
		return;
	sm_buf_str(b, "Runs: ");
	sm_buf_u64(b, r->of[RUN_SECONDS].n);
	sm_buf_str(b, ", mean +- standard deviation");
	for (unsigned int i = 0; i < RUN_FIGURES; i++) {
		if (!r->of[i].n)
			continue;
		sm_buf_str(b, i ? ", " : ": ");
		sm_buf_double(b, r->of[i].mean, figures[i].decimals);
		sm_buf_str(b, " +- ");
		sm_buf_double(b, deviation(&r->of[i]), figures[i].decimals);
		sm_buf_str(b, figures[i].unit);
	}
	sm_buf_chr(b, '\n');
}

void repeat_json(const struct repeat *r, struct sm_json *j)
{
	sm_json_object(j, "repeat");
	sm_json_u64(j, "runs", r->of[RUN_SECONDS].n);
	for (unsigned int i = 0; i < RUN_FIGURES; i++) {
		if (!r->of[i].n)
			continue;
		sm_json_object(j, figures[i].key);
		sm_json_double(j, "mean", r->of[i].mean, 6);
		sm_json_double(j, "stddev", deviation(&r->of[i]), 6);
		sm_json_end(j);
	}
	sm_json_end(j);
}
