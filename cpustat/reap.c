// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that have gone, and what their parents got for it. */
#include <errno.h>

#include "cpuclock.h"
#include "sampler.h"

/* --- processes that have gone ------------------------------------------------------- */

static uint64_t child_ticks(const struct sampler *s, size_t i)
{
	uint32_t ticks = s->live.child_ticks[i];

	return ticks == SAMPLER_UNKNOWN_TICKS ? 0 : ticks;
}

/* What its parent's cutime gets, as far as rows have shown it: its clock at the last
 * reading and what its own cutime said then. */
/* What it reaped in this sample and nobody has seen is in its parent's cutime as well,
 * and not shown; what was shown before the ticks told it counts as shown. */
static int64_t not_shown(struct sampler *s, pid_t pid, const struct task *t)
{
	struct exited_reaper *r = exited_find(&s->exited, pid);
	int64_t ns = t ? t->exited_carry_ns : 0;

	if (!r)
		return ns;
	ns += (int64_t)((r->usr_ticks + r->sys_ticks) * s->tick_ns);
	r->pid = 0;
	r->ns = 0;
	return ns;
}

void sampler_bury(struct sampler *s, size_t i)
{
	pid_t pid = s->live.pid[i];
	int64_t total = (int64_t)(s->live.ns[i] + child_ticks(s, i) * s->tick_ns);

	total -= not_shown(s, pid, sampler_task(s, i));
	s->now.deaths++;
	if (total > 0 &&
		exited_add_gone(&s->exited, pid, s->live.ppid[i], (uint64_t)total) < 0)
		s->err = -ENOMEM;
	tasks_retire(&s->tasks, s->live.task[i]);
	s->live.task[i] = 0;
	s->live.pid[i] = 0;
}

/* The same number, another process: the old one is buried, the new one is at its birth.
 */
void sampler_reborn(struct sampler *s, size_t i)
{
	pid_t pid = s->live.pid[i];

	sampler_bury(s, i);
	s->live.pid[i] = pid;
	s->live.ns[i] = 0;
	s->live.ppid[i] = 0;
	s->live.child_ticks[i] = 0;
	s->now.births++;
}

/* --- exited children ---------------------------------------------------------------- */

static bool has_gone(const struct sampler *s, pid_t pid)
{
	struct sm_pidstat st;
	uint64_t ns;

	if (s->clocks)
		return sm_cpuclock_ns(pid, &ns) < 0;
	return sm_pidstat_read(s->root, pid, &st) == -ENOENT;
}

/* The parent's cutime may hold children that lived when their own clock was read. */
static bool bury_just_reaped(struct sampler *s)
{
	struct live *l = &s->live;
	bool any = false;

	for (size_t i = 0; i < l->n; i++)
		if (l->pid[i] && l->ppid[i] && exited_find(&s->exited, l->ppid[i]) &&
			has_gone(s, l->pid[i])) {
			sampler_bury(s, i);
			any = true;
		}
	return any;
}

/* Their final cutime, so that those just buried are in it for certain. */
static void read_reapers_again(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t k = 0; k < s->exited.nreapers; k++) {
		ssize_t i = live_find(&s->live, s->exited.reapers[k].pid);

		if (i >= 0 && sm_pidstat_read(s->root, s->live.pid[i], &st) == 0 &&
			sampler_same(s, (size_t)i, &st))
			(void)sampler_take_stat(s, (size_t)i, &st);
	}
}

static enum exited_look look_at(void *ctx, pid_t pid)
{
	const struct sampler *s = ctx;
	ssize_t i = live_find(&s->live, pid);
	const struct task *t;

	if (i < 0)
		return EXITED_DEAD;
	t = sampler_task(s, (size_t)i);
	return t && t->seen == s->number ? EXITED_READ : EXITED_UNREAD;
}

static void exited_row(struct sampler *s, struct task *t, const struct exited_reaper *r)
{
	uint64_t ns = (uint64_t)r->ns;
	struct cs_row *row;

	t->exited_ns += ns;
	s->now.exited_ns += ns;
	/* What COMMAND leaves to us counts as its tree's. */
	if (!sampler_wanted(s, t) && t->pid != s->self)
		return;
	row = sampler_row(s);
	if (!row)
		return;
	sampler_describe(s, t, row);
	row->kind = CS_EXITED;
	row->state = 0;
	row->cpu = -1;
	row->flags &= (uint8_t)~CS_SELF;
	row->dt_ns = t->dt_ns;
	row->used_ns = ns;
	row->total_ns = t->exited_ns;
	sampler_split(ns, 0, 0, r->usr_ticks, r->sys_ticks, false, row);
}

static void carry_in(struct sampler *s)
{
	for (size_t k = 0; k < s->exited.nreapers; k++) {
		struct exited_reaper *r = &s->exited.reapers[k];

		if (r->pid)
			r->ns += task_at(&s->tasks, r->task)->exited_carry_ns;
	}
}

static void carry_out(struct sampler *s, struct exited_reaper *r)
{
	ssize_t i = r->pid ? live_find(&s->live, r->pid) : -1;
	struct task *t = i >= 0 ? sampler_task(s, (size_t)i) : NULL;

	if (!t)
		return;
	if (!r->task) /* nothing came in: what was carried stays */
		r->ns += t->exited_carry_ns;
	t->exited_carry_ns = r->ns < 0 ? r->ns : 0;
	if (r->ns > 0)
		exited_row(s, t, r);
}

void sampler_settle(struct sampler *s)
{
	bool again = s->exited.nreapers && bury_just_reaped(s);

	live_sweep(&s->live);
	if (again)
		read_reapers_again(s);
	carry_in(s);
	exited_settle(
		&s->exited, look_at, s, s->tick_ns, (uint64_t)s->online * s->now.dt_ns);
	for (size_t k = 0; k < s->exited.nreapers; k++)
		carry_out(s, &s->exited.reapers[k]);
	exited_next(&s->exited);
}
