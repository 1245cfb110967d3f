// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "proc/procpid.h"
#include "sampler.h"
#include "timers/timernames.h"

/* Returns this process's PID in the initial PID namespace, as in the host's /proc; -1:
 * unknown. */
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

/* Passes the address of a callback to the BPF programs, once. */
static void tell(struct sampler *s, enum sm_timer_callback callback, uint64_t func)
{
	if (s->source.owners && func && !(s->told & 1u << callback))
		sm_timerowner_callback(s->source.owners, callback, func);
	s->told |= func ? 1u << callback : 0;
}

/* Finds functions by their types if names are hidden; this takes 10 ms. */
static void find_functions(struct sampler *s)
{
	bool shown = sm_ksyms_shown(&s->ksyms);

	if (shown && !s->tasks.foreign)
		return;
	(void)!sm_timertick_read(&s->tick, s->root);
	if (shown)
		return;
	tell(s, SM_TIMER_SLEEPER_HR, s->tick.hrtimer_wakeup);
	tell(s, SM_TIMER_SLEEPER_WHEEL, s->tick.process_timeout);
	tell(s, SM_TIMER_TICK, s->tick.tick);
}

int sampler_open(struct sampler *s, const struct sm_root *root, const struct opts *o,
	struct sm_strpool *names)
{
	int err;

	s->root = root;
	s->opts = o;
	s->ksyms = (struct sm_ksyms)SM_KSYMS_INIT;
	(void)!sm_ksyms_open(&s->ksyms, root);
	sm_timernames_expect(&s->ksyms);
	s->timer_seed = sm_map_hash_seed();
	err = source_open(&s->source, root,
		o->wakeups ? METHOD_BPF : (enum method)o->method, o->timer_id);
	if (!err)
		err = counters_init(&s->counters, &s->source, NULL);
	if (!err)
		err = tasks_init(&s->tasks, root, names);
	if (err)
		return err;
	find_functions(s);
	s->self = find_self(s);
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

/* Returns the name of an owner that is not a task. */
static struct sm_str name_of(struct sm_timer_owner owner)
{
	if (owner.ids == 0)
		return SM_STR("swapper");
	if (owner.ids == SM_TIMER_OWNER_KERNEL)
		return SM_STR("kernel");
	if (sm_timer_is_user(owner))
		return SM_STR("(others)");
	return owner.ids == SM_TIMER_OWNER_INTERRUPT ? SM_STR("(interrupt)")
						     : (struct sm_str){0};
}

void sampler_set_owner(const struct sampler *s, struct event *e,
	struct sm_timer_owner owner, const struct task *t, bool of_kernel)
{
	if (of_kernel)
		owner = (struct sm_timer_owner){.ids = SM_TIMER_OWNER_KERNEL};
	e->tid = e->tgid = -1;
	if (owner.ids == 0 || sm_timer_is_task(owner)) {
		e->tid = sm_timer_is_process(owner) ? -1 : sm_timer_tid(owner);
		e->tgid = sm_timer_tgid(owner);
	}
	if (sm_timer_is_user(owner) && (uid_t)owner.ids != (uid_t)-1) {
		e->uid = (uid_t)owner.ids;
		e->flags |= EVENT_HAS_UID;
	}
	e->birth = owner.birth;
	e->members = 1;
	e->comm = name_of(owner);
	if (owner.ids == SM_TIMER_OWNER_INTERRUPT)
		e->flags |= EVENT_INTERRUPT;
	if (e->comm.n && !sm_timer_is_user(owner))
		e->flags |= EVENT_KTHREAD;
	if (t && !of_kernel)
		tasks_describe(t, e);
	e->cpu_pct = NAN;
	if (s->self > 0 && e->tgid == s->self)
		e->flags |= EVENT_SELF;
}

/* Returns 32 bits of a hash whose seed is unique to this run. */
static uint32_t timer_id(const struct sampler *s, uint64_t timer)
{
	return timer ? (uint32_t)sm_map_hash_bytes(&timer, sizeof(timer), s->timer_seed)
		     : 0;
}

/* Only the BPF programs recognise kernel threads. */
static struct task *task_of(struct sampler *s, const struct counter *k)
{
	struct task *t = sm_timer_is_task(k->key.owner) ? tasks_get(&s->tasks, k) : NULL;

