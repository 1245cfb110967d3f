// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "unit.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void *value(uint64_t n)
{
	static char base[65536];

	return &base[n % sizeof(base)];
}

START_TEST(seeds_differ)
{
	uint64_t a = sm_map_hash_seed(), b = sm_map_hash_seed(), c = sm_map_hash_seed();

	ck_assert(a != b && b != c && a != c);
}
END_TEST

START_TEST(u64_depends_on_key_and_seed)
{
	ck_assert(sm_map_hash_u64(1, 7) == sm_map_hash_u64(1, 7));
	ck_assert(sm_map_hash_u64(1, 7) != sm_map_hash_u64(2, 7));
	ck_assert(sm_map_hash_u64(1, 7) != sm_map_hash_u64(1, 8));
	ck_assert(sm_map_hash_u64(0, 0) != 0);
	/* The seed must do more than move all keys alike. */
	ck_assert((sm_map_hash_u64(1, 7) ^ sm_map_hash_u64(2, 7)) !=
		  (sm_map_hash_u64(1, 8) ^ sm_map_hash_u64(2, 8)));
}
END_TEST

/* Flipping any input bit flips each output bit about half of the time. */
START_TEST(u64_avalanche)
{
	uint64_t state = 88172645463325252u;
	int flips[64] = {0};

	for (int round = 0; round < 100; round++) {
		uint64_t x = next_random(&state), seed = next_random(&state);

		for (int in = 0; in < 64; in++) {
			uint64_t d = sm_map_hash_u64(x, seed) ^
				     sm_map_hash_u64(x ^ (uint64_t)1 << in, seed);

			for (int out = 0; out < 64; out++)
				flips[out] += (int)(d >> out & 1);
		}
	}
	for (int out = 0; out < 64; out++) {
		ck_assert_int_gt(flips[out], 2800); /* 6400 trials: 3200 +- 10 sigma */
		ck_assert_int_lt(flips[out], 3600);
	}
}
END_TEST

/* Every length on a block of exactly that length: ASan sees any read past the end. */
START_TEST(bytes_every_length)
{
	uint64_t seen[100];

	for (size_t n = 0; n < 100; n++) {
		unsigned char *p = malloc(n ? n : 1);
		uint64_t h;

		memset(p, 'a', n ? n : 1);
		h = sm_map_hash_bytes(p, n, 42);
		for (size_t i = 0; i < n; i++)
			ck_assert(seen[i] != h);
		seen[n] = h;
		for (size_t i = 0; i < n; i++) {
			p[i] ^= 1;
			ck_assert_msg(sm_map_hash_bytes(p, n, 42) != h, "byte %zu of %zu",
				i, n);
			p[i] ^= 1;
		}
		ck_assert(sm_map_hash_bytes(p, n, 42) == h);
		ck_assert(sm_map_hash_bytes(p, n, 43) != h);
		free(p);
	}
	ck_assert(sm_map_hash_bytes(NULL, 0, 42) == seen[0]);
}
END_TEST

START_TEST(bytes_do_not_depend_on_alignment)
{
	char area[64 + 8];

	for (size_t shift = 0; shift < 8; shift++) {
		memcpy(area + shift, "/usr/lib/systemd/systemd-udevd --daemon", 39);
		ck_assert(sm_map_hash_bytes(area + shift, 39, 5) ==
			  sm_map_hash_bytes(
				  "/usr/lib/systemd/systemd-udevd --daemon", 39, 5));
	}
}
END_TEST

START_TEST(bytes_zeros_of_other_lengths_differ)
{
	static const char zeros[256];

	for (size_t n = 1; n < sizeof(zeros); n++)
		ck_assert(sm_map_hash_bytes(zeros, n, 1) !=
			  sm_map_hash_bytes(zeros, n - 1, 1));
}
END_TEST

/* Sequential keys fill the low bits evenly: 64 buckets of 4096/64. */
START_TEST(sequential_keys_spread)
{
	int by_number[64] = {0}, by_stride[64] = {0};
	uint64_t seed = 12345;

	for (uint64_t i = 0; i < 4096; i++) {
		by_number[sm_map_hash_u64(i, seed) & 63]++;
		by_stride[sm_map_hash_u64(i << 32, seed) & 63]++;
	}
	for (int i = 0; i < 64; i++) {
		ck_assert_int_gt(by_number[i], 20);
		ck_assert_int_lt(by_number[i], 120);
		ck_assert_int_gt(by_stride[i], 20);
		ck_assert_int_lt(by_stride[i], 120);
	}
}
END_TEST

