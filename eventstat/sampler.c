// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "sampler.h"

int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names)
{
	int err;

	s->root = root;
	s->self = getpid();
	s->ksyms = (struct sm_ksyms)SM_KSYMS_INIT;
	(void)!sm_ksyms_open(&s->ksyms, root);
	err = sm_timercount_open(&s->timers, root, &s->log);
	if (!err)
		err = counters_init(&s->counters, &s->timers);
	if (!err)
		err = tasks_init(&s->tasks, root, names);
	s->tasks.want_cmd = true;
	s->tasks.want_uid = true;
	s->tasks.want_cgroup = o->group == GROUP_CGROUP;
	return err;
}

void sampler_close(struct sampler *s)
{
	sm_ksyms_close(&s->ksyms);
	tasks_fini(&s->tasks);
	counters_fini(&s->counters);
	sm_timercount_close(&s->timers);
	free(s->now.events);
	s->now.events = NULL;
}

/* The periodic interrupt of a CPU: the idle task and whoever runs arm it. */
static bool is_tick(const char *func)
{
	static const char *const names[] = {
		"tick_nohz_handler", "tick_sched_timer", "tick_nohz_highres_handler"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
		if (strcmp(func, names[i]) == 0)
			return true;
	return false;
}

void sampler_set_owner(const struct sampler *s, struct event *e, uint64_t owner,
	const struct task *t, struct sm_str comm)
{
	e->tid = sm_timer_tid(owner);
	e->tgid = sm_timer_tgid(owner);
	e->members = 1;
	e->cpu_pct = NAN;
	e->comm = owner == 0 ? SM_STR("swapper") : comm;
	if (t)
		tasks_describe(t, e);
	if (owner == 0)
		e->flags |= EVENT_KTHREAD;
	if (e->tgid == s->self)
		e->flags |= EVENT_SELF;
}

static struct event event_of(struct sampler *s, const struct counter *k)
{
	bool is_task = k->key.owner != 0 && k->key.owner != SM_TIMER_OWNER_UNKNOWN;
	const struct task *t = is_task ? tasks_get(&s->tasks, k, s->now.t_ns) : NULL;
	struct event e = {.now = k->now,
		.total = k->total,
		.kind = (uint8_t)k->key.kind,
		.func = k->key.func,
		.func_name = sm_ksyms_name(&s->ksyms, k->key.func)};

	sampler_set_owner(s, &e, k->key.owner, t,
		(struct sm_str){k->comm, strnlen(k->comm, sizeof(k->comm))});
	if (is_tick(e.func_name))
		e.flags |= EVENT_TICK;
	return e;
}

static int find_names(struct sampler *s)
{
	int err = 0;

	for (size_t i = 0; i < s->counters.n && !err; i++)
		err = sm_ksyms_add(&s->ksyms, s->counters.grown[i]->key.func);
	if (!err)
		err = sm_ksyms_read(&s->ksyms);
	return err == -ENOMEM ? err : 0; /* without names: addresses */
}

static int make_rows(struct sampler *s)
{
	size_t n = s->counters.n;
	int err = sm_array_reserve(&s->now.events, &s->cap, n, sizeof(*s->now.events));

	if (!err)
		err = find_names(s);
	if (err)
		return err;
	for (size_t i = 0; i < n; i++)
		s->now.events[i] = event_of(s, s->counters.grown[i]);
	s->now.n = n;
	return 0;
}

int sampler_take(struct sampler *s)
{
	uint64_t before_ns = s->now.t_ns;
	int err;

	s->now.t_ns = sm_clock_mono_ns();
	s->now.wall_ns = s->now.t_ns + (uint64_t)sm_clock_wall_offset_ns();
	s->now.dt_ns = before_ns ? s->now.t_ns - before_ns : 0;
	err = counters_read(&s->counters);
	if (!before_ns)
		counters_begin(&s->counters);
	tasks_begin(&s->tasks);
	if (!err && !s->no_rows)
		err = make_rows(s);
	s->now.lost = sm_timercount_lost(&s->timers);
	counters_purge(&s->counters, s->root);
	return err;
}
