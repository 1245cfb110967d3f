// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "kernel/procpid.h"
#include "sampler.h"

/* This process as the kernel counts it: in the /proc of the host it has that number. */
static pid_t find_self(const struct sampler *s)
{
	pid_t self;

	if (s->tasks.own_pids)
		return getpid();
	if (s->tasks.foreign)
		return s->tick.ids ? (pid_t)(s->tick.ids >> 32) : -1;
	self = sm_procpid_self(s->root);
	return self > 0 ? self : getpid();
}

/* Without names, some functions are found by their types; it takes 10 ms. */
static void find_functions(struct sampler *s)
{
	const struct sm_timertick *t = &s->tick;
	bool shown = sm_ksyms_shown(&s->ksyms);

	if (shown && !s->tasks.foreign)
		return;
	(void)!sm_timertick_read(&s->tick, s->root);
	if (shown)
		return;
	if (!s->source.owners)
		return;
	if (t->hrtimer_wakeup)
		sm_timerowner_sleeper(s->source.owners, SM_TIMER_HR, t->hrtimer_wakeup);
	if (t->process_timeout)
		sm_timerowner_sleeper(
			s->source.owners, SM_TIMER_WHEEL, t->process_timeout);
	s->told = t->hrtimer_wakeup && t->process_timeout;
}

int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names)
{
	int err;

	s->root = root;
	s->ksyms = (struct sm_ksyms)SM_KSYMS_INIT;
	(void)!sm_ksyms_open(&s->ksyms, root);
	s->timer_seed = sm_map_hash_seed();
	err = source_open(&s->source, root,
		o->wakeups ? METHOD_BPF : (enum method)o->method, o->timer_id);
	if (!err)
		err = counters_init(&s->counters, &s->source);
	if (!err)
		err = tasks_init(&s->tasks, root, names);
	if (err)
		return err;
	find_functions(s);
	s->self = find_self(s);
	s->tasks.want_cmd = true;
	s->tasks.want_uid = true;
	s->tasks.want_cgroup = o->group == GROUP_CGROUP || o->tui;
	return 0;
}

void sampler_close(struct sampler *s)
{
	sm_ksyms_close(&s->ksyms);
	tasks_fini(&s->tasks);
	counters_fini(&s->counters);
	source_close(&s->source);
	free(s->now.events);
	s->now.events = NULL;
}

/* The periodic interrupt of a CPU: the idle task and whoever runs arm it. */
bool sampler_is_tick(const struct sampler *s, uint64_t func)
{
	static const char *const names[] = {
		"tick_nohz_handler", "tick_sched_timer", "tick_nohz_highres_handler"};
	const char *name = sm_ksyms_name(&s->ksyms, func);

	if (func && func == s->tick.tick)
		return true;
	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

void sampler_set_owner(const struct sampler *s, struct event *e,
	struct sm_timer_owner owner, const struct task *t, bool of_kernel)
{
	e->tid = sm_timer_tid(owner);
	e->tgid = sm_timer_tgid(owner);
	e->birth = owner.birth;
	e->members = 1;
	e->cpu_pct = NAN;
	if (owner.ids == 0)
		e->comm = SM_STR("swapper");
	else if (of_kernel)
		e->comm = SM_STR("kernel");
	if (e->comm.n)
		e->flags |= EVENT_KTHREAD;
	if (t)
		tasks_describe(t, e);
	if (s->self > 0 && e->tgid == s->self)
		e->flags |= EVENT_SELF;
}

/* 32 bits of a hash whose key is this run's. */
static uint32_t timer_id(const struct sampler *s, uint64_t timer)
{
	return timer ? (uint32_t)sm_map_hash_bytes(&timer, sizeof(timer), s->timer_seed)
		     : 0;
}

static struct event event_of(struct sampler *s, const struct counter *k)
{
	const struct task *t = counters_is_task(k->key.owner)
				       ? tasks_get(&s->tasks, k, s->now.t_ns)
				       : NULL;
	struct event e = {.now = k->now,
		.total = k->total,
		.kind = (uint8_t)k->key.kind,
		.func = k->key.func,
		.func_name = sm_ksyms_name(&s->ksyms, k->key.func),
		.timer_id = timer_id(s, k->key.part)};

	sampler_set_owner(s, &e, k->key.owner, t, counters_is_of_kernel(k, e.func_name));
	if (sampler_is_tick(s, e.func))
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

/* The callbacks by which a source knows a task that sleeps since before the start. */
static void tell_sleepers(struct sampler *s)
{
	bool done[] = {false, false};

	for (size_t i = 0; i < s->counters.n && !(done[0] && done[1]); i++) {
		const struct counter_key *key = &s->counters.grown[i]->key;
		bool wheel = key->kind != SM_TIMER_HR;

		if (done[wheel] || strcmp(sm_ksyms_name(&s->ksyms, key->func),
					   wheel ? COUNTERS_WHEEL_SLEEPER
						 : COUNTERS_HR_SLEEPER) != 0)
			continue;
		sm_timerowner_sleeper(
			s->source.owners, (enum sm_timer_kind)key->kind, key->func);
		done[wheel] = true;
	}
	s->told = s->told || (done[0] && done[1]);
}

/* Before the rows, because a task has one name in all of them. */
static void learn_names(struct sampler *s)
{
	uint64_t since_ns = s->now.t_ns - s->now.dt_ns;

	for (size_t i = 0; i < s->counters.n; i++) {
		const struct counter *k = s->counters.grown[i];

		if (k->seen_ns >= since_ns && counters_is_task(k->key.owner))
			tasks_learn(&s->tasks, k);
	}
}

/* Every event of the machine is in one of the sums: the tool's own, the tick, all others.
 */
static void add_sums(struct sums *sums, const struct event *e)
{
	if (e->flags & EVENT_SELF) {
		sums->self += e->now.starts;
		return;
	}
	if (e->flags & EVENT_TICK) {
		counts_add(&sums->tick, &e->now);
		return;
	}
	counts_add(&sums->all, &e->now);
	if (e->flags & EVENT_KTHREAD)
		counts_add(&sums->kernel, &e->now);
}

static int make_rows(struct sampler *s)
{
	size_t n = s->counters.n;
	int err = sm_array_reserve(&s->now.events, &s->cap, n, sizeof(*s->now.events));

	if (!err)
		err = find_names(s);
	if (err)
		return err;
	if (s->source.owners && !s->told)
		tell_sleepers(s);
	learn_names(s);
	for (size_t i = 0; i < n; i++) {
		s->now.events[i] = event_of(s, s->counters.grown[i]);
		add_sums(&s->now.sums, &s->now.events[i]);
	}
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
	else
		counters_purge(&s->counters, s->root);
	tasks_begin(&s->tasks);
	s->now.sums = (struct sums){0};
	if (!err && !s->no_rows)
		err = make_rows(s);
	s->now.lost = source_lost(&s->source);
	s->now.lost_cpus = source_cpus(&s->source) ? source_cpus(&s->source)->n : 0;
	return err;
}
