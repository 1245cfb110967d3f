// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "limit.h"
#include "proc/memfree.h"
#include "scratch.h"
#include "stress.h"

static struct stress as_stress(const struct job *j)
{
	return (struct stress){.stressor = j->stressor,
		.value = j->value,
		.instances = j->instances,
		.ops_max = j->ops};
}

uint64_t limit_memory(const struct job *j)
{
	struct stress s = as_stress(j);

	return j->stressor->memory ? j->stressor->memory(&s) * j->instances : 0;
}

uint64_t limit_disk(const struct job *j)
{
	struct stress s = as_stress(j);

	return j->stressor->disk && !j->why_not ? j->stressor->disk(&s) * j->instances
						: 0;
}

static double cpus_of(const struct job *j)
{
	const struct stressor *st = j->stressor;
	struct stress s = as_stress(j);

	if (st->cpus)
		return st->cpus(&s) * j->instances;
	return st->classes & CLASS_CPU ? j->instances : 0;
}

double limit_cpus(const struct plan *p)
{
	double stage = 0, most = 0;
	cpu_set_t set;

	for (size_t i = 0; i < p->n; i++) {
		stage = cpus_of(&p->job[i]) + (p->sequential ? 0 : stage);
		most = stage > most ? stage : most;
	}
	/* The call fails with more than 1024 CPUs. */
	if (sched_getaffinity(0, sizeof(set), &set) == 0 && most > CPU_COUNT(&set))
		most = CPU_COUNT(&set);
	return most;
}

int limit_refuse(struct job *j, bool lacks, const char *why)
{
	j->lacks = lacks;
	j->why_not = strdup(why);
	return j->why_not ? 0 : -ENOMEM;
}

/* A resource that jobs need. */
struct resource {
	const char *name;
	enum stressor_size size; /* options that are lowered */
	uint64_t (*of)(const struct job *j);
	const char *hint;
};

static const struct resource memory = {
	"memory", STRESSOR_OF_MEMORY, limit_memory, "--max-memory permits more"};
static const struct resource disk = {
	"disk", STRESSOR_OF_DISK, limit_disk, "--max-disk permits more"};

static bool is_size_of(const struct resource *r, const struct stressor_opt *o)
{
	return o->kind == STRESSOR_SIZE &&
	       (o->size == r->size || o->size == STRESSOR_OF_BOTH);
}

/* Lowers sizes that were not given to the minimum plus a share of the rest. */
static void lower(const struct resource *r, struct job *j, double share)
{
	const struct stressor_opt *o = j->stressor->opts;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	for (unsigned int i = 0; o && o[i].name; i++) {
		uint64_t above = j->value[i] - o[i].min;

		if (!is_size_of(r, &o[i]) || j->given & UINT32_C(1) << i ||
			j->value[i] <= o[i].min)
			continue;
		above = (uint64_t)((double)above * share);
		j->value[i] = o[i].min + above / page * page;
	}
}

/* Both return the bytes that a job needs: with its present sizes, and with the minimum
 * sizes. */
static uint64_t all_of(const struct resource *r, const struct job *j)
{
	return j->why_not ? 0 : r->of(j);
}

static uint64_t floor_of(const struct resource *r, const struct job *j)
{
	struct job least = *j;

	lower(r, &least, 0);
	return all_of(r, &least);
}

static int can_run(struct job *j)
{
	struct stress s = as_stress(j);
	const char *why;

	if (j->why_not || !j->stressor->probe)
		return 0;
	why = j->stressor->probe(&s);
	return why ? limit_refuse(j, false, why) : 0;
}

typedef uint64_t need_function(const struct resource *r, const struct job *j);

static uint64_t sum(
	const struct resource *r, const struct job *j, size_t n, need_function *need)
{
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += need(r, &j[i]);
	return all;
}

static bool has_given_size(const struct resource *r, const struct job *j)
{
	const struct stressor_opt *o = j->stressor->opts;

	for (unsigned int i = 0; o && i < PLAN_VALUES && o[i].name; i++)
		if (is_size_of(r, &o[i]) && j->given & UINT32_C(1) << i)
			return true;
	return false;
}

/* Returns the minimum memory that the jobs of a stage need, if a size of the command line
 * contributes to it; else 0. */
