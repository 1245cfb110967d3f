// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "timers/timermodel.h"

#define MAP_EXPECTED 256

int sm_timermodel_init(struct sm_timermodel *m)
{
	*m = (struct sm_timermodel){0};
	m->key = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*m->key));
	m->counts = malloc(SM_TIMER_COUNTERS_MAX * sizeof(*m->counts));
	m->owned = malloc(SM_TIMER_OWNERS_MAX * sizeof(*m->owned));
	if (!m->key || !m->counts || !m->owned)
		return -ENOMEM;
	if (sm_map_init(&m->places, MAP_EXPECTED) ||
		sm_map_init(&m->owners, MAP_EXPECTED))
		return -ENOMEM;
	return 0;
}

void sm_timermodel_fini(struct sm_timermodel *m)
{
	free(m->key);
	free(m->counts);
	free(m->owned);
	sm_map_fini(&m->places);
	sm_map_fini(&m->owners);
	*m = (struct sm_timermodel){0};
}

static bool is_hr(const struct sm_timer_event *e)
{
	return e->type == SM_TIMER_HR_START || e->type == SM_TIMER_HR_EXPIRE;
}

static bool is_start(const struct sm_timer_event *e)
{
	return e->type == SM_TIMER_HR_START || e->type == SM_TIMER_WHEEL_START;
}

static struct sm_timer_owner current_of(const struct sm_timer_event *e)
{
	return (struct sm_timer_owner){sm_timer_ids(e->tgid, e->tid), e->birth};
}

static enum sm_timer_kind kind_of(const struct sm_timer_event *e)
{
	if (is_hr(e))
		return SM_TIMER_HR;
	return e->type == SM_TIMER_WHEEL_START &&
			       e->wheel_flags & SM_TIMER_FLAG_DEFERRABLE
		       ? SM_TIMER_DEFERRABLE
		       : SM_TIMER_WHEEL;
}

static struct sm_timer_key key_of(const struct sm_timermodel *m,
	const struct sm_timer_event *e, struct sm_timer_owner owner)
{
	return (struct sm_timer_key){.owner = owner,
		.func = e->func,
		.kind = kind_of(e),
		.timer = m->by_timer ? e->timer : 0};
}

/* --- owners ------------------------------------------------------------------------ */

static int forget_owners(struct sm_timermodel *m)
{
	struct sm_map none;

	if (sm_map_init(&none, MAP_EXPECTED))
		return -ENOMEM;
	sm_map_fini(&m->owners);
	m->owners = none;
	m->lost.owners += m->n_owned;
	m->n_owned = 0;
	return 0;
}

static struct sm_timer_key *new_owned(struct sm_timermodel *m, uint64_t timer)
{
	struct sm_timer_key *o;

	if (m->n_owned == SM_TIMER_OWNERS_MAX && forget_owners(m) < 0)
		return NULL;
	o = &m->owned[m->n_owned];
	if (sm_map_put(&m->owners, timer, o) < 0)
		return NULL;
	m->n_owned++;
	return o;
}

/* Finds the key of a timer that expires; the event does not show its kind. */
static struct sm_timer_key find_owner(
	const struct sm_timermodel *m, const struct sm_timer_event *e)
{
	const struct sm_timer_key *o = sm_map_get(&m->owners, e->timer);
	const struct sm_timer_owner unknown = {.ids = SM_TIMER_OWNER_UNKNOWN};

	return o ? *o : key_of(m, e, unknown);
}

/* Returns the owner of the timer that is armed now. */
static struct sm_timer_owner starter_of(
	const struct sm_timer_key *known, const struct sm_timer_event *e)
{
	if (!e->interrupt)
		return current_of(e);
	return known ? known->owner
		     : (struct sm_timer_owner){.ids = SM_TIMER_OWNER_INTERRUPT};
}

/* Finds and stores the owner of a timer that is armed now. */
static struct sm_timer_key find_starter(
	struct sm_timermodel *m, const struct sm_timer_event *e)
{
	struct sm_timer_key *o = sm_map_get(&m->owners, e->timer);
	struct sm_timer_key key = key_of(m, e, starter_of(o, e));

	if (o && sm_timer_same_owner(o->owner, key.owner) && o->func == key.func)
		return key;
	if (!o)
		o = new_owned(m, e->timer);
	if (o)
		*o = key;
	else
		m->lost.owners++;
	return key;
}

/* --- counters ---------------------------------------------------------------------- */

static uint64_t hash_of(const struct sm_timermodel *m, const struct sm_timer_key *key)
{
	return sm_map_hash_bytes(key, sizeof(*key), m->places.seed);
}

/* Returns the index + 1 of the counters with this hash; 0: not found. */
static uint32_t place_of(const struct sm_timermodel *m, uint64_t hash)
{
	return (uint32_t)(uintptr_t)sm_map_get(&m->places, hash);
}

static int set_place(struct sm_timermodel *m, uint64_t hash, uint32_t place)
{
	return sm_map_put(&m->places, hash, (void *)(uintptr_t)place);
}

static struct sm_timer_counts *new_counts(
	struct sm_timermodel *m, const struct sm_timer_key *key, uint64_t hash)
{
	uint32_t i = m->n;

	if (i == SM_TIMER_COUNTERS_MAX || set_place(m, hash, i + 1) < 0)
		return NULL;
	m->key[i] = *key;
	m->counts[i] = (struct sm_timer_counts){0};
	m->n++;
	return &m->counts[i];
}

/* Returns the counters of a key, which are created at the first call; NULL: no room, or
 * another key has this hash (probability 2^-64). */
static struct sm_timer_counts *find_counts(
	struct sm_timermodel *m, const struct sm_timer_key *key, bool *made)
{
	uint64_t hash = hash_of(m, key);
	uint32_t place = place_of(m, hash);

	*made = !place;
	if (!place)
		return new_counts(m, key, hash);
	if (memcmp(&m->key[place - 1], key, sizeof(*key)) != 0)
		return NULL;
	return &m->counts[place - 1];
}

static void count(struct sm_timer_counts *c, const struct sm_timer_event *e)
{
	if (is_start(e)) {
		c->starts++;
		return;
	}
	c->expiries++;
	c->idle += current_of(e).ids == 0;
}

struct sm_timer_counts *sm_timermodel_add(
	struct sm_timermodel *m, const struct sm_timer_event *e)
{
	struct sm_timer_counts *c;
	struct sm_timer_key key;
	bool made;

	key = is_start(e) ? find_starter(m, e) : find_owner(m, e);
	c = find_counts(m, &key, &made);
	if (!c) {
		m->lost.events++;
		return NULL;
	}
	count(c, e);
	if (!is_start(e) || e->interrupt)
		return NULL;
	if (made)
		c->seen_ns = e->time_ns;
	return c;
}

int sm_timermodel_delete(struct sm_timermodel *m, const struct sm_timer_key *key,
	struct sm_timer_counts *rest)
{
	uint64_t hash = hash_of(m, key);
	uint32_t place = place_of(m, hash), last = m->n;

	if (!place || memcmp(&m->key[place - 1], key, sizeof(*key)) != 0)
		return -ENOENT;
	*rest = m->counts[place - 1];
	sm_map_del(&m->places, hash);
	m->n--;
	if (place == last)
		return 0;
	m->key[place - 1] = m->key[last - 1];
	m->counts[place - 1] = m->counts[last - 1];
	/* The hash is in the map already, so this cannot fail. */
	(void)!set_place(m, hash_of(m, &m->key[place - 1]), place);
	return 0;
}
