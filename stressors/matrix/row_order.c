// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "matrix.h"

#define BLOCK \
	16u /* rows and columns that are transposed at a time: a cache line of floats */
#define TILE 4u /* rows of a tile of the product */

/* ---- methods that work element by element ---- */

static bool each_row(const struct matrix *m, enum matrix_method how)
{
	for (size_t i = 0; i < m->n; i++) {
		if (stress_stopped(m->s))
			return false;
		m->code->row(m, how, i);
	}
	return true;
}

static bool frobenius(struct matrix *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (stress_stopped(m->s))
			return false;
		sum += (double)m->code->dot(
			matrix_row(m, m->a, i), matrix_row(m, m->b, i), m->n);
	}
	m->frobenius = sum;
	return true;
}

/* ---- the transposed matrix ---- */

static void transpose_block(const struct matrix *m, size_t i, size_t j)
{
	const float *a = matrix_row(m, m->a, j) + i;
	float *r = matrix_row(m, m->r, i) + j;

	for (size_t y = 0; y < BLOCK; y++)
		for (size_t x = 0; x < BLOCK; x++)
			r[y * m->stride + x] = a[x * m->stride + y];
}

static bool transpose(const struct matrix *m)
{
	for (size_t i = 0; i < m->n; i += BLOCK) {
		if (stress_stopped(m->s))
			return false;
		for (size_t j = 0; j < m->n; j += BLOCK)
			transpose_block(m, i, j);
	}
	return true;
}

/* ---- the product ---- */

/*
 * A panel of the right matrix, narrow and at most MATRIX_DEPTH rows long, is copied to
 * where it lies in one piece and fits into the first level cache.  Then it is multiplied
 * by all rows of the left one, four at a time.
 */
static void copy_panel(
	const struct matrix *m, const float *right, size_t k, size_t j, size_t depth)
{
	size_t columns = m->code->columns;

	for (size_t i = 0; i < depth; i++)
		memcpy(m->panel + i * columns, right + (k + i) * m->stride + j,
			columns * sizeof(float));
}

static bool panel_product(
	const struct matrix *m, float *left, size_t k, size_t j, size_t depth)
{
	for (size_t i = 0; i < m->n; i += TILE) {
		if (stress_stopped(m->s))
			return false;
		m->code->tile(m, matrix_row(m, left, i) + k, depth,
			matrix_row(m, m->r, i) + j, k == 0);
	}
	return true;
}

static bool product(const struct matrix *m, float *left, const float *right)
{
	for (size_t k = 0; k < m->n; k += MATRIX_DEPTH) {
		size_t depth = m->n - k < MATRIX_DEPTH ? m->n - k : MATRIX_DEPTH;

		for (size_t j = 0; j < m->n; j += m->code->columns) {
			copy_panel(m, right, k, j, depth);
			if (!panel_product(m, left, k, j, depth))
				return false;
		}
	}
	return true;
}

bool matrix_by_rows(struct matrix *m, enum matrix_method how)
{
	switch (how) {
	case MATRIX_FROBENIUS:
		return frobenius(m);
	case MATRIX_PROD:
		return product(m, m->a, m->b);
	case MATRIX_SQUARE:
		return product(m, m->a, m->a);
	case MATRIX_TRANS:
		return transpose(m);
	default:
		return each_row(m, how);
	}
}
