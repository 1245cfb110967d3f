// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "load/ops_impl.h"

/* One operation is p(x) of ops_float.c in each of 64 lanes.  The compiler splits the
 * vectors into registers of the target's width.  The body is compiled once per target,
 * and the widest one that the CPU supports is used.  Between operations, each lane's x
 * runs through 1, 2, 3, 4, starting at a different place. */
#define LANES 16
typedef float vfloat __attribute__((vector_size(LANES * 4)));
typedef int32_t vint __attribute__((vector_size(LANES * 4)));
typedef uint32_t vuint __attribute__((vector_size(LANES * 4)));

#define INLINE static inline __attribute__((always_inline))

struct lanes {
	vint k[4];
	vuint sum[4];
};

INLINE void load_lanes(struct lanes *l, uint64_t k)
{
	memset(l, 0, sizeof(*l));
	for (int j = 0; j < 4; j++)
		for (int i = 0; i < LANES; i++)
			l->k[j][i] = (int)(k & 3) + i + j;
}

INLINE void horner(vint *k, vuint *sum)
{
	vfloat x = __builtin_convertvector((*k & 3) + 1, vfloat), p;

	p = x * 7.0f + 3.0f;
	p = p * x + 5.0f;
	p = p * x + 1.0f;
	p = p * x + 6.0f;
	p = p * x + 2.0f;
	p = p * x + 4.0f;
	p = p * x + 7.0f;
	p = p * x + 1.0f;
	*sum += (vuint) __builtin_convertvector(p, vint);
	*k += 1;
}

/* The lanes' sums have 32 bits, so they are added up before they can overflow: 611,669 *
 * 4096 < 2^32. */
#define ROUND 4096u

INLINE void run_lanes(struct sm_ops_state *st, uint64_t n)
{
	while (n > 0) {
		uint64_t now = n < ROUND ? n : ROUND;
		struct lanes l;

		load_lanes(&l, st->s[0]);
		for (uint64_t i = 0; i < now; i++)
			for (int j = 0; j < 4; j++)
				horner(&l.k[j], &l.sum[j]);
		for (int j = 0; j < 4; j++)
			for (int i = 0; i < LANES; i++)
				st->sum += l.sum[j][i];
		st->s[0] += now;
		n -= now;
	}
}

#if defined(__x86_64__)
/* gcc splits vectors of 512 bits for most CPUs, unless an option prevents that. */
#ifdef __clang__
#define WIDE "avx512f"
#else
#define WIDE "avx512f,prefer-vector-width=512"
#endif
__attribute__((target(WIDE))) static void run_avx512(struct sm_ops_state *st, uint64_t n)
{
	run_lanes(st, n);
}

__attribute__((target("avx2,fma"))) static void run_avx2(
	struct sm_ops_state *st, uint64_t n)
{
	run_lanes(st, n);
}

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

static void run_baseline(struct sm_ops_state *st, uint64_t n)
{
	run_lanes(st, n);
}

static bool has_baseline(void)
{
	return true;
}

/* The widest first. */
static const struct variant {
	const char *name;
	bool (*has)(void);
	void (*run)(struct sm_ops_state *st, uint64_t n);
} variants[] = {
#if defined(__x86_64__)
	{"avx512", has_avx512, run_avx512},
	{"avx2", has_avx2, run_avx2},
#endif
	{BASELINE, has_baseline, run_baseline},
};

static const struct variant *widest(void)
{
	const struct variant *v = variants;

	while (!v->has())
		v++;
	return v;
}

void sm_ops_vector(struct sm_ops_state *st, uint64_t n)
{
	widest()->run(st, n);
}

const char *sm_ops_vector_run(unsigned int variant, struct sm_ops_state *st, uint64_t n)
{
	if (variant >= SM_ARRAY_SIZE(variants))
		return NULL;
	if (variants[variant].has())
		variants[variant].run(st, n);
	return variants[variant].name;
}
