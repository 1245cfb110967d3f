// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "exited.h"

#define FIRST_CAP	32u
#define MAX_AGE		3u
#define MAX_GENERATIONS 64
#define MOST_NS		(INT64_MAX / 4)

void exited_fini(struct exited *e)
{
	free(e->gone);
	free(e->reapers);
	*e = (struct exited){0};
}

int exited_add_gone(struct exited *e, pid_t pid, pid_t ppid, uint64_t total_ns)
{
	if (e->ngone == e->gone_cap) {
		size_t cap = e->gone_cap ? 2 * e->gone_cap : FIRST_CAP;
		struct exited_gone *v = reallocarray(e->gone, cap, sizeof(*v));

		if (!v)
			return -ENOMEM;
		e->gone = v;
		e->gone_cap = cap;
	}
	e->gone[e->ngone++] =
		(struct exited_gone){.pid = pid, .ppid = ppid, .total_ns = total_ns};
	return 0;
}

struct exited_reaper *exited_find(const struct exited *e, pid_t pid)
{
	for (size_t i = 0; i < e->nreapers; i++)
		if (e->reapers[i].pid == pid)
			return &e->reapers[i];
	return NULL;
}

struct exited_reaper *exited_reaper(struct exited *e, pid_t pid, uint32_t task)
{
	struct exited_reaper *r = exited_find(e, pid);

	if (r)
		return r;
	if (e->nreapers == e->reapers_cap) {
		size_t cap = e->reapers_cap ? 2 * e->reapers_cap : FIRST_CAP;

		r = reallocarray(e->reapers, cap, sizeof(*r));
		if (!r)
			return NULL;
		e->reapers = r;
		e->reapers_cap = cap;
	}
	r = &e->reapers[e->nreapers++];
	*r = (struct exited_reaper){.pid = pid, .task = task};
	return r;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = ((const struct exited_gone *)a)->pid;
	pid_t y = ((const struct exited_gone *)b)->pid;

	return (x > y) - (x < y);
}

static const struct exited_gone *find_gone(const struct exited *e, pid_t pid)
{
	struct exited_gone key = {.pid = pid};

	return bsearch(&key, e->gone, e->ngone, sizeof(key), by_pid);
}

/* Who has, or will get, its time: the nearest ancestor that lives; 0: not known. */
static pid_t heir(const struct exited *e, const struct exited_gone *g,
	enum exited_look (*look)(void *, pid_t), void *ctx)
{
	pid_t pid = g->ppid;

	for (int i = 0; pid && i < MAX_GENERATIONS; i++) {
		/* Who was a parent has gone first of all; its number may be another's
		 * now. */
		const struct exited_gone *parent = find_gone(e, pid);

		if (!parent && look(ctx, pid) != EXITED_DEAD)
			return pid;
		pid = parent ? parent->ppid : 0;
	}
	return 0;
}

/* The reaper with the least unexplained time that can hold this much. */
static struct exited_reaper *best_fit(const struct exited *e, int64_t ns)
{
	struct exited_reaper *best = NULL;

	for (size_t i = 0; i < e->nreapers; i++) {
		struct exited_reaper *r = &e->reapers[i];

		if (r->pid && r->ns >= ns && (!best || r->ns < best->ns))
			best = r;
	}
	return best;
}

/* Time whose reaper is not known is looked for where it would fit; what fits nowhere and
 * is too small to matter is done with. */
static bool place(struct exited *e, int64_t ns, int64_t tick_ns)
{
	struct exited_reaper *r = best_fit(e, ns - tick_ns);

	if (r)
		r->ns -= ns;
	return r || ns < tick_ns;
}

/* A reaper that seems to have got less than its adopted descendants had: they went to
 * somebody else.  Less than its own children had is the floor of the ticks, or SIGCHLD
 * ignored. */
