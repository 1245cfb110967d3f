// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream_impl.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

/* Each turn of a loop stores one whole cache line: faster than parts of one. */

static void copy_sse2(double *to, const double *x, const double *y, double k, size_t n)
{
	(void)y;
	(void)k;
	for (size_t i = 0; i < n; i += 8) {
		_mm_stream_pd(to + i, _mm_load_pd(x + i));
		_mm_stream_pd(to + i + 2, _mm_load_pd(x + i + 2));
		_mm_stream_pd(to + i + 4, _mm_load_pd(x + i + 4));
		_mm_stream_pd(to + i + 6, _mm_load_pd(x + i + 6));
	}
}

static void scale_sse2(double *to, const double *x, const double *y, double k, size_t n)
{
	const __m128d factor = _mm_set1_pd(k);

	(void)y;
	for (size_t i = 0; i < n; i += 8) {
		_mm_stream_pd(to + i, _mm_mul_pd(factor, _mm_load_pd(x + i)));
		_mm_stream_pd(to + i + 2, _mm_mul_pd(factor, _mm_load_pd(x + i + 2)));
		_mm_stream_pd(to + i + 4, _mm_mul_pd(factor, _mm_load_pd(x + i + 4)));
		_mm_stream_pd(to + i + 6, _mm_mul_pd(factor, _mm_load_pd(x + i + 6)));
	}
}

static void add_sse2(double *to, const double *x, const double *y, double k, size_t n)
{
	(void)k;
	for (size_t i = 0; i < n; i += 8) {
		_mm_stream_pd(to + i, _mm_add_pd(_mm_load_pd(x + i), _mm_load_pd(y + i)));
		_mm_stream_pd(to + i + 2,
			_mm_add_pd(_mm_load_pd(x + i + 2), _mm_load_pd(y + i + 2)));
		_mm_stream_pd(to + i + 4,
			_mm_add_pd(_mm_load_pd(x + i + 4), _mm_load_pd(y + i + 4)));
		_mm_stream_pd(to + i + 6,
			_mm_add_pd(_mm_load_pd(x + i + 6), _mm_load_pd(y + i + 6)));
	}
}

static void triad_sse2(double *to, const double *x, const double *y, double k, size_t n)
{
	const __m128d factor = _mm_set1_pd(k);

	for (size_t i = 0; i < n; i += 8) {
		_mm_stream_pd(to + i, _mm_add_pd(_mm_load_pd(x + i),
					      _mm_mul_pd(factor, _mm_load_pd(y + i))));
		_mm_stream_pd(
			to + i + 2, _mm_add_pd(_mm_load_pd(x + i + 2),
					    _mm_mul_pd(factor, _mm_load_pd(y + i + 2))));
		_mm_stream_pd(
			to + i + 4, _mm_add_pd(_mm_load_pd(x + i + 4),
					    _mm_mul_pd(factor, _mm_load_pd(y + i + 4))));
		_mm_stream_pd(
			to + i + 6, _mm_add_pd(_mm_load_pd(x + i + 6),
					    _mm_mul_pd(factor, _mm_load_pd(y + i + 6))));
	}
}

const struct stream_variant stream_sse2 = {
	"sse2", {copy_sse2, scale_sse2, add_sse2, triad_sse2}};

AVX2 static void copy_avx2(
	double *to, const double *x, const double *y, double k, size_t n)
{
	(void)y;
	(void)k;
	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(to + i, _mm256_load_pd(x + i));
		_mm256_stream_pd(to + i + 4, _mm256_load_pd(x + i + 4));
	}
}

AVX2 static void scale_avx2(
	double *to, const double *x, const double *y, double k, size_t n)
{
	const __m256d factor = _mm256_set1_pd(k);

	(void)y;
	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(to + i, _mm256_mul_pd(factor, _mm256_load_pd(x + i)));
		_mm256_stream_pd(
			to + i + 4, _mm256_mul_pd(factor, _mm256_load_pd(x + i + 4)));
	}
}

AVX2 static void add_avx2(
	double *to, const double *x, const double *y, double k, size_t n)
{
	(void)k;
	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(to + i,
			_mm256_add_pd(_mm256_load_pd(x + i), _mm256_load_pd(y + i)));
		_mm256_stream_pd(to + i + 4, _mm256_add_pd(_mm256_load_pd(x + i + 4),
						     _mm256_load_pd(y + i + 4)));
	}
}

AVX2 static void triad_avx2(
	double *to, const double *x, const double *y, double k, size_t n)
{
	const __m256d factor = _mm256_set1_pd(k);

	for (size_t i = 0; i < n; i += 8) {
		_mm256_stream_pd(
			to + i, _mm256_add_pd(_mm256_load_pd(x + i),
					_mm256_mul_pd(factor, _mm256_load_pd(y + i))));
		_mm256_stream_pd(to + i + 4,
			_mm256_add_pd(_mm256_load_pd(x + i + 4),
				_mm256_mul_pd(factor, _mm256_load_pd(y + i + 4))));
	}
}

const struct stream_variant stream_avx2 = {
	"avx2", {copy_avx2, scale_avx2, add_avx2, triad_avx2}};

AVX512 static void copy_avx512(
	double *to, const double *x, const double *y, double k, size_t n)
{
	(void)y;
	(void)k;
	for (size_t i = 0; i < n; i += 8)
		_mm512_stream_pd(to + i, _mm512_load_pd(x + i));
}

AVX512 static void scale_avx512(
	double *to, const double *x, const double *y, double k, size_t n)
{
	const __m512d factor = _mm512_set1_pd(k);

	(void)y;
	for (size_t i = 0; i < n; i += 8)
		_mm512_stream_pd(to + i, _mm512_mul_pd(factor, _mm512_load_pd(x + i)));
}

AVX512 static void add_avx512(
	double *to, const double *x, const double *y, double k, size_t n)
{
	(void)k;
	for (size_t i = 0; i < n; i += 8)
		_mm512_stream_pd(to + i,
			_mm512_add_pd(_mm512_load_pd(x + i), _mm512_load_pd(y + i)));
}

AVX512 static void triad_avx512(
	double *to, const double *x, const double *y, double k, size_t n)
{
	const __m512d factor = _mm512_set1_pd(k);

	for (size_t i = 0; i < n; i += 8)
		_mm512_stream_pd(
			to + i, _mm512_add_pd(_mm512_load_pd(x + i),
					_mm512_mul_pd(factor, _mm512_load_pd(y + i))));
}

const struct stream_variant stream_avx512 = {
	"avx512", {copy_avx512, scale_avx512, add_avx512, triad_avx512}};

#endif
