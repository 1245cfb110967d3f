// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "proc/irqname.h"
#include "wakeups.h"

int wakeups_open(struct wakeups *w, struct sampler *s, const struct opts *o)
{
	int err;

	*w = (struct wakeups){.sampler = s, .want_totals = o->cumulative || o->tui};
	s->no_rows = !o->tui;
	err = sm_wakecause_open(&w->cause, s->root, s->source.owners, o->woke, &w->log);
	if (!err)
		err = counters_init(&w->counters, NULL, &w->cause);
	if (!err)
		err = sm_map_init(&w->rows, 64);
	if (!err)
		err = irqs_init(&w->irqs, s->root);
	if (err)
		return err;
	w->cpu = calloc(w->cause.cpus, sizeof(*w->cpu));
	w->exits = calloc(w->cause.cpus, sizeof(*w->exits));
	return w->cpu && w->exits ? 0 : -ENOMEM;
}

void wakeups_close(struct wakeups *w)
{
	if (!w->sampler)
		return;
	sm_wakecause_close(&w->cause);
	counters_fini(&w->counters);
	sm_map_fini(&w->rows);
	irqs_fini(&w->irqs);
	free(w->cpu);
	free(w->exits);
	free(w->now.events);
	*w = (struct wakeups){0};
}

/* --- a row ---------------------------------------------------------------- */

/* True for the tick, and for the call by which a tick makes an idle CPU balance the load.
 * Their owner is the task that happened to be current, which did not cause them. */
static bool is_of_tick(const struct wakeups *w, const struct counter_key *key)
{
	const struct sampler *s = w->sampler;

	if (key->kind == SM_WAKE_CALL)
		return (key->func && key->func == s->tick.balance) ||
		       strcmp(sm_ksyms_name(&s->ksyms, key->func), "nohz_csd_func") == 0;
	return key->kind == SM_WAKE_HRTIMER && sampler_is_tick(s, key->func);
}

static struct sm_timer_owner owner_of(
	const struct wakeups *w, const struct counter_key *key)
{
	if (is_of_tick(w, key))
		return (struct sm_timer_owner){0};
	if (event_is_by_timer((uint32_t)key->kind) &&
		!strcmp(sm_ksyms_name(&w->sampler->ksyms, key->func), COUNTERS_DEADLINE))
		return (struct sm_timer_owner){.ids = SM_TIMER_OWNER_KERNEL};
	return key->owner;
}

/* Returns the key of the timers that woke a CPU. */
static struct counter_key timer_of(const struct counter *k)
{
	return (struct counter_key){.owner = k->key.owner,
		.func = k->key.func,
		.work = k->key.work,
		.kind = k->key.kind == SM_WAKE_HRTIMER ? SM_TIMER_HR : SM_TIMER_WHEEL};
}

static struct task *task_of(struct wakeups *w, const struct counter *k)
{
	const struct counter_key timer = timer_of(k);
	const struct counter *named = k;
	struct task *t;

	if (!sm_timer_is_task(owner_of(w, &k->key)))
		return NULL;
	if (!k->comm[0])
		named = counters_named(&w->sampler->counters, &timer);
	if (!named)
		named = k;
	t = tasks_of(&w->sampler->tasks, k->key.owner, named->comm);
	if (t && named->kthread)
		t->flags |= EVENT_KTHREAD;
	return t;
}

static bool is_of_kernel(const struct wakeups *w, const struct counter *k)
{
	const struct counter timer = {.key = timer_of(k)};

	return event_is_by_timer((uint32_t)k->key.kind) &&
	       counters_is_of_kernel(
		       &timer, sm_ksyms_name(&w->sampler->ksyms, k->key.func));
}

static void set_task(struct wakeups *w, struct event *e, const struct counter *k)
{
	struct sm_timer_owner owner = owner_of(w, &k->key);

	sampler_set_owner(w->sampler, e, owner, task_of(w, k), is_of_kernel(w, k));
	if (owner.ids == 0 && event_has_sender(e->kind)) {
		e->comm = (struct sm_str){"", 0};
		e->flags = 0;
	}
}

/* Sets the device or the function of a cause. */
static void set_what(struct wakeups *w, struct event *e, uint64_t id, bool work)
{
	switch (e->kind) {
	case SM_WAKE_IRQ:
		e->irq = (uint32_t)id;
		e->device = irqs_name(&w->irqs, id, w->now.t_ns);
		break;
	case SM_WAKE_VECTOR:
	case SM_WAKE_CLOCK:
		e->irq = (uint32_t)id;
		e->device = sm_irqname_vector(e->irq);
		break;
	default:
		e->func = id;
		e->flags |= work ? EVENT_WORK : 0;
		if (id)
			e->func_name = sm_ksyms_name(&w->sampler->ksyms, id);
	}
}

static struct event row_of(struct wakeups *w, const struct counter *k)
{
	struct event e = {.type = EVENT_WAKEUP,
		.kind = (uint8_t)k->key.kind,
		.woke = (uint8_t)k->key.woke,
		.func_name = "",
		.device = ""};

	memcpy(e.woke_comm, k->key.woke_comm, sizeof(e.woke_comm));
	if (event_is_by_timer(e.kind) || event_has_sender(e.kind))
		set_task(w, &e, k);
	else
		sampler_set_owner(w->sampler, &e,
			(struct sm_timer_owner){.ids = SM_TIMER_OWNER_UNKNOWN}, NULL,
			false);
	set_what(w, &e, k->key.func == COUNTERS_NO_ROOM ? 0 : k->key.func, k->key.work);
	return e;
}

/* --- a sample ------------------------------------------------------------- */

