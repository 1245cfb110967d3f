// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "kernel/cpulist.h"
#include "kernel/topology.h"

#define LIST_CAP 4097u /* a sysfs attribute is at most a page */

struct core {		 /* CPUs with equal values are threads of one core */
	int64_t package; /* -1: `core` is the number of the core's first CPU */
	int64_t core;
};

/* --- cores -------------------------------------------------------------------------- */

struct siblings {
	unsigned int cpu, least;
	bool has_itself;
};

static void sibling(void *ctx, unsigned int cpu)
{
	struct siblings *s = ctx;

	s->least = cpu < s->least ? cpu : s->least;
	s->has_itself |= cpu == s->cpu;
}

static bool by_siblings(const struct sm_root *root, unsigned int cpu, struct core *c)
{
	struct siblings s = {.cpu = cpu, .least = cpu};
	char path[80], text[LIST_CAP];
	ssize_t n;

	snprintf(path, sizeof(path),
		"devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
	n = sm_file_slurp_bytes(root->sys, path, text, sizeof(text));
	if (n <= 0 || n == (ssize_t)sizeof(text) ||
		sm_cpulist_parse(text, (size_t)n, sibling, &s) <= 0 || !s.has_itself)
		return false;
	*c = (struct core){-1, s.least};
	return true;
}

static bool read_id(
	const struct sm_root *root, unsigned int cpu, const char *name, int64_t *id)
{
	char path[80];

	snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/topology/%s", cpu, name);
	return sm_file_read_i64(root->sys, path, id) == 0 && *id >= 0;
}

int sm_topology_package(const struct sm_root *root, unsigned int cpu, int64_t *package)
{
	return read_id(root, cpu, "physical_package_id", package) ? 0 : -ENODATA;
}

static struct core core_of(const struct sm_root *root, unsigned int cpu)
{
	struct core c;

	if (by_siblings(root, cpu, &c) ||
		(read_id(root, cpu, "physical_package_id", &c.package) &&
			read_id(root, cpu, "core_id", &c.core)))
		return c;
	return (struct core){-1, cpu};
}

/* --- ranks -------------------------------------------------------------------------- */

struct place {
	struct core core;
	unsigned int at, rank;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_core(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	int d = compare(a->core.package, b->core.package);

	d = d ? d : compare(a->core.core, b->core.core);
	return d ? d : compare(a->at, b->at);
}

int sm_topology_ranks(const struct sm_root *root, const unsigned int *cpu, unsigned int n,
	unsigned int *rank)
{
	struct place *p = calloc(n + 1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++)
		p[i] = (struct place){core_of(root, cpu[i]), i, 0};
	qsort(p, n, sizeof(*p), by_core);
	for (unsigned int i = 0; i < n; i++) {
		bool same = i && p[i].core.package == p[i - 1].core.package &&
			    p[i].core.core == p[i - 1].core.core;

		p[i].rank = same ? p[i - 1].rank + 1 : 0;
		rank[p[i].at] = p[i].rank;
	}
	free(p);
	return 0;
}

struct ranked {
	unsigned int rank, at, cpu;
};

static int by_rank(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	int d = compare(a->rank, b->rank);

	return d ? d : compare(a->at, b->at);
}

int sm_topology_spread(unsigned int *cpu, unsigned int *rank, unsigned int n)
{
	struct ranked *r = calloc(n + 1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++)
		r[i] = (struct ranked){rank[i], i, cpu[i]};
	qsort(r, n, sizeof(*r), by_rank);
	for (unsigned int i = 0; i < n; i++) {
		rank[i] = r[i].rank;
		cpu[i] = r[i].cpu;
	}
	free(r);
	return 0;
}

unsigned int sm_topology_steps(
	const unsigned int *rank, unsigned int n, unsigned int *step, unsigned int cap)
{
	unsigned int steps = 0;

	for (unsigned int i = 1; i < n && steps < cap; i++)
		if (rank[i] > rank[i - 1])
			step[steps++] = i;
	return steps;
}
