// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "totals.h"

int totals_init(struct totals *t, struct sm_strpool *names)
{
	*t = (struct totals){.names = names};
	return sm_map_init(&t->map, 256);
}

/* The names go with their pool. */
void totals_fini(struct totals *t)
{
	sm_map_fini(&t->map);
	free(t->event);
	t->event = NULL;
}

static struct sm_poolstr *keep(struct totals *t, const char *p, size_t n)
{
	return n ? sm_strpool_get(t->names, p, n, 0) : NULL;
}

/* With names that stay. */
static struct event first_of(struct totals *t, const struct event *e)
{
	struct sm_poolstr *comm = keep(t, e->comm.p, e->comm.n);
	struct sm_poolstr *func = keep(t, e->func_name, strlen(e->func_name));
	struct event sum = *e;

	sum.now = (struct counts){0};
	sum.cpu_pct = NAN;
	sum.comm = comm ? (struct sm_str){comm->s, comm->len} : (struct sm_str){0};
	sum.func_name = func ? func->s : "";
	sum.cmd = e->cmd ? keep(t, e->cmd->s, e->cmd->len) : NULL;
	sum.cgroup = e->cgroup ? keep(t, e->cgroup->s, e->cgroup->len) : NULL;
	return sum;
}

static struct event *append(struct totals *t, const struct event *e)
{
	if (sm_array_reserve(&t->event, &t->cap, t->n + 1, sizeof(*t->event)) < 0)
		return NULL;
	t->event[t->n++] = *e;
	return &t->event[t->n - 1];
}

static struct event *others(struct totals *t)
{
	static const struct event sum = {.tid = -1,
		.tgid = -1,
		.flags = EVENT_GROUP,
		.members = 1,
		.cpu_pct = NAN,
		.func_name = "",
		.comm = {"(others)", sizeof("(others)") - 1}};

	if (t->has_others)
		return &t->event[t->n - 1];
	t->has_others = true;
	return append(t, &sum);
}

static struct event *total_of(struct totals *t, const struct event *e)
{
	uint64_t key = event_key(e, t->map.seed);
	size_t place = (size_t)(uintptr_t)sm_map_get(&t->map, key);
	struct event sum;

	if (place)
		return &t->event[place - 1];
	if (t->n >= TOTALS_MAX)
		return others(t);
	if (sm_map_put(&t->map, key, (void *)(uintptr_t)(t->n + 1)) < 0)
		return NULL;
	sum = first_of(t, e);
	return append(t, &sum);
}

int totals_add(struct totals *t, const struct event *rows, size_t n, uint64_t dt_ns)
{
	t->span_ns += dt_ns;
	for (size_t i = 0; i < n; i++) {
		struct event *sum = total_of(t, &rows[i]);

		if (!sum)
			return -ENOMEM;
		counts_add(&sum->now, &rows[i].now);
		sum->total = sum->now;
	}
	return 0;
}
