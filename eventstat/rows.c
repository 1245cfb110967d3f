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

ssize_t rows_arrange(struct rows *r, struct event **rows, size_t m, uint64_t dt_ns)
{
	const struct opts *o = r->opts;
	ssize_t n = (ssize_t)m;
	size_t shown;

	if (o->group != GROUP_THREAD) {
		n = group_rows(&r->groups, rows, m);
		if (n < 0)
			return n;
	}
	r->n = (size_t)n;
	r->matched = select_over_threshold(o, *rows, (size_t)n, dt_ns);
	shown = o->app.limit && o->app.limit < r->matched ? (size_t)o->app.limit
							  : r->matched;
	select_sort(o, *rows, r->matched, shown);
	return (ssize_t)shown;
}
