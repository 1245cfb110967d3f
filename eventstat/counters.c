// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "counters.h"
#include "proc/procpid.h"
#include "tasks.h"

/* Readings without growth after which a counter's task is looked up, first and then each
 * time the number has doubled.  If most of the room is in use, one suffices. */
#define PURGE_AFTER 16u
#define PURGE_MAX   1024u /* per reading */

/* Values of a counter; a counter of wakeups has only counts, comm and kthread. */
struct reading {
	struct sm_timer_counts n;
	uint64_t slept_ns;
};

/* --- the table ------------------------------------------------------------ */

int counters_init(struct counters *c, struct source *source, struct sm_wakecause *wake)
{
	*c = (struct counters){.source = source,
		.wake = wake,
		.max = wake ? SM_WAKECAUSE_MAX : SM_TIMER_COUNTERS_MAX};
	return sm_map_init(&c->map, 256);
}

static void free_deleted(struct counters *c)
{
	struct counter *next;

	for (struct counter *k = c->deleted; k; k = next) {
		next = k->next;
		free(k);
	}
	c->deleted = NULL;
}

void counters_fini(struct counters *c)
{
	struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		free(k);
	sm_map_fini(&c->map);
	free_deleted(c);
	free(c->grown);
	*c = (struct counters){0};
}

static uint64_t hash_of(const struct counters *c, const struct counter_key *key)
{
	return sm_map_hash_bytes(key, sizeof(*key), c->map.seed);
}

static struct counter *find_or_add(struct counters *c, const struct counter_key *key)
{
	uint64_t hash = hash_of(c, key);
	struct counter *k = sm_map_get(&c->map, hash);

	if (k)
		return k;
	k = calloc(1, sizeof(*k));
	if (!k || sm_map_put(&c->map, hash, k) < 0) {
		free(k);
		return NULL;
	}
	k->key = *key;
	return k;
}

static void grow_by(uint64_t *last, uint64_t *now, uint64_t *total, uint64_t read)
{
	*now += read - *last;
	*total += read - *last;
	*last = read;
}

/* Adds the growth since the last reading. */
static void grow(struct counter *k, const struct reading *r)
{
	struct counts *last = &k->last, *now = &k->now, *total = &k->total;

	grow_by(&last->starts, &now->starts, &total->starts, r->n.starts);
	grow_by(&last->expiries, &now->expiries, &total->expiries, r->n.expiries);
	grow_by(&last->idle, &now->idle, &total->idle, r->n.idle);
	grow_by(&k->last_slept_ns, &k->slept_ns, &k->total_slept_ns, r->slept_ns);
}

static bool has_grown(const struct counter *k)
{
	return k->now.starts || k->now.expiries;
}

static void note_owner(struct counter *k, const struct reading *r)
{
	if (!k->seen_ns) {
		k->seen_ns = r->n.seen_ns;
		k->cpu_ns = r->n.cpu_ns;
	}
	k->kthread = r->n.kthread;
	k->named_ns = r->n.named_ns;
	if (r->n.comm[0])
		memcpy(k->comm, r->n.comm, sizeof(k->comm));
	memcpy(k->process, r->n.process, sizeof(k->process));
}

static int add_grown(struct counters *c, struct counter *k)
{
	int err =
		sm_array_reserve(&c->grown, &c->cap, c->n + 1, sizeof(struct counter *));

	if (!err)
		c->grown[c->n++] = k;
	return err;
}

static int take(
	struct counters *c, const struct counter_key *key, const struct reading *r)
{
	struct counter *k = find_or_add(c, key);

	if (!k)
		return -ENOMEM;
	if (k->number == c->number) /* read twice */
		return 0;
	k->number = c->number;
	k->now = (struct counts){0};
	k->slept_ns = 0;
	note_owner(k, r);
	grow(k, r);
	if (!has_grown(k)) {
		k->idle++;
		return 0;
	}
	k->idle = 0;
	return add_grown(c, k);
}

void counters_begin(struct counters *c)
{
	struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;) {
		k->now = k->total = (struct counts){0};
		k->slept_ns = k->total_slept_ns = 0;
	}
	c->n = 0;
}

/* --- counters of timers --------------------------------------------------- */

static int read_timers(struct counters *c)
{
	const struct source *s = c->source;
	int err = source_read(c->source);

	c->used = s->n;
	for (uint32_t i = 0; i < s->n && !err; i++) {
		const struct sm_timer_key *k = &s->key[i];
		const struct counter_key key = {.owner = k->owner,
			.func = k->func,
			.kind = k->kind,
			.work = (uint16_t)k->work,
			.part = k->timer};
		const struct reading r = {.n = s->counts[i]};

		err = take(c, &key, &r);
	}
	return err;
}

static int delete_timer(
	struct counters *c, const struct counter_key *key, struct reading *rest)
{
	const struct sm_timer_key timer = {
		key->owner, key->func, key->kind, key->work, key->part};

	rest->slept_ns = 0;
	return source_delete(c->source, &timer, &rest->n);
}

bool counters_is_of_kernel(const struct counter *k, const char *func)
{
	if (k->key.owner.ids == SM_TIMER_OWNER_KERNEL || !strcmp(func, COUNTERS_DEADLINE))
		return true;
	return k->key.owner.ids == SM_TIMER_OWNER_UNKNOWN && k->key.kind != SM_TIMER_HR &&
	       *func && strcmp(func, COUNTERS_WHEEL_SLEEPER) != 0;
}

