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

/* What it has reaped since the last look: 0 when it is not known how it stood then. */
static void note_reaped(struct sampler *s, size_t i, const struct task *t,
	const struct sm_pidstat *st, uint32_t before)
{
	uint64_t usr = st->cutime_ticks > 0 ? (uint64_t)st->cutime_ticks : 0;
	uint64_t sys = st->cstime_ticks > 0 ? (uint64_t)st->cstime_ticks : 0;
	uint32_t grown = (uint32_t)(usr + sys) - before;
	struct exited_reaper *r;
	uint64_t du;

	if (before == SAMPLER_UNKNOWN_TICKS || grown == 0 || grown > INT32_MAX)
		return;
	if (t->seen && usr >= t->cutime_ticks && usr - t->cutime_ticks <= grown)
		du = usr - t->cutime_ticks;
	else
		du = grown * usr / (usr + sys);
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
static bool in_tree(const struct sampler *s, const struct sm_pidstat *st)
{
	ssize_t p;

	if (!s->tree)
		return false;
	if (st->pid == s->tree || (st->ppid == s->self && st->pid != s->self))
		return true;
	p = live_find(&s->live, st->ppid);
	return p >= 0 && s->live.task[p] &&
	       (sampler_task(s, (size_t)p)->flags & TASK_TREE);
}

bool sampler_same(const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	const struct task *t = sampler_task(s, i);

	if (t && t->seen)
		return t->start_ticks == st->start_ticks;
	/* Nothing is known of it but that it was there before: it was born before, too.
	 */
	return s->live.ns[i] == 0 || st->start_ticks <= s->t_ticks;
}

/* Takes over a stat that has been read; the task's record, or NULL without memory. */
struct task *sampler_take_stat(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	uint32_t before;
	struct task *t;

	if (!sampler_same(s, i, st))
		sampler_reborn(s, i);
	if (!s->live.task[i])
		s->live.task[i] = tasks_new(&s->tasks, st->pid);
	t = sampler_task(s, i);
	if (!t) {
		s->err = -ENOMEM;
		return NULL;
	}
	before = s->live.child_ticks[i];
	note_reaped(s, i, t, st, before);
	if (!t->seen && in_tree(s, st))
		t->flags |= TASK_TREE;
	task_update(t, st);
	s->live.ppid[i] = st->ppid;
	s->live.child_ticks[i] = (uint32_t)(t->cutime_ticks + t->cstime_ticks);
	t->seen = s->number;
	return t;
}

/* --- rows -------------------------------------------------------------------------- */

/* In the proportion of the kernel's ticks: of this sample when there are enough to tell,
 * else of its life; all is user's or (kernel threads) the system's when there are none at
 * all. */
void sampler_split(uint64_t used, uint64_t du, uint64_t ds, uint64_t u, uint64_t s,
	bool kernel, struct cs_row *row)
{
	double share;

	if (du + ds >= 4)
		share = (double)du / (double)(du + ds);
	else if (u + s)
		share = (double)u / (double)(u + s);
	else
		share = kernel ? 0 : 1;
	row->usr_ns = (uint64_t)(share * (double)used);
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

/* A process that used CPU: counted always, a row if it is asked for. */
void sampler_account(struct sampler *s, size_t i, const struct sm_pidstat *st,
	uint64_t ns, uint64_t dt_ns)
{
	const struct task *was = sampler_task(s, i);
	uint64_t u0 = 0, s0 = 0, used;
	bool born, kernel;
	struct cs_row *row;
	struct task *t;

	if (was && was->seen && was->start_ticks == st->start_ticks) {
		u0 = was->utime_ticks;
		s0 = was->stime_ticks;
	}
	t = sampler_take_stat(s, i, st);
	if (!t)
		return;
	born = s->live.ns[i] == 0;
	used = ns > s->live.ns[i] ? ns - s->live.ns[i] : 0;
	s->live.ns[i] = t->ns = ns;
	t->dt_ns = dt_ns;
	s->now.tasks_ns += used;
	if (t->pid == s->self)
		s->now.self_ns = used;
	sampler_names(s, t);
	if (!used || !sampler_wanted(s, t) || !(row = sampler_row(s)))
		return;
	sampler_describe(s, t, row);
	row->kind = CS_PROCESS;
	row->dt_ns = dt_ns;
	row->used_ns = used;
	if (born)
		row->flags |= CS_NEW;
	kernel = t->flags & TASK_KTHREAD;
	sampler_split(used, u0 || s0 ? t->utime_ticks - u0 : 0,
		u0 || s0 ? t->stime_ticks - s0 : 0, t->utime_ticks, t->stime_ticks,
		kernel, row);
	if (s->opts->threads || s->opts->wait)
		sampler_threads(s, s->live.task[i], row, born);
}

/* Used CPU, and its stat cannot be had: it has just gone, or /proc hides it. */
void sampler_account_unread(struct sampler *s, const struct sampler_moved *m)
{
	uint64_t used = m->ns - s->live.ns[m->i], ns;
	struct task *t = sampler_task(s, m->i);
	struct cs_row *row;

	if (!s->clocks || sm_cpuclock_ns(s->live.pid[m->i], &ns) < 0) {
		sampler_bury(s, m->i);
		return;
	}
	s->now.unreadable++;
	s->now.tasks_ns += used;
	s->live.ns[m->i] = m->ns;
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