START_TEST(map_basics)
{
	struct sm_map m;
	size_t cursor = 0;

	ck_assert_int_eq(sm_map_init(&m, 0), 0);
	ck_assert_ptr_null(sm_map_get(&m, 0));
	ck_assert_ptr_null(sm_map_del(&m, 0));
	ck_assert_ptr_null(sm_map_next(&m, &cursor));
	ck_assert_int_eq(sm_map_put(&m, 0, value(1)), 0);
	ck_assert_int_eq(sm_map_put(&m, UINT64_MAX, value(2)), 0);
	ck_assert_uint_eq(m.used, 2);
	ck_assert_ptr_eq(sm_map_get(&m, 0), value(1));
	ck_assert_ptr_eq(sm_map_get(&m, UINT64_MAX), value(2));
	ck_assert_int_eq(sm_map_put(&m, 0, value(3)), 0);
	ck_assert_uint_eq(m.used, 2);
	ck_assert_ptr_eq(sm_map_get(&m, 0), value(3));
	ck_assert_ptr_eq(sm_map_del(&m, 0), value(3));
	ck_assert_ptr_null(sm_map_get(&m, 0));
	ck_assert_ptr_null(sm_map_del(&m, 0));
	ck_assert_uint_eq(m.used, 1);
	sm_map_fini(&m);
	ck_assert_ptr_null(sm_map_get(&m, UINT64_MAX));
}
END_TEST

START_TEST(map_init_too_large)
{
	struct sm_map m;

	ck_assert_int_eq(sm_map_init(&m, SIZE_MAX), -ENOMEM);
	sm_map_fini(&m);
}
END_TEST

START_TEST(map_expected_size_needs_no_growth)
{
	static const size_t sizes[] = {0, 1, 11, 12, 22, 23, 700, 1000, 5000};

	for (size_t s = 0; s < SM_ARRAY_SIZE(sizes); s++) {
		struct sm_map m;
		size_t cap;

		ck_assert_int_eq(sm_map_init(&m, sizes[s]), 0);
		cap = m.cap;
		for (uint64_t k = 0; k < sizes[s]; k++)
			ck_assert_int_eq(sm_map_put(&m, k, value(k)), 0);
		ck_assert_uint_eq(m.cap, cap);
		ck_assert_uint_eq(cap & (cap - 1), 0);
		sm_map_fini(&m);
	}
}
END_TEST

START_TEST(map_grows_and_stays_70_percent_full)
{
	struct sm_map m;

	ck_assert_int_eq(sm_map_init(&m, 0), 0);
	for (uint64_t k = 0; k < 20000; k++) {
		ck_assert_int_eq(sm_map_put(&m, k * 4096, value(k)), 0);
		ck_assert(m.used * 10 <= m.cap * 7);
	}
	for (uint64_t k = 0; k < 20000; k++)
		ck_assert_ptr_eq(sm_map_get(&m, k * 4096), value(k));
	ck_assert_ptr_null(sm_map_get(&m, 1));
	sm_map_fini(&m);
}
END_TEST

