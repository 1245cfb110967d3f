// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "children.h"

#define TOTAL_MAX_NS (INT64_MAX / 4)

/* --- reaped ----------------------------------------------------------------------- */

static uint64_t positive(int64_t ticks)
{
	return ticks > 0 ? (uint64_t)ticks : 0;
}

uint32_t children_ticks(const struct sm_pidstat *st)
{
	return (uint32_t)(positive(st->cutime_ticks) + positive(st->cstime_ticks));
}

static uint32_t user_part(
	const struct task *t, const struct sm_pidstat *st, uint32_t grown)
{
	uint64_t usr = positive(st->cutime_ticks), sys = positive(st->cstime_ticks);
	double all = (double)usr + (double)sys;

	if (t->seen && usr >= t->cutime_ticks && usr - t->cutime_ticks <= grown)
		return (uint32_t)(usr - t->cutime_ticks);
	return all > 0 ? (uint32_t)((double)usr / all * grown) : 0;
}

static struct exited_reaper *reaper_of(struct sampler *s, size_t i, const struct task *t)
{
	struct exited_reaper *r = exited_reaper(
		&s->exited, s->pids.pid[i], s->pids.task[i], t->exited_balance_ns);

	if (!r)
		s->err = -ENOMEM;
	return r;
}

/* Adds newly reaped time to the reaper's entry.  The base of a process whose stat was not
 * read at the start is unknown. */
static void add_reaped(
	struct sampler *s, size_t i, struct task *t, const struct sm_pidstat *st)
{
	uint32_t grown = children_ticks(st) - s->pids.child_ticks[i], usr;
	struct exited_reaper *r;

	if (s->pids.ppid[i] == PIDLIST_UNREAD || grown == 0 || grown > INT32_MAX)
		return;
	r = reaper_of(s, i, t);
	if (!r)
		return;
	usr = user_part(t, st, grown);
	r->usr_ticks += usr;
	r->sys_ticks += grown - usr;
	r->ns += (int64_t)(grown * s->tick_ns);
}

void children_reaped(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	struct task *t = state_task(s, i);

	if (!t)
		return;
	if (t->seen != s->number)
		t->reaped_since_ns = t->reaped_ns > s->t_ns ? t->reaped_ns : s->t_ns;
	t->reaped_ns = s->own_time ? s->now.t_ns : state_now_ns(s);
	add_reaped(s, i, t, st);
	t->cutime_ticks = positive(st->cutime_ticks);
	s->pids.child_ticks[i] = children_ticks(st);
}

void children_read_parent(struct sampler *s, pid_t ppid, bool was_read)
{
	ssize_t p = ppid > 0 ? pidlist_find(&s->pids, ppid) : -1;
	const struct task *t = p >= 0 ? state_task(s, (size_t)p) : NULL;

	if (!t || (t->seen == s->number) != was_read)
		return;
	s->read_again = true;
	(void)reaper_of(s, (size_t)p, t);
}

/* --- exited ----------------------------------------------------------------------- */

/* Takes the time that an exited process reaped in this sample: its parent's cutime
 * includes it, but no row reported it.  Time that a row reported before cutime included
 * it (the balance) counts as reported. */
static int64_t take_unreported(struct sampler *s, pid_t pid, const struct task *t)
{
	struct exited_reaper *r = exited_find(&s->exited, pid);
	int64_t ns = t ? t->exited_balance_ns : 0;

	if (!r)
		return ns;
	ns += (int64_t)((r->usr_ticks + r->sys_ticks) * s->tick_ns);
	r->pid = 0;
	r->ns = 0;
	return ns;
}

/* Returns the clock and cutime of an entry at their last readings, as far as rows have
 * reported them, in ns. */
static uint64_t reported_ns(struct sampler *s, size_t i)
{
	uint64_t total = s->pids.ns[i] + s->pids.child_ticks[i] * s->tick_ns;
	int64_t less = take_unreported(s, s->pids.pid[i], state_task(s, i));

	if (total > TOTAL_MAX_NS)
		total = TOTAL_MAX_NS;
	return less < (int64_t)total ? (uint64_t)((int64_t)total - less) : 0;
}

static void add_exited(struct sampler *s, size_t i, uint64_t total)
{
	struct exited *e = &s->exited;

	if (exited_add(e, s->pids.pid[i], s->pids.ppid[i], total) < 0)
		s->err = -ENOMEM;
	else if (s->pids.had_children[i])
		e->v[e->n - 1].rounding_ns = s->tick_ns;
}

void children_exited(struct sampler *s, size_t i)
{
	uint64_t total = reported_ns(s, i);
	pid_t ppid = s->pids.ppid[i];

	s->now.exited++;
	exited_names_missing(&s->exited_names, s->pids.pid[i], ppid, s->pids.ns[i]);
	/* A parent whose stat was read before the child was missed can have reaped it
	 * since. */
	children_read_parent(s, ppid, true);
	/* Even without CPU time, the process can link an orphan to an ancestor. */
	if (total || ppid > 0)
		add_exited(s, i, total);
	tasks_retire(&s->tasks, s->pids.task[i]);
	s->pids.task[i] = 0;
	pidlist_exited(&s->pids, i);
}

void children_pid_reused(struct sampler *s, size_t i)
{
	pid_t pid = s->pids.pid[i];

	children_exited(s, i);
	s->pids.pid[i] = pid;
	s->pids.ns[i] = 0;
	s->pids.ppid[i] = 0;
	s->pids.child_ticks[i] = 0;
	s->pids.had_children[i] = false;
	s->now.created++;
}
