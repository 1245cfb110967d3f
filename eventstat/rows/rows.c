// SPDX-License-Identifier: GPL-2.0-or-later
#include "rows.h"
#include "select.h"

int rows_init(struct rows *r, const struct opts *o)
{
	*r = (struct rows){.opts = o};
	return group_init(&r->groups, o);
}

void rows_fini(struct rows *r)
{
	group_fini(&r->groups);
}

/* Applies threshold, sort order and limit; returns the number of rows to show. */
static ssize_t arrange(struct rows *r, struct event *rows, uint64_t dt_ns)
{
	const struct opts *o = r->opts;
	size_t shown;

	if (o->sort == SORT_CPU || o->sort == SORT_NAME)
		tasks_look(r->tasks, rows, r->n);
	r->matched = select_over_threshold(o, rows, r->n, dt_ns);
	shown = o->app.limit && o->app.limit < r->matched ? (size_t)o->app.limit
							  : r->matched;
	select_sort(o, rows, r->matched, shown);
	return (ssize_t)shown;
}

ssize_t rows_arrange(struct rows *r, struct event **rows, size_t m, uint64_t dt_ns)
{
	const struct opts *o = r->opts;
	ssize_t n = (ssize_t)m;

	if (o->group != GROUP_THREAD) {
		if (o->group != GROUP_FUNCTION)
			tasks_look(r->tasks, *rows, m);
		n = group_rows(&r->groups, rows, m);
		if (n < 0)
			return n;
	}
	r->n = (size_t)n;
	return arrange(r, *rows, dt_ns);
}

ssize_t rows_alike(struct rows *r, unsigned int shown, const struct event *rows, size_t m,
	uint64_t dt_ns)
{
	ssize_t n = group_alike(&r->groups, shown, rows, m);

	if (n < 0)
		return n;
	r->n = (size_t)n;
	return arrange(r, r->groups.event, dt_ns);
}
