// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/timers.h"
#include "waketotals.h"

struct waketotal {
	struct event row;
	char comm[SM_TASK_COMM_LEN];
};

int waketotals_init(struct waketotals *t, struct sm_strpool *names)
{
	*t = (struct waketotals){.names = names};
	return sm_map_init(&t->map, 256);
}

static void drop(struct waketotals *t, struct waketotal *k)
{
	sm_strpool_put(t->names, (struct sm_poolstr *)(uintptr_t)k->row.cmd);
	sm_strpool_put(t->names, (struct sm_poolstr *)(uintptr_t)k->row.cgroup);
	free(k);
}

void waketotals_fini(struct waketotals *t)
{
	struct waketotal *k;

	for (size_t i = 0; (k = sm_map_next(&t->map, &i)) != NULL;)
		drop(t, k);
	sm_map_fini(&t->map);
}

static uint64_t key_of(const struct waketotals *t, const struct event *w)
{
	const uint64_t key[] = {
		w->kind, w->func, w->irq, sm_timer_owner(w->tgid, w->tid)};

	return sm_map_hash_bytes(key, sizeof(key), t->map.seed);
}

/* A task that has exited may have lost it. */
static void keep(struct waketotals *t, const struct sm_poolstr **at,
	const struct sm_poolstr *old, const struct sm_poolstr *new)
{
	struct sm_poolstr *had = (struct sm_poolstr *)(uintptr_t)old;

	*at = old;
	if (!new)
		return;
	*at = sm_strpool_ref((struct sm_poolstr *)(uintptr_t) new);
	sm_strpool_put(t->names, had);
}

static void keep_comm(struct waketotal *k, struct sm_str old, struct sm_str new)
{
	if (new.n &&new.n <= sizeof(k->comm)) {
		memcpy(k->comm, new.p, new.n);
		old.n = new.n;
	}
	k->row.comm = (struct sm_str){k->comm, old.n};
}

/* The names of the last sample count. */
static void set_row(struct waketotals *t, struct waketotal *k, const struct event *w)
{
	const struct event old = k->row;

	k->row = *w;
	keep(t, &k->row.cmd, old.cmd, w->cmd);
	keep(t, &k->row.cgroup, old.cgroup, w->cgroup);
	keep_comm(k, old.comm, w->comm);
	k->row.func_name = "";
	k->row.now = old.now;
	k->row.slept_ns = old.slept_ns;
}

static void grow(struct event *to, const struct event *w)
{
	to->now.starts += w->now.starts;
	to->now.expiries += w->now.expiries;
	to->now.idle += w->now.idle;
	to->total = to->now;
	to->slept_ns += w->slept_ns;
	to->total_slept_ns = to->slept_ns;
}

static struct waketotal *new_total(struct waketotals *t, uint64_t key)
{
	struct waketotal *k = calloc(1, sizeof(*k));

	if (k && sm_map_put(&t->map, key, k) == 0)
		return k;
	free(k);
	return NULL;
}

static struct event without_task(const struct event *w)
{
	return (struct event){.type = EVENT_WAKEUP,
		.tid = -1,
		.tgid = -1,
		.kind = w->kind,
		.members = 1,
		.cpu_pct = w->cpu_pct,
		.func_name = "",
		.device = "",
		.now = w->now,
		.slept_ns = w->slept_ns};
}

static int add_row(struct waketotals *t, const struct event *w)
{
	uint64_t key = key_of(t, w);
	struct waketotal *k = sm_map_get(&t->map, key);
	struct event rest;

	if (!k && t->map.used >= WAKETOTALS_MAX) {
		rest = without_task(w);
		w = &rest;
		key = key_of(t, w);
		k = sm_map_get(&t->map, key);
	}
	if (!k)
		k = new_total(t, key);
	if (!k)
		return -ENOMEM;
	set_row(t, k, w);
	grow(&k->row, w);
	return 0;
}

int waketotals_add(struct waketotals *t, const struct sample *s)
{
	int err = 0;

	t->span_ns += s->dt_ns;
	t->all += s->woken.all.sum.wakeups;
	for (size_t i = 0; i < s->n && !err; i++)
		err = add_row(t, &s->events[i]);
	return err;
}

struct event *waketotals_rows(const struct waketotals *t, size_t *n)
{
	struct event *rows = calloc(t->map.used + 1, sizeof(*rows));
	const struct waketotal *k;

	*n = 0;
	for (size_t i = 0; rows && (k = sm_map_next(&t->map, &i)) != NULL;)
		rows[(*n)++] = k->row;
	return rows;
}
