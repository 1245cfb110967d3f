// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "counters.h"
#include "kernel/timers.h"
#include "out/rank.h"
#include "wakecounts.h"

#define PURGE_MAX 1024u /* of a reading */

int wakecounts_init(struct wakecounts *c, struct sm_wakecause *wake)
{
	*c = (struct wakecounts){.wake = wake};
	return sm_map_init(&c->map, 256);
}

static void free_deleted(struct wakecounts *c)
{
	struct wakecount *next;

	for (struct wakecount *k = c->deleted; k; k = next) {
		next = k->next;
		free(k);
	}
	c->deleted = NULL;
}

void wakecounts_fini(struct wakecounts *c)
{
	struct wakecount *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		free(k);
	sm_map_fini(&c->map);
	free_deleted(c);
	free(c->grown);
	*c = (struct wakecounts){0};
}

static uint64_t hash_of(const struct wakecounts *c, const struct sm_wake_key *key)
{
	return sm_map_hash_bytes(key, sizeof(*key), c->map.seed);
}

static struct wakecount *find(struct wakecounts *c, const struct sm_wake_key *key)
{
	uint64_t hash = hash_of(c, key);
	struct wakecount *k = sm_map_get(&c->map, hash);

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

static void grow(struct wakecount *k, const struct sm_wake_counts *read)
{
	const struct sm_wake_sum now = {
		read->wakeups - k->last.wakeups, read->slept_ns - k->last.slept_ns};

	k->now.wakeups += now.wakeups;
	k->now.slept_ns += now.slept_ns;
	k->total.wakeups += now.wakeups;
	k->total.slept_ns += now.slept_ns;
	k->last = (struct sm_wake_sum){read->wakeups, read->slept_ns};
}

static int add_grown(struct wakecounts *c, struct wakecount *k)
{
	int err = sm_array_reserve(
		&c->grown, &c->cap, c->n + 1, sizeof(struct wakecount *));

	if (!err)
		c->grown[c->n++] = k;
	return err;
}

static int take(struct wakecounts *c, const struct sm_wake_key *key,
	const struct sm_wake_counts *read)
{
	struct wakecount *k = find(c, key);

	if (!k)
		return -ENOMEM;
	if (k->number == c->number) /* read twice */
		return 0;
	k->number = c->number;
	memcpy(k->comm, read->comm, sizeof(k->comm));
	k->now = (struct sm_wake_sum){0};
	grow(k, read);
	if (!k->now.wakeups) {
		k->idle++;
		return 0;
	}
	k->idle = 0;
	return add_grown(c, k);
}

/* What found no room is of tasks that are not known. */
static int take_rest(struct wakecounts *c)
{
	struct sm_wake_key key = {
		.id = WAKECOUNT_NO_ROOM, .owner = SM_WAKE_OWNER_UNKNOWN};
	int err = 0;

	for (key.cpu = 0; key.cpu < c->wake->cpus; key.cpu++)
		for (key.cause = 0; key.cause < SM_WAKE_CAUSES && !err; key.cause++) {
			struct sm_wake_sum s = sm_wakecause_lost(
				c->wake, key.cpu, (enum sm_wake_cause)key.cause);
			struct sm_wake_counts read = {s.wakeups, s.slept_ns, {0}};

			if (s.wakeups)
				err = take(c, &key, &read);
		}
	return err;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_keys(
	const struct sm_wake_key *a, const struct sm_wake_key *b, bool any_owner)
{
	int c = compare_u64(a->cause, b->cause);

	if (!c)
		c = compare_u64(a->id, b->id);
	return c || any_owner ? c : compare_u64(a->owner, b->owner);
}

static int compare(const void *a, const void *b, void *ctx)
{
	(void)ctx;
	return compare_keys(&(*(struct wakecount *const *)a)->key,
		&(*(struct wakecount *const *)b)->key, false);
}

struct wakecount *wakecounts_find(
	const struct wakecounts *c, const struct sm_wake_key *key, bool any_owner)
{
	size_t low = 0, high = c->n;

	while (low < high) {
		size_t i = low + (high - low) / 2;
		int order = compare_keys(key, &c->grown[i]->key, any_owner);

		if (order == 0)
			return c->grown[i];
		if (order < 0)
			high = i;
		else
			low = i + 1;
	}
	return NULL;
}

void wakecounts_begin(struct wakecounts *c)
{
	struct wakecount *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		k->now = k->total = (struct sm_wake_sum){0};
	c->n = 0;
}

/* --- tasks that exited ---------------------------------------------------------------
 */

static size_t find_exited(struct wakecounts *c, const struct sm_root *root,
	struct wakecount **exited, size_t max)
{
	struct wakecount *k;
	size_t n = 0;

	for (size_t i = 0; n < max && (k = sm_map_next(&c->map, &i)) != NULL;)
		if (counters_due(k->idle, c->wake->n, SM_WAKECAUSE_MAX) &&
			counters_exited(root, k->key.owner))
			exited[n++] = k;
	return n;
}

/* What it has counted since the reading is of this interval. */
static int delete (struct wakecounts *c, struct wakecount *k)
{
	struct sm_wake_counts rest;
	int err = sm_wakecause_delete(c->wake, &k->key, &rest);

	if (err && err != -ENOENT)
		return err;
	sm_map_del(&c->map, hash_of(c, &k->key));
	if (!err)
		grow(k, &rest);
	if (k->now.wakeups && add_grown(c, k) == 0) {
		k->next = c->deleted;
		c->deleted = k;
		return 0;
	}
	free(k);
	return 0;
}

static void purge(struct wakecounts *c, const struct sm_root *root)
{
	struct wakecount *exited[PURGE_MAX];
	size_t n = find_exited(c, root, exited, PURGE_MAX);

	if (n && !counters_can_tell(root, c->wake->n, SM_WAKECAUSE_MAX))
		return;
	for (size_t i = 0; i < n; i++)
		if (delete (c, exited[i]) < 0)
			return;
}

/* --- a reading -----------------------------------------------------------------------
 */

int wakecounts_read(struct wakecounts *c, const struct sm_root *root)
{
	int err = sm_wakecause_read(c->wake);

	free_deleted(c);
	c->n = 0;
	c->number++;
	for (uint32_t i = 0; i < c->wake->n && !err; i++)
		err = take(c, &c->wake->key[i], &c->wake->counts[i]);
	if (!err)
		err = take_rest(c);
	purge(c, root);
	sm_rank_first(c->grown, c->n, sizeof(struct wakecount *), c->n, compare, NULL);
	return err;
}
