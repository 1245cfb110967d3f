// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "proc/cpuclock.h"
#include "proc/procstat.h"
#include "account.h"
#include "children.h"
#include "names.h"
#include "thread_rows.h"
#include "walk.h"

#define MAX_GENERATIONS 64

struct used { /* CPU time that a process used in one sample */
	uint64_t ns;
	bool created; /* since the previous sample */
	bool whole;   /* its time was not counted before: its threads count whole */
};

static uint64_t increase(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* --- the tree of COMMAND ---------------------------------------------------------- */

/* Returns the parent of an entry.  PIDs wrap, so a child can be read before its
 * parent. */
static pid_t parent_of(const struct sampler *s, size_t i)
{
	struct sm_pidstat st;

	if (s->pids.ppid[i])
		return s->pids.ppid[i];
	return walk_stat(s, i, &st) == 0 ? st.ppid : 0;
}

static bool in_tree(const struct sampler *s, pid_t pid, pid_t ppid)
{
	if (!s->tree || pid == s->self)
		return false;
	for (int i = 0; i < MAX_GENERATIONS; i++) {
		const struct task *parent;
		ssize_t p;

		if (pid == s->tree || ppid == s->tree || ppid == s->self)
			return true;
		p = pidlist_find(&s->pids, ppid);
		parent = p >= 0 ? state_task(s, (size_t)p) : NULL;
		if (p < 0 || (parent && parent->seen))
			return parent && parent->flags & TASK_TREE;
		ppid = parent_of(s, (size_t)p);
	}
	return false;
}

/* --- the record ------------------------------------------------------------------- */

/* The stat of a process whose main thread has exited while others run shows a zombie, but
 * the process still reaps. */
void account_zombie(struct sampler *s, struct task *t, const struct sm_pidstat *st)
{
	bool zombie = st->state == 'Z' && st->num_threads <= 1;

	if (!zombie)
		t->zombie_since = 0;
	else if (!t->zombie_since)
		t->zombie_since = s->new_zombies = s->number;
}

void account_state(struct sampler *s, struct task *t, const struct sm_pidstat *st)
{
	struct sm_pidstat thread;
	const struct sm_pidstat *shown = st;

	t->living = 0;
	if (sm_procpid_leader_ended(st) &&
		sm_procpid_living_thread(s->root, t->pid, &thread) == 0) {
		t->living = thread.pid;
		shown = &thread;
	}
	t->state = shown->state;
	t->cpu = shown->processor;
}

/* Updates and returns the record of an entry; NULL if memory is short. */
static struct task *take_stat(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	pid_t pid = s->pids.pid[i];
	struct task *t;

	if (!s->pids.task[i])
		s->pids.task[i] = tasks_new(&s->tasks, pid);
	t = state_task(s, i);
	if (!t) {
		s->err = -ENOMEM;
		return NULL;
	}
	children_reaped(s, i, st);
	if (!(t->flags & TASK_TREE) && in_tree(s, pid, st->ppid))
		t->flags |= TASK_TREE;
	task_update(t, st);
	account_state(s, t, st);
	account_zombie(s, t, st);
	s->pids.ppid[i] = st->ppid;
	t->seen = s->number;
	return t;
}

void account_base(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns)
{
	struct task *t = take_stat(s, i, st);

	if (!t)
		return;
	sm_split_begin(&t->split, st->utime_ticks, st->stime_ticks);
	s->pids.ns[i] = t->ns = ns;
	if (s->opts->threads && !(t->flags & TASK_KTHREAD))
		thread_rows_base(s, i);
}

/* Returns whether an entry of the list is new: its parent has not been read. */
static bool just_created(const struct sampler *s, size_t i)
{
	return s->pids.ns[i] == 0 && s->pids.ppid[i] == 0 && s->pids.child_ns[i] == 0 &&
	       s->number > 1;
}

/* Reads the time that a process used in dt_ns; 0 if it is unknown.  Returns false if the
 * process has exited. */
static bool take_use(struct sampler *s, size_t i, const struct sm_pidstat *st,
	uint64_t ns, uint64_t dt_ns, struct used *u)
{
	struct task *t;
	bool first; /* first reading of its stat */

	if (!state_same(s, i, st)) {
		children_pid_reused(s, i);
		/* The clock may have belonged to the previous owner of the PID. */
		if (s->clocks && sm_cpuclock_ns(s->pids.pid[i], &ns) < 0) {
			children_exited(s, i);
			return false;
		}
	}
	t = state_task(s, i);
	first = !t || !t->seen;
	u->created = just_created(s, i);
	u->whole = u->created || s->number == 1;
	u->ns = increase(ns, s->pids.ns[i]);
	if (!s->clocks && u->ns > sm_procstat_most_ns(s->online, dt_ns)) {
		u->ns = 0;
		s->now.unreadable++;
	}
	t = take_stat(s, i, st);
	if (!t)
		return false;
	if (first && !u->whole)
		sm_split_begin(&t->split, st->utime_ticks, st->stime_ticks);
	s->pids.ns[i] = t->ns = ns;
	return true;
}

/* --- rows ------------------------------------------------------------------------- */

static void process_row(struct sampler *s, size_t i, struct task *t, const struct used *u)
{
	struct row *row = state_add_row(s, ROW_PROCESS, t);

	if (!row)
		return;
	row->used_ns = u->ns;
	if (u->created)
		row->flags |= ROW_NEW;
	sm_split_time(u->ns,
		sm_split_share(&t->split, t->utime_ticks, t->stime_ticks,
			t->flags & TASK_KTHREAD),
		&row->usr_ns, &row->sys_ns);
	if (s->opts->threads || s->opts->wait)
		thread_rows_add(s, s->pids.task[i], row, u->whole);
}

void account_process(struct sampler *s, size_t i, const struct sm_pidstat *st,
	uint64_t ns, uint64_t dt_ns)
{
	struct used used = {0};
	struct task *t;

	if (!take_use(s, i, st, ns, dt_ns, &used))
		return;
	t = state_task(s, i);
	t->dt_ns = dt_ns;
	s->now.tasks_ns += used.ns;
	if (t->pid == s->self)
		s->now.self_ns = used.ns;
	names_read(s, t);
	if (used.ns && state_wanted(s, t))
		process_row(s, i, t, &used);
}

static void unread_row(
	struct sampler *s, struct task *t, const struct sampler_moved *m, uint64_t used)
{
	struct row *row = state_add_row(s, ROW_PROCESS, t);

	if (!row)
		return;
	if (t)
		t->ns = m->ns;
	row->pid = row->tgid = s->pids.pid[m->i];
	row->dt_ns = m->dt_ns;
	row->used_ns = row->usr_ns = used;
	row->total_ns = m->ns;
	if (s->opts->threads)
		thread_rows_unknown(row);
}

void account_unread(struct sampler *s, const struct sampler_moved *m)
{
	struct task *t;
	uint64_t used, ns;

	if (sm_cpuclock_ns(s->pids.pid[m->i], &ns) < 0) {
		children_exited(s, m->i);
		return;
	}
	if (m->ns < s->pids.ns[m->i]) /* only a new process has a smaller clock */
		children_pid_reused(s, m->i);
	used = m->ns - s->pids.ns[m->i];
	s->now.unreadable++;
	s->now.tasks_ns += used;
	s->pids.ns[m->i] = m->ns;
	t = state_task(s, m->i);
	if (!s->tree || (t && t->flags & TASK_TREE))
		unread_row(s, t, m, used);
}
