// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "rows.h"
#include "select.h"
#include "sort.h"

/* Key of the total in rows->sub; keys of groups are odd. */
#define TOTAL_KEY 2

int rows_init(struct rows *r, const struct opts *o, struct sm_ids *users,
	struct sm_strpool *names)
{
	int err;

	memset(r, 0, sizeof(*r));
	r->opts = o;
	err = group_init(&r->group, o, users, names);
	if (!err)
		err = totals_init(&r->sub, names, GROUPS_MAX);
	if (err)
		rows_fini(r);
	return err;
}

void rows_fini(struct rows *r)
{
	group_fini(&r->group);
	totals_fini(&r->sub);
}

/* --- sums ------------------------------------------------------------------------- */

/* Returns the time of a row, scaled from the row's own interval to dt_ns. */
static uint64_t rated(uint64_t ns, const struct row *row, uint64_t dt_ns)
{
	double rate = row->dt_ns ? (double)dt_ns / (double)row->dt_ns : 1;

	/* A recorded machine can report any numbers. */
	if (row->dt_ns == dt_ns || (double)ns * rate > (double)INT64_MAX)
		return ns;
	return (uint64_t)((double)ns * rate);
}

/* Adds a row to a sum, so that its percentages add up. */
static void add_sum(struct row *sum, const struct row *row)
{
	sum->used_ns += rated(row->used_ns, row, sum->dt_ns);
	sum->usr_ns += rated(row->usr_ns, row, sum->dt_ns);
	sum->sys_ns += rated(row->sys_ns, row, sum->dt_ns);
	sum->wait_ns += rated(row->wait_ns, row, sum->dt_ns);
	sum->total_ns += row->total_ns;
	sum->members += row->members;
	sum->flags |= row->flags & ROW_HAS_WAIT;
}

static struct row sum_of(
	const struct row *rows, size_t n, uint64_t dt_ns, struct sm_str name)
{
	struct row sum = {.kind = ROW_GROUP, .cpu = -1, .dt_ns = dt_ns, .comm = name};

	for (size_t i = 0; i < n; i++)
		add_sum(&sum, &rows[i]);
	sum.min_pct = sum.max_pct = (float)percent(&sum, sum.used_ns);
	return sum;
}

/* --- sub-samples ------------------------------------------------------------------ */

void rows_subsample(struct rows *r, const struct row *rows, size_t n, uint64_t dt_ns)
{
	struct row total = {.kind = ROW_GROUP, .cpu = -1, .dt_ns = dt_ns};

	if (r->sub_used)
		totals_reset(&r->sub);
	r->sub_used = false;
	totals_begin(&r->sub, dt_ns);
	for (size_t i = 0; i < n; i++) {
		if (!select_match(r->opts, &rows[i]))
			continue;
		add_sum(&total, &rows[i]);
		if (r->opts->group != GROUP_NONE)
			group_add(&r->group, &r->sub, &rows[i]);
	}
	(void)!totals_add(&r->sub, TOTAL_KEY, &total);
}

/* A threshold applies to whole intervals, so the sub-samples include other rows and the
 * extremes are unknown. */
static void set_extremes(const struct rows *r, uint64_t key, struct row *row)
{
	if (r->opts->threshold_mticks || r->opts->threshold_centi_pct ||
		totals_extremes(&r->sub, key, &row->min_pct, &row->max_pct) < 0)
		row->min_pct = row->max_pct = NAN;
}

static void use_subsamples(struct rows *r, struct row *rows, size_t n)
{
	if (!r->sub.samples)
		return;
	r->sub_used = true;
	set_extremes(r, TOTAL_KEY, &r->total);
	for (size_t i = 0; r->opts->group != GROUP_NONE && i < n; i++)
		set_extremes(r, group_key(&r->group, &rows[i]), &rows[i]);
}

size_t rows_arrange(struct rows *r, struct row **rows, size_t m, size_t n, uint64_t dt_ns)
{
	const struct opts *o = r->opts;
	size_t k;

	if (o->group != GROUP_NONE)
		m = group_rows(&r->group, rows, m, n, dt_ns);
	r->total = sum_of(*rows, m, dt_ns, SM_STR("Total"));
	use_subsamples(r, *rows, m);
	k = o->app.limit && o->app.limit < m ? (size_t)o->app.limit : m;
	sort_first(o->sort, *rows, m, k);
	r->matched = m;
	r->shown = sum_of(*rows, k, dt_ns, SM_STR("Shown"));
	if (k == m) {
		r->shown.min_pct = r->total.min_pct;
		r->shown.max_pct = r->total.max_pct;
	} else if (r->sub.samples) {
		r->shown.min_pct = r->shown.max_pct = NAN;
	}
	return k;
}
