/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * map: seeded mixing and an open-addressing map from a 64-bit key to a pointer.
 *
 * Keys can be chosen by an attacker (names of programs), so every table draws its own
 * seed from getrandom(2).  Linear probing, at most 70 % full, deletion by backward shift
 * (no tombstones, so a table does not degrade over weeks).  Not thread-safe.
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
void sm_map_fini(struct sm_map *m); /* the values are the caller's */
void *sm_map_get(const struct sm_map *m, uint64_t key); /* NULL when absent */
/* Inserts or replaces; val is not NULL. */
int sm_map_put(struct sm_map *m, uint64_t key, void *val) SM_MUST;
void *sm_map_del(struct sm_map *m, uint64_t key); /* what was there, or NULL */
/* for (size_t i = 0; (v = sm_map_next(m, &i)); ) - no put or del in between. */
void *sm_map_next(const struct sm_map *m, size_t *cursor);

#endif
