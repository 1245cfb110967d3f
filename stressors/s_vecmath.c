// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two vectors of 128 bits of unsigned integers go through a mix of operations.  Setup
 * computes the same element by element, without vectors; the results must be equal.
 */
#include <string.h>

#include "run/stress.h"

#define VECTOR_BYTES	16u
#define VECTORS		2u
#define DATA_BYTES	(VECTORS * VECTOR_BYTES)
#define SETS		8u
#define STEPS		1000u
#define STEP_OPERATIONS 13u /* per vector */
#define OP_OPERATIONS	((double)STEPS * VECTORS * STEP_OPERATIONS)
#define ROTATE		3

enum kind { BITS8, BITS16, BITS32, BITS64, KINDS };

#define RATE(n)                                                                          \
	{                                                                                \
		(n), "M/s", .mean = MEAN_RATE, .headline = "million vector operations/s" \
	}

static const struct stressor_metric metrics[] = {
	[BITS8] = RATE("16 x 8 bits"),
	[BITS16] = RATE("8 x 16 bits"),
	[BITS32] = RATE("4 x 32 bits"),
	[BITS64] = RATE("2 x 64 bits"),
	{0},
};

struct operands {
	_Alignas(64) unsigned char a[DATA_BYTES], b[DATA_BYTES];
};

struct set {
	struct operands in, want[KINDS];
};

struct state {
	struct set set[SETS];
	uint64_t ops, ns[KINDS];
};

/* --- the operations ----------------------------------------------------------------- */

/* Computes the steps for one number with this many bits. */
static void number_steps(uint64_t *pa, uint64_t *pb, unsigned int bits)
{
	const uint64_t mask = UINT64_MAX >> (64 - bits);
	uint64_t a = *pa, b = *pb;

	for (unsigned int i = 0; i < STEPS; i++) {
		a = (a + b) & mask;
		b ^= a;
		a = a * (b | 1) & mask;
		b = (b - (a > b ? a : 0)) & mask;
		a = (a << ROTATE | a >> (bits - ROTATE)) & mask;
		b = ~b & (a - 1) & mask;
	}
	*pa = a;
	*pb = b;
}

#define KIND(BITS)                                                                   \
	typedef uint##BITS##_t v##BITS __attribute__((vector_size(VECTOR_BYTES)));   \
	static inline void step##BITS(v##BITS *a, v##BITS *b)                        \
	{                                                                            \
		*a += *b;                                                            \
		*b ^= *a;                                                            \
		*a *= *b | 1;                                                        \
		*b -= *a & (v##BITS)(*a > *b);                                       \
		*a = *a << ROTATE | *a >> (BITS - ROTATE);                           \
		*b = ~*b & (*a - 1);                                                 \
	}                                                                            \
	static void vectors##BITS(struct operands *o)                                \
	{                                                                            \
		v##BITS a[VECTORS], b[VECTORS];                                      \
                                                                                     \
		memcpy(a, o->a, sizeof(a));                                          \
		memcpy(b, o->b, sizeof(b));                                          \
		for (unsigned int i = 0; i < STEPS; i++) {                           \
			step##BITS(&a[0], &b[0]);                                    \
			step##BITS(&a[1], &b[1]);                                    \
		}                                                                    \
		memcpy(o->a, a, sizeof(a));                                          \
		memcpy(o->b, b, sizeof(b));                                          \
	}                                                                            \
	static void numbers##BITS(struct operands *o)                                \
	{                                                                            \
		for (size_t at = 0; at < DATA_BYTES; at += sizeof(uint##BITS##_t)) { \
			uint##BITS##_t x, y;                                         \
			uint64_t a, b;                                               \
                                                                                     \
			memcpy(&x, o->a + at, sizeof(x));                            \
			memcpy(&y, o->b + at, sizeof(y));                            \
			a = x;                                                       \
			b = y;                                                       \
			number_steps(&a, &b, BITS);                                  \
			x = (uint##BITS##_t)a;                                       \
			y = (uint##BITS##_t)b;                                       \
			memcpy(o->a + at, &x, sizeof(x));                            \
			memcpy(o->b + at, &y, sizeof(y));                            \
		}                                                                    \
	}

KIND(8)
KIND(16)
KIND(32)
KIND(64)

static const struct {
	void (*vectors)(struct operands *o), (*numbers)(struct operands *o);
	unsigned int bits;
} kinds[KINDS] = {
	{vectors8, numbers8, 8},
	{vectors16, numbers16, 16},
	{vectors32, numbers32, 32},
	{vectors64, numbers64, 64},
};

/* --- ops ---------------------------------------------------------------------------- */

static int check(struct stress *s, const struct operands *is, const struct operands *want,
	unsigned int kind)
{
	if (memcmp(is->a, want->a, DATA_BYTES) == 0 &&
		memcmp(is->b, want->b, DATA_BYTES) == 0)
		return 0;
	return stress_fail(s,
		"vectors of %u bits: the results differ from those without vectors",
		kinds[kind].bits);
}

static int one_op(struct stress *s)
{
	struct state *t = s->data;
	const struct set *set = &t->set[t->ops % SETS];
	int r = 0;

	for (unsigned int i = 0; i < KINDS && !r; i++) {
		struct operands is = set->in;
		uint64_t begin_ns = sm_clock_mono_ns();

		kinds[i].vectors(&is);
		t->ns[i] += sm_clock_mono_ns() - begin_ns;
		if (s->spoil && t->ops == 2)
			is.b[DATA_BYTES / 2] ^= 1;
		r = check(s, &is, &set->want[i], i);
	}
	t->ops++;
	return r;
}

static int run(struct stress *s)
{
	const struct state *t = s->data;
	int r = 0;

	while (r == 0 && stress_goes_on(s)) {
		r = one_op(s);
		stress_step(s, sm_clock_mono_ns(), 0);
		if (r == 0)
			stress_add(s, 1);
	}
	for (unsigned int i = 0; i < KINDS; i++)
		if (t->ns[i])
			stress_metric(s, i,
				(double)t->ops * OP_OPERATIONS * 1e3 / (double)t->ns[i] *
					stress_share(s, 0));
	return r;
}

static int setup(struct stress *s)
{
	struct state *t = s->data;
	uint64_t random = s->seed;

	for (unsigned int i = 0; i < SETS; i++) {
		struct set *set = &t->set[i];

		for (unsigned int j = 0; j < DATA_BYTES; j++) {
			set->in.a[j] = (unsigned char)stress_random(&random);
			set->in.b[j] = (unsigned char)stress_random(&random);
		}
		for (unsigned int j = 0; j < KINDS; j++) {
			set->want[j] = set->in;
			kinds[j].numbers(&set->want[j]);
		}
	}
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_vecmath_man[] =
	"metric 16 x 8 bits: operations on a vector of this type, divided by their "
	"time; 1 M is 10^6\n"
	"The operations are addition, subtraction, multiplication, comparison, "
	"shifts and bitwise operations.  They are compiled to instructions that "
	"each CPU of the architecture has: SSE2 on x86-64.\n";

const struct stressor stressor_vecmath = {
	.name = "vecmath",
	.does = "compute with vectors of integers",
	.op = "1000 steps of 13 operations on two vectors of each of four types",
	.checks = "the results equal those that were computed without vectors",
	.classes = CLASS_CPU | CLASS_CPU_CACHE,
	.metrics = metrics,
	.state = sizeof(struct state),
	.setup = setup,
	.run = run,
};
