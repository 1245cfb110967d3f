// SPDX-License-Identifier: GPL-2.0-or-later
#include "state.h"

double state_scale(const struct screen *s)
{
	double cpus = s->sample.capacity_cpus;

	return s->opts->all_cpus && cpus > 0 ? 1 / cpus : 1;
}

double state_busy_pct(const struct screen *s)
{
	const struct sample *sample = &s->sample;

	if (!sample->dt_ns || !sample->online)
		return -1;
	return 100.0 * (double)sample->busy_ns / (double)sample->dt_ns;
}
