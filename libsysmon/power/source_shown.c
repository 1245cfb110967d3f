// SPDX-License-Identifier: GPL-2.0-or-later
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
