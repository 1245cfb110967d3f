// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "area.h"
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* Bytes between two checks for the end of the run, while the kernel clears pages: 1
 * ms. */
#define POPULATE_PART ((size_t)4 << 20)

typedef uint64_t v8u __attribute__((vector_size(64)));

/* Words that are compared before the result is checked. */
#define BLOCK_WORDS 256u

#if defined(__x86_64__)

void memory_fill(uint64_t *p, size_t words, uint64_t value)
{
	const __m128i v = _mm_set1_epi64x((long long)value);

	for (size_t i = 0; i < words; i += 8) {
		_mm_stream_si128((__m128i *)(void *)(p + i), v);
		_mm_stream_si128((__m128i *)(void *)(p + i + 2), v);
		_mm_stream_si128((__m128i *)(void *)(p + i + 4), v);
		_mm_stream_si128((__m128i *)(void *)(p + i + 6), v);
	}
}

void memory_copy(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i += 2)
		_mm_stream_si128((__m128i *)(void *)(to + i),
			_mm_load_si128((const __m128i *)(const void *)(from + i)));
}

void memory_fence(void)
{
	_mm_sfence();
}

#elif defined(__aarch64__)

void memory_fill(uint64_t *p, size_t words, uint64_t value)
{
	for (size_t i = 0; i < words; i += 2)
		__asm__ volatile("stnp %0, %0, [%1]"
				 :
				 : "r"(value), "r"(p + i)
				 : "memory");
}

void memory_copy(uint64_t *to, const uint64_t *from, size_t words)
{
	for (size_t i = 0; i < words; i += 2)
		__asm__ volatile("stnp %0, %1, [%2]"
				 :
				 : "r"(from[i]), "r"(from[i + 1]), "r"(to + i)
				 : "memory");
}

void memory_fence(void)
{
	__asm__ volatile("dsb ishst" : : : "memory");
}

#else

void memory_copy(uint64_t *to, const uint64_t *from, size_t words)
{
	memcpy(to, from, words * sizeof(*to));
}

void memory_fill(uint64_t *p, size_t words, uint64_t value)
{
	for (size_t i = 0; i < words; i++)
		p[i] = value;
}

void memory_fence(void)
{
	atomic_thread_fence(memory_order_seq_cst);
}

#endif

static uint64_t block_differs(const uint64_t *p, size_t words, uint64_t value)
{
	v8u bad = {0}, want = value - (v8u){0};
	uint64_t any = 0;

	for (size_t i = 0; i < words; i += 8)
		bad |= *(const v8u *)(const void *)(p + i) ^ want;
	for (unsigned int i = 0; i < 8; i++)
		any |= bad[i];
	return any;
}

size_t memory_differs(const uint64_t *p, size_t words, uint64_t value)
{
	for (size_t i = 0; i < words; i += BLOCK_WORDS) {
		size_t n = words - i < BLOCK_WORDS ? words - i : BLOCK_WORDS;

		if (!block_differs(p + i, n, value))
			continue;
		/* The words are read again.  If a bit fails only sometimes, the block is
		 * reported. */
		for (size_t j = i; j < i + n; j++)
			if (p[j] != value)
				return j;
		return i;
	}
	return words;
}

static uint64_t block_unlike(const uint64_t *p, const uint64_t *want, size_t words)
{
	v8u bad = {0};
	uint64_t any = 0;

	for (size_t i = 0; i < words; i += 8)
		bad |= *(const v8u *)(const void *)(p + i) ^
		       *(const v8u *)(const void *)(want + i);
	for (unsigned int i = 0; i < 8; i++)
		any |= bad[i];
	return any;
}

size_t memory_unlike(const uint64_t *p, const uint64_t *want, size_t words)
{
	if (!block_unlike(p, want, words))
		return words;
	for (size_t i = 0; i < words; i++)
		if (p[i] != want[i])
			return i;
	return 0;
}

static size_t part(size_t bytes, size_t at, size_t most)
{
	return bytes - at < most ? bytes - at : most;
}

int memory_advice(const char *name)
{
	static const struct {
		const char *name;
		int advice;
	} known[] = {
		{"collapse", MADV_COLLAPSE},
		{"dontneed", MADV_DONTNEED},
		{"hugepage", MADV_HUGEPAGE},
		{"mergeable", MADV_MERGEABLE},
		{"nohugepage", MADV_NOHUGEPAGE},
		{"random", MADV_RANDOM},
		{"sequential", MADV_SEQUENTIAL},
		{"unmergeable", MADV_UNMERGEABLE},
		{"willneed", MADV_WILLNEED},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(known); i++)
		if (strcmp(name, known[i].name) == 0)
			return known[i].advice;
	return 0;
}

void memory_advise(const struct stress *s, void *p, size_t bytes, int advice)
{
	if (advice != MADV_COLLAPSE) {
		if (advice)
			(void)madvise(p, bytes, advice);
		return;
	}
	/* The kernel copies all of it, so this is done in parts, between which the end of
	 * the run is checked. */
	for (size_t at = 0; at < bytes && !stress_stopped(s); at += POPULATE_PART)
		(void)madvise((char *)p + at, part(bytes, at, POPULATE_PART), advice);
}

static void touch(void *p, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	if (madvise(p, bytes, MADV_POPULATE_WRITE) == 0)
		return;
#endif
	for (size_t at = 0; at < bytes; at += MEMORY_PAGE)
		((volatile char *)p)[at] = 0;
}

void memory_populate(const struct stress *s, void *p, size_t bytes)
{
	for (size_t at = 0; at < bytes && !stress_stopped(s); at += POPULATE_PART)
		touch((char *)p + at, part(bytes, at, POPULATE_PART));
}

int memory_lock(struct stress *s, void *p, size_t bytes)
{
	for (size_t at = 0; at < bytes && !stress_stopped(s); at += POPULATE_PART)
		if (mlock((char *)p + at, part(bytes, at, POPULATE_PART)) < 0)
			return stress_lacks(s, "%zu bytes cannot be locked: %s", bytes,
				strerror(errno));
	return 0;
}
