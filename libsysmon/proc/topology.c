// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "proc/cpulist.h"
#include "proc/topology.h"

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

static int by_core(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;
	int d = SM_COMPARE(a->core.package, b->core.package);

	d = d ? d : SM_COMPARE(a->core.core, b->core.core);
	return d ? d : SM_COMPARE(a->at, b->at);
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
	int d = SM_COMPARE(a->rank, b->rank);

	return d ? d : SM_COMPARE(a->at, b->at);
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

/* --- types -------------------------------------------------------------------------- */

static const char *const x86_types[] = {"core", "atom", "lowpower"};

struct typing {
	const unsigned int *cpu;
	unsigned int n;
	int64_t *key; /* CPUs of one type have equal keys; the fastest type has the
		       * largest one; 0: unknown */
	int64_t value;
	bool any;
};

static void note_key(void *ctx, unsigned int cpu)
{
	struct typing *t = ctx;

	for (unsigned int i = 0; i < t->n; i++)
		if (t->cpu[i] == cpu) {
			t->key[i] = t->value;
			t->any = true;
		}
}

/* Returns false if the machine has no such lists. */
static bool by_lists(const struct sm_root *root, struct typing *t)
{
	char path[48], text[LIST_CAP];

	for (unsigned int i = 0; i < SM_ARRAY_SIZE(x86_types); i++) {
		ssize_t n;

		snprintf(path, sizeof(path), "devices/cpu_%s/cpus", x86_types[i]);
		n = sm_file_slurp_bytes(root->sys, path, text, sizeof(text));
		t->value = (int64_t)(SM_ARRAY_SIZE(x86_types) - i);
		if (n > 0 && n < (ssize_t)sizeof(text))
			(void)!sm_cpulist_parse(text, (size_t)n, note_key, t);
	}
	return t->any;
}

static void by_capacity(const struct sm_root *root, struct typing *t)
{
	char path[64];

	for (unsigned int i = 0; i < t->n; i++) {
		snprintf(path, sizeof(path), "devices/system/cpu/cpu%u/cpu_capacity",
			t->cpu[i]);
		if (sm_file_read_i64(root->sys, path, &t->key[i]) < 0 || t->key[i] < 0)
			t->key[i] = 0;
	}
}

/* Returns the index of the key in key[], which is in decreasing order, or of the place
 * where it belongs. */
static unsigned int place_of(const int64_t *key, unsigned int n, int64_t value)
{
	unsigned int at = 0;

	while (at < n && key[at] > value)
		at++;
	return at;
}

static int distinct(const struct typing *t, int64_t key[SM_TOPOLOGY_TYPES_MAX])
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < t->n; i++) {
		unsigned int at = place_of(key, n, t->key[i]);

		if (at < n && key[at] == t->key[i])
			continue;
		if (n == SM_TOPOLOGY_TYPES_MAX)
			return -E2BIG;
		memmove(&key[at + 1], &key[at], (n - at) * sizeof(*key));
		key[at] = t->key[i];
		n++;
	}
	return (int)n;
}

static void put_name(char *name, size_t cap, bool lists, int64_t key)
{
	if (!key)
		snprintf(name, cap, "unknown");
	else if (lists)
		snprintf(name, cap, "%s",
			x86_types[SM_ARRAY_SIZE(x86_types) - (size_t)key]);
	else
		snprintf(name, cap, "capacity-%u", (unsigned int)key);
}

static int name_types(const struct typing *t, bool lists, unsigned int *type,
	struct sm_topology_types *out)
{
	int64_t key[SM_TOPOLOGY_TYPES_MAX] = {0};
	int n = distinct(t, key);

	if (n < 0)
		return n;
	out->n = n ? (unsigned int)n : 1;
	for (unsigned int i = 0; out->n > 1 && i < out->n; i++)
		put_name(out->name[i], sizeof(out->name[i]), lists, key[i]);
	for (unsigned int i = 0; i < t->n; i++) {
		type[i] = place_of(key, out->n, t->key[i]);
		out->cpus[type[i]]++;
	}
	return 0;
}

int sm_topology_types(const struct sm_root *root, const unsigned int *cpu, unsigned int n,
	unsigned int *type, struct sm_topology_types *t)
{
	struct typing typing = {.cpu = cpu, .n = n};
	bool lists;
	int err;

	memset(t, 0, sizeof(*t));
	typing.key = calloc(n + 1, sizeof(*typing.key));
	if (!typing.key)
		return -ENOMEM;
	lists = by_lists(root, &typing);
	if (!lists)
		by_capacity(root, &typing);
	err = name_types(&typing, lists, type, t);
	free(typing.key);
	return err;
}
