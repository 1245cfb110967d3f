/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map: seeded hashing, and an open-addressing map from 64-bit keys to pointers.
 *
 * An attacker may choose the keys (names of programs), so each table gets its own seed from
 * getrandom(2).  Linear probing, at most 70 % full; deletion shifts entries back (no tombstones, so a
 * table does not degrade over weeks).  Not thread-safe.
 */
#ifndef SM_MAP_H
#define SM_MAP_H

#include "base/base.h"

struct sm_map_slot {
	uint64_t key;
	void *val; /* NULL: the slot is free */
};

struct sm_map {
	struct sm_map_slot *slots;
	size_t cap, used; /* cap: power of two */
	uint64_t seed;
};

uint64_t sm_map_hash_seed(void);
uint64_t sm_map_hash_u64(uint64_t x, uint64_t seed);
uint64_t sm_map_hash_bytes(const void *p, size_t n, uint64_t seed);

int sm_map_init(struct sm_map *m, size_t expected) SM_MUST;
void sm_map_fini(struct sm_map *m); /* the caller owns the values */
void *sm_map_get(const struct sm_map *m, uint64_t key); /* NULL if absent */
/* Inserts or replaces; val must not be NULL. */
int sm_map_put(struct sm_map *m, uint64_t key, void *val) SM_MUST;
void *sm_map_del(struct sm_map *m, uint64_t key); /* returns the removed value, or NULL */
/* for (size_t i = 0; (v = sm_map_next(m, &i)); ) visits all values; put and del are not allowed in the
 * loop. */
void *sm_map_next(const struct sm_map *m, size_t *cursor);

#endif
