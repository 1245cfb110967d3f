// SPDX-License-Identifier: GPL-2.0-or-later
/* One process that used CPU: its record, its row. */
#include <errno.h>
#include <stdlib.h>

#include "cpuclock.h"
#include "sampler.h"

#define FIRST_ROWS 128u

struct cs_row *sampler_row(struct sampler *s)
{
	if (s->nrows == s->rows_cap) {
		size_t cap = s->rows_cap ? s->rows_cap + s->rows_cap / 2 : FIRST_ROWS;
		struct cs_row *v = reallocarray(s->rows, cap, sizeof(*v));

		if (!v) {
			s->err = -ENOMEM;
			return NULL;
		}
		s->rows = v;
		s->rows_cap = cap;
	}
	s->rows[s->nrows] = (struct cs_row){.cpu = -1, .members = 1};
	return &s->rows[s->nrows++];
}

/* --- reading one process ------------------------------------------------------------ */

static uint64_t ahead(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static uint64_t positive(int64_t ticks)
{
	return ticks > 0 ? (uint64_t)ticks : 0;
}

uint32_t sampler_child_ticks(const struct sm_pidstat *st)
{
	uint32_t ticks =
		(uint32_t)(positive(st->cutime_ticks) + positive(st->cstime_ticks));

	return ticks == SAMPLER_UNKNOWN_TICKS ? ticks - 1 : ticks;
}

/* The user's part of what was reaped. */
static uint32_t reaped_by_user(
	const struct task *t, const struct sm_pidstat *st, uint32_t grown)
{
	uint64_t usr = positive(st->cutime_ticks), sys = positive(st->cstime_ticks);
	double all = (double)usr + (double)sys;

	if (t->seen && usr >= t->cutime_ticks && usr - t->cutime_ticks <= grown)
		return (uint32_t)(usr - t->cutime_ticks);
	return all > 0 ? (uint32_t)((double)usr / all * grown) : 0;
}

/* What it has reaped since the last look, if it is known how it stood then. */
static void note_reaped(
	struct sampler *s, size_t i, struct task *t, const struct sm_pidstat *st)
{
	uint32_t before = s->live.child_ticks[i];
	uint32_t grown = sampler_child_ticks(st) - before, du;
	struct exited_reaper *r;

	if (before == SAMPLER_UNKNOWN_TICKS)
		t->based = s->number;
	if (t->based == s->number || grown == 0 || grown > INT32_MAX)
		return;
	du = reaped_by_user(t, st, grown);
	r = exited_reaper(&s->exited, s->live.pid[i], s->live.task[i]);
	if (!r) {
		s->err = -ENOMEM;
		return;
	}
	r->usr_ticks += du;
	r->sys_ticks += grown - du;
	r->ns += (int64_t)(grown * s->tick_ns);
}

/* Is it a descendant of COMMAND?  Orphans of it are ours (PR_SET_CHILD_SUBREAPER). */
static bool in_tree(const struct sampler *s, pid_t pid, const struct sm_pidstat *st)
{
	const struct task *parent;
	ssize_t p;

	if (!s->tree)
		return false;
	if (pid == s->tree || st->ppid == s->tree)
		return true;
	if (st->ppid == s->self && pid != s->self)
		return true;
	p = live_find(&s->live, st->ppid);
	parent = p >= 0 ? sampler_task(s, (size_t)p) : NULL;
	return parent && (parent->flags & TASK_TREE);
}

bool sampler_same(const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	const struct task *t = sampler_task(s, i);

	if (t && t->seen)
		return t->start_ticks == st->start_ticks;
	/* All that is known of it is that it was there before: then it was born before.
	 */
	return s->live.ns[i] == 0 || st->start_ticks <= s->t_ticks;
}

void sampler_take_children(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	struct task *t = sampler_task(s, i);

	if (!t) /* who reaped has been active */
		return;
	note_reaped(s, i, t, st);
	t->cutime_ticks = positive(st->cutime_ticks);
	t->cstime_ticks = positive(st->cstime_ticks);
	s->live.child_ticks[i] = sampler_child_ticks(st);
}

/* Takes over a stat that has been read; the task's record, or NULL without memory. */
static struct task *take_stat(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	pid_t pid = s->live.pid[i];
	struct task *t;

	if (!s->live.task[i])
		s->live.task[i] = tasks_new(&s->tasks, pid);
	t = sampler_task(s, i);
	if (!t) {
		s->err = -ENOMEM;
		return NULL;
	}
	sampler_take_children(s, i, st);
	if (!(t->flags & TASK_TREE) && in_tree(s, pid, st))
		t->flags |= TASK_TREE;
	task_update(t, st);
	s->live.ppid[i] = st->ppid;
	t->seen = s->number;
	return t;
}

/* --- rows -------------------------------------------------------------------------- */

void sampler_split(uint64_t used, double share, struct cs_row *row)
{
	row->usr_ns = share < 1 ? (uint64_t)(share * (double)used) : used;
	if (row->usr_ns > used)
		row->usr_ns = used;
	row->sys_ns = used - row->usr_ns;
}

void sampler_describe(const struct sampler *s, const struct task *t, struct cs_row *row)
{
	row->pid = row->tgid = t->pid;
	row->ppid = t->ppid;
	row->state = t->state;
	row->cpu = t->cpu;
	row->start_ticks = t->start_ticks;
	row->comm = (struct sm_str){t->comm, t->comm_len};
	row->cmd = t->cmd;
	row->cgroup = t->cgroup;
	row->total_ns = t->ns;
	if (t->flags & TASK_KTHREAD)
		row->flags |= CS_KTHREAD;
	if (t->pid == s->self)
		row->flags |= CS_SELF;
	if (t->flags & TASK_CREDS) {
		row->flags |= CS_HAS_UID;
		row->uid = t->uid;
	}
}

bool sampler_wanted(const struct sampler *s, const struct task *t)
{
	return !s->tree || (t->flags & TASK_TREE);
}

void sampler_take_base(
	struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns)
{
	struct task *t = take_stat(s, i, st);

	if (!t)
		return;
	split_begin(&t->split, st->utime_ticks, st->stime_ticks);
	s->live.ns[i] = t->ns = ns;
}

/* A number that is new in the list; what was there before us has its cutime unknown, or
 * its parent known. */
static bool just_born(const struct sampler *s, size_t i)
{
	return s->live.ns[i] == 0 && s->live.ppid[i] == 0 &&
	       s->live.child_ticks[i] == 0 && s->number > 1;
}

static void process_row(struct sampler *s, size_t i, const struct sampler_used *u)
{
	struct task *t = sampler_task(s, i);
	struct cs_row *row = t ? sampler_row(s) : NULL;

	if (!row)
		return;
	sampler_describe(s, t, row);
	row->kind = CS_PROCESS;
	row->dt_ns = t->dt_ns;
	row->used_ns = u->ns;
	if (u->born)
		row->flags |= CS_NEW;
	sampler_split(u->ns,
		split_share(&t->split, t->utime_ticks, t->stime_ticks,
			t->flags & TASK_KTHREAD),
		row);
	if (s->opts->threads || s->opts->wait)
		sampler_threads(s, s->live.task[i], row, u->whole);
}

/* What it used, and its record brought up to date; false: it has gone. */
static bool take_use(struct sampler *s, size_t i, const struct sm_pidstat *st,
	uint64_t ns, struct sampler_used *u)
{
	struct task *t;
	bool first;

	if (!sampler_same(s, i, st)) {
		sampler_reborn(s, i);
		/* The clock may have been read of the one before. */
		if (s->clocks && sm_cpuclock_ns(s->live.pid[i], &ns) < 0) {
			sampler_bury(s, i);
			return false;
		}
	}
	first = !sampler_task(s, i);
	u->born = just_born(s, i);
	u->whole = u->born || s->number == 1;
	u->ns = ahead(ns, s->live.ns[i]);
	t = take_stat(s, i, st);
	if (!t)
		return false;
	if (first && !u->whole)
		split_begin(&t->split, st->utime_ticks, st->stime_ticks);
	s->live.ns[i] = t->ns = ns;
	return true;
}

void sampler_account(struct sampler *s, size_t i, const struct sm_pidstat *st,
	uint64_t ns, uint64_t dt_ns)
{
	struct sampler_used used = {0};
	struct task *t;

	if (!take_use(s, i, st, ns, &used))
		return;
	t = sampler_task(s, i);
	t->dt_ns = dt_ns;
	s->now.tasks_ns += used.ns;
	if (t->pid == s->self)
		s->now.self_ns = used.ns;
	sampler_names(s, t);
	if (used.ns && sampler_wanted(s, t))
		process_row(s, i, &used);
}

/* Used CPU, and its stat cannot be had: it has just gone, or /proc hides it. */
void sampler_account_unread(struct sampler *s, const struct sampler_moved *m)
{
	struct task *t;
	struct cs_row *row;
	uint64_t used, ns;

	if (sm_cpuclock_ns(s->live.pid[m->i], &ns) < 0) {
		sampler_bury(s, m->i);
		return;
	}
	if (m->ns < s->live.ns[m->i]) /* nothing else can tell */
		sampler_reborn(s, m->i);
	used = m->ns - s->live.ns[m->i];
	s->now.unreadable++;
	s->now.tasks_ns += used;
	s->live.ns[m->i] = m->ns;
	t = sampler_task(s, m->i);
	if (s->tree && !(t && (t->flags & TASK_TREE)))
		return;
	row = sampler_row(s);
	if (!row)
		return;
	if (t) {
		t->ns = m->ns;
		sampler_describe(s, t, row);
	}
	row->kind = CS_PROCESS;
	row->pid = row->tgid = s->live.pid[m->i];
	row->dt_ns = m->dt_ns;
	row->used_ns = row->usr_ns = used;
	row->total_ns = m->ns;
}
