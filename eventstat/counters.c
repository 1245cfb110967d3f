// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "counters.h"
#include "kernel/procpid.h"

/* Readings without growth after which it is asked whether the task exists; then after
 * twice as many.  With most of the room in use, after one. */
#define PURGE_AFTER 16u
#define PURGE_MAX   1024u /* of a reading */

int counters_init(struct counters *c, struct source *source)
{
	*c = (struct counters){.source = source};
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

static uint64_t hash_of(const struct counters *c, const struct sm_timer_key *key)
{
	return sm_map_hash_bytes(key, sizeof(*key), c->map.seed);
}

static struct counter *find(struct counters *c, const struct sm_timer_key *key,
	const struct sm_timer_counts *n)
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
	k->seen_ns = n->seen_ns;
	k->cpu_ns = n->cpu_ns;
	memcpy(k->comm, n->comm, sizeof(k->comm));
	return k;
}

static void grow(uint64_t *last, uint64_t *now, uint64_t *total, uint64_t read)
{
	*now = read - *last;
	*total += *now;
	*last = read;
}

/* The first of the two counters, by starts or expiries, gives it a name. */
static void name(struct counter *k, const struct sm_timer_counts *n)
{
	if (k->seen_ns || !n->seen_ns)
		return;
	k->seen_ns = n->seen_ns;
	k->cpu_ns = n->cpu_ns;
	memcpy(k->comm, n->comm, sizeof(k->comm));
}

static int add_grown(struct counters *c, struct counter *k)
{
	int err =
		sm_array_reserve(&c->grown, &c->cap, c->n + 1, sizeof(struct counter *));

	if (!err)
		c->grown[c->n++] = k;
	return err;
}

/* Adds the growth since the last reading. */
static void grow_all(struct counter *k, const struct sm_timer_counts *n)
{
	grow(&k->last.starts, &k->now.starts, &k->total.starts, n->starts);
	grow(&k->last.expiries, &k->now.expiries, &k->total.expiries, n->expiries);
	grow(&k->last.idle, &k->now.idle, &k->total.idle, n->idle);
}

static bool has_grown(const struct counter *k)
{
	return k->now.starts || k->now.expiries;
}

static int take(struct counters *c, const struct sm_timer_key *key,
	const struct sm_timer_counts *n)
{
	struct counter *k = find(c, key, n);

	if (!k)
		return -ENOMEM;
	if (k->number == c->number) /* read twice */
		return 0;
	k->number = c->number;
	k->now = (struct counts){0};
	name(k, n);
	grow_all(k, n);
	if (!has_grown(k)) {
		k->idle++;
		return 0;
	}
	k->idle = 0;
	return add_grown(c, k);
}

int counters_read(struct counters *c)
{
	int err = source_read(c->source);

	free_deleted(c);
	c->n = 0;
	c->number++;
	for (uint32_t i = 0; i < c->source->n && !err; i++)
		err = take(c, &c->source->key[i], &c->source->counts[i]);
	return err;
}

void counters_begin(struct counters *c)
{
	struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		k->now = k->total = (struct counts){0};
	c->n = 0;
}

bool counters_is_of_kernel(const struct counter *k, const char *func)
{
	if (k->key.owner != SM_TIMER_OWNER_UNKNOWN)
		return false;
	return k->last.starts || (k->key.kind != SM_TIMER_HR && *func &&
					 strcmp(func, COUNTERS_WHEEL_SLEEPER) != 0);
}

const struct counter *counters_find(
	const struct counters *c, const struct sm_timer_key *key)
{
	return sm_map_get(&c->map, hash_of(c, key));
}

const char *counters_comm(const struct counters *c, const struct sm_timer_key *key)
{
	const struct counter *k = counters_find(c, key);

	if (k && k->comm[0])
		return k->comm;
	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		if (k->key.owner == key->owner && k->comm[0])
			return k->comm;
	return NULL;
}

/* --- tasks that exited ---------------------------------------------------------------
 */

static bool is_short(uint32_t n, uint32_t max)
{
	return n > max - max / 4;
}

bool counters_due(uint32_t idle, uint32_t n, uint32_t max)
{
	if (is_short(n, max))
		return idle > 0;
	return idle >= PURGE_AFTER && (idle & (idle - 1)) == 0;
}

bool counters_exited(const struct sm_root *root, uint64_t owner)
{
	struct sm_pidstat st;

	if (owner == 0 || owner == SM_TIMER_OWNER_UNKNOWN)
		return false;
	return sm_procpid_read_stat(root, sm_timer_tid(owner), &st) == -ENOENT;
}

bool counters_can_tell(const struct sm_root *root, uint32_t n, uint32_t max)
{
	return is_short(n, max) || !sm_procpid_foreign(root);
}

/* Finds up to max counters whose task has exited. */
static size_t find_exited(struct counters *c, const struct sm_root *root,
	struct counter **exited, size_t max)
{
	struct counter *k;
	size_t n = 0;

	for (size_t i = 0; n < max && (k = sm_map_next(&c->map, &i)) != NULL;)
		if (counters_due(k->idle, c->source->n, SM_TIMER_COUNTERS_MAX) &&
			counters_exited(root, k->key.owner))
			exited[n++] = k;
	return n;
}

/* What it has counted since the reading is of this interval. */
static int delete (struct counters *c, struct counter *k)
{
	struct sm_timer_counts rest;
	int err = source_delete(c->source, &k->key, &rest);

	if (err && err != -ENOENT)
		return err;
	sm_map_del(&c->map, hash_of(c, &k->key));
	if (!err)
		grow_all(k, &rest);
	if (has_grown(k) && add_grown(c, k) == 0) {
		k->next = c->deleted;
		c->deleted = k;
		return 0;
	}
	free(k);
	return 0;
}

void counters_purge(struct counters *c, const struct sm_root *root)
{
	struct counter *exited[PURGE_MAX];
	size_t n = find_exited(c, root, exited, PURGE_MAX);

	if (n && !counters_can_tell(root, c->source->n, SM_TIMER_COUNTERS_MAX))
		return;
	for (size_t i = 0; i < n; i++)
		if (delete (c, exited[i]) < 0)
			return;
}
