// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpus.h"

#include <errno.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	const struct cpu_values *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Makes an entry for each pinned instance that has values, and returns the number of
 * entries. */
static unsigned int collect(const struct result *r, struct cpu_values *to)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < r->n; i++) {
		const struct sm_loghist *h = r->histogram[i];

		if (r->one[i].pinned && h && h->n)
			to[n++] = (struct cpu_values){r->one[i].pinned - 1, h->n, h->max};
	}
	return n;
}

/* Merges the entries of each CPU, and returns the number of CPUs. */
static unsigned int join(struct cpu_values *all, unsigned int n)
{
	unsigned int last = 0;

	for (unsigned int i = 1; i < n; i++) {
		if (all[i].cpu != all[last].cpu) {
			all[++last] = all[i];
			continue;
		}
		all[last].count += all[i].count;
		if (all[i].max_ns > all[last].max_ns)
			all[last].max_ns = all[i].max_ns;
	}
	return n ? last + 1 : 0;
}

int cpus_make(const struct result *r, struct cpu_values **cpus, unsigned int *n)
{
	*n = 0;
	*cpus = NULL;
	if (!r->n || !r->histogram)
		return 0;
	*cpus = calloc(r->n, sizeof(**cpus));
	if (!*cpus)
		return -ENOMEM;
	*n = collect(r, *cpus);
	qsort(*cpus, *n, sizeof(**cpus), by_number);
	*n = join(*cpus, *n);
	return 0;
}