const struct counter *counters_named(
	const struct counters *c, const struct counter_key *key)
{
	const struct counter *k = sm_map_get(&c->map, hash_of(c, key));

	if (k && k->comm[0])
		return k;
	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		if (sm_timer_same_owner(k->key.owner, key->owner) && k->comm[0])
			return k;
	return NULL;
}

/* --- counters of wakeups -------------------------------------------------- */

static struct reading wakeup_reading(uint64_t wakeups, uint64_t slept_ns)
{
	return (struct reading){.slept_ns = slept_ns,
		.n = {.starts = wakeups, .expiries = wakeups, .idle = wakeups}};
}

/* Takes the wakeups for which there was no counter: their tasks are unknown. */
static int take_without_room(struct counters *c)
{
	struct counter_key key = {
		.owner.ids = SM_TIMER_OWNER_UNKNOWN, .func = COUNTERS_NO_ROOM};
	int err = 0;

	for (key.part = 0; key.part < c->wake->cpus; key.part++)
		for (key.kind = 0; key.kind < SM_WAKE_CAUSES && !err; key.kind++) {
			struct sm_wake_sum s = sm_wakecause_lost(c->wake,
				(unsigned int)key.part, (enum sm_wake_cause)key.kind);
			const struct reading r = wakeup_reading(s.wakeups, s.slept_ns);

			if (s.wakeups)
				err = take(c, &key, &r);
		}
	return err;
}

static int read_wakeups(struct counters *c)
{
	const struct sm_wakecause *w = c->wake;
	int err = sm_wakecause_read(c->wake);

	c->used = w->n;
	for (uint32_t i = 0; i < w->n && !err; i++) {
		const struct sm_wake_key *k = &w->key[i];
		struct counter_key key = {
			k->owner, k->id, k->cause, k->work, k->woke, k->cpu, ""};
		const struct sm_wake_counts *n = &w->counts[i];
		struct reading r = wakeup_reading(n->wakeups, n->slept_ns);

		memcpy(key.woke_comm, k->woke_comm, sizeof(key.woke_comm));
		memcpy(r.n.comm, n->comm, sizeof(r.n.comm));
		r.n.kthread = n->kthread;
		err = take(c, &key, &r);
	}
	return err ? err : take_without_room(c);
}

static int delete_wakeup(
	struct counters *c, const struct counter_key *key, struct reading *rest)
{
	struct sm_wake_key wake = {(uint16_t)key->kind, (uint8_t)key->work,
		(uint8_t)key->woke, (uint32_t)key->part, key->func, key->owner, ""};
	struct sm_wake_counts n;
	int err;

	memcpy(wake.woke_comm, key->woke_comm, sizeof(wake.woke_comm));
	err = sm_wakecause_delete(c->wake, &wake, &n);
	if (!err)
		*rest = wakeup_reading(n.wakeups, n.slept_ns);
	return err;
}

int counters_read(struct counters *c)
{
	free_deleted(c);
	c->n = 0;
	c->number++;
	return c->wake ? read_wakeups(c) : read_timers(c);
}

/* --- tasks that exited ---------------------------------------------------- */

static bool is_room_short(const struct counters *c)
{
	return c->used > c->max - c->max / 4;
}

/* True if it is time to check whether the task of a counter has exited.  idle: readings
 * without growth. */
static bool is_due(uint32_t idle, bool room_short)
{
	if (room_short)
		return idle > 0;
	return idle >= PURGE_AFTER && (idle & (idle - 1)) == 0;
}

static bool has_exited(const struct sm_root *root, struct sm_timer_owner owner)
{
	struct sm_pidstat st;

	return sm_timer_is_task(owner) && tasks_read_stat(root, owner, &st) == -ENOENT;
}

/* Any number of names of tasks can run first. */
static bool has_many_names(const struct counters *c, const struct counter *k)
{
	return k->key.woke && c->used > c->max / 4;
}

/* Finds up to max counters whose tasks have exited, or that names use up.  Returns their
 * number. */
static size_t find_exited(struct counters *c, const struct sm_root *root,
	struct counter **exited, size_t max)
{
	bool room_short = is_room_short(c);
	struct counter *k;
	size_t n = 0;

	for (size_t i = 0; n < max && (k = sm_map_next(&c->map, &i)) != NULL;)
		if (is_due(k->idle, room_short) &&
			(has_many_names(c, k) || has_exited(root, k->key.owner)))
			exited[n++] = k;
	return n;
}

/* Deletes a counter; its growth since the reading is added to this interval. */
static int forget(struct counters *c, struct counter *k)
{
	struct reading rest;
	int err = c->wake ? delete_wakeup(c, &k->key, &rest)
			  : delete_timer(c, &k->key, &rest);

	if (err && err != -ENOENT)
		return err;
	sm_map_del(&c->map, hash_of(c, &k->key));
	if (!err)
		grow(k, &rest);
	if (has_grown(k) && add_grown(c, k) == 0) {
		k->next = c->deleted;
		c->deleted = k;
		return 0;
	}
	free(k);
	return 0;
}

/* In a separate PID namespace, /proc does not show all tasks: there, counters are deleted
 * only if room is short, and those of running tasks start again. */
void counters_purge(struct counters *c, const struct sm_root *root)
{
	struct counter *exited[PURGE_MAX];
	size_t n = find_exited(c, root, exited, PURGE_MAX);

	if (n && !is_room_short(c) && sm_procpid_foreign(root))
		return;
	for (size_t i = 0; i < n; i++)
		if (forget(c, exited[i]) < 0)
			return;
}
