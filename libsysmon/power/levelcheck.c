// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "power/levelcheck.h"

#define STEPS_MIN   20
#define READINGS_NS (2 * SM_NSEC_PER_SEC) /* a reading at each end */
#define RATE_SHARE  0.05

static void begin(struct sm_levelcheck *c, const struct sm_battery *b,
	const struct sm_fuelgauge *g, uint64_t now_ns)
{
	*c = (struct sm_levelcheck){.edges = g->edges,
		.first_ns = now_ns,
		.last_ns = now_ns,
		.first_uj = b->level_uj,
		.last_uj = b->level_uj,
		.rate_ns = now_ns};
}

/* A reading is valid for the time since the previous one. */
static void add_rate(struct sm_levelcheck *c, const struct sm_battery *b, uint64_t now_ns)
{
	if (b->has_rate)
		sm_stats_add(&c->rate, (double)b->rate_uw, (double)(now_ns - c->rate_ns),
			false);
	c->rate_ns = now_ns;
}

void sm_levelcheck_add(struct sm_levelcheck *c, const struct sm_battery *b,
	const struct sm_fuelgauge *g, uint64_t now_ns)
{
	if (g->nheld)
		return;
	if (!c->edges || g->edges < c->edges) {
		begin(c, b, g, now_ns);
		return;
	}
	add_rate(c, b, now_ns);
	if (g->edges == c->edges)
		return;
	c->edges = g->edges;
	c->last_ns = now_ns;
	c->last_uj = b->level_uj;
	c->step_uj = b->quantum_uj;
	c->at_edge = c->rate;
}

int sm_levelcheck_result(const struct sm_levelcheck *c, double *level_uw, double *rate_uw)
{
	double fallen = c->first_uj - c->last_uj, span, level_error, rate_error;

	if (!c->at_edge.n || c->step_uj <= 0 || fallen < STEPS_MIN * c->step_uj)
		return -ENODATA;
	span = (double)(c->last_ns - c->first_ns);
	*level_uw = fallen / span * 1e9;
	*rate_uw = c->at_edge.mean;
	level_error = *level_uw * (c->step_uj / fallen + READINGS_NS / span);
	rate_error = *rate_uw * RATE_SHARE +
		     2 * sm_stats_stddev(&c->at_edge) / sqrt((double)c->at_edge.n);
	return fabs(*level_uw - *rate_uw) > level_error + rate_error;
}
