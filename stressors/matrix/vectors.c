// SPDX-License-Identifier: GPL-2.0-or-later
#include "matrix.h"

/* Includes the functions once for each width: the compiler's own multiversioning needs a
 * C library with indirect functions. */

#if defined(__x86_64__)
#define WIDTH	   64
#define CODE(name) name##_avx512
#define TARGET	   __attribute__((target("avx512f")))
#include "vectors.h"
#undef WIDTH
#undef CODE
#undef TARGET

#define WIDTH	   32
#define CODE(name) name##_avx2
#define TARGET	   __attribute__((target("avx2,fma")))
#include "vectors.h"
#undef WIDTH
#undef CODE
#undef TARGET

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

static bool has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#define BASELINE "sse2"
#elif defined(__ARM_NEON)
#define BASELINE "neon"
#else
#define BASELINE "c"
#endif

#define WIDTH	   16
#define CODE(name) name##_baseline
#define TARGET
#include "vectors.h"

static bool has_baseline(void)
{
	return true;
}

const struct matrix_code matrix_codes[] = {
#if defined(__x86_64__)
	{"avx512", has_avx512, 32, row_avx512, dot_avx512, tile_avx512},
	{"avx2", has_avx2, 16, row_avx2, dot_avx2, tile_avx2},
#endif
	{BASELINE, has_baseline, 8, row_baseline, dot_baseline, tile_baseline},
};

const struct matrix_code *matrix_code(void)
{
	const struct matrix_code *c = matrix_codes;

	while (!c->has())
		c++;
	return c;
}
