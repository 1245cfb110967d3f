// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/array.h"
#include "exited.h"

#define MAX_AGE		3u
#define MAX_GENERATIONS 64
#define MAX_NS		(INT64_MAX / 4)

void exited_fini(struct exited *e)
{
	free(e->v);
	free(e->reapers);
	*e = (struct exited){0};
}

int exited_add(struct exited *e, pid_t pid, pid_t ppid, uint64_t total_ns)
{
	int err = sm_array_reserve(&e->v, &e->cap, e->n + 1, sizeof(*e->v));

	if (!err)
		e->v[e->n++] = (struct exited_child){
			.pid = pid, .ppid = ppid, .total_ns = total_ns};
	return err;
}

struct exited_reaper *exited_find(const struct exited *e, pid_t pid)
{
	for (size_t i = 0; i < e->nreapers; i++)
		if (e->reapers[i].pid == pid)
			return &e->reapers[i];
	return NULL;
}

struct exited_reaper *exited_reaper(
	struct exited *e, pid_t pid, uint32_t task, bool exact, int64_t balance_ns)
{
	struct exited_reaper *r = exited_find(e, pid);

	if (r)
		return r;
	if (sm_array_reserve(&e->reapers, &e->reapers_cap, e->nreapers + 1, sizeof(*r)))
		return NULL;
	r = &e->reapers[e->nreapers++];
	*r = (struct exited_reaper){
		.pid = pid, .task = task, .exact = exact, .ns = balance_ns};
	return r;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = ((const struct exited_child *)a)->pid;
	pid_t y = ((const struct exited_child *)b)->pid;

	return (x > y) - (x < y);
}

static const struct exited_child *find_child(const struct exited *e, pid_t pid)
{
	struct exited_child key = {.pid = pid};

	return e->n ? bsearch(&key, e->v, e->n, sizeof(key), by_pid) : NULL;
}

void exited_sort(struct exited *e)
{
	if (e->n)
		qsort(e->v, e->n, sizeof(*e->v), by_pid);
}

struct settling {
	struct exited *e;
	struct exited_process (*look)(void *ctx, pid_t pid);
	void *ctx;
	int64_t tick_ns;
};

struct ancestor { /* its stat was read, so it can have reaped */
	pid_t pid;
	struct exited_process p;
};

struct ancestry { /* nearest first; if the parent lives, the parent alone */
	bool orphan;
	size_t n;
	struct ancestor v[MAX_GENERATIONS];
};

static void find_ancestors(
	const struct settling *s, const struct exited_child *g, struct ancestry *a)
{
	pid_t pid = g->ppid;

	a->orphan = false;
	a->n = 0;
	for (int i = 0; pid > 0 && i < MAX_GENERATIONS; i++) {
		/* A parent that exited in an earlier sample was replaced as
		 * parent: this pid has been reused since. */
		const struct exited_child *parent = find_child(s->e, pid);
		struct exited_process p = {.look = EXITED_DEAD};

		if (parent && parent->age <= g->age)
			p.ppid = parent->ppid;
		else
			p = s->look(s->ctx, pid);
		if (p.look >= EXITED_READ)
			a->v[a->n++] = (struct ancestor){pid, p};
		if (!a->orphan && (p.look == EXITED_READ || p.look == EXITED_UNREAD))
			return;
		a->orphan = true;
		pid = p.ppid;
	}
}

/* Returns ns - by, bounded, because a recorded machine can report any numbers. */
static int64_t subtract(int64_t ns, uint64_t by)
{
	int64_t out;

	if (__builtin_sub_overflow(ns, by, &out) || out < -MAX_NS)
		return -MAX_NS;
	return out;
}

static void charge(const struct settling *s, const struct ancestor *a, uint64_t ns)
{
	struct exited_reaper *r =
		exited_reaper(s->e, a->pid, a->p.task, a->p.exact, a->p.balance_ns);

	if (r)
		r->ns = subtract(r->ns, ns);
}

static bool charge_parent(
	const struct settling *s, const struct exited_child *g, const struct ancestry *a)
{
	if (a->orphan || !a->n)
		return false;
	charge(s, &a->v[0], g->total_ns + g->rounding_ns);
	return true;
}

/* Returns the least time that the reaper of g has reaped; cutime and cstime in ticks can
 * each be late by a tick. */
static uint64_t min_reaped(
	const struct settling *s, const struct exited_child *g, bool exact)
{
	uint64_t late = exact ? 0 : 2 * (uint64_t)s->tick_ns;

	return g->total_ns > late ? g->total_ns - late : 0;
}

/* Returns the time that an ancestor has reaped beyond the processes charged to it. */
static uint64_t unexplained(const struct settling *s, const struct ancestor *a)
{
	const struct exited_reaper *r = exited_find(s->e, a->pid);
	int64_t ns = r ? r->ns : a->p.balance_ns;

	return ns > 0 ? (uint64_t)ns : 0;
}

static bool charge_ancestor(
	const struct settling *s, const struct exited_child *g, const struct ancestry *a)
{
	for (size_t i = 0; a->orphan && i < a->n; i++) {
		if (unexplained(s, &a->v[i]) < min_reaped(s, g, a->v[i].p.exact))
			continue;
		charge(s, &a->v[i], g->total_ns + g->rounding_ns);
		return true;
	}
	return false;
}

/* Divides the time of an orphan among its ancestors, because one of two equal orphans may
 * have been charged to the reaper of the other. */
static bool charge_ancestors(
	const struct settling *s, const struct exited_child *g, const struct ancestry *a)
{
	uint64_t sum = 0, rest = g->total_ns;
	bool exact = true;

	for (size_t i = 0; a->orphan && i < a->n; i++) {
		sum += unexplained(s, &a->v[i]);
		exact &= a->v[i].p.exact;
	}
	if (!sum || sum < min_reaped(s, g, exact))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		uint64_t ns = unexplained(s, &a->v[i]);

		if (ns > rest)
			ns = rest;
		charge(s, &a->v[i], ns);
		rest -= ns;
	}
	charge(s, &a->v[0], rest);
	return true;
}

static void charge_all(const struct settling *s,
	bool (*fn)(const struct settling *, const struct exited_child *,
		const struct ancestry *))
{
	struct ancestry a;

	for (size_t i = 0; i < s->e->n; i++) {
		struct exited_child *g = &s->e->v[i];

		if (g->charged)
			continue;
		find_ancestors(s, g, &a);
		g->charged = fn(s, g, &a);
	}
}

/* Living parents are charged first, because the rest of their newly reaped time shows
 * which ancestor reaped an orphan. */
void exited_settle(struct exited *e, struct exited_process (*look)(void *ctx, pid_t pid),
	void *ctx, uint64_t tick_ns)
{
	struct settling s = {e, look, ctx, (int64_t)tick_ns};

	exited_sort(e);
	charge_all(&s, charge_parent);
	charge_all(&s, charge_ancestor);
	charge_all(&s, charge_ancestors);
	for (size_t i = 0; i < e->nreapers; i++) {
		int64_t least = e->reapers[i].exact ? 0 : -2 * s.tick_ns;

		if (e->reapers[i].ns < least)
			e->reapers[i].ns = least;
	}
}

bool exited_has(const struct exited *e, pid_t pid)
{
	return find_child(e, pid) != NULL;
}

void exited_next(struct exited *e)
{
	size_t to = 0;

	e->nreapers = 0;
	for (size_t i = 0; i < e->n; i++)
		if (!e->v[i].charged && e->v[i].age < MAX_AGE) {
			e->v[i].age++;
			e->v[to++] = e->v[i];
		}
	e->n = to;
}
