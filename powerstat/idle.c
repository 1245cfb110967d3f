// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "base/clock.h"
#include "idle.h"

#define PIECES	    10u
#define PIECE_MIN   (100 * SM_NSEC_PER_MSEC) /* 1 % of it is an update of a counter */
#define READING_MIN SM_NSEC_PER_SEC /* gauges and meters are updated more rarely */

/* Returns the shortest useful piece: a meter must have a new value in each. */
static uint64_t shortest_ns(const struct sm_source *p)
{
	uint64_t min = PIECE_MIN;

	if (p->kind != SM_SOURCE_RAPL && p->kind != SM_SOURCE_PERF)
		min = READING_MIN;
	for (unsigned int i = 0; p->kind == SM_SOURCE_HWMON && i < p->hwmon.n; i++) {
		uint64_t ns = p->hwmon.sensor[i].interval_ms * SM_NSEC_PER_MSEC;

		if (p->hwmon.sensor[i].counted && ns > min)
			min = ns;
	}
	return min;
}

void idle_begin(
	struct idle *i, const struct sm_source *p, uint64_t now_ns, uint64_t idle_ns)
{
	uint64_t min = shortest_ns(p);

	*i = (struct idle){.watts = NAN, .end_ns = now_ns + idle_ns};
	i->piece_ns = idle_ns / PIECES > min ? idle_ns / PIECES : min;
}

/* A rest of less than half a piece belongs to the last one. */
uint64_t idle_piece_end(const struct idle *i, uint64_t now_ns)
{
	return i->end_ns > now_ns && i->end_ns - now_ns >= i->piece_ns + i->piece_ns / 2
		       ? now_ns + i->piece_ns
		       : i->end_ns;
}

void idle_add(struct idle *i, const struct sample *s)
{
	double joules = s->v[V_JOULES] - s->retracted_j;

	i->of_ns += s->dt_ns;
	if (!isfinite(joules) || !s->energy_ns)
		return;
	i->joules += joules;
	i->covered_ns += s->energy_ns;
	i->watts = i->joules * 1e9 / (double)i->covered_ns;
	i->slope |= s->kind == SM_FIGURE_LEVEL || s->kind == SM_FIGURE_ESTIMATE;
	sm_stats_add(&i->pieces, s->v[V_WATTS], (double)s->energy_ns, false);
}

/* Returns the variance of the pieces (divisor n - 1). */
static double variance(const struct idle *i)
{
	double n = (double)i->pieces.n;

	return i->pieces.n < 2 || i->slope ? NAN
					   : sm_stats_variance(&i->pieces) * n / (n - 1);
}

double idle_stderr_w(const struct idle *i)
{
	return sqrt(variance(i) / (double)i->pieces.n);
}

double idle_stderr_j(const struct idle *i, uint64_t run_ns, double run_stderr_w)
{
	double run_s = (double)run_ns * 1e-9;
	double piece_s = (double)i->covered_ns * 1e-9 / (double)i->pieces.n;
	double s2 = variance(i);

	return run_s * sqrt(s2 / (double)i->pieces.n + s2 * piece_s / run_s +
			       run_stderr_w * run_stderr_w);
}
