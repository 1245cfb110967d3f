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

int counters_init(struct counters *c, struct sm_timercount *timers)
{
	*c = (struct counters){.timers = timers};
	return sm_map_init(&c->map, 256);
}

void counters_fini(struct counters *c)
{
	struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		free(k);
	sm_map_fini(&c->map);
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

static int take(struct counters *c, const struct sm_timer_key *key,
	const struct sm_timer_counts *n)
{
	struct counter *k = find(c, key, n);
	int err;

	if (!k)
		return -ENOMEM;
	if (k->number == c->number) /* read twice */
		return 0;
	k->number = c->number;
	name(k, n);
	grow(&k->last.starts, &k->now.starts, &k->total.starts, n->starts);
	grow(&k->last.expiries, &k->now.expiries, &k->total.expiries, n->expiries);
	grow(&k->last.idle, &k->now.idle, &k->total.idle, n->idle);
	if (!k->now.starts && !k->now.expiries) {
		k->idle++;
		return 0;
	}
	k->idle = 0;
	err = sm_array_reserve(&c->grown, &c->cap, c->n + 1, sizeof(struct counter *));
	if (!err)
		c->grown[c->n++] = k;
	return err;
}

int counters_read(struct counters *c)
{
	int err = sm_timercount_read(c->timers);

	c->n = 0;
	c->number++;
	for (uint32_t i = 0; i < c->timers->n && !err; i++)
		err = take(c, &c->timers->key[i], &c->timers->counts[i]);
	return err;
}

void counters_begin(struct counters *c)
{
	struct counter *k;

	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		k->now = k->total = (struct counts){0};
	c->n = 0;
}

const char *counters_comm(const struct counters *c, const struct sm_timer_key *key)
{
	const struct counter *k = sm_map_get(&c->map, hash_of(c, key));

	if (k && k->comm[0])
		return k->comm;
	for (size_t i = 0; (k = sm_map_next(&c->map, &i)) != NULL;)
		if (k->key.owner == key->owner && k->comm[0])
			return k->comm;
	return NULL;
}

/* --- tasks that exited ---------------------------------------------------------------
 */

bool counters_due(uint32_t idle, uint32_t n, uint32_t max)
{
	if (n > max - max / 4)
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

/* Up to max of them. */
static size_t find_exited(struct counters *c, const struct sm_root *root,
	struct counter **exited, size_t max)
{
	struct counter *k;
	size_t n = 0;

	for (size_t i = 0; n < max && (k = sm_map_next(&c->map, &i)) != NULL;)
		if (counters_due(k->idle, c->timers->n, SM_TIMER_COUNTERS_MAX) &&
			counters_exited(root, k->key.owner))
			exited[n++] = k;
	return n;
}

void counters_purge(struct counters *c, const struct sm_root *root)
{
	struct counter *exited[PURGE_MAX];
	size_t n = find_exited(c, root, exited, PURGE_MAX);

	for (size_t i = 0; i < n; i++) {
		if (sm_timercount_delete(c->timers, &exited[i]->key) < 0)
			return;
		sm_map_del(&c->map, hash_of(c, &exited[i]->key));
		free(exited[i]);
	}
}
