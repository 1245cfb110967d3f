// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "group.h"

int group_init(struct groups *g, const struct opts *o)
{
	*g = (struct groups){.opts = o};
	return sm_map_init(&g->map, 64);
}

void group_fini(struct groups *g)
{
	sm_map_fini(&g->map);
	free(g->event);
	g->event = NULL;
}

static int group_by(const struct opts *o, const struct event *e)
{
	if (e->type == EVENT_WAKEUP && (!event_has_task(e) || e->tid < 0))
		return GROUP_FUNCTION;
	return o->group;
}

/* A program that calls itself kworker is not in the group of [kworker]. */
static uint64_t key_of_comm(uint64_t seed, const struct event *e)
{
	return sm_map_hash_bytes(e->comm.p, e->comm.n, seed + (e->flags & EVENT_KTHREAD));
}

/* Owners that are not processes are distinguished by their names. */
static uint64_t key_of(const struct opts *o, uint64_t seed, const struct event *e)
{
	const uint64_t what[] = {e->func, e->kind, e->irq};

	switch (group_by(o, e)) {
	case GROUP_PROCESS:
		return e->tgid < 0 ? key_of_comm(seed, e)
				   : sm_map_hash_u64((uint32_t)e->tgid, seed);
	case GROUP_COMM:
		return key_of_comm(seed, e);
	case GROUP_CGROUP:
		return e->cgroup ? sm_map_hash_bytes(e->cgroup->s, e->cgroup->len, seed)
				 : seed;
	default:
		return sm_map_hash_bytes(what, sizeof(what), ~seed);
	}
}

/* Returns an empty group with the values that all its rows have in common. */
static struct event first_of(const struct opts *o, const struct event *e)
{
	struct event sum = {.tid = -1,
		.tgid = -1,
		.type = e->type,
		.flags = EVENT_GROUP,
		.cpu_pct = NAN,
		.func_name = "",
		.device = ""};

	if (e->type == EVENT_WAKEUP)
		sum.kind = e->kind;
	sum.woke = e->woke;
	memcpy(sum.woke_comm, e->woke_comm, sizeof(sum.woke_comm));
	switch (group_by(o, e)) {
	case GROUP_PROCESS:
		sum.tid = sum.tgid = e->tgid;
		sum.flags |= e->flags & (EVENT_KTHREAD | EVENT_SELF | EVENT_HAS_UID |
						EVENT_INTERRUPT);
		sum.uid = e->uid;
		sum.comm = e->tid == e->tgid ? e->comm : e->process;
		sum.cmd = e->cmd;
		break;
	case GROUP_COMM:
		sum.flags |= e->flags & (EVENT_KTHREAD | EVENT_INTERRUPT);
		sum.comm = e->comm.n ? e->comm : SM_STR("?");
		break;
	case GROUP_CGROUP:
		sum.cgroup = e->cgroup;
		sum.comm = e->cgroup ? sm_strpool_str(e->cgroup) : SM_STR("(unknown)");
		break;
	default:
		sum.kind = e->kind;
		sum.flags |= e->flags & EVENT_WORK;
		sum.func = e->func;
		sum.func_name = e->func_name;
		sum.irq = e->irq;
		sum.device = e->device;
		break;
	}
	return sum;
}

/* Adds a row to its group.  The name of a process is the comm of its main thread. */
static void add_to(struct event *sum, const struct event *e)
{
	counts_add(&sum->now, &e->now);
	counts_add(&sum->total, &e->total);
	sum->slept_ns += e->slept_ns;
	sum->total_slept_ns += e->total_slept_ns;
	sum->members += e->members;
	if (e->type == EVENT_WAKEUP && sum->kind != e->kind)
		sum->kind = EVENT_SEVERAL;
	if (sum->tid >= 0 && e->tid == sum->tgid)
		sum->comm = e->comm;
}

/* Adds a row to the group with its key; `first` is that group if it is new. */
static int add_row(
	struct groups *g, uint64_t key, const struct event *first, const struct event *e)
{
	size_t place = (size_t)(uintptr_t)sm_map_get(&g->map, key);

	if (!place) {
		if (sm_array_reserve(&g->event, &g->cap, g->n + 1, sizeof(*g->event)) < 0)
			return -ENOMEM;
		place = g->n + 1;
		if (sm_map_put(&g->map, key, (void *)(uintptr_t)place) < 0)
			return -ENOMEM;
		g->event[g->n++] = *first;
	}
	add_to(&g->event[place - 1], e);
	return 0;
}

static int begin(struct groups *g)
{
	sm_map_fini(&g->map);
	g->n = 0;
	return sm_map_init(&g->map, 64);
}

ssize_t group_rows(struct groups *g, struct event **rows, size_t n)
{
	int err = begin(g);

	for (size_t i = 0; i < n && !err; i++) {
		const struct event *e = &(*rows)[i];
		const struct event first = first_of(g->opts, e);

		err = add_row(
			g, key_of(g->opts, event_woke_key(e, g->map.seed), e), &first, e);
	}
	if (err)
		return err;
	*rows = g->event;
	return (ssize_t)g->n;
}

/* --- rows that look alike ------------------------------------------------- */

/* Returns a hash of the values that the table shows. */
static uint64_t look_of(unsigned int shown, uint64_t seed, const struct event *e)
{
	bool kind = shown & GROUP_SHOWS_KIND || e->type == EVENT_WAKEUP;
	bool func = shown & GROUP_SHOWS_FUNC;
	const uint64_t part[] = {(uint32_t)e->tid, e->tid < 0 ? (uint32_t)e->tgid : 0,
		e->flags & (EVENT_KTHREAD | EVENT_INTERRUPT | EVENT_GROUP),
		kind ? e->kind : 0, func ? e->func : 0, func ? e->irq : 0,
		shown & GROUP_SHOWS_TIMER ? e->timer_id : 0};

	return sm_map_hash_bytes(e->comm.p, e->comm.n,
		sm_map_hash_bytes(part, sizeof(part), event_woke_key(e, seed)));
}

static struct event without_counts(const struct event *e)
{
	struct event sum = *e;

	sum.now = sum.total = (struct counts){0};
	sum.slept_ns = sum.total_slept_ns = 0;
	sum.members = 0;
	return sum;
}

ssize_t group_alike(
	struct groups *g, unsigned int shown, const struct event *rows, size_t n)
{
	int err = begin(g);

	for (size_t i = 0; i < n && !err; i++) {
		const struct event first = without_counts(&rows[i]);

		err = add_row(g, look_of(shown, g->map.seed, &rows[i]), &first, &rows[i]);
	}
	return err ? err : (ssize_t)g->n;
}
