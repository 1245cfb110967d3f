// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.h"
#include "stream_impl.h"

#if defined(__x86_64__)

const struct stream_variant *stream_variant(void)
{
	if (__builtin_cpu_supports("avx512f"))
		return &stream_avx512;
	return __builtin_cpu_supports("avx2") ? &stream_avx2 : &stream_sse2;
}

#else

typedef double v4d __attribute__((vector_size(32)));

#if defined(__aarch64__)
#define VARIANT "stnp"
/* Stores two registers of 16 bytes past the caches. */
static inline void store(double *to, const v4d *v)
{
	typedef double v2d __attribute__((vector_size(16)));
	v2d low = {(*v)[0], (*v)[1]}, high = {(*v)[2], (*v)[3]};

	__asm__ volatile("stnp %q0, %q1, [%2]"
			 :
			 : "w"(low), "w"(high), "r"(to)
			 : "memory");
}
#else
#define VARIANT "plain"
static inline void store(double *to, const v4d *v)
{
	*(v4d *)to = *v;
}
#endif

static void copy(double *to, const double *x, const double *y, double k, size_t n)
{
	(void)y;
	(void)k;
	for (size_t i = 0; i < n; i += 4)
		store(to + i, (const v4d *)(x + i));
}

static void scale(double *to, const double *x, const double *y, double k, size_t n)
{
	(void)y;
	for (size_t i = 0; i < n; i += 4) {
		v4d v = k * *(const v4d *)(x + i);

		store(to + i, &v);
	}
}

static void add(double *to, const double *x, const double *y, double k, size_t n)
{
	(void)k;
	for (size_t i = 0; i < n; i += 4) {
		v4d v = *(const v4d *)(x + i) + *(const v4d *)(y + i);

		store(to + i, &v);
	}
}

static void triad(double *to, const double *x, const double *y, double k, size_t n)
{
	for (size_t i = 0; i < n; i += 4) {
		v4d v = *(const v4d *)(x + i) + k * *(const v4d *)(y + i);

		store(to + i, &v);
	}
}

const struct stream_variant *stream_variant(void)
{
	static const struct stream_variant v = {VARIANT, {copy, scale, add, triad}};

	return &v;
}

#endif

void stream_indexed(enum stream_kernel kernel, double *to, const double *x,
	const double *y, double k, const uint32_t *const index[3], size_t first, size_t n)
{
	const uint32_t *it = index[0], *ix = index[1], *iy = index[2];
	size_t end = first + n;

	switch (kernel) {
	case STREAM_COPY:
		for (size_t i = first; i < end; i++)
			to[it[i]] = x[ix[i]];
		break;
	case STREAM_SCALE:
		for (size_t i = first; i < end; i++)
			to[it[i]] = k * x[ix[i]];
		break;
	case STREAM_ADD:
		for (size_t i = first; i < end; i++)
			to[it[i]] = x[ix[i]] + y[iy[i]];
		break;
	default:
		for (size_t i = first; i < end; i++)
			to[it[i]] = x[ix[i]] + k * y[iy[i]];
		break;
	}
}
