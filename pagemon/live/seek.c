// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "seek.h"

#define FIRST_PAGES 4096
#define GROWTH	    4
#define NOT_FOUND   UINT64_MAX
#define IS_THERE    (SM_PAGE_PRESENT | SM_PAGE_SWAPPED)

int seek_init(struct seek *s)
{
	memset(s, 0, sizeof(*s));
	return pass_new(&s->pass);
}

void seek_fini(struct seek *s)
{
	if (s->pass)
		pass_free(s->pass);
}

/* Keeps the page nearest to the start; runs can arrive in any order. */
static void take(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct seek *s = ctx;
	uint64_t at = s->space->mappings[m].first + first;

	if (!(categories & IS_THERE))
		return;
	if (!s->forward)
		at += n - 1;
	if (s->found == NOT_FOUND || (s->forward ? at < s->found : at > s->found))
		s->found = at;
}

static void walk(struct seek *s)
{
	s->found = NOT_FOUND;
	pass_begin(s->pass, s->reader, s->space, s->from, s->to, false, take, s);
}

/* Begins to walk the next range.  Returns false at the end. */
static bool next_range(struct seek *s)
{
	uint64_t all = s->space->pages;

	if (s->forward) {
		s->from = s->to;
		s->to = s->from + lesser(s->size, all - s->from);
	} else {
		s->to = s->from;
		s->from = s->to - lesser(s->size, s->to);
	}
	if (s->from == s->to)
		return false;
	if (s->size < all)
		s->size *= GROWTH;
	walk(s);
	return true;
}

void seek_begin(struct seek *s, const struct pass_reader *r, const struct space *space,
	uint64_t ordinal, bool forward)
{
	s->reader = r;
	s->space = space;
	s->forward = forward;
	s->generation = space->generation;
	s->size = FIRST_PAGES;
	s->from = lesser(ordinal, space->pages);
	s->to = lesser(s->from + 1, space->pages);
	s->active = true;
	s->found = NOT_FOUND;
	if (!next_range(s))
		s->from = s->to = space->pages;
}

static int end(struct seek *s, uint64_t *found, int result)
{
	*found = s->found;
	s->active = false;
	return result;
}

int seek_step(struct seek *s, uint64_t budget_ns, uint64_t *found)
{
	int more;

	if (s->generation != s->space->generation)
		return end(s, found, -EAGAIN);
	if (s->from == s->to)
		return end(s, found, 0);
	more = pass_step(s->pass, budget_ns);
	if (more < 0)
		return end(s, found, more);
	if (more || (s->found == NOT_FOUND && next_range(s)))
		return 1;
	return end(s, found, 0);
}
