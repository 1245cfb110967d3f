// SPDX-License-Identifier: GPL-2.0-or-later
#include "census.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Counts of a mapping, identified by its address, because its number can change. */
struct census_part {
	uint64_t start, end;
	struct counts counts;
};

int census_init(struct census *c)
{
	*c = (struct census){.hidden = SM_PAGE_HIDDEN};
	return pass_new(&c->pass);
}

void census_fini(struct census *c)
{
	pass_free(c->pass);
	free(c->parts.part);
	free(c->last_parts.part);
}

void census_reset(struct census *c)
{
	c->running = c->complete = false;
	c->hidden = SM_PAGE_HIDDEN;
	c->total = (struct counts){0};
	populated_reset(&c->populated);
	c->parts.n = c->last_parts.n = 0;
}

static void take_run(void *ctx, size_t m, uint64_t first, uint64_t n, uint64_t categories)
{
	struct census *c = ctx;
	uint64_t page_bytes = c->space->page_bytes;
	uint64_t start = c->space->mappings[m].start + first * page_bytes;

	counts_add(&c->total, n, categories);
	populated_add(&c->populated, start, start + n * page_bytes);
	if (c->mappings)
		counts_add(&c->parts.part[m].counts, n, categories);
}

/* Does nothing, but its presence makes the pass hand out runs before mappings change. */
static void take_walked(void *ctx, uint64_t first, uint64_t end)
{
	(void)ctx;
	(void)first;
	(void)end;
}

/* Sets a part for each mapping, with the counts of the part of `old` with the same start.
 */
static int set_parts(
	struct census_parts *p, const struct census_parts *old, const struct space *s)
{
	int err = sm_array_reserve(&p->part, &p->cap, s->n, sizeof(*p->part));
	size_t at = 0;

	if (err < 0)
		return err;
	for (size_t i = 0; i < s->n; i++) {
		const struct mapping *m = &s->mappings[i];

		p->part[i] = (struct census_part){.start = m->start, .end = m->end};
		while (at < old->n && old->part[at].start < m->start)
			at++;
		if (at < old->n && old->part[at].start == m->start)
			p->part[i].counts = old->part[at].counts;
	}
	p->n = s->n;
	return 0;
}

static int begin(struct census *c, const struct pass_reader *r, const struct space *s)
{
	const struct census_parts none = {0};

	c->running = false;
	c->space = s;
	c->generation = s->generation;
	c->total = (struct counts){0};
	populated_begin(&c->populated);
	c->parts.n = 0;
	if (c->mappings && set_parts(&c->parts, &none, s) < 0)
		return -ENOMEM;
	pass_begin(c->pass, r, s, 0, s->pages, false, take_run, c);
	pass_tell_walked(c->pass, take_walked);
	c->running = true;
	return 0;
}

/* Continues a pass during which the mappings have changed. */
static int go_on(struct census *c, const struct pass_reader *r, const struct space *s)
{
	struct census_parts moved = {0};

	if (!pass_move(c->pass, s))
		return begin(c, r, s);
	c->space = s;
	c->generation = s->generation;
	if (!c->mappings)
		return 0;
	if (set_parts(&moved, &c->parts, s) < 0) {
		c->running = false;
		return -ENOMEM;
	}
	free(c->parts.part);
	c->parts = moved;
	return 0;
}

static int finish(struct census *c)
{
	struct census_parts swap = c->last_parts;
	int hidden = counts_swap(&c->total, c->parts.n ? &c->parts.part->counts : NULL,
		sizeof(*c->parts.part), c->pass, c->space);

	if (hidden > 0)
		c->hidden = (uint64_t)hidden;
	c->running = false;
	c->complete = true;
	c->last_total = c->total;
	c->last_parts = c->parts;
	c->parts = swap;
	if (hidden == -ESRCH)
		return hidden;
	populated_finish(&c->populated);
	return 0;
}

int census_step(struct census *c, const struct pass_reader *r, const struct space *s,
	uint64_t budget_ns)
{
	int ret = 0;

	if (!c->running)
		ret = begin(c, r, s);
	else if (c->generation != s->generation)
		ret = go_on(c, r, s);
	if (ret < 0)
		return ret;
	ret = pass_step(c->pass, budget_ns);
	if (ret == 0)
		ret = finish(c);
	else if (ret < 0)
		c->running = false;
	return ret;
}

const struct counts *census_total(const struct census *c)
{
	return c->complete ? &c->last_total : NULL;
}

static int by_start(const void *a, const void *b)
{
	const struct census_part *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

const struct counts *census_of(const struct census *c, const struct mapping *m)
{
	const struct census_parts *p = &c->last_parts;
	const struct census_part key = {.start = m->start}, *part = NULL;

	if (p->n)
		part = bsearch(&key, p->part, p->n, sizeof(key), by_start);
	return part && part->end == m->end ? &part->counts : NULL;
}
