// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "base/array.h"
#include "state.h"

#define LOOK_NS SM_NSEC_PER_SEC

void follow_fini(struct follow *f)
{
	free(f->counts);
	free(f->next);
	*f = (struct follow){0};
}

/* --- on the screen ------------------------------------------------------------------ */

static bool follow_cell(struct screen *s)
{
	const struct marks *m = &s->marks;
	uint64_t cell = s->top * s->layout.width + m->changed;

	if (s->view != VIEW_MAP || m->changed >= m->n || cell >= s->layout.cells)
		return false;
	state_set_cursor(s, layout_cell(&s->layout, cell).pages.first);
	return true;
}

/* --- elsewhere ---------------------------------------------------------------------- */

/* Reads the current counts, in order of address.  Returns false if they are unknown. */
static bool count(struct screen *s, size_t *n)
{
	struct follow *f = &s->follow;
	const struct space *space = s->in.space;

	if (sm_array_reserve(&f->next, &f->next_cap, space->n, sizeof(*f->next)))
		return false;
	for (size_t i = 0; i < space->n; i++) {
		const struct counts *c = state_counts(s, i);

		if (!c && i == 0)
			return false;
		f->next[i] = (struct follow_count){.start = space->mappings[i].start,
			.pages = c ? c->present + c->swapped : 0};
	}
	*n = space->n;
	return true;
}

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns the number of the mapping that changed most, or n if no mapping changed. */
static size_t most_changed(const struct follow *f, size_t n)
{
	size_t most = n, k = 0;
	uint64_t by = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t before = 0;

		while (k < f->n && f->counts[k].start < f->next[i].start)
			k++;
		if (k < f->n && f->counts[k].start == f->next[i].start)
			before = f->counts[k].pages;
		if (difference(f->next[i].pages, before) > by) {
			by = difference(f->next[i].pages, before);
			most = i;
		}
	}
	return most;
}

static void keep(struct follow *f, size_t n)
{
	struct follow_count *counts = f->counts;
	size_t cap = f->cap;

	f->counts = f->next;
	f->cap = f->next_cap;
	f->n = n;
	f->next = counts;
	f->next_cap = cap;
}

static void follow_mapping(struct screen *s)
{
	struct follow *f = &s->follow;
	bool first = !f->looked_ns;
	const struct mapping *m;
	size_t n, most;

	if (!first && s->in.now_ns - f->looked_ns < LOOK_NS)
		return;
	if (!count(s, &n))
		return;
	f->looked_ns = s->in.now_ns;
	most = first ? n : most_changed(f, n);
	m = most < n ? &s->in.space->mappings[most] : NULL;
	if (m && m != state_mapping(s))
		state_set_cursor(s, m->first);
	keep(f, n);
}

void follow_change(struct screen *s)
{
	if (state_has_pages(s) && !follow_cell(s))
		follow_mapping(s);
}
