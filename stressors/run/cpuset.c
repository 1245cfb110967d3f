// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpuset.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "proc/cpulist.h"
#include "proc/topology.h"

#define PACKAGE "package"

struct word {
	enum { WORD_ALL, WORD_EVEN, WORD_ODD, WORD_PACKAGE } kind;
	uint64_t number; /* of the package */
};

static bool is(const char *name, const char *word, size_t n)
{
	return strlen(name) == n && memcmp(name, word, n) == 0;
}

static bool parse(const char *word, size_t n, struct word *w)
{
	const size_t len = sizeof(PACKAGE) - 1;

	*w = (struct word){WORD_ALL, 0};
	if (is("all", word, n))
		return true;
	w->kind = WORD_EVEN;
	if (is("even", word, n))
		return true;
	w->kind = WORD_ODD;
	if (is("odd", word, n))
		return true;
	w->kind = WORD_PACKAGE;
	return n > len && memcmp(word, PACKAGE, len) == 0 &&
	       sm_parse_whole_u64((struct sm_str){word + len, n - len}, &w->number);
}

static bool is_in_package(const struct sm_root *root, unsigned int cpu, uint64_t package)
{
	int64_t id;

	return sm_topology_package(root, cpu, &id) == 0 && (uint64_t)id == package;
}

static bool has(const struct sm_root *root, const struct word *w, unsigned int cpu)
{
	switch (w->kind) {
	case WORD_EVEN:
		return cpu % 2 == 0;
	case WORD_ODD:
		return cpu % 2 == 1;
	case WORD_PACKAGE:
		return is_in_package(root, cpu, w->number);
	case WORD_ALL:
		break;
	}
	return true;
}

static int add(const struct sm_root *root, const struct word *w,
	const struct sm_cpulist *l, cpu_set_t *set)
{
	int n = 0;

	for (unsigned int cpu = 0; cpu < l->n && cpu < CPU_SETSIZE; cpu++)
		if (l->online[cpu] && has(root, w, cpu)) {
			CPU_SET(cpu, set);
			n++;
		}
	return n;
}

int cpuset_word(const struct sm_root *root, const char *word, size_t n, cpu_set_t *set)
{
	struct sm_cpulist l = SM_CPULIST_INIT;
	struct word w;
	int r;

	if (!parse(word, n, &w))
		return -EINVAL;
	r = sm_cpulist_open(&l, root);
	if (r < 0)
		return r;
	r = sm_cpulist_read(&l);
	if (r >= 0)
		r = add(root, &w, &l, set);
	sm_cpulist_close(&l);
	return r;
}
