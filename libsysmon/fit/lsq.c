// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "fit/lsq_qr.h"

static void add_points(struct sm_lsq_qr *q, const struct sm_lsq_frame *f,
	const struct sm_lsq_points *points)
{
	double row[SM_LSQ_COEFS + 1];

	for (size_t i = 0; i < points->n; i++) {
		double root = sqrt(sm_lsq_weight(points, i));

		if (root == 0)
			continue;
		sm_lsq_frame_row(f, points, i, row);
		for (unsigned int j = 0; j <= f->p; j++)
			row[j] *= root;
		sm_lsq_qr_add(q, row);
	}
}

int sm_lsq_solve(const struct sm_lsq_points *points, struct sm_lsq *l)
{
	struct sm_lsq_frame f;
	struct sm_lsq_qr q = {.p = points->k + 1};
	int err;

	*l = (struct sm_lsq){.p = points->k + 1};
	err = sm_lsq_frame(points, &f, &l->bad);
	if (err < 0)
		return err;
	add_points(&q, &f, points);
	l->used = f.used;
	l->constant = f.constant;
	l->tss = f.constant ? 0 : f.tss;
	err = sm_lsq_qr_solve(&q, &f, l->coef, l->unit, &l->rss, &l->bad);
	l->combined = err == -EDOM;
	return err;
}

double sm_lsq_predict(const double coef[SM_LSQ_COEFS], const double *x, unsigned int k)
{
	double y = coef[0];

	for (unsigned int j = 0; j < k; j++)
		y += coef[j + 1] * x[j];
	return y;
}

double sm_lsq_df(const struct sm_lsq *l)
{
	return (double)l->used - l->p;
}

int sm_lsq_s2(const struct sm_lsq *l, double *s2)
{
	if (!(sm_lsq_df(l) > 0))
		return -ENODATA;
	*s2 = l->rss / sm_lsq_df(l);
	return 0;
}

int sm_lsq_se(const struct sm_lsq *l, unsigned int i, double *se)
{
	double s2;

	if (i >= l->p)
		return -EINVAL;
	if (sm_lsq_s2(l, &s2) < 0)
		return -ENODATA;
	*se = sqrt(s2 * l->unit[i][i]);
	return 0;
}

int sm_lsq_r2(const struct sm_lsq *l, double *r2)
{
	if (l->constant || !(l->tss > 0))
		return -ENODATA;
	*r2 = fmax(1 - l->rss / l->tss, 0);
	return 0;
}
