// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "children.h"
#include "walk.h"

#define TOTAL_MAX_NS (INT64_MAX / 4)

/* --- reaped ----------------------------------------------------------------------- */

static uint64_t ticks_ns(const struct sampler *s, int64_t ticks)
{
	uint64_t n = ticks > 0 ? (uint64_t)ticks : 0;

	return n < TOTAL_MAX_NS / s->tick_ns ? n * s->tick_ns : TOTAL_MAX_NS;
}

struct children_time children_time(
	const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	if (r)
		return (struct children_time){r->cutime_ns, r->cutime_ns + r->cstime_ns};
	return (struct children_time){ticks_ns(s, st->cutime_ticks),
		ticks_ns(s, st->cutime_ticks) + ticks_ns(s, st->cstime_ticks)};
}

static uint64_t user_part(
	const struct task *t, const struct children_time *c, uint64_t grown)
{
	if (t->seen && c->usr_ns >= t->cutime_ns && c->usr_ns - t->cutime_ns <= grown)
		return c->usr_ns - t->cutime_ns;
	return c->ns ? (uint64_t)((double)c->usr_ns / (double)c->ns * (double)grown) : 0;
}

static struct exited_reaper *reaper_of(struct sampler *s, size_t i, const struct task *t)
{
	struct exited_reaper *r = exited_reaper(&s->exited, s->pids.pid[i],
		s->pids.task[i], walk_record(s, i) != NULL, t->exited_balance_ns);

	if (!r)
		s->err = -ENOMEM;
	return r;
}

/* Adds newly reaped time to the reaper's entry.  The base of a process whose stat was not
 * read at the start is unknown. */
static void add_reaped(
	struct sampler *s, size_t i, struct task *t, const struct children_time *c)
{
	uint64_t before = s->pids.child_ns[i], grown, usr;
	struct exited_reaper *r;

	if (s->pids.ppid[i] == PIDLIST_UNREAD || c->ns <= before)
		return;
	grown = c->ns - before;
	r = reaper_of(s, i, t);
	if (!r)
		return;
	usr = user_part(t, c, grown);
	r->usr_ns += usr;
	r->sys_ns += grown - usr;
	r->ns += (int64_t)grown;
}

void children_reaped(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	struct children_time c = children_time(s, i, st);
	struct task *t = state_task(s, i);

	if (!t)
		return;
	if (t->seen != s->number)
		t->reaped_since_ns = t->reaped_ns > s->t_ns ? t->reaped_ns : s->t_ns;
	t->reaped_ns = s->own_time ? s->now.t_ns : state_now_ns(s);
	add_reaped(s, i, t, &c);
	t->cutime_ns = c.usr_ns;
	s->pids.child_ns[i] = c.ns;
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
	ns += (int64_t)(r->usr_ns + r->sys_ns);
	r->pid = 0;
	r->ns = 0;
	return ns;
}

/* Returns the clock and cutime of an entry at their last readings, as far as rows have
 * reported them, in ns. */
static uint64_t reported_ns(struct sampler *s, size_t i)
{
	uint64_t total = s->pids.ns[i] + s->pids.child_ns[i];
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
	s->pids.child_ns[i] = 0;
	s->pids.had_children[i] = false;
	s->now.created++;
}
