// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>

#include "screen_priv.h"

int history_init(struct screen_history *h)
{
	int err;

	*h = (struct screen_history){0};
	h->tasks = calloc(SCREEN_TASKS_MAX, sizeof(*h->tasks));
	if (!h->tasks)
		return -ENOMEM;
	err = sm_map_init(&h->map, SCREEN_TASKS_MAX);
	if (err) {
		free(h->tasks);
		h->tasks = NULL;
	}
	return err;
}

void history_fini(struct screen_history *h)
{
	if (h->tasks)
		sm_map_fini(&h->map);
	free(h->tasks);
	*h = (struct screen_history){0};
}

/* Samples in which the task was not seen are zeros. */
static void put(struct screen_task *t, uint64_t now, double pct)
{
	uint64_t gap = now - t->last;

	if (gap > SCREEN_HISTORY)
		gap = SCREEN_HISTORY;
	for (uint64_t i = 1; i < gap; i++)
		t->pct[(now - i) % SCREEN_HISTORY] = 0;
	t->pct[now % SCREEN_HISTORY] = (float)pct;
	t->last = now;
}

void history_begin(struct screen_history *h, double machine_pct)
{
	h->now++;
	if (!h->machine.first) {
		h->machine.first = h->now;
		h->machine.last = h->now;
	}
	put(&h->machine, h->now, machine_pct);
}

/* The one not seen for longest; never one of this sample. */
static struct screen_task *oldest(struct screen_history *h, uint64_t keep)
{
	struct screen_task *found = NULL;

	for (size_t i = 0; i < h->n; i++) {
		struct screen_task *t = &h->tasks[i];

		if (t->last < h->now && t->id != keep &&
			(!found || t->last < found->last))
			found = t;
	}
	return found;
}

static struct screen_task *new_task(struct screen_history *h, uint64_t id, uint64_t keep)
{
	struct screen_task *t;

	if (h->n < SCREEN_TASKS_MAX) {
		t = &h->tasks[h->n];
	} else {
		t = oldest(h, keep);
		if (!t)
			return NULL;
		(void)sm_map_del(&h->map, t->id);
		t->id = 0;
	}
	if (sm_map_put(&h->map, id, t) < 0)
		return NULL;
	if (t == &h->tasks[h->n])
		h->n++;
	t->id = id;
	t->first = h->now;
	t->last = h->now;
	return t;
}

void history_add(struct screen_history *h, uint64_t id, double pct, uint64_t keep)
{
	struct screen_task *t = sm_map_get(&h->map, id);

	if (!t)
		t = new_task(h, id, keep);
	if (t)
		put(t, h->now, pct);
}

size_t history_get(const struct screen_history *h, uint64_t id, double *out)
{
	const struct screen_task *t = id ? sm_map_get(&h->map, id) : &h->machine;
	uint64_t n;

	if (!t || !t->first)
		return 0;
	n = h->now - t->first + 1;
	if (n > SCREEN_HISTORY)
		n = SCREEN_HISTORY;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = h->now - n + 1 + i;

		out[i] = at <= t->last ? (double)t->pct[at % SCREEN_HISTORY] : 0;
	}
	return (size_t)n;
}
