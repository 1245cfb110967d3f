// SPDX-License-Identifier: GPL-2.0-or-later
#include "matrix.h"

/* Adds up four sums, which do not wait for one another. */
double matrix_sum(const float *row, size_t n)
{
	double s[4] = {0}, weight = 1;
	size_t whole = n & ~(size_t)3;

	for (size_t j = 0; j < whole; j += 4) {
		s[0] += weight * (double)row[j];
		s[1] += (weight + 1) * (double)row[j + 1];
		s[2] += (weight + 2) * (double)row[j + 2];
		s[3] += (weight + 3) * (double)row[j + 3];
		weight += 4;
	}
	for (size_t j = whole; j < n; j++) {
		s[0] += weight * (double)row[j];
		weight += 1;
	}
	return (s[0] + s[1]) + (s[2] + s[3]);
}

static int input(struct stress *s, const struct matrix *m, const char *name,
	const float *row, double expected, size_t i)
{
	double sum = matrix_sum(row, m->n);

	if (sum == expected)
		return 0;
	return stress_fail(s,
		"matrix %s was changed in row %zu: its sum is %.17g, not %.17g", name, i,
		sum, expected);
}

static const char *name(const struct stress *s, enum matrix_method how)
{
	return s->stressor->metrics[how].name;
}

/* Row i of the product, times the weights, is row i of a times the sums of the rows of
 * the right matrix. */
static int product(struct stress *s, const struct matrix *m, enum matrix_method how,
	const double *right_sum, size_t i)
{
	const float *a = matrix_row(m, m->a, i);
	double sum = matrix_sum(matrix_row(m, m->r, i), m->n), expected = 0;

	for (size_t k = 0; k < m->n; k++)
		expected += (double)a[k] * right_sum[k];
	if (sum == expected)
		return 0;
	return stress_fail(s, "%s: the sum of row %zu is %.17g, not %.17g", name(s, how),
		i, sum, expected);
}

static int wrong(struct stress *s, enum matrix_method how, size_t i, size_t j,
	float value, float expected)
{
	return stress_fail(s, "%s: element %zu,%zu is %.9g, not %.9g", name(s, how), i, j,
		(double)value, (double)expected);
}

static int elements(
	struct stress *s, const struct matrix *m, enum matrix_method how, size_t i)
{
	const float *a = matrix_row(m, m->a, i), *b = matrix_row(m, m->b, i);
	const float *r = matrix_row(m, m->r, i);

	for (size_t j = 0; j < m->n; j++) {
		float expected = matrix_element(how, a[j], b[j], i == j);

		if (r[j] != expected)
			return wrong(s, how, i, j, r[j], expected);
	}
	return 0;
}

static int transposed(struct stress *s, const struct matrix *m, size_t i)
{
	const float *r = matrix_row(m, m->r, i), *a = m->a + i;

	for (size_t j = 0; j < m->n; j++)
		if (r[j] != a[j * m->stride])
			return wrong(s, MATRIX_TRANS, i, j, r[j], a[j * m->stride]);
	return 0;
}

static int result(
	struct stress *s, const struct matrix *m, enum matrix_method how, size_t i)
{
	switch (how) {
	case MATRIX_FROBENIUS:
		return m->frobenius == m->frobenius_expected
			       ? 0
			       : stress_fail(s,
					 "frobenius: the product is %.17g, not %.17g",
					 m->frobenius, m->frobenius_expected);
	case MATRIX_PROD:
		return product(s, m, how, m->sum_b, i);
	case MATRIX_SQUARE:
		return product(s, m, how, m->sum_a, i);
	case MATRIX_TRANS:
		return transposed(s, m, i);
	case MATRIX_METHODS:
		return 0;
	default:
		return elements(s, m, how, i);
	}
}

int matrix_check(
	struct stress *s, const struct matrix *m, enum matrix_method how, size_t i)
{
	int r = input(s, m, "a", matrix_row(m, m->a, i), m->sum_a[i], i);

	if (r == 0)
		r = input(s, m, "b", matrix_row(m, m->b, i), m->sum_b[i], i);
	return r ? r : result(s, m, how, i);
}