	if (t && s->source.method != METHOD_BPF && !t->looked)
		tasks_refresh(&s->tasks, t);
	return t;
}

static struct event event_of(struct sampler *s, const struct counter *k)
{
	const struct task *t = task_of(s, k);
	struct event e = {.now = k->now,
		.total = k->total,
		.kind = (uint8_t)k->key.kind,
		.func = k->key.func,
		.func_name = sm_ksyms_name(&s->ksyms, k->key.func),
		.flags = k->key.work ? EVENT_WORK : 0,
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
	return err == -ENOMEM ? err : 0; /* otherwise addresses are shown */
}

/* Returns the role of a callback for the BPF programs; SM_TIMER_CALLBACKS if they
 * do not need it. */
static enum sm_timer_callback callback_of(
	const struct sampler *s, const struct counter_key *key)
{
	const char *func = sm_ksyms_name(&s->ksyms, key->func);

	if (strcmp(func, SM_TIMER_WORK_CALLBACK) == 0)
		return SM_TIMER_WORK;
	if (key->kind != SM_TIMER_HR)
		return strcmp(func, COUNTERS_WHEEL_SLEEPER) == 0 ? SM_TIMER_SLEEPER_WHEEL
								 : SM_TIMER_CALLBACKS;
	if (strcmp(func, COUNTERS_HR_SLEEPER) == 0)
		return SM_TIMER_SLEEPER_HR;
	if (strcmp(func, COUNTERS_DEADLINE) == 0)
		return SM_TIMER_DEADLINE;
	return sampler_is_tick(s, key->func) ? SM_TIMER_TICK : SM_TIMER_CALLBACKS;
}

/* Passes on the callbacks whose addresses timers have shown. */
static void tell_callbacks(struct sampler *s)
{
	for (size_t i = 0; i < s->counters.n; i++) {
		const struct counter_key *key = &s->counters.grown[i]->key;
		enum sm_timer_callback c = callback_of(s, key);

		if (c != SM_TIMER_CALLBACKS)
			tell(s, c, key->func);
	}
}

/* Updates names before rows are made, so that all rows of a task have one name. */
static void learn_names(struct sampler *s)
{
	uint64_t since_ns = s->now.t_ns - s->now.dt_ns;

	for (size_t i = 0; i < s->counters.n; i++) {
		const struct counter *k = s->counters.grown[i];

		if (k->named_ns >= since_ns && sm_timer_is_task(k->key.owner))
			tasks_learn(&s->tasks, k);
	}
}

/* Adds an event to exactly one sum: eventstat itself, the tick, or all others. */
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

static bool is_kernels(const struct event *e)
{
	return e->tid < 0 && e->flags & EVENT_KTHREAD && !(e->flags & EVENT_INTERRUPT);
}

/* Adds a row.  Counters of kernel timers with one callback become one row; their owners
 * differ if the BPF programs did not know the callback yet, or with perf. */
static void add_row(struct sampler *s, const struct event *e)
{
	bool of_kernel = is_kernels(e);

	for (size_t i = 0; i < s->now.n && of_kernel; i++) {
		struct event *row = &s->now.events[i];

		if (!is_kernels(row) || row->func != e->func || row->kind != e->kind ||
			row->timer_id != e->timer_id)
			continue;
		counts_add(&row->now, &e->now);
		counts_add(&row->total, &e->total);
		return;
	}
	s->now.events[s->now.n++] = *e;
}

static int make_rows(struct sampler *s)
{
	size_t n = s->counters.n;
	int err = sm_array_reserve(&s->now.events, &s->cap, n, sizeof(*s->now.events));

	if (err)
		return err;
	learn_names(s);
	s->now.n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct event e = event_of(s, s->counters.grown[i]);

		add_sums(&s->now.sums, &e);
		add_row(s, &e);
	}
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
	tasks_begin(&s->tasks, s->now.t_ns);
	s->tasks.follow_cgroup = s->opts->group == GROUP_CGROUP;
	s->now.sums = (struct sums){0};
	if (!err)
		err = find_names(s);
	if (!err && s->source.owners)
		tell_callbacks(s);
	if (!err && !s->no_rows)
		err = make_rows(s);
	s->now.lost = source_lost(&s->source);
	s->now.lost_cpus = source_cpus(&s->source) ? source_cpus(&s->source)->n : 0;
	return err;
}
