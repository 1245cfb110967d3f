// SPDX-License-Identifier: GPL-2.0-or-later
#include "matrix.h"

/* Works column by column, on purpose: each step goes to another row, at the distance of a
 * row's length. */

#define INLINE static inline __attribute__((always_inline))

/* `how` is a constant where this is called, so that nothing is decided in the loop. */
INLINE void elements(const struct matrix *m, enum matrix_method how, size_t j)
{
	const float *a = m->a + j, *b = m->b + j;
	float *r = m->r + j;

	for (size_t i = 0; i < m->n; i++, a += m->stride, b += m->stride, r += m->stride)
		*r = matrix_element(how, *a, *b, i == j);
}

static void transpose_column(const struct matrix *m, size_t j)
{
	const float *a = matrix_row(m, m->a, j);
	float *r = m->r + j;

	for (size_t i = 0; i < m->n; i++)
		r[i * m->stride] = a[i];
}

static void column(const struct matrix *m, enum matrix_method how, size_t j)
{
	switch (how) {
	case MATRIX_ADD:
		elements(m, MATRIX_ADD, j);
		break;
	case MATRIX_COPY:
		elements(m, MATRIX_COPY, j);
		break;
	case MATRIX_DIV:
		elements(m, MATRIX_DIV, j);
		break;
	case MATRIX_HADAMARD:
		elements(m, MATRIX_HADAMARD, j);
		break;
	case MATRIX_IDENTITY:
		elements(m, MATRIX_IDENTITY, j);
		break;
	case MATRIX_MEAN:
		elements(m, MATRIX_MEAN, j);
		break;
	case MATRIX_MULT:
		elements(m, MATRIX_MULT, j);
		break;
	case MATRIX_NEGATE:
		elements(m, MATRIX_NEGATE, j);
		break;
	case MATRIX_SUB:
		elements(m, MATRIX_SUB, j);
		break;
	case MATRIX_TRANS:
		transpose_column(m, j);
		break;
	default:
		elements(m, MATRIX_ZERO, j);
	}
}

static bool each_column(const struct matrix *m, enum matrix_method how)
{
	for (size_t j = 0; j < m->n; j++) {
		if (stress_stopped(m->s))
			return false;
		column(m, how, j);
	}
	return true;
}

static bool frobenius(struct matrix *m)
{
	double sum = 0;

	for (size_t j = 0; j < m->n; j++) {
		const float *a = m->a + j, *b = m->b + j;
		float part = 0;

		if (stress_stopped(m->s))
			return false;
		for (size_t i = 0; i < m->n; i++)
			part += a[i * m->stride] * b[i * m->stride];
		sum += (double)part;
	}
	m->frobenius = sum;
	return true;
}

static float dot(const struct matrix *m, const float *row, const float *column_of)
{
	float sum = 0;

	for (size_t k = 0; k < m->n; k++)
		sum += row[k] * column_of[k * m->stride];
	return sum;
}

static bool product(const struct matrix *m, float *left, const float *right)
{
	for (size_t j = 0; j < m->n; j++)
		for (size_t i = 0; i < m->n; i++) {
			if (stress_stopped(m->s))
				return false;
			matrix_row(m, m->r, i)[j] =
				dot(m, matrix_row(m, left, i), right + j);
		}
	return true;
}

bool matrix_by_columns(struct matrix *m, enum matrix_method how)
{
	switch (how) {
	case MATRIX_FROBENIUS:
		return frobenius(m);
	case MATRIX_PROD:
		return product(m, m->a, m->b);
	case MATRIX_SQUARE:
		return product(m, m->a, m->a);
	default:
		return each_column(m, how);
	}
}
