// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "shortfall.h"

#define SHARE	0.05 /* of the requested load */
#define PER_CPU 0.01

double shortfall_requested(const struct reading *mean)
{
	return mean->load_ppm * 1e-6 * mean->cpus;
}

bool shortfall_is_short(const struct reading *mean)
{
	double requested = shortfall_requested(mean);

	return requested - mean->v[F_OWN] > fmax(SHARE * requested, PER_CPU * mean->cpus);
}

void shortfall_find(struct shortfall *s, const struct readings *list)
{
	struct reading mean;
	size_t n;

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; (n = readings_mean(list, i, &mean)) > 0; i += n) {
		s->tests += shortfall_is_short(&mean);
		s->requested = fmax(s->requested, shortfall_requested(&mean));
		s->own = fmax(s->own, mean.v[F_OWN]);
	}
}

bool shortfall_of_range(const struct shortfall *s)
{
	return s->own < (1 - SHARE) * s->requested;
}
