// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "populated.h"

/* Size of the smallest gap that is closed if there are too many ranges. */
#define GAP_BYTES 65536u

void populated_reset(struct populated *t)
{
	t->ranges = NULL;
	t->n = 0;
	t->generation++;
}

static int compare(const void *x, const void *y)
{
	const struct space_range *a = x, *b = y;

	return a->first < b->first ? -1 : a->first > b->first;
}

static void join(struct populated *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->next_n; i++) {
		struct space_range *last = n ? &t->store[t->at][n - 1] : NULL;
		const struct space_range r = t->store[t->at][i];

		if (!last || r.first > last->end + t->gap_bytes)
			t->store[t->at][n++] = r;
		else if (r.end > last->end)
			last->end = r.end;
	}
	t->next_n = n;
}

void populated_settle(struct populated *t)
{
	if (!t->sorted)
		qsort(t->store[t->at], t->next_n, sizeof(t->store[0][0]), compare);
	t->sorted = true;
	join(t);
}

/* Joins ranges until half of the places are free again. */
static void make_room(struct populated *t)
{
	populated_settle(t);
	while (t->next_n > POPULATED_MAX / 2) {
		t->gap_bytes = t->gap_bytes ? t->gap_bytes * 2 : GAP_BYTES;
		join(t);
	}
}

void populated_add(struct populated *t, uint64_t first, uint64_t end)
{
	struct space_range *last = t->next_n ? &t->store[t->at][t->next_n - 1] : NULL;

	if (last && first >= last->first && first <= last->end + t->gap_bytes) {
		if (end > last->end)
			last->end = end;
		return;
	}
	if (t->next_n == POPULATED_MAX) {
		make_room(t);
		last = &t->store[t->at][t->next_n - 1];
	}
	if (last && first < last->first)
		t->sorted = false;
	t->store[t->at][t->next_n++] = (struct space_range){first, end};
}

void populated_begin(struct populated *t)
{
	t->at = t->ranges == t->store[0];
	t->next_n = 0;
	t->gap_bytes = 0;
	t->sorted = true;
}

void populated_finish(struct populated *t)
{
	populated_settle(t);
	if (t->ranges && t->n == t->next_n &&
		memcmp(t->ranges, t->store[t->at], t->n * sizeof(*t->ranges)) == 0)
		return;
	t->ranges = t->store[t->at];
	t->n = t->next_n;
	t->generation++;
}
