// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "state.h"

#define MARK_NS SM_NSEC_PER_SEC
#define LOOK_NS SM_NSEC_PER_SEC

void changes_fini(struct screen *s)
{
	free(s->marks.signs);
	free(s->marks.until_ns);
	free(s->follow.counts[0]);
	free(s->follow.counts[1]);
}

/* --- marks -------------------------------------------------------------------------- */

static int forget(struct marks *m, size_t n)
{
	m->n = 0;
	if (sm_array_reserve(&m->signs, &m->signs_cap, n, 1) ||
		sm_array_reserve(&m->until_ns, &m->until_cap, n, sizeof(*m->until_ns)))
		return -ENOMEM;
	m->n = n;
	if (!n)
		return 0;
	memset(m->signs, CELL_UNKNOWN, n);
	memset(m->until_ns, 0, n * sizeof(*m->until_ns));
	return 0;
}

static void compare(struct marks *m, const unsigned char *now)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->signs[i] == now[i] || m->signs[i] == CELL_UNKNOWN ||
			now[i] == CELL_UNKNOWN)
			continue;
		m->until_ns[i] = m->now_ns + MARK_NS;
		if (m->changed == m->n)
			m->changed = i;
	}
}

/* Returns -ENOMEM if no cell can be shown. */
static int take_marks(struct marks *m, const struct cells *c, size_t n)
{
	const unsigned char *now = c->signs;
	int err = 0;

	if (m->n != n || m->views != c->views)
		err = forget(m, n);
	m->views = c->views;
	m->changed = m->n;
	m->unknown = m->n && memchr(now, CELL_UNKNOWN, m->n);
	if (m->n && memcmp(m->signs, now, m->n) != 0) {
		compare(m, now);
		memcpy(m->signs, now, m->n);
	}
	return err;
}

/* --- the cursor --------------------------------------------------------------------- */

static bool follow_cell(struct screen *s)
{
	const struct marks *m = &s->marks;
	uint64_t cell = s->top * s->layout.width + m->changed;

	if (m->changed >= m->n || cell >= s->layout.cells)
		return false;
	state_set_cursor(s, layout_cell(&s->layout, cell).pages.first);
	return true;
}

/* Returns the pages of a mapping at the last check, in which *k is the next mapping. */
static uint64_t pages_before(const struct follow *f, uint64_t start, size_t *k)
{
	const struct follow_count *c = f->counts[f->at];

	while (*k < f->n && c[*k].start < start)
		++*k;
	return *k < f->n && c[*k].start == start ? c[*k].pages : 0;
}

/* Counts the pages of the mappings, whose counts are known, into next[].  Returns the
 * mapping whose number changed most, or NULL if no mapping changed. */
static const struct mapping *most_changed(
	const struct screen *s, struct follow_count *next)
{
	const struct mapping *most = NULL;
	uint64_t by = 0;
	size_t k = 0;

	for (size_t i = 0; i < s->in.space->n; i++) {
		const struct mapping *m = &s->in.space->mappings[i];
		const struct counts *c = state_counts(s, i);
		uint64_t now = c ? c->present + c->swapped : 0;
		uint64_t before = pages_before(&s->follow, m->start, &k);
		uint64_t change = now > before ? now - before : before - now;

		next[i] = (struct follow_count){m->start, now};
		if (change > by)
			most = m;
		if (change > by)
			by = change;
	}
	return most;
}

static void follow_mapping(struct screen *s)
{
	struct follow *f = &s->follow;
	bool first = !f->looked_ns, next = !f->at;
	const struct mapping *m;

	if ((!first && s->in.now_ns - f->looked_ns < LOOK_NS) || !state_counts(s, 0) ||
		sm_array_reserve(&f->counts[next], &f->cap[next], s->in.space->n,
			sizeof(*f->counts[next])))
		return;
	m = most_changed(s, f->counts[next]);
	f->looked_ns = s->in.now_ns;
	f->at = next;
	f->n = s->in.space->n;
	if (m && !first && m != state_mapping(s))
		state_set_cursor(s, m->first);
}

void changes_take(struct screen *s)
{
	if (s->view != VIEW_MAP || !s->in.cells)
		return;
	if (!s->frozen)
		s->marks.now_ns = s->in.now_ns;
	if (take_marks(&s->marks, s->in.cells, s->ncells))
		(void)screen_say(s, "out of memory");
	if (s->set.follow && !s->frozen && state_has_pages(s) && !follow_cell(s))
		follow_mapping(s);
}
