/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix: the work of the stressor matrix, on three square matrices of floats: r = f(a, b).
 *
 * The elements of a and b are whole numbers from 1 to 31 or -31 to -1.  Therefore all sums and products that
 * occur are exact up to the size 8192 (31 * 31 * 8192 < 2^24), in any order, fused or not; a quotient is
 * rounded once, as IEEE 754 requires.  All results are thus equal, bit for bit, to values that are computed
 * in another way (check.c).
 *
 * Rows have `stride` elements, a multiple of MATRIX_ROUND.  The elements beyond n are 1 in b, 0 in a, and
 * arbitrary in r, and are not part of any result.  Each matrix has `stride` rows.
 *
 * The work is divided into units of less than 1 ms; stress_stopped() is called before each.
 */
#ifndef STRESSORS_MATRIX_MATRIX_H
#define STRESSORS_MATRIX_MATRIX_H

#include "run/stress.h"

#define MATRIX_ROUND 32u
#define MATRIX_DEPTH 256u  /* rows of a panel */
#define MATRIX_SCALAR 2.5f /* factor of the method mult */

enum matrix_method {
	MATRIX_ADD,
	MATRIX_COPY,
	MATRIX_DIV,
	MATRIX_FROBENIUS,
	MATRIX_HADAMARD,
	MATRIX_IDENTITY,
	MATRIX_MEAN,
	MATRIX_MULT,
	MATRIX_NEGATE,
	MATRIX_PROD,
	MATRIX_SUB,
	MATRIX_SQUARE,
	MATRIX_TRANS,
	MATRIX_ZERO,
	MATRIX_METHODS,
};

struct matrix {
	float *a, *b, *r;
	size_t n, stride;
	const struct stress *s;
	const struct matrix_code *code;
	double frobenius;         /* result of that method: the sum of a[i][j] * b[i][j] */
	double frobenius_expected;
	double *sum_a, *sum_b;    /* sums of the rows, as matrix_sum() computed them at the beginning */
	float *panel;             /* a copy of up to MATRIX_DEPTH rows of code->columns elements */
};

/* Code for registers of one width. */
struct matrix_code {
	const char *name;
	bool (*has)(void);        /* can this CPU execute it? */
	size_t columns;           /* columns of a tile; divides MATRIX_ROUND */
	/* Row i of a method that works element by element. */
	void (*row)(const struct matrix *m, enum matrix_method how, size_t i);
	/* The sum of the products of two rows. */
	float (*dot)(const float *x, const float *y, size_t n);
	/* r += a * panel, or r = a * panel: 4 rows of r; a has 4 rows of depth elements, panel depth rows. */
	void (*tile)(const struct matrix *m, const float *a, size_t depth, float *r, bool first);
};

static inline float *matrix_row(const struct matrix *m, float *base, size_t i)
{
	return base + i * m->stride;
}

/* The element at row i, column j of the results of the methods that work element by element. */
static inline float matrix_element(enum matrix_method how, float x, float y, bool diagonal)
{
	switch (how) {
	case MATRIX_ADD:
		return x + y;
	case MATRIX_COPY:
		return x;
	case MATRIX_DIV:
		return x / y;
	case MATRIX_HADAMARD:
		return x * y;
	case MATRIX_IDENTITY:
		return diagonal ? 1.0f : 0.0f;
	case MATRIX_MEAN:
		return (x + y) / 2.0f;
	case MATRIX_MULT:
		return x * MATRIX_SCALAR;
	case MATRIX_NEGATE:
		return -x;
	case MATRIX_SUB:
		return x - y;
	default:
		return 0.0f;
	}
}

/* Returns the code for the widest registers of this CPU (vectors.c). */
const struct matrix_code *matrix_code(void);
extern const struct matrix_code matrix_codes[]; /* the widest first; any CPU can execute the last one */

/* Each executes a method once, row by row or column by column; false: the run ended before. */
bool matrix_by_rows(struct matrix *m, enum matrix_method how);
bool matrix_by_columns(struct matrix *m, enum matrix_method how);

/* Returns the sum of (j + 1) * row[j], which is exact, and differs if any element does. */
double matrix_sum(const float *row, size_t n);
/* Compares row i of a and b with their sums, and row i of the result of a method with one that is computed in
 * another way; how MATRIX_METHODS: without a result.  Returns 0, or the value of stress_fail(). */
int matrix_check(struct stress *s, const struct matrix *m, enum matrix_method how, size_t i);

#endif