static uint64_t asked_for(const struct job *j, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || (!j[i].why_not && has_given_size(&memory, &j[i]));
	return any ? sum(&memory, j, n, floor_of) : 0;
}

/* Returns 90 %, plus 0.1 % for the tables that a stressor needs in addition:
 * `--memrate-bytes 90%` must fit. */
static uint64_t most_of(uint64_t free)
{
	return free - free / 10 + free / 1000;
}

/* Bytes for a stage: for defaults, and for sizes of the command line. */
struct limits {
	uint64_t half, most;
};

/* Sets the limits; UINT64_MAX: unknown.  0 or -ENOMEM. */
static int find_limits(const struct plan *p, const struct sm_root *root, struct limits *l)
{
	uint64_t free;
	int err;

	l->half = l->most = p->max_memory ? p->max_memory : UINT64_MAX;
	if (p->max_memory)
		return 0;
	err = sm_memfree_read(root, &free);
	if (err)
		return err == -ENOMEM ? err : 0;
	/* Percentages refer to the memory that was free when the command line was
	 * read. */
	l->most = most_of(free > p->free_memory ? free : p->free_memory);
	l->half = p->aggressive ? l->most : free / 2;
	return 0;
}

/* may: bytes for all jobs; alone: the job is the only one. */
static int lacks(const struct resource *r, struct job *j, uint64_t may, bool alone)
{
	char why[160];

	snprintf(why, sizeof(why),
		"needs %" PRIu64 " MB of %s%s may use %" PRIu64 " MB; %s",
		(floor_of(r, j) + (1u << 20) - 1) >> 20, r->name,
		alone ? " and" : ", and all jobs together", may >> 20, r->hint);
	return limit_refuse(j, true, why);
}

/* Skips the jobs that need most, until the others fit. */
static int refuse_largest(const struct resource *r, struct job *j, size_t n, uint64_t may)
{
	while (sum(r, j, n, floor_of) > may) {
		size_t most = 0;

		for (size_t i = 1; i < n; i++)
			if (floor_of(r, &j[i]) > floor_of(r, &j[most]))
				most = i;
		if (lacks(r, &j[most], may, n == 1) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Lowers default sizes until all jobs fit.  The bytes beyond their minimum are divided in
 * proportion to the rest of each job's need. */
static void lower_defaults(
	const struct resource *r, struct job *j, size_t n, uint64_t may)
{
	uint64_t least = sum(r, j, n, floor_of), all = sum(r, j, n, all_of);

	if (all <= may)
		return;
	for (size_t i = 0; i < n; i++)
		if (!j[i].why_not)
			lower(r, &j[i], (double)(may - least) / (double)(all - least));
}

static int limit_the_memory(
	const struct plan *p, struct job *j, size_t n, const struct sm_root *root)
{
	struct limits l;
	uint64_t may, asked;
	int err;

	if (!sum(&memory, j, n, all_of))
		return 0;
	err = find_limits(p, root, &l);
	if (!err)
		err = refuse_largest(&memory, j, n, asked_for(j, n) ? l.most : l.half);
	if (err)
		return err;
	asked = asked_for(j, n);
	may = asked > l.half ? asked : l.half;
	err = refuse_largest(&memory, j, n, may);
	if (!err)
		lower_defaults(&memory, j, n, may);
	return err;
}

static int limit_the_disk(const struct plan *p, struct job *j, size_t n)
{
	struct resource r = disk;
	uint64_t free, may;
	int err;

	/* If the path does not exist, scratch.c reports it. */
	if (!sum(&r, j, n, all_of) || scratch_free(scratch_path(p), &free) < 0)
		return 0;
	may = p->max_disk ? p->max_disk : free / 2;
	if (may > free) {
		may = free;
		r.hint = "--temp-path selects another disk";
	}
	err = refuse_largest(&r, j, n, may);
	if (!err)
		lower_defaults(&r, j, n, may);
	return err;
}

int limit_apply(const struct plan *p, struct job *j, size_t n, const struct sm_root *root)
{
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = can_run(&j[i]);
	if (!err)
		err = limit_the_disk(p, j, n);
	return err ? err : limit_the_memory(p, j, n, root);
}
