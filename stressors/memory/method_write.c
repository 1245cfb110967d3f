// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "method.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The stores are volatile, so that each unit is stored separately, without a call of
 * memset(). */

#define WRITE_UNITS(bits)                                                        \
	void method_write##bits(void *p, size_t bytes, uint64_t value)           \
	{                                                                        \
		volatile uint##bits##_t *at = p, *end = at + bytes * 8 / (bits); \
		uint##bits##_t v = (uint##bits##_t)value;                        \
                                                                                 \
		for (; at < end; at += 8) {                                      \
			at[0] = v;                                               \
			at[1] = v;                                               \
			at[2] = v;                                               \
			at[3] = v;                                               \
			at[4] = v;                                               \
			at[5] = v;                                               \
			at[6] = v;                                               \
			at[7] = v;                                               \
		}                                                                \
	}

WRITE_UNITS(8)
WRITE_UNITS(16)
WRITE_UNITS(32)
WRITE_UNITS(64)

void method_write128(void *p, size_t bytes, uint64_t value)
{
	method_v128 *at = p, *end = at + bytes / sizeof(*at);
	const method_v128 v = value - (method_v128){0};

	for (; at < end; at += 4) {
		at[0] = v;
		at[1] = v;
		at[2] = v;
		at[3] = v;
	}
}

METHOD_AVX2 void method_write256(void *p, size_t bytes, uint64_t value)
{
	method_v256 *at = p, *end = at + bytes / sizeof(*at);
	const method_v256 v = value - (method_v256){0};

	for (; at < end; at += 4) {
		at[0] = v;
		at[1] = v;
		at[2] = v;
		at[3] = v;
	}
}

METHOD_AVX512 void method_write512(void *p, size_t bytes, uint64_t value)
{
	method_v512 *at = p, *end = at + bytes / sizeof(*at);
	const method_v512 v = value - (method_v512){0};

	for (; at < end; at += 4) {
		at[0] = v;
		at[1] = v;
		at[2] = v;
		at[3] = v;
	}
}

void method_memset(void *p, size_t bytes, uint64_t value)
{
	memset(p, (int)(value & UINT8_MAX), bytes);
	/* The compiler must assume that the memory is read. */
	__asm__ volatile("" : : "r"(p) : "memory");
}

#if defined(__x86_64__)

void method_write64nt(void *p, size_t bytes, uint64_t value)
{
	long long *at = p, *end = at + bytes / sizeof(*at), v = (long long)value;

	for (; at < end; at += 4) {
		_mm_stream_si64(at, v);
		_mm_stream_si64(at + 1, v);
		_mm_stream_si64(at + 2, v);
		_mm_stream_si64(at + 3, v);
	}
}

void method_write128nt(void *p, size_t bytes, uint64_t value)
{
	__m128i *at = p, *end = at + bytes / sizeof(*at);
	const __m128i v = _mm_set1_epi64x((long long)value);

	for (; at < end; at += 4) {
		_mm_stream_si128(at, v);
		_mm_stream_si128(at + 1, v);
		_mm_stream_si128(at + 2, v);
		_mm_stream_si128(at + 3, v);
	}
}

METHOD_AVX2 void method_write256nt(void *p, size_t bytes, uint64_t value)
{
	__m256i *at = p, *end = at + bytes / sizeof(*at);
	const __m256i v = _mm256_set1_epi64x((long long)value);

	for (; at < end; at += 4) {
		_mm256_stream_si256(at, v);
		_mm256_stream_si256(at + 1, v);
		_mm256_stream_si256(at + 2, v);
		_mm256_stream_si256(at + 3, v);
	}
}

METHOD_AVX512 void method_write512nt(void *p, size_t bytes, uint64_t value)
{
	__m512i *at = p, *end = at + bytes / sizeof(*at);
	const __m512i v = _mm512_set1_epi64((long long)value);

	for (; at < end; at += 4) {
		_mm512_stream_si512(at, v);
		_mm512_stream_si512(at + 1, v);
		_mm512_stream_si512(at + 2, v);
		_mm512_stream_si512(at + 3, v);
	}
}

void method_write8stob(void *p, size_t bytes, uint64_t value)
{
	__asm__ volatile("rep stosb" : "+D"(p), "+c"(bytes) : "a"(value) : "memory");
}

void method_write64stoq(void *p, size_t bytes, uint64_t value)
{
	size_t n = bytes / sizeof(value);

	__asm__ volatile("rep stosq" : "+D"(p), "+c"(n) : "a"(value) : "memory");
}

#elif defined(__aarch64__)

/* Stores pairs of registers past the caches; the numbers in the names are the bits of a
 * pair. */
void method_write64nt(void *p, size_t bytes, uint64_t value)
{
	for (char *at = p, *end = at + bytes; at < end; at += 8)
		__asm__ volatile("stnp %w0, %w0, [%1]"
				 :
				 : "r"(value), "r"(at)
				 : "memory");
}

void method_write128nt(void *p, size_t bytes, uint64_t value)
{
	for (char *at = p, *end = at + bytes; at < end; at += 16)
		__asm__ volatile("stnp %0, %0, [%1]" : : "r"(value), "r"(at) : "memory");
}

void method_write256nt(void *p, size_t bytes, uint64_t value)
{
	const method_v128 v = {value, value};

	for (char *at = p, *end = at + bytes; at < end; at += 32)
		__asm__ volatile("stnp %q0, %q0, [%1]" : : "w"(v), "r"(at) : "memory");
}

#endif
