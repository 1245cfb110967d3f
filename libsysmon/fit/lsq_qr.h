/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsq_qr: the triangular matrix into which rows are rotated, and the frame (shifts and scales) in which
 * that is done.  Private to lsq and autocorr.
 *
 * A row has p + 1 values, all in the frame: of the constant, of the regressors and of y.  A caller that
 * whitens the rows (autocorr) does so between sm_lsq_frame_row() and sm_lsq_qr_add().
 */
#ifndef SM_LSQ_QR_H
#define SM_LSQ_QR_H

#include "fit/lsq.h"

struct sm_lsq_frame {
	unsigned int p;
	size_t used;
	double mean[SM_LSQ_COEFS];     /* [0] of y, [i] of regressor i - 1 */
	double scale[SM_LSQ_COEFS];    /* root mean square deviation from the mean */
	double largest[SM_LSQ_COEFS];  /* largest absolute value */
	double tss;                    /* total sum of squares of y */
	bool constant;                 /* y is constant to rounding */
};

struct sm_lsq_qr {
	unsigned int p;
	double r[SM_LSQ_COEFS + 1][SM_LSQ_COEFS + 1]; /* the last column belongs to y */
};

/* Computes the frame.  Errors are those of sm_lsq_solve(), but of the causes of -EDOM only constant
 * regressors are found here. */
int sm_lsq_frame(const struct sm_lsq_points *points, struct sm_lsq_frame *f, int *bad) SM_MUST;
/* Returns point i in the frame, without its weight. */
void sm_lsq_frame_row(const struct sm_lsq_frame *f, const struct sm_lsq_points *points, size_t i,
	double row[SM_LSQ_COEFS + 1]);
void sm_lsq_qr_add(struct sm_lsq_qr *q, double row[SM_LSQ_COEFS + 1]);
/* Returns the coefficients and (X'WX)^-1 in the caller's units, and the residual sum of squares.
 * -EDOM: the matrix is singular. */
int sm_lsq_qr_solve(const struct sm_lsq_qr *q, const struct sm_lsq_frame *f, double coef[SM_LSQ_COEFS],
	double unit[SM_LSQ_COEFS][SM_LSQ_COEFS], double *rss, int *bad) SM_MUST;

static inline double sm_lsq_weight(const struct sm_lsq_points *p, size_t i)
{
	return p->w ? p->w[i] : 1;
}

#endif
