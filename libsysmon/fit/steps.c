// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include "fit/steps.h"

/* Relative to the largest value: differences that are rounding errors, and the smallest
 * step. */
#define EQUAL	 1e-9
#define SMALLEST 1e-6
/* Further terms of the sum are less than 1 % of it. */
#define TERMS 100

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the greatest common divisor; 0 if it is less than `least`. */
static double divisor(double a, double b, double least)
{
	while (b > least) {
		double rest = fabs(remainder(a, b));

		a = b;
		b = rest;
	}
	/* The rest is an error of rounding, or neither is a multiple of a step. */
	return b < least / 10 && a > least ? a : 0;
}

/* Moves the values that occur more than once to the front; returns their number, and how
 * many values they stand for. */
static size_t repeated(double *v, size_t n, double equal, size_t *many)
{
	size_t kept = 0, end;

	*many = 0;
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && v[end] - v[i] <= equal;)
			end++;
		if (end - i < 2)
			continue;
		*many += end - i;
		v[kept++] = v[i];
	}
	return kept;
}

double sm_steps_find(double *v, size_t n)
{
	double largest = 0, step;
	size_t kept, many;

	if (n == 0)
		return 0;
	qsort(v, n, sizeof(*v), by_value);
	largest = fmax(fabs(v[0]), fabs(v[n - 1]));
	kept = repeated(v, n, EQUAL * largest, &many);
	if (kept < 2 || many < n - many)
		return 0;
	step = v[1] - v[0];
	for (size_t i = 2; i < kept && step > 0; i++)
		step = divisor(step, v[i] - v[i - 1], SMALLEST * largest);
	return step;
}

double sm_steps_variance(double step, double rms)
{
	double noise = fmax(rms * rms / (step * step) - 1 / 12.0, 0), sum = 0;

	for (int i = 1; i <= TERMS; i++) {
		double k2 = (double)i * i;

		sum += exp(-4 * M_PI * M_PI * k2 * noise) / (2 * M_PI * M_PI * k2);
	}
	return step * step * sum;
}
