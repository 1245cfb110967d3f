/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stream: the four kernels of STREAM on doubles, with stores that do not read the memory that they overwrite.
 *
 *	copy   to = x          c = a
 *	scale  to = k x        b = k c
 *	add    to = x + y      c = a + b
 *	triad  to = x + k y    a = b + k c
 *
 * Arrays begin at multiples of 64 bytes and n is a multiple of 8.  The stores are in memory after
 * memory_fence() of area.h.  The variants: avx512, avx2 and sse2 on x86-64, stnp on arm64, else plain stores.
 */
#ifndef STRESSORS_MEMORY_STREAM_H
#define STRESSORS_MEMORY_STREAM_H

#include "base/base.h"

enum stream_kernel { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD, STREAM_KERNELS };

typedef void stream_fn(double *to, const double *x, const double *y, double k, size_t n);

struct stream_variant {
	const char *name;
	stream_fn *kernel[STREAM_KERNELS];
};

/* Returns the fastest variant for this CPU. */
const struct stream_variant *stream_variant(void);
/* Uses plain stores, at the places in the indices: to[it[i]] = x[ix[i]] + k y[iy[i]].  An index contains each
 * of 0 to n - 1 once. */
void stream_indexed(enum stream_kernel kernel, double *to, const double *x, const double *y, double k,
	const uint32_t *const index[3], size_t first, size_t n);

#endif