/* Longest run of taken slots: what a failing lookup may have to walk. */
static size_t longest_cluster(const struct sm_map *m)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < 2 * m->cap; i++) {
		run = m->slots[i % m->cap].val ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

START_TEST(map_adversarial_keys_do_not_cluster)
{
	for (int shift = 0; shift <= 48; shift += 4) {
		struct sm_map m;

		ck_assert_int_eq(sm_map_init(&m, 0), 0);
		for (uint64_t k = 0; k < 10000; k++)
			ck_assert_int_eq(sm_map_put(&m, k << shift, value(k)), 0);
		ck_assert_uint_lt(longest_cluster(&m), 1000);
		sm_map_fini(&m);
	}
}
END_TEST

START_TEST(map_next_gives_each_value_once)
{
	struct sm_map m;
	int seen[500] = {0};
	char *v;

	ck_assert_int_eq(sm_map_init(&m, 0), 0);
	for (uint64_t k = 0; k < 500; k++)
		ck_assert_int_eq(sm_map_put(&m, k * k, value(k)), 0);
	for (size_t i = 0; (v = sm_map_next(&m, &i));)
		seen[v - (char *)value(0)]++;
	for (int k = 0; k < 500; k++)
		ck_assert_int_eq(seen[k], 1);
	sm_map_fini(&m);
}
END_TEST

/* Keys that all have their home in the last slots: the cluster wraps around. */
static uint64_t key_with_home(const struct sm_map *m, size_t home, uint64_t after)
{
	uint64_t k = after + 1;

	while ((sm_map_hash_u64(k, m->seed) & (m->cap - 1)) != home)
		k++;
	return k;
}

START_TEST(map_deletion_across_the_end)
{
	struct sm_map m;
	uint64_t keys[8];

	for (int first = 0; first < 8; first++) {
		ck_assert_int_eq(sm_map_init(&m, 0), 0);
		ck_assert_uint_eq(m.cap, 16);
		for (size_t i = 0; i < 8; i++) { /* homes 14 14 15 15 0 0 1 1 */
			keys[i] =
				key_with_home(&m, (14 + i / 2) % 16, i ? keys[i - 1] : 0);
			ck_assert_int_eq(sm_map_put(&m, keys[i], value(i)), 0);
		}
		ck_assert(m.slots[15].val && m.slots[0].val && m.slots[5].val);
		for (int i = 0; i < 8; i++) { /* each as the first to go, then the rest */
			int removed = (first + i) % 8;

			ck_assert_ptr_eq(
				sm_map_del(&m, keys[removed]), value((uint64_t)removed));
			for (int j = 0; j < 8; j++) {
				bool there = (j - first + 8) % 8 > i;

				ck_assert_ptr_eq(sm_map_get(&m, keys[j]),
					there ? value((uint64_t)j) : NULL);
			}
		}
		for (size_t i = 0; i < m.cap; i++)
			ck_assert_ptr_null(m.slots[i].val);
		sm_map_fini(&m);
	}
}
END_TEST

#define MODEL_KEYS 512

/* Random operations against an array indexed by key. */
START_TEST(map_agrees_with_model)
{
	void *model[MODEL_KEYS] = {NULL};
	uint64_t state = 0x9e3779b97f4a7c15u;
	size_t used = 0;
	struct sm_map m;

	ck_assert_int_eq(sm_map_init(&m, 0), 0);
	for (int step = 0; step < 200000; step++) {
		uint64_t r = next_random(&state);
		/* The live set swells and shrinks, so that clusters form and break up. */
		bool swell = step / 20000 % 2 == 0;
		size_t k = r % MODEL_KEYS;

		if ((r >> 32) % 4 < (swell ? 3 : 1)) {
			used += !model[k];
			model[k] = value(r >> 40);
			ck_assert_int_eq(sm_map_put(&m, k * 65536, model[k]), 0);
		} else {
			used -= !!model[k];
			ck_assert_ptr_eq(sm_map_del(&m, k * 65536), model[k]);
			model[k] = NULL;
		}
		ck_assert_uint_eq(m.used, used);
		k = (r >> 16) % MODEL_KEYS;
		ck_assert_ptr_eq(sm_map_get(&m, k * 65536), model[k]);
		for (size_t i = 0; step % 5000 == 0 && i < MODEL_KEYS; i++)
			ck_assert_ptr_eq(sm_map_get(&m, i * 65536), model[i]);
	}
	ck_assert_uint_le(
		m.cap, 1024); /* deletions leave nothing behind that makes it grow */
	sm_map_fini(&m);
}
END_TEST

static TCase *tc_hash(void)
{
	TCase *tc = tcase_create("hash");

	tcase_add_test(tc, seeds_differ);
	tcase_add_test(tc, u64_depends_on_key_and_seed);
	tcase_add_test(tc, u64_avalanche);
	tcase_add_test(tc, bytes_every_length);
	tcase_add_test(tc, bytes_do_not_depend_on_alignment);
	tcase_add_test(tc, bytes_zeros_of_other_lengths_differ);
	tcase_add_test(tc, sequential_keys_spread);
	return tc;
}

static TCase *tc_map(void)
{
	TCase *tc = tcase_create("map");

	tcase_add_test(tc, map_basics);
	tcase_add_test(tc, map_init_too_large);
	tcase_add_test(tc, map_expected_size_needs_no_growth);
	tcase_add_test(tc, map_grows_and_stays_70_percent_full);
	tcase_add_test(tc, map_adversarial_keys_do_not_cluster);
	tcase_add_test(tc, map_next_gives_each_value_once);
	tcase_add_test(tc, map_deletion_across_the_end);
	tcase_add_test(tc, map_agrees_with_model);
	return tc;
}

UNIT_MAIN("hash", tc_hash, tc_map)
