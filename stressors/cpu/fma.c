// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/stress.h"

#include "cpu.h"

/*
 * fma: as many multiplications and additions of doubles as the CPU can do, all their
 * operands from the first level cache: the inner loop of a matrix product, twelve
 * registers of sums.  It makes a CPU hot.  All values are whole numbers below 2^53, so
 * that the sums depend neither on fusing nor on the order.
 */
#define DEPTH	128u
#define ROWS	6u
#define COLUMNS 16u
#define ROUNDS	32u /* 2^20 * 2^20 * DEPTH * ROUNDS <= 2^52 */

struct fma {
	double b[DEPTH][COLUMNS];
	double a[DEPTH][ROWS];
	double sum[ROWS][COLUMNS];
};

_Static_assert(sizeof(struct fma) <= CPU_MEM_BYTES, "mem is too small");

/* Two registers of columns at a time; the names are the row and the half of the sums. */
#define BLOCK(name, attribute, bytes)                                                \
	typedef double name##_reg __attribute__((vector_size(bytes), may_alias));    \
	attribute static void name##_block(struct fma *m, unsigned int column)       \
	{                                                                            \
		name##_reg s00 = {0}, s01 = s00, s10 = s00, s11 = s00, s20 = s00;    \
		name##_reg s21 = s00, s30 = s00, s31 = s00, s40 = s00, s41 = s00;    \
		name##_reg s50 = s00, s51 = s00;                                     \
                                                                                     \
		for (unsigned int k = 0; k < DEPTH * ROUNDS; k++) {                  \
			const double *a = m->a[k % DEPTH];                           \
			const name##_reg *b =                                        \
				(const name##_reg *)&m->b[k % DEPTH][column];        \
			name##_reg b0 = b[0], b1 = b[1];                             \
                                                                                     \
			s00 += a[0] * b0, s01 += a[0] * b1;                          \
			s10 += a[1] * b0, s11 += a[1] * b1;                          \
			s20 += a[2] * b0, s21 += a[2] * b1;                          \
			s30 += a[3] * b0, s31 += a[3] * b1;                          \
			s40 += a[4] * b0, s41 += a[4] * b1;                          \
			s50 += a[5] * b0, s51 += a[5] * b1;                          \
		}                                                                    \
		const name##_reg all[ROWS][2] = {{s00, s01}, {s10, s11}, {s20, s21}, \
			{s30, s31}, {s40, s41}, {s50, s51}};                         \
                                                                                     \
		for (unsigned int r = 0; r < ROWS; r++)                              \
			for (unsigned int h = 0; h < 2; h++)                         \
				((name##_reg *)&m->sum[r][column])[h] = all[r][h];   \
	}                                                                            \
	attribute static void name##_run(struct fma *m)                              \
	{                                                                            \
		for (unsigned int c = 0; c < COLUMNS; c += (bytes) / 4)              \
			name##_block(m, c);                                          \
	}

#if defined(__x86_64__)
BLOCK(avx512, __attribute__((target("avx512f"))), 64)
BLOCK(avx2, __attribute__((target("avx2,fma"))), 32)
#endif
BLOCK(portable, , 16)

static void run(struct fma *m)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512f")) {
		avx512_run(m);
		return;
	}
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		avx2_run(m);
		return;
	}
#endif
	portable_run(m);
}

static void load(struct fma *m)
{
	uint64_t state = 5;

	for (unsigned int k = 0; k < DEPTH; k++) {
		for (unsigned int c = 0; c < COLUMNS; c++)
			m->b[k][c] = (double)(stress_random(&state) >> 44);
		for (unsigned int r = 0; r < ROWS; r++)
			m->a[k][r] = (double)(stress_random(&state) >> 44);
	}
}

void cpu_fma(struct cpu_state *st, unsigned int i)
{
	struct fma *m = st->mem;

	if (i == 0)
		load(m);
	run(m);
	for (unsigned int r = 0; r < ROWS; r++)
		for (unsigned int c = 0; c < COLUMNS; c++)
			st->sum = st->sum * 3 + (uint64_t)m->sum[r][c];
}