static void pass_on_surplus(struct exited *e, int64_t tick_ns)
{
	for (size_t i = 0; i < e->nreapers; i++) {
		struct exited_reaper *r = &e->reapers[i];
		int64_t surplus = -r->ns;

		if (surplus > r->indirect_ns)
			surplus = r->indirect_ns;
		if (surplus <= 5 * tick_ns / 2)
			continue;
		r->ns += surplus;
		(void)place(e, surplus, tick_ns);
	}
}

/* A sum of nonsense, as a recorded machine can tell, stays within bounds. */
static int64_t less(int64_t ns, uint64_t by)
{
	int64_t out;

	if (__builtin_sub_overflow(ns, by, &out) || out < -MOST_NS)
		return -MOST_NS;
	return out;
}

/* False: nobody is known who has it. */
static bool charge(struct exited *e, struct exited_gone *g,
	enum exited_look (*look)(void *ctx, pid_t pid), void *ctx)
{
	pid_t pid = heir(e, g, look, ctx);
	enum exited_look how = pid ? look(ctx, pid) : EXITED_DEAD;
	struct exited_reaper *r;

	if (how != EXITED_READ && how != EXITED_BASED)
		return how == EXITED_UNREAD;
	g->age = MAX_AGE;
	r = how == EXITED_READ ? exited_reaper(e, pid, 0) : NULL;
	if (!r)
		return true;
	r->ns = less(r->ns, g->total_ns);
	if (pid != g->ppid)
		r->indirect_ns = -less(-r->indirect_ns, g->total_ns);
	return true;
}

/* More than the machine can have done since is from before, and not known whose; less
 * than nothing is carried over as far as the floor of the ticks explains it. */
static void bound(struct exited *e, int64_t tick_ns, int64_t cap_ns)
{
	for (size_t i = 0; i < e->nreapers; i++) {
		struct exited_reaper *r = &e->reapers[i];

		if (r->ns > cap_ns + 2 * tick_ns)
			r->ns = 0;
		if (r->ns < -2 * tick_ns)
			r->ns = -2 * tick_ns;
	}
}

/* How much more all have reaped than there is room for; INT64_MAX: not known. */
static int64_t sum_beyond(const struct exited *e, int64_t room_ns)
{
	int64_t sum = 0;

	if (room_ns == INT64_MAX)
		return INT64_MAX;
	for (size_t i = 0; i < e->nreapers; i++)
		if (e->reapers[i].ns > 0 &&
			__builtin_add_overflow(sum, e->reapers[i].ns, &sum))
			return INT64_MAX;
	return sum - room_ns;
}

void exited_settle(struct exited *e, enum exited_look (*look)(void *ctx, pid_t pid),
	void *ctx, uint64_t tick_ns, uint64_t cap_ns, int64_t room_ns)
{
	int64_t excess;

	if (e->ngone)
		qsort(e->gone, e->ngone, sizeof(*e->gone), by_pid);
	for (size_t i = 0; i < e->ngone; i++)
		e->gone[i].homeless = !charge(e, &e->gone[i], look, ctx);
	pass_on_surplus(e, (int64_t)tick_ns);
	excess = sum_beyond(e, room_ns);
	for (size_t i = 0; i < e->ngone; i++) {
		struct exited_gone *g = &e->gone[i];
		int64_t ns = (int64_t)g->total_ns;

		if (!g->homeless || excess < ns / 2 || !place(e, ns, (int64_t)tick_ns))
			continue;
		g->age = MAX_AGE;
		excess -= excess == INT64_MAX ? 0 : ns;
	}
	bound(e, (int64_t)tick_ns, (int64_t)cap_ns);
}

bool exited_has_gone(const struct exited *e, pid_t pid)
{
	return find_gone(e, pid) != NULL;
}

void exited_next(struct exited *e)
{
	size_t to = 0;

	e->nreapers = 0;
	for (size_t i = 0; i < e->ngone; i++)
		if (e->gone[i].age < MAX_AGE) {
			e->gone[i].age++;
			e->gone[to++] = e->gone[i];
		}
	e->ngone = to;
}
