// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows of wake-ups are shown, and in what order. */
#include <fnmatch.h>
#include <string.h>

#include "base/array.h"
#include "group.h"
#include "out/rank.h"
#include "select.h"
#include "wakeups.h"

static bool func_match(const char *glob, const struct wakeup *w)
{
	const char *name = w->device[0] ? w->device : w->who.func_name;

	return name[0] && fnmatch(glob, name, 0) == 0;
}

/* A row without a task passes no option that is about tasks. */
static bool match(const struct opts *o, const struct wakeup *w)
{
	bool tasks = o->kernel || o->user || o->pids.n || o->uids.n || o->name_glob;

	if (tasks && (!wakeup_has_task(w) || !select_task(o, &w->who)))
		return false;
	return !o->func_glob || func_match(o->func_glob, w);
}

static size_t select_wakeups(const struct opts *o, struct wakeup *rows, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (match(o, &rows[i]))
			rows[m++] = rows[i];
	return m;
}

/* --- groups --------------------------------------------------------------------------
 */

/* What is of no task, or of one that is not known, stays apart. */
static bool is_by_task(const struct opts *o, const struct wakeup *w)
{
	return o->group != GROUP_FUNCTION && wakeup_has_task(w) && w->who.tid >= 0;
}

static uint64_t group_of(const struct opts *o, uint64_t seed, const struct wakeup *w)
{
	const uint64_t key[] = {w->cause, w->id};

	if (is_by_task(o, w))
		return group_key(o, seed, &w->who);
	return sm_map_hash_bytes(key, sizeof(key), ~seed);
}

static int compare_groups(const void *a, const void *b, void *ctx)
{
	const struct wakeup *x = a, *y = b;

	(void)ctx;
	return (x->group > y->group) - (x->group < y->group);
}

static struct wakeup first_of(const struct opts *o, const struct wakeup *w)
{
	struct wakeup sum = *w;

	sum.slept_ns = sum.total_slept_ns = 0;
	if (is_by_task(o, w)) {
		sum.who = group_first(o, &w->who);
		sum.id = 0;
	} else {
		const char *func = w->who.func_name;

		sum.who = group_first(&(struct opts){.group = GROUP_FUNCTION}, &w->who);
		sum.who.func_name = func;
	}
	sum.who.kind = w->who.kind;
	return sum;
}

static void add_row(struct wakeup *sum, const struct wakeup *w)
{
	group_add(&sum->who, &w->who);
	if (sum->cause != w->cause)
		sum->cause = WAKEUP_SEVERAL;
	sum->slept_ns += w->slept_ns;
	sum->total_slept_ns += w->total_slept_ns;
}

/* In place: sorted by the hash of their group, then added up. */
static size_t group_all(
	const struct opts *o, uint64_t seed, struct wakeup *rows, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		rows[i].group = group_of(o, seed, &rows[i]);
	sm_rank_first(rows, n, sizeof(*rows), n, compare_groups, NULL);
	for (size_t i = 0; i < n; i++) {
		struct wakeup w = rows[i];

		if (!m || rows[m - 1].group != w.group) {
			rows[m] = first_of(o, &w);
			rows[m++].group = w.group;
		}
		add_row(&rows[m - 1], &w);
	}
	return m;
}

/* --- all of it -----------------------------------------------------------------------
 */

static size_t over_threshold(
	const struct opts *o, struct wakeup *rows, size_t n, uint64_t dt_ns)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (select_is_over(o, &rows[i].who, dt_ns))
			rows[m++] = rows[i];
	return m;
}

size_t wakeups_arrange(const struct opts *o, uint64_t seed, struct wakeup *rows, size_t n,
	uint64_t dt_ns, size_t *shown)
{
	n = select_wakeups(o, rows, n);
	if (o->group != GROUP_THREAD)
		n = group_all(o, seed, rows, n);
	n = over_threshold(o, rows, n, dt_ns);
	*shown = o->app.limit && o->app.limit < n ? (size_t)o->app.limit : n;
	select_sort_rows(o, rows, n, sizeof(*rows), *shown);
	return n;
}

ssize_t wakeups_rows(
	struct wakeups *w, const struct opts *o, struct wakeup **rows, size_t *shown)
{
	const struct wake_sample *s = &w->now;
	int err = sm_array_reserve(
		&w->arranged, &w->arranged_cap, s->n, sizeof(*w->arranged));

	if (err)
		return err;
	if (s->n)
		memcpy(w->arranged, s->rows, s->n * sizeof(*s->rows));
	*rows = w->arranged;
	return (ssize_t)wakeups_arrange(
		o, w->counters.map.seed, *rows, s->n, s->dt_ns, shown);
}
