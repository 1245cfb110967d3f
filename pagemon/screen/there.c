// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "there.h"

/* Size of the smallest gap that is closed if there are too many ranges. */
#define GAP_BYTES 65536u

int there_init(struct there *t)
{
	*t = (struct there){0};
	return pass_new(&t->pass);
}

void there_fini(struct there *t)
{
	pass_free(t->pass);
	free(t->ranges);
	*t = (struct there){0};
}

void there_reset(struct there *t)
{
	free(t->ranges);
	t->ranges = NULL;
	t->n = 0;
	t->generation++;
	t->begun = false;
}

/* --- ranges ------------------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
	const struct layout_range *a = x, *b = y;

	return a->first < b->first ? -1 : a->first > b->first;
}

static void join(struct there *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->next_n; i++) {
		struct layout_range *last = n ? &t->next[n - 1] : NULL;
		const struct layout_range r = t->next[i];

		if (!last || r.first > last->end + t->gap_bytes)
			t->next[n++] = r;
		else if (r.end > last->end)
			last->end = r.end;
	}
	t->next_n = n;
}

void there_settle(struct there *t)
{
	if (!t->sorted)
		qsort(t->next, t->next_n, sizeof(*t->next), compare);
	t->sorted = true;
	join(t);
}

/* Joins ranges until half of the places are free again. */
static void make_room(struct there *t)
{
	there_settle(t);
	while (t->next_n > THERE_MAX / 2) {
		t->gap_bytes = t->gap_bytes ? t->gap_bytes * 2 : GAP_BYTES;
		join(t);
	}
}

void there_add(struct there *t, uint64_t first, uint64_t end)
{
	struct layout_range *last = t->next_n ? &t->next[t->next_n - 1] : NULL;

	if (last && first >= last->first && first <= last->end + t->gap_bytes) {
		if (end > last->end)
			last->end = end;
		return;
	}
	if (t->next_n == THERE_MAX) {
		make_room(t);
		last = &t->next[t->next_n - 1];
	}
	if (last && first < last->first)
		t->sorted = false;
	t->next[t->next_n++] = (struct layout_range){first, end};
}

/* --- passes ------------------------------------------------------------------------- */

static void take_run(
	void *ctx, size_t mapping, uint64_t first, uint64_t n, uint64_t categories)
{
	struct there *t = ctx;
	const struct mapping *m = &t->space->mappings[mapping];
	uint64_t page = t->space->page_bytes;
	uint64_t start = m->start + first * page;

	(void)categories;
	there_add(t, start, start + n * page);
}

static void begin(struct there *t, const struct pass_reader *r, const struct space *s)
{
	t->next_n = 0;
	t->gap_bytes = 0;
	t->sorted = true;
	t->begun = true;
	t->space = s;
	t->pass_generation = s->generation;
	pass_begin(t->pass, r, s, 0, s->pages, false, take_run, t);
}

/* Makes the ranges of the finished pass the current ones. */
static int finish(struct there *t)
{
	size_t bytes;
	struct layout_range *copy;

	t->begun = false;
	there_settle(t);
	bytes = t->next_n * sizeof(*copy);
	if (t->ranges && t->n == t->next_n &&
		(!bytes || memcmp(t->ranges, t->next, bytes) == 0))
		return 0;
	copy = malloc(bytes ? bytes : 1);
	if (!copy)
		return -ENOMEM;
	if (bytes)
		memcpy(copy, t->next, bytes);
	free(t->ranges);
	t->ranges = copy;
	t->n = t->next_n;
	t->generation++;
	return 0;
}

int there_step(struct there *t, const struct pass_reader *r, const struct space *s,
	uint64_t budget_ns)
{
	int err;

	if (!t->begun || t->pass_generation != s->generation)
		begin(t, r, s);
	err = pass_step(t->pass, budget_ns);
	if (err < 0)
		t->begun = false;
	return err ? err : finish(t);
}
