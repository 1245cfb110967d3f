// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "children.h"
#include "proc/cpuclock.h"
#include "reap.h"
#include "walk.h"

#define MAX_LOOKS 16

static bool has_exited(const struct sampler *s, pid_t pid)
{
	struct sm_pidstat st;
	uint64_t ns;

	if (s->clocks)
		return sm_cpuclock_ns(pid, &ns) < 0;
	return sm_procpid_read_stat(s->root, pid, &st) == -ENOENT;
}

/* Finds processes that exited after their clock was read: the cutime of a reaper can
 * include them and their children. */
static void find_just_reaped(struct sampler *s)
{
	struct pidlist *l = &s->pids;

	exited_sort(&s->exited);
	for (size_t i = 0; i < l->n; i++)
		if (l->pid[i] > 0 && l->ppid[i] > 0 &&
			(exited_find(&s->exited, l->ppid[i]) ||
				exited_has(&s->exited, l->ppid[i])) &&
			has_exited(s, l->pid[i]))
			children_exited(s, i);
}

/* Reads cutime of the reapers again, which now includes the children just found.  Names
 * stay, because rows point to them. */
static void read_reapers_again(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t k = 0; k < s->exited.nreapers; k++) {
		pid_t pid = s->exited.reapers[k].pid;
		ssize_t i = pid ? pidlist_find(&s->pids, pid) : -1;
		struct task *t = i >= 0 ? state_task(s, (size_t)i) : NULL;

		if (!t || walk_stat(s, (size_t)i, &st) < 0 ||
			!state_same(s, (size_t)i, &st))
			continue;
		children_reaped(s, (size_t)i, &st);
		if (t->seen != s->number)
			t->dt_ns = s->now.dt_ns;
		t->seen = s->number;
	}
}

/* Reads parents that look idle because their clock was read before they reaped. */
static void read_idle_parents(struct sampler *s)
{
	for (size_t k = 0; k < s->exited.n; k++)
		if (!s->exited.v[k].age)
			children_read_parent(s, s->exited.v[k].ppid, false);
}

/* Repeats until no process exits between the readings of the children and of the parents'
 * cutime. */
static void agree_with_reapers(struct sampler *s)
{
	for (int i = 0; i < MAX_LOOKS && (s->exited.nreapers || s->exited.n); i++) {
		size_t before = s->exited.n;

		find_just_reaped(s);
		read_idle_parents(s);
		if (!s->read_again && s->exited.n == before)
			return;
		s->read_again = false;
		read_reapers_again(s);
	}
}

/* In a walk, a parent precedes its children: the next walk shows the time of all children
 * that are missing in this one, unless they had been reaped before this one began.
 * Repeats until a walk finds the processes of the last. */
static void walk_until_agreed(struct sampler *s)
{
	uint64_t exited = 0;

	for (int i = 0; i < MAX_LOOKS && s->walks && s->now.exited != exited; i++) {
		exited = s->now.exited;
		if (!exited_names_reaped(
			    &s->exited_names, exited, s->t_ns, walk_begun_ns(s)))
			walk_again(s);
		read_idle_parents(s);
		s->read_again = false;
		read_reapers_again(s);
	}
}

static struct exited_process look_at(void *ctx, pid_t pid)
{
	const struct sampler *s = ctx;
	ssize_t i = pidlist_find(&s->pids, pid);
	const struct task *t = i >= 0 ? state_task(s, (size_t)i) : NULL;
	struct exited_process p = {.look = i < 0 ? EXITED_DEAD : EXITED_UNREAD};

	if (i >= 0)
		p.ppid = s->pids.ppid[i];
	if (!t)
		return p;
	p.task = s->pids.task[i];
	p.balance_ns = t->exited_balance_ns;
	p.exact = walk_record(s, (size_t)i) != NULL;
	if (t->zombie_since)
		p.look = t->zombie_since < s->number ? EXITED_DEAD : EXITED_ZOMBIE;
	else if (t->seen == s->number)
		p.look = EXITED_READ;
	return p;
}

static void exited_row(struct sampler *s, struct task *t, const struct exited_reaper *r)
{
	uint64_t ns = (uint64_t)r->ns;
	struct row *row;

	t->exited_ns += ns;
	s->now.exited_ns += ns;
	/* Orphans that cpustat itself reaped belong to COMMAND's tree. */
	if (!state_wanted(s, t) && t->pid != s->self)
		return;
	row = state_add_row(s, ROW_EXITED, t);
	if (!row)
		return;
	row->state = 0;
	row->cpu = -1;
	row->flags &= (uint8_t)~ROW_SELF;
	row->used_ns = ns;
	if (t->reaped_ns > t->reaped_since_ns)
		row->dt_ns = t->reaped_ns - t->reaped_since_ns;
	row->total_ns = t->exited_ns;
	sm_split_time(
		ns, sm_split_ratio(r->usr_ns, r->sys_ns), &row->usr_ns, &row->sys_ns);
}

static void settle_reaper(struct sampler *s, const struct exited_reaper *r)
{
	struct task *t = r->pid ? task_at(&s->tasks, r->task) : NULL;

	if (!t)
		return;
	t->exited_balance_ns = r->ns < 0 ? r->ns : 0;
	if (r->ns <= 0)
		return;
	/* The children are unknown with -p, so their whole lives count. */
	if (!s->clocks && !s->pids.fixed &&
		(uint64_t)r->ns > sm_procstat_most_ns(s->online, s->now.dt_ns))
		s->now.unreadable++;
	else
		exited_row(s, t, r);
}

static bool is_orphan(const struct sampler *s, size_t i)
{
	pid_t ppid = s->pids.ppid[i];
	const struct task *t;
	ssize_t p;

	if (ppid <= 0 || (!exited_has(&s->exited, ppid) && s->new_zombies != s->number))
		return false;
	p = pidlist_find(&s->pids, ppid);
	t = p >= 0 ? state_task(s, (size_t)p) : NULL;
	return p < 0 || (t && t->zombie_since == s->number);
}

/* Reads the new parents of orphans: the kernel gave them to an ancestor, which will reap
 * them.  The next sample detects orphans that have exited or whose PID has been
 * reused. */
static void find_new_parents(struct sampler *s)
{
	struct sm_pidstat st;

	if (!s->exited.n && s->new_zombies != s->number)
		return;
	for (size_t i = 0; i < s->pids.n; i++)
		if (is_orphan(s, i) && walk_stat(s, i, &st) == 0 && state_same(s, i, &st))
			s->pids.ppid[i] = st.ppid;
}

void reap_settle(struct sampler *s)
{
	walk_until_agreed(s);
	if (!s->walks)
		agree_with_reapers(s);
	pidlist_sweep(&s->pids);
	exited_settle(&s->exited, look_at, s, s->tick_ns);
	for (size_t k = 0; k < s->exited.nreapers; k++)
		settle_reaper(s, &s->exited.reapers[k]);
	exited_names_settle(&s->exited_names, s->rows, s->nrows);
	find_new_parents(s);
	exited_next(&s->exited);
}
