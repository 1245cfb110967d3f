// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "readings.h"

static int grow(struct readings *list)
{
	size_t cap = list->cap ? 2 * list->cap : 256;
	struct reading *at = reallocarray(list->at, cap, sizeof(*at));
	double *domain;

	if (!at)
		return -ENOMEM;
	list->at = at;
	domain = reallocarray(list->domain, cap, sizeof(*domain) * (list->ndomains + 1));
	if (!domain)
		return -ENOMEM;
	list->domain = domain;
	list->cap = cap;
	return 0;
}

int readings_add(struct readings *list, const struct reading *r, const double *domain)
{
	int err = list->n == list->cap ? grow(list) : 0;

	if (err)
		return err;
	if (list->ndomains)
		memcpy(list->domain + list->n * list->ndomains, domain,
			list->ndomains * sizeof(*domain));
	list->at[list->n++] = *r;
	return 0;
}

void readings_fini(struct readings *list)
{
	free(list->at);
	free(list->domain);
	history_fini(&list->history);
	memset(list, 0, sizeof(*list));
}

static double mean_of(
	const struct readings *list, size_t first, size_t end, enum figure f)
{
	double sum = 0, time = 0;

	for (size_t i = first; i < end; i++) {
		const struct reading *r = &list->at[i];

		if (!isfinite(r->v[f]))
			continue;
		sum += r->v[f] * r->dt_s;
		time += r->dt_s;
	}
	return time > 0 ? sum / time : NAN;
}

size_t readings_mean(const struct readings *list, size_t first, struct reading *mean)
{
	size_t end = first;

	if (first >= list->n)
		return 0;
	*mean = list->at[first];
	mean->dt_s = 0;
	for (; end < list->n && list->at[end].block == mean->block; end++)
		mean->dt_s += list->at[end].dt_s;
	for (unsigned int f = 0; f < F_N; f++)
		mean->v[f] = mean_of(list, first, end, (enum figure)f);
	return end - first;
}
