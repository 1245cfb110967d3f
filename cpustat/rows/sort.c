// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/array.h"
#include "base/text.h"
#include "format/rank.h"
#include "sort.h"

static int compare_pct(
	const struct row *a, uint64_t a_ns, const struct row *b, uint64_t b_ns)
{
	double x = percent(a, a_ns), y = percent(b, b_ns);

	return SM_COMPARE(x, y);
}

/* Returns less than 0 if a is shown first. */
static int compare_key(int sort, const struct row *a, const struct row *b)
{
	switch (sort) {
	case SORT_CPU:
		return compare_pct(b, b->used_ns, a, a->used_ns);
	case SORT_USR:
		return compare_pct(b, b->usr_ns, a, a->usr_ns);
	case SORT_SYS:
		return compare_pct(b, b->sys_ns, a, a->sys_ns);
	case SORT_WAIT:
		return compare_pct(b, b->wait_ns, a, a->wait_ns);
	case SORT_TIME:
		return SM_COMPARE(b->total_ns, a->total_ns);
	case SORT_NAME:
		return sm_text_compare(a->comm, b->comm);
	default:
		return SM_COMPARE(a->pid, b->pid);
	}
}

static unsigned int place(const struct row *row)
{
	if (row->kind <= ROW_GROUP)
		return 0;
	return row->kind == ROW_OTHERS ? 1 : row->kind;
}

static int compare(const void *x, const void *y, void *ctx)
{
	const struct row *a = x, *b = y;
	int sort = *(const int *)ctx;
	int c = SM_COMPARE(place(a), place(b));

	if (!c)
		c = compare_key(sort, a, b);
	if (!c)
		c = compare_key(SORT_CPU, a, b);
	if (!c)
		c = SM_COMPARE(a->pid, b->pid);
	if (!c)
		c = SM_COMPARE(a->kind, b->kind);
	if (!c)
		c = sm_text_compare(a->comm, b->comm);
	return c ? c : SM_COMPARE(a->start_ticks, b->start_ticks);
}

void sort_first(int sort, struct row *rows, size_t n, size_t k)
{
	sm_rank_first(rows, n, sizeof(*rows), k, compare, &sort);
}
