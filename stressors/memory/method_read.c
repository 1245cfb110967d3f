// SPDX-License-Identifier: GPL-2.0-or-later
#include "method.h"

/*
 * Volatile: each unit is a load of its own.  Four sums, so that an addition does not wait
 * for the one before.
 */

#define READ_UNITS(bits)                                                               \
	void method_read##bits(const void *p, size_t pages, uint64_t *sums)            \
	{                                                                              \
		const volatile uint##bits##_t *at = p, *end;                           \
                                                                                       \
		for (size_t page = 0; page < pages; page++) {                          \
			uint64_t a = 0, b = 0, c = 0, d = 0;                           \
                                                                                       \
			for (end = at + MEMORY_PAGE * 8 / (bits); at < end; at += 8) { \
				a += at[0];                                            \
				b += at[1];                                            \
				c += at[2];                                            \
				d += at[3];                                            \
				a += at[4];                                            \
				b += at[5];                                            \
				c += at[6];                                            \
				d += at[7];                                            \
			}                                                              \
			sums[page] = a + b + c + d;                                    \
		}                                                                      \
	}

READ_UNITS(8)
READ_UNITS(16)
READ_UNITS(32)
READ_UNITS(64)

/* Past the end of the memory a prefetch does nothing. */
#define AHEAD 1024u

void method_read64pf(const void *p, size_t pages, uint64_t *sums)
{
	const volatile uint64_t *at = p, *end;

	for (size_t page = 0; page < pages; page++) {
		uint64_t a = 0, b = 0, c = 0, d = 0;

		for (end = at + MEMORY_PAGE / 8; at < end; at += 8) {
			__builtin_prefetch((const char *)(uintptr_t)at + AHEAD, 0, 0);
			a += at[0];
			b += at[1];
			c += at[2];
			d += at[3];
			a += at[4];
			b += at[5];
			c += at[6];
			d += at[7];
		}
		sums[page] = a + b + c + d;
	}
}

/*
 * Vectors: two pages at once, of both halves of the memory.  That is a fourth faster than
 * one after the other, as the CPU fetches ahead for each of them.  If their number is
 * odd, the last page is both.
 */

void method_read128(const void *p, size_t pages, uint64_t *sums)
{
	size_t half = pages - pages / 2;

	for (size_t page = 0; page < half; page++) {
		size_t other = page + half < pages ? page + half : page;
		const method_v128 *at = p, *end, *far = at;
		method_v128 a = {0}, b = {0}, c = {0}, d = {0};

		at += page * (MEMORY_PAGE / sizeof(*at));
		far += other * (MEMORY_PAGE / sizeof(*at));
		for (end = at + MEMORY_PAGE / sizeof(*at); at < end; at += 2, far += 2) {
			a += at[0];
			b += at[1];
			c += far[0];
			d += far[1];
		}
		a += b;
		c += d;
		sums[page] = a[0] + a[1];
		sums[other] = c[0] + c[1];
	}
}

METHOD_AVX2 void method_read256(const void *p, size_t pages, uint64_t *sums)
{
	size_t half = pages - pages / 2;

	for (size_t page = 0; page < half; page++) {
		size_t other = page + half < pages ? page + half : page;
		const method_v256 *at = p, *end, *far = at;
		method_v256 a = {0}, b = {0}, c = {0}, d = {0};

		at += page * (MEMORY_PAGE / sizeof(*at));
		far += other * (MEMORY_PAGE / sizeof(*at));
		for (end = at + MEMORY_PAGE / sizeof(*at); at < end; at += 2, far += 2) {
			a += at[0];
			b += at[1];
			c += far[0];
			d += far[1];
		}
		a += b;
		c += d;
		sums[page] = a[0] + a[1] + a[2] + a[3];
		sums[other] = c[0] + c[1] + c[2] + c[3];
	}
}

METHOD_AVX512 void method_read512(const void *p, size_t pages, uint64_t *sums)
{
	size_t half = pages - pages / 2;

	for (size_t page = 0; page < half; page++) {
		size_t other = page + half < pages ? page + half : page;
		const method_v512 *at = p, *end, *far = at;
		method_v512 a = {0}, b = {0}, c = {0}, d = {0};

		at += page * (MEMORY_PAGE / sizeof(*at));
		far += other * (MEMORY_PAGE / sizeof(*at));
		for (end = at + MEMORY_PAGE / sizeof(*at); at < end; at += 2, far += 2) {
			a += at[0];
			b += at[1];
			c += far[0];
			d += far[1];
		}
		a += b;
		c += d;
		sums[page] = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
		sums[other] = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + c[7];
	}
}
