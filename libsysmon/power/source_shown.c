// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "power/source_shown.h"

bool sm_source_shown(const struct sm_source *p, double *uw)
{
	unsigned int counted = 0;

	*uw = 0;
	for (unsigned int i = 0; i < p->all; i++) {
		const struct sm_source_domain *d = &p->domain[i];

		if (!d->counted)
			continue;
		if (!d->rate_ns)
			return false;
		*uw += d->rate_uw;
		counted++;
	}
	return counted > 0;
}

/* Returns whether domain i is a battery whose power follows from its level. */
static bool is_level(const struct sm_source *p, unsigned int i)
{
	const struct sm_battery *b = &p->batteries.battery[p->domain[i].battery];

	return sm_battery_discharges(b) && !b->has_rate;
}

bool sm_source_level_only(const struct sm_source *p)
{
	for (unsigned int i = 0; p->kind == SM_SOURCE_BATTERY && i < p->all; i++)
		if (is_level(p, i))
			return true;
	return false;
}

static double steps_of(const struct sm_fuelgauge *g)
{
	unsigned int last =
		(g->first + g->n + SM_FUELGAUGE_EDGES - 1) % SM_FUELGAUGE_EDGES;

	if (g->n < 2 || !(g->quantum_uj > 0))
		return 0;
	return (g->edge[g->first].uj - g->edge[last].uj) / g->quantum_uj;
}

double sm_source_level_steps(const struct sm_source *p)
{
	double least = INFINITY;

	for (unsigned int i = 0; p->kind == SM_SOURCE_BATTERY && i < p->all; i++)
		if (is_level(p, i))
			least = fmin(least, steps_of(&p->gauge[i]));
	return least;
}
