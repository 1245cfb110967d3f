// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "format/rank.h"
#include "sort.h"

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_pct(
	const struct row *a, uint64_t a_ns, const struct row *b, uint64_t b_ns)
{
	double x = percent(a, a_ns), y = percent(b, b_ns);

	return (x > y) - (x < y);
}

static int compare_name(const struct row *a, const struct row *b)
{
	size_t n = a->comm.n < b->comm.n ? a->comm.n : b->comm.n;
	int c = n ? memcmp(a->comm.p, b->comm.p, n) : 0;

	return c ? c : compare_u64(a->comm.n, b->comm.n);
}

static int compare_pid(const struct row *a, const struct row *b)
{
	return (a->pid > b->pid) - (a->pid < b->pid);
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
		return compare_u64(b->total_ns, a->total_ns);
	case SORT_NAME:
		return compare_name(a, b);
	default:
		return compare_pid(a, b);
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
	int c = compare_u64(place(a), place(b));

	if (!c)
		c = compare_key(sort, a, b);
	if (!c)
		c = compare_key(SORT_CPU, a, b);
	if (!c)
		c = compare_pid(a, b);
	if (!c)
		c = compare_u64(a->kind, b->kind);
	if (!c)
		c = compare_name(a, b);
	return c ? c : compare_u64(a->start_ticks, b->start_ticks);
}

void sort_first(int sort, struct row *rows, size_t n, size_t k)
{
	sm_rank_first(rows, n, sizeof(*rows), k, compare, &sort);
}
