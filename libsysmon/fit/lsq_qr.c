// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <float.h>
#include <math.h>

#include "fit/lsq_qr.h"

/* A regressor counts as a combination of the others if they explain all but this fraction
 * of it. */
#define COLLINEAR 1e-9

static bool fine_row(const struct sm_lsq_points *p, size_t i)
{
	const double *x = p->x + i * p->k;
	double w = sm_lsq_weight(p, i);

	if (!isfinite(p->y[i]) || !isfinite(w) || w < 0)
		return false;
	for (unsigned int j = 0; j < p->k; j++)
		if (!isfinite(x[j]))
			return false;
	return true;
}

/* Column 0 is y, j is regressor j - 1. */
static double cell(const struct sm_lsq_points *p, size_t i, unsigned int j)
{
	return j ? p->x[i * p->k + j - 1] : p->y[i];
}

/* Computes mean and spread of a column in two passes; the second corrects the rounding
 * error of the first.  Returns false for a column that is constant to the rounding of its
 * values. */
static bool measure(const struct sm_lsq_points *p, struct sm_lsq_frame *f, unsigned int j,
	double sum_w)
{
	double mean = 0, rest = 0, squares = 0, largest = 0;

	for (size_t i = 0; i < p->n; i++)
		mean += sm_lsq_weight(p, i) / sum_w * cell(p, i, j);
	for (size_t i = 0; i < p->n; i++) {
		double w = sm_lsq_weight(p, i), d = cell(p, i, j) - mean;

		rest += w * d;
		squares += w * d * d;
		if (w > 0)
			largest = fmax(largest, fabs(cell(p, i, j)));
	}
	squares = fmax(squares - rest * rest / sum_w, 0);
	f->mean[j] = mean + rest / sum_w;
	f->largest[j] = largest;
	f->scale[j] = sqrt(squares / sum_w);
	if (j == 0)
		f->tss = squares;
	return f->scale[j] > 4 * DBL_EPSILON * largest;
}

int sm_lsq_frame(const struct sm_lsq_points *p, struct sm_lsq_frame *f, int *bad)
{
	double sum_w = 0;

	*f = (struct sm_lsq_frame){.p = p->k + 1};
	*bad = -1;
	if (p->k >= SM_LSQ_COEFS)
		return -EINVAL;
	for (size_t i = 0; i < p->n; i++) {
		if (!fine_row(p, i))
			return -EINVAL;
		sum_w += sm_lsq_weight(p, i);
		f->used += sm_lsq_weight(p, i) > 0;
	}
	if (f->used < f->p)
		return -ENODATA;
	f->constant = !measure(p, f, 0, sum_w);
	if (f->constant)
		f->scale[0] = fmax(f->largest[0], DBL_MIN);
	for (unsigned int j = 1; j < f->p; j++)
		if (!measure(p, f, j, sum_w)) {
			*bad = (int)j - 1;
			return -EDOM;
		}
	return 0;
}

void sm_lsq_frame_row(const struct sm_lsq_frame *f, const struct sm_lsq_points *p,
	size_t i, double row[SM_LSQ_COEFS + 1])
{
	row[0] = 1;
	for (unsigned int j = 1; j < f->p; j++)
		row[j] = (cell(p, i, j) - f->mean[j]) / f->scale[j];
	row[f->p] = f->constant ? 0 : (p->y[i] - f->mean[0]) / f->scale[0];
}

void sm_lsq_qr_add(struct sm_lsq_qr *q, double row[SM_LSQ_COEFS + 1])
{
	for (unsigned int i = 0; i <= q->p; i++) {
		double *r = q->r[i], length = hypot(r[i], row[i]), c, s;

		if (row[i] == 0)
			continue;
		c = r[i] / length;
		s = row[i] / length;
		for (unsigned int j = i; j <= q->p; j++) {
			double old = r[j];

			r[j] = c * old + s * row[j];
			row[j] = c * row[j] - s * old;
		}
	}
}

/* Returns the column that differs from a combination of earlier columns only by rounding;
 * -1: none. */
static int singular(const struct sm_lsq_qr *q, const struct sm_lsq_frame *f)
{
	for (unsigned int j = 0; j < q->p; j++) {
		double norm = 0, limit = COLLINEAR;

		for (unsigned int i = 0; i <= j; i++)
			norm = hypot(norm, q->r[i][j]);
		if (j > 0)
			limit += 8 * DBL_EPSILON * f->largest[j] / f->scale[j];
		if (!(fabs(q->r[j][j]) > limit * norm))
			return (int)j;
	}
	return -1;
}

/* Computes T R^-1, whose row i is the coefficient i in the caller's units: T scales, and
 * removes the shifts from the constant. */
static void inverse(const struct sm_lsq_qr *q, const struct sm_lsq_frame *f,
	double m[SM_LSQ_COEFS][SM_LSQ_COEFS])
{
	for (unsigned int c = 0; c < q->p; c++)
		for (unsigned int i = q->p; i-- > 0;) {
			double sum = i == c;

			for (unsigned int j = i + 1; j <= c; j++)
				sum -= q->r[i][j] * m[j][c];
			m[i][c] = i > c ? 0 : sum / q->r[i][i];
		}
	for (unsigned int i = 1; i < q->p; i++)
		for (unsigned int c = 0; c < q->p; c++) {
			m[i][c] /= f->scale[i];
			m[0][c] -= f->mean[i] * m[i][c];
		}
}

int sm_lsq_qr_solve(const struct sm_lsq_qr *q, const struct sm_lsq_frame *f,
	double coef[SM_LSQ_COEFS], double unit[SM_LSQ_COEFS][SM_LSQ_COEFS], double *rss,
	int *bad)
{
	double m[SM_LSQ_COEFS][SM_LSQ_COEFS] = {{0}};
	int column = singular(q, f);

	*bad = column > 0 ? column - 1 : -1;
	if (column >= 0)
		return -EDOM;
	inverse(q, f, m);
	for (unsigned int i = 0; i < q->p; i++) {
		coef[i] = i == 0 ? f->mean[0] : 0;
		for (unsigned int c = 0; c < q->p; c++)
			coef[i] += m[i][c] * q->r[c][q->p] * f->scale[0];
		for (unsigned int j = 0; j < q->p; j++) {
			unit[i][j] = 0;
			for (unsigned int c = 0; c < q->p; c++)
				unit[i][j] += m[i][c] * m[j][c];
		}
	}
	*rss = q->r[q->p][q->p] * q->r[q->p][q->p] * f->scale[0] * f->scale[0];
	return 0;
}
