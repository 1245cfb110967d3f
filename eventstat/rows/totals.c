// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "totals.h"

int totals_init(struct totals *t, struct sm_strpool *names)
{
	*t = (struct totals){.names = names};
	return sm_map_init(&t->map, 256);
}

void totals_fini(struct totals *t)
{
	for (size_t i = 0; i < t->n; i++) {
		sm_strpool_put(t->names, t->held[i].comm);
		sm_strpool_put(t->names, t->held[i].func);
		sm_strpool_put(t->names, t->held[i].cmd);
		sm_strpool_put(t->names, t->held[i].cgroup);
	}
	sm_map_fini(&t->map);
	free(t->event);
	free(t->held);
	*t = (struct totals){0};
}

/* Holds a reference to a name.  An empty name, as of a task that has exited, keeps the
 * old one. */
static void hold(struct totals *t, struct sm_poolstr **held, struct sm_str s)
{
	struct sm_poolstr *name;

	if (!s.n || (*held && sm_text_compare(sm_strpool_str(*held), s) == 0))
		return;
	name = sm_strpool_get(t->names, s.p, s.n, 0);
	if (!name)
		return;
	sm_strpool_put(t->names, *held);
	*held = name;
}

static void hold_names(struct totals *t, struct total_names *held, const struct event *e)
{
	hold(t, &held->comm, e->comm);
	hold(t, &held->func, (struct sm_str){e->func_name, strlen(e->func_name)});
	hold(t, &held->cmd, sm_strpool_str(e->cmd));
	hold(t, &held->cgroup, sm_strpool_str(e->cgroup));
}

/* Copies all members except the counts from a row, with references to its names. */
static void describe(struct totals *t, size_t i, const struct event *e)
{
	struct total_names *held = &t->held[i];
	struct event *sum = &t->event[i], old = *sum;

	hold_names(t, held, e);
	*sum = *e;
	sum->now = old.now;
	sum->slept_ns = old.slept_ns;
	sum->cpu_pct = NAN;
	sum->comm = sm_strpool_str(held->comm);
	sum->process = (struct sm_str){0}; /* used only to make groups */
	sum->func_name = held->func ? held->func->s : "";
	sum->cmd = held->cmd;
	sum->cgroup = held->cgroup;
}

/* Returns the index of a row's total, or -ENOENT. */
static ssize_t find(const struct totals *t, const struct event *e)
{
	uint64_t key = event_key(e, t->map.seed);
	size_t place = (size_t)(uintptr_t)sm_map_get(&t->map, key);

	return place ? (ssize_t)place - 1 : -ENOENT;
}

static ssize_t append(struct totals *t, const struct event *e)
{
	uint64_t key = event_key(e, t->map.seed);

	if (sm_array_reserve(&t->event, &t->cap, t->n + 1, sizeof(*t->event)) < 0 ||
		sm_array_reserve(&t->held, &t->held_cap, t->n + 1, sizeof(*t->held)) <
			0 ||
		sm_map_put(&t->map, key, (void *)(uintptr_t)(t->n + 1)) < 0)
		return -ENOMEM;
	t->event[t->n] = (struct event){0};
	t->held[t->n] = (struct total_names){0};
	describe(t, t->n, e);
	return (ssize_t)t->n++;
}

/* Returns the row as it is added to the total of all remaining rows. */
static struct event rest_of(const struct event *e)
{
	struct event rest = {.type = e->type,
		.tid = -1,
		.tgid = -1,
		.members = 1,
		.func_name = "",
		.device = "",
		.now = e->now,
		.slept_ns = e->slept_ns};

	if (e->type == EVENT_WAKEUP) {
		rest.kind = e->kind;
		return rest;
	}
	rest.flags = EVENT_GROUP;
	rest.comm = SM_STR("(others)");
	return rest;
}

/* Adds a row.  A total of timers keeps the names of its first row; one of wakeups has the
 * names of its last row. */
static int add_row(struct totals *t, const struct event *e)
{
	ssize_t i = find(t, e);
	struct event rest, *sum;

	if (i < 0 && t->n >= TOTALS_MAX) {
		rest = rest_of(e);
		e = &rest;
		i = find(t, e);
	}
	if (i < 0)
		i = append(t, e);
	else if (e->type == EVENT_WAKEUP)
		describe(t, (size_t)i, e);
	if (i < 0)
		return (int)i;
	sum = &t->event[i];
	counts_add(&sum->now, &e->now);
	sum->total = sum->now;
	sum->slept_ns += e->slept_ns;
	sum->total_slept_ns = sum->slept_ns;
	t->all += e->now.starts;
	return 0;
}

int totals_add(struct totals *t, const struct event *rows, size_t n, uint64_t dt_ns)
{
	int err = 0;

	t->span_ns += dt_ns;
	for (size_t i = 0; i < n && !err; i++)
		err = add_row(t, &rows[i]);
	return err;
}
