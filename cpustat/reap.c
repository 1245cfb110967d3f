// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that have gone, and what their parents got for it. */
#include <errno.h>

#include "cpuclock.h"
#include "sampler.h"

#define MOST_LOOKS 4

/* --- processes that have gone ------------------------------------------------------- */

static uint64_t child_ticks(const struct sampler *s, size_t i)
{
	uint32_t ticks = s->live.child_ticks[i];

	return ticks == SAMPLER_UNKNOWN_TICKS ? 0 : ticks;
}

/* What it reaped in this sample is in its parent's cutime as well, and was not shown;
 * what was shown before the ticks told it counts as shown. */
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

/* A parent whose stat was read in this sample before the child was missed: it may have
 * reaped it since, so its cutime is read once more. */
static void doubt_parent(struct sampler *s, size_t i)
{
	ssize_t p = s->live.ppid[i] > 0 ? live_find(&s->live, s->live.ppid[i]) : -1;
	const struct task *t = p >= 0 ? sampler_task(s, (size_t)p) : NULL;

	if (!t || t->seen != s->number)
		return;
	s->read_again = true;
	if (!exited_reaper(&s->exited, s->live.ppid[i], s->live.task[p]))
		s->err = -ENOMEM;
}

/* What its parent's cutime gets, as far as rows have shown it: its clock at the last
 * reading and what its own cutime said then. */
static uint64_t shown_total(struct sampler *s, size_t i)
{
	uint64_t total = s->live.ns[i] + child_ticks(s, i) * s->tick_ns;
	int64_t less = not_shown(s, s->live.pid[i], sampler_task(s, i));

	if (total > INT64_MAX / 4)
		total = INT64_MAX / 4;
	return less < (int64_t)total ? (uint64_t)((int64_t)total - less) : 0;
}

void sampler_bury(struct sampler *s, size_t i)
{
	uint64_t total = shown_total(s, i);
	pid_t ppid = s->live.ppid[i];

	s->now.deaths++;
	doubt_parent(s, i);
	/* Without time of its own it can be a link between others. */
	if ((total || ppid) &&
		exited_add_gone(&s->exited, s->live.pid[i], ppid, total) < 0)
		s->err = -ENOMEM;
	tasks_retire(&s->tasks, s->live.task[i]);
	s->live.task[i] = 0;
	live_bury(&s->live, i);
}

/* The same number, another process: the old one goes, the new one is at its birth. */
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
static void bury_just_reaped(struct sampler *s)
{
	struct live *l = &s->live;

	for (size_t i = 0; i < l->n; i++)
		if (l->pid[i] > 0 && l->ppid[i] > 0 &&
			exited_find(&s->exited, l->ppid[i]) && has_gone(s, l->pid[i]))
			sampler_bury(s, i);
}

/* Their final cutime, so that those just buried are in it for certain.  Of the stat only
 * that: rows point to the names. */
static void read_reapers_again(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t k = 0; k < s->exited.nreapers; k++) {
		pid_t pid = s->exited.reapers[k].pid;
		ssize_t i = pid ? live_find(&s->live, pid) : -1;

		if (i >= 0 && sm_pidstat_read(s->root, pid, &st) == 0 &&
			sampler_same(s, (size_t)i, &st))
			sampler_take_children(s, (size_t)i, &st);
	}
}

/* Until nobody went between the look at the children and the parents' cutime. */
static void agree_with_reapers(struct sampler *s)
{
	for (int i = 0; i < MOST_LOOKS && s->exited.nreapers; i++) {
		bury_just_reaped(s);
		if (!s->read_again)
			return;
		s->read_again = false;
		read_reapers_again(s);
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
	/* Who was a zombie's child is somebody else's now, or was reaped before.  (A main
	 * thread that has exited while others run is one, too, and its process reaps on.)
	 */
	if (t && t->state == 'Z' && t->num_threads <= 1)
		return EXITED_DEAD;
	if (!t || t->seen != s->number)
		return EXITED_UNREAD;
	return t->based == s->number ? EXITED_BASED : EXITED_READ;
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
	sampler_split(ns, split_ratio(r->usr_ticks, r->sys_ticks), row);
}

static void carry_in(struct sampler *s)
{
	for (size_t k = 0; k < s->exited.nreapers; k++) {
		struct exited_reaper *r = &s->exited.reapers[k];

		if (r->pid && r->task)
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
	/* More than that is no matter of ticks: who ignores SIGCHLD reaps without a
	 * trace. */
	if (r->ns < -2 * (int64_t)s->tick_ns)
		r->ns = -2 * (int64_t)s->tick_ns;
	t->exited_carry_ns = r->ns < 0 ? r->ns : 0;
	if (r->ns > 0)
		exited_row(s, t, r);
}

/* What the machine used and no task's row has. */
static int64_t room(const struct sampler *s)
{
	const struct cs_sample *now = &s->now;
	struct sm_cpu_ticks d;

	if (!s->machine || !now->now || !now->before)
		return INT64_MAX;
	sm_cpu_ticks_delta(&now->now->total, &now->before->total, &d);
	return (int64_t)(sm_cpu_ticks_busy(&d) * s->tick_ns) - (int64_t)now->tasks_ns;
}

/* Gone meanwhile, or another one by now: the next sample finds that out. */
static void find_new_parent(struct sampler *s, size_t i)
{
	struct sm_pidstat st;

	if (sm_pidstat_read(s->root, s->live.pid[i], &st) == 0 && sampler_same(s, i, &st))
		s->live.ppid[i] = st.ppid;
}

/* Children of those that have gone are somebody else's now, who gets their time one day.
 */
static void follow_orphans(struct sampler *s)
{
	struct live *l = &s->live;

	for (size_t i = 0; s->exited.ngone && i < l->n; i++)
		if (l->ppid[i] > 0 && exited_has_gone(&s->exited, l->ppid[i]) &&
			live_find(l, l->ppid[i]) < 0)
			find_new_parent(s, i);
}

/* A parent's cutime gets a child's whole life at once, of which rows have shown what we
 * saw; so no more than the machine can do comes unseen, unless only the parent is watched
 * (-p). */
static uint64_t most_reaped(const struct sampler *s)
{
	return s->live.fixed ? INT64_MAX / 4 : (uint64_t)s->online * s->now.dt_ns;
}

void sampler_settle(struct sampler *s)
{
	agree_with_reapers(s);
	live_sweep(&s->live);
	carry_in(s);
	exited_settle(&s->exited, look_at, s, s->tick_ns, most_reaped(s), room(s));
	for (size_t k = 0; k < s->exited.nreapers; k++)
		carry_out(s, &s->exited.reapers[k]);
	follow_orphans(s);
	exited_next(&s->exited);
}
