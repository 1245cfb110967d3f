// SPDX-License-Identifier: GPL-2.0-or-later
#include <fnmatch.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "format/rank.h"
#include "proc/taskname.h"
#include "select.h"

bool select_uses_proc(const struct opts *o)
{
	return o->uids.n || o->name_glob || o->text;
}

/* Only names and users require the data of /proc. */
static bool task_matches(const struct opts *o, struct tasks *t, struct event *e)
{
	struct sm_str cmd;
	bool kernel = e->flags & EVENT_KTHREAD;

	if ((o->kernel && !kernel) || (o->user && kernel))
		return false;
	if (!sm_opt_list_selects(&o->pids, (uint32_t)e->tid, (uint32_t)e->tgid))
		return false;
	if (select_uses_proc(o))
		tasks_look(t, e, 1);
	if (o->uids.n && !(e->flags & EVENT_HAS_UID && sm_opt_list_has(&o->uids, e->uid)))
		return false;
	cmd = sm_strpool_str(e->cmd);
	return (!o->name_glob || sm_taskname_is(o->name_glob, e->comm, cmd)) &&
	       (!o->text || sm_taskname_has(o->text, e->comm, cmd));
}

/* The table shows the function of a delayed work as "work:NAME". */
static bool func_matches(const char *glob, const struct event *e)
{
	bool work = e->flags & EVENT_WORK;

	if (work && strncmp(glob, EVENT_WORK_PREFIX, strlen(EVENT_WORK_PREFIX)) == 0)
		glob += strlen(EVENT_WORK_PREFIX);
	return fnmatch(glob, e->func_name, 0) == 0 ||
	       (work && fnmatch(glob, SM_TIMER_WORK_CALLBACK, 0) == 0);
}

static bool timer_matches(const struct opts *o, struct tasks *t, struct event *e)
{
	unsigned int kind = e->kind == SM_TIMER_HR ? KIND_HRTIMER : KIND_WHEEL;

	if (!(o->kinds & kind))
		return false;
	if ((e->flags & EVENT_SELF && !o->self) || (e->flags & EVENT_TICK && !o->tick))
		return false;
	if (o->func_glob && !func_matches(o->func_glob, e))
		return false;
	return task_matches(o, t, e);
}

/* A row without a task never matches an option that selects tasks. */
static bool wakeup_matches(const struct opts *o, struct tasks *t, struct event *e)
{
	bool tasks =
		o->kernel || o->user || o->pids.n || o->uids.n || o->name_glob || o->text;

	if (tasks && (!event_has_task(e) || !task_matches(o, t, e)))
		return false;
	if (!o->func_glob)
		return true;
	if (e->device && e->device[0])
		return fnmatch(o->func_glob, e->device, 0) == 0;
	return e->func_name[0] && func_matches(o->func_glob, e);
}

static bool matches(const struct opts *o, struct tasks *t, struct event *e)
{
	return e->type == EVENT_WAKEUP ? wakeup_matches(o, t, e) : timer_matches(o, t, e);
}

size_t select_rows(const struct opts *o, struct tasks *t, struct event *e, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (matches(o, t, &e[i])) {
			SM_SWAP(e[i], e[m]);
			m++;
		}
	return m;
}

/* Compares without a division, whose rounding could exclude a row that is exactly at the
 * threshold. */
static bool is_over(const struct opts *o, const struct event *e, uint64_t dt_ns)
{
	return (double)e->now.starts * 1000 * 1e9 >=
	       (double)o->threshold_milli * (double)dt_ns;
}

size_t select_over_threshold(
	const struct opts *o, struct event *e, size_t n, uint64_t dt_ns)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (is_over(o, &e[i], dt_ns)) {
			SM_SWAP(e[i], e[m]);
			m++;
		}
	return m;
}

/* --- order ---------------------------------------------------------------- */

static double known(float pct)
{
	return __builtin_isfinite(pct) ? (double)pct : -1;
}

/* Returns less than 0 if a is shown first. */
static int compare_key(int sort, const struct event *a, const struct event *b)
{
	switch (sort) {
	case SORT_EVENTS:
		return SM_COMPARE(b->now.starts, a->now.starts);
	case SORT_WAKE:
		return SM_COMPARE(b->now.expiries, a->now.expiries);
	case SORT_IDLE:
		return SM_COMPARE(b->now.idle, a->now.idle);
	case SORT_CPU:
		return SM_COMPARE(known(b->cpu_pct), known(a->cpu_pct));
	case SORT_NAME:
		return sm_text_compare(a->comm, b->comm);
	default:
		return SM_COMPARE(a->tid, b->tid);
	}
}

static int compare(const void *x, const void *y, void *ctx)
{
	static const int keys[] = {SORT_EVENTS, SORT_WAKE, SORT_PID, SORT_NAME};
	const struct event *a = x, *b = y;
	int c = compare_key(*(const int *)ctx, a, b);

	for (size_t i = 0; !c && i < SM_ARRAY_SIZE(keys); i++)
		c = compare_key(keys[i], a, b);
	if (!c)
		c = SM_COMPARE(a->func, b->func);
	if (!c)
		c = SM_COMPARE(a->kind, b->kind);
	if (!c)
		c = SM_COMPARE(a->irq, b->irq);
	return c ? c : memcmp(a->woke_comm, b->woke_comm, sizeof(a->woke_comm));
}

void select_sort(const struct opts *o, struct event *e, size_t n, size_t k)
{
	int sort = o->sort;

	sm_rank_first(e, n, sizeof(*e), k, compare, &sort);
}