/* The sampler reads the names of its functions and of these at once. */
static int add_names(struct wakeups *w)
{
	struct sm_ksyms *ksyms = &w->sampler->ksyms;
	int err = 0;

	for (size_t i = 0; i < w->counters.n && !err; i++) {
		const struct counter_key *key = &w->counters.grown[i]->key;
		uint32_t cause = (uint32_t)key->kind;

		if (key->func && key->func != COUNTERS_NO_ROOM &&
			(event_is_by_timer(cause) || event_has_sender(cause)))
			err = sm_ksyms_add(ksyms, key->func);
	}
	return err;
}

/* A row adds up the counters of one cause, function and task, and of one task that ran
 * first, on all CPUs. */
static uint64_t row_key(const struct wakeups *w, const struct counter *k)
{
	const struct sm_timer_owner owner = owner_of(w, &k->key);
	uint64_t part[7] = {
		k->key.kind, k->key.func, owner.ids, owner.birth, k->key.woke};

	memcpy(&part[5], k->key.woke_comm, sizeof(k->key.woke_comm));
	return sm_map_hash_bytes(part, sizeof(part), w->rows.seed);
}

static struct event *find_row(const struct wakeups *w, uint64_t key)
{
	size_t place = (size_t)(uintptr_t)sm_map_get(&w->rows, key);

	return place ? &w->now.events[place - 1] : NULL;
}

static int add_row(struct wakeups *w, const struct counter *k)
{
	uint64_t key = row_key(w, k);
	struct event *row = find_row(w, key);

	if (!row) {
		row = &w->now.events[w->now.n++];
		*row = row_of(w, k);
		if (sm_map_put(&w->rows, key, (void *)(uintptr_t)w->now.n) < 0)
			return -ENOMEM;
	}
	counts_add(&row->now, &k->now);
	row->slept_ns += k->slept_ns;
	return 0;
}

static int make_rows(struct wakeups *w)
{
	struct sample *s = &w->now;
	int err =
		sm_array_reserve(&s->events, &w->cap, w->counters.n, sizeof(*s->events));

	s->n = 0;
	sm_map_fini(&w->rows);
	if (!err)
		err = sm_map_init(&w->rows, 64);
	for (size_t i = 0; i < w->counters.n && !err; i++)
		err = add_row(w, w->counters.grown[i]);
	return err;
}

/* Sets the totals of the run, including CPUs that were not woken in this interval. */
static void add_totals(struct wakeups *w)
{
	const struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&w->counters.map, &i)) != NULL;) {
		struct event *row = find_row(w, row_key(w, k));

		if (!row)
			continue;
		counts_add(&row->total, &k->total);
		row->total_slept_ns += k->total_slept_ns;
	}
}

static void add_sum(struct sm_wake_sum *to, const struct counter *k)
{
	to->wakeups += k->now.starts;
	to->slept_ns += k->slept_ns;
}

static void add_sums(struct wakeups *w)
{
	struct wake_sums *s = &w->now.woken;

	memset(w->cpu, 0, w->cause.cpus * sizeof(*w->cpu));
	memset(s->by_cause, 0, sizeof(s->by_cause));
	s->all = (struct wake_cpu){0};
	s->no_room = 0;
	for (size_t i = 0; i < w->counters.n; i++) {
		const struct counter *k = w->counters.grown[i];
		struct wake_cpu *c;

		if (k->key.part >= w->cause.cpus || k->key.kind >= SM_WAKE_CAUSES)
			continue;
		c = &w->cpu[k->key.part];
		add_sum(&c->sum, k);
		add_sum(&s->all.sum, k);
		add_sum(&s->by_cause[k->key.kind], k);
		if (k->key.kind == SM_WAKE_UNKNOWN)
			c->unknown += k->now.starts;
		if (k->key.func == COUNTERS_NO_ROOM)
			s->no_room += k->now.starts;
	}
	s->all.unknown = s->by_cause[SM_WAKE_UNKNOWN].wakeups;
	s->cpu = w->cpu;
	s->cpus = w->cause.cpus;
}

static void count_exits(struct wakeups *w)
{
	for (unsigned int cpu = 0; cpu < w->cause.cpus; cpu++) {
		uint64_t exits = sm_wakecause_exits(&w->cause, cpu);

		w->cpu[cpu].exits = exits - w->exits[cpu];
		w->now.woken.all.exits += w->cpu[cpu].exits;
		w->exits[cpu] = exits;
	}
}

static void count_sleeps(struct wakeups *w, bool first)
{
	for (unsigned int i = 0; i < SM_WAKE_BUCKETS; i++) {
		uint64_t sum = 0;

		for (unsigned int cpu = 0; cpu < w->cause.cpus; cpu++)
			sum += sm_wakecause_sleeps(&w->cause, cpu, i);
		if (first)
			w->sleeps[i] = sum;
		w->now.woken.sleeps[i] = sum - w->sleeps[i];
	}
}

int wakeups_read(struct wakeups *w)
{
	int err = counters_read(&w->counters);

	w->first = w->counters.number == 1;
	if (w->first)
		counters_begin(&w->counters);
	else
		counters_purge(&w->counters, w->sampler->root);
	count_sleeps(w, w->first);
	add_sums(w);
	count_exits(w);
	return err ? err : add_names(w);
}

int wakeups_take(struct wakeups *w)
{
	const struct sample *s = &w->sampler->now;
	int err;

	w->now.t_ns = s->t_ns;
	w->now.wall_ns = s->wall_ns;
	w->now.dt_ns = w->first ? 0 : s->dt_ns;
	w->now.lost = s->lost;
	err = make_rows(w);
	if (!err && w->want_totals)
		add_totals(w);
	return err;
}
