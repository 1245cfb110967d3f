// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Odd constants without a pattern: the fractions of the square roots of 2, 3, 5, 7. */
#define MIX_A	UINT64_C(0x6a09e667f3bcc909)
#define MIX_B	UINT64_C(0xbb67ae8584caa73b)
#define MIX_C	UINT64_C(0x3c6ef372fe94f82b)
#define MIX_D	UINT64_C(0xa54ff53a5f1d36f1)
#define MIN_CAP 16

/* Returns the 128-bit product folded to 64 bits: every bit of a and b affects the low
 * bits. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 r = (unsigned __int128)a * b;

	return (uint64_t)r ^ (uint64_t)(r >> 64);
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
	uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;

	return (mid << 32 | (uint32_t)ll) ^
	       (ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32));
#endif
}

static inline uint64_t load64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t load32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Loads the last 0..8 bytes; reads overlap instead of passing the end. */
static inline uint64_t load_tail(const unsigned char *p, size_t n)
{
	if (n >= 4)
		return load32(p) | load32(p + n - 4) << 32;
	if (n > 0)
		return p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16;
	return 0;
}

/* getrandom() must not block during boot; if it would, the time and an address are the
 * seed. */
uint64_t sm_map_hash_seed(void)
{
	struct timespec ts = {0, 0};
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) == (ssize_t)sizeof(seed))
		return seed;
	clock_gettime(CLOCK_REALTIME, &ts);
	seed = fold((uint64_t)ts.tv_sec ^ MIX_A, (uint64_t)ts.tv_nsec ^ MIX_B);
	return fold(seed ^ (uint64_t)(uintptr_t)&ts, MIX_C);
}

uint64_t sm_map_hash_u64(uint64_t x, uint64_t seed)
{
	return fold(fold(x ^ seed ^ MIX_A, MIX_B) ^ seed, MIX_C);
}

/* Both factors of each step contain secret bits: if one were a known constant, input
 * equal to it would make the product zero and cancel the seed. */
uint64_t sm_map_hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
	const unsigned char *p = bytes;
	uint64_t secret = fold(seed ^ MIX_A, MIX_B) ^ MIX_D;
	uint64_t h = seed ^ fold((uint64_t)n ^ MIX_C, secret);
	uint64_t a, b = 0;

	for (; n > 16; p += 16, n -= 16)
		h = fold(load64(p) ^ secret, load64(p + 8) ^ h);
	if (n > 8) {
		a = load64(p);
		b = load_tail(p + 8, n - 8);
	} else {
		a = load_tail(p, n);
	}
	h = fold(a ^ secret, b ^ h);
	return fold(h ^ secret, MIX_D);
}

static inline size_t home(const struct sm_map *m, uint64_t key)
{
	return (size_t)sm_map_hash_u64(key, m->seed) & (m->cap - 1);
}

/* Returns the slot of the key, or the free slot for it. */
static size_t find(const struct sm_map *m, uint64_t key)
{
	size_t i = home(m, key);

	while (m->slots[i].val && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return i;
}

static size_t limit(size_t cap)
{
	return cap / 10 * 7 + cap % 10 * 7 / 10;
}

static int resize(struct sm_map *m, size_t cap)
{
	struct sm_map old = *m;

	m->slots = calloc(cap, sizeof(*m->slots));
	if (!m->slots) {
		*m = old;
		return -ENOMEM;
	}
	m->cap = cap;
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].val)
			m->slots[find(m, old.slots[i].key)] = old.slots[i];
	free(old.slots);
	return 0;
}

int sm_map_init(struct sm_map *m, size_t expected)
{
	size_t cap = MIN_CAP;

	memset(m, 0, sizeof(*m));
	while (limit(cap) < expected) {
		if (cap > SIZE_MAX / 2 / sizeof(*m->slots))
			return -ENOMEM;
		cap *= 2;
	}
	m->seed = sm_map_hash_seed();
	return resize(m, cap);
}

void sm_map_fini(struct sm_map *m)
{
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

void *sm_map_get(const struct sm_map *m, uint64_t key)
{
	return m->used ? m->slots[find(m, key)].val : NULL;
}

int sm_map_put(struct sm_map *m, uint64_t key, void *val)
{
	size_t i = find(m, key);

	if (m->slots[i].val) {
		m->slots[i].val = val;
		return 0;
	}
	if (m->used >= limit(m->cap)) {
		int ret = resize(m, m->cap * 2);

		if (ret < 0)
			return ret;
		i = find(m, key);
	}
	m->slots[i].key = key;
	m->slots[i].val = val;
	m->used++;
	return 0;
}

/* Closes the gap: each later slot of the cluster moves into it, unless its home lies
 * between the gap and its current place (distances wrap around the end). */
static void close_gap(struct sm_map *m, size_t gap)
{
	size_t mask = m->cap - 1;

	for (size_t i = (gap + 1) & mask; m->slots[i].val; i = (i + 1) & mask) {
		size_t from_home = (i - home(m, m->slots[i].key)) & mask;

		if (from_home >= ((i - gap) & mask)) {
			m->slots[gap] = m->slots[i];
			gap = i;
		}
	}
	m->slots[gap].key = 0;
	m->slots[gap].val = NULL;
}

void *sm_map_del(struct sm_map *m, uint64_t key)
{
	size_t i;
	void *val;

	if (!m->used)
		return NULL;
	i = find(m, key);
	val = m->slots[i].val;
	if (val) {
		close_gap(m, i);
		m->used--;
	}
	return val;
}

void *sm_map_next(const struct sm_map *m, size_t *cursor)
{
	while (*cursor < m->cap) {
		void *val = m->slots[(*cursor)++].val;

		if (val)
			return val;
	}
	return NULL;
}
