// SPDX-License-Identifier: GPL-2.0-or-later
#include "block.h"

#include <string.h>

#define STEP UINT64_C(0x9e3779b97f4a7c15) /* odd: 2^64 different words */

/* splitmix64's: each bit of the result depends on all bits. */
static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t disk_block_key(uint64_t seed, uint64_t place, uint64_t time)
{
	return mix(mix(mix(seed + STEP) + place) + time);
}

void disk_block_fill(void *p, size_t bytes, uint64_t key)
{
	size_t words = bytes / sizeof(uint64_t);
	uint64_t *w = p, last = key + words * STEP;

	for (size_t i = 0; i < words; i++)
		w[i] = key + i * STEP;
	memcpy(w + words, &last, bytes % sizeof(last));
}

/* Returns the place of the first byte that differs; n: all are equal. */
static size_t first_other(const void *p, const void *want, size_t n)
{
	const unsigned char *a = p, *b = want;
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Word i is key + i * step. */
static size_t check(const void *p, size_t bytes, uint64_t key, uint64_t step)
{
	size_t words = bytes / sizeof(uint64_t);
	const uint64_t *w = p;
	uint64_t bad = 0, want;

	/* The compiler can vectorize this loop: it is free of branches. */
	for (size_t i = 0; i < words; i++)
		bad |= w[i] ^ (key + i * step);
	for (size_t i = 0; bad && i < words; i++) {
		want = key + i * step;
		if (w[i] != want)
			return i * sizeof(want) + first_other(&w[i], &want, sizeof(want));
	}
	want = key + words * step;
	return words * sizeof(want) + first_other(w + words, &want, bytes % sizeof(want));
}

size_t disk_block_check(const void *p, size_t bytes, uint64_t key)
{
	return check(p, bytes, key, STEP);
}

size_t disk_block_check_zero(const void *p, size_t bytes)
{
	return check(p, bytes, 0, 0);
}
