/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsq_qr: a triangle that rows are rotated into, and the frame of shifts and scales in which that
 * is done.  Private to lsq and serial.
 *
 * A row has p + 1 values: of the constant, of the regressors and of y, all in the frame.  A caller that
 * whitens the rows (serial) does so between sm_lsq_frame_row() and sm_lsq_qr_add().
 */
#ifndef SM_LSQ_QR_H
#define SM_LSQ_QR_H

#include "base/lsq.h"

struct sm_lsq_frame {
	unsigned int p;
	size_t used;
	double mean[SM_LSQ_COEFS];     /* [0] of y, [i] of regressor i - 1 */
	double scale[SM_LSQ_COEFS];    /* root mean square about the mean */
	double largest[SM_LSQ_COEFS];  /* absolute value */
	double tss;                    /* of y */
	bool constant;                 /* y */
};

struct sm_lsq_qr {
	unsigned int p;
	double r[SM_LSQ_COEFS + 1][SM_LSQ_COEFS + 1]; /* the last column is of y */
};

/* Errors as of sm_lsq_solve(), but for -EDOM: only constant regressors are found here. */
int sm_lsq_frame(const struct sm_lsq_points *points, struct sm_lsq_frame *f, int *bad) SM_MUST;
/* Point i in the frame, not weighted. */
void sm_lsq_frame_row(const struct sm_lsq_frame *f, const struct sm_lsq_points *points, size_t i,
	double row[SM_LSQ_COEFS + 1]);
void sm_lsq_qr_add(struct sm_lsq_qr *q, double row[SM_LSQ_COEFS + 1]);
/* Coefficients and (X'WX)^-1 in the caller's units, and the residual sum of squares; -EDOM: singular. */
int sm_lsq_qr_solve(const struct sm_lsq_qr *q, const struct sm_lsq_frame *f, double coef[SM_LSQ_COEFS],
	double unit[SM_LSQ_COEFS][SM_LSQ_COEFS], double *rss, int *bad) SM_MUST;

static inline double sm_lsq_weight(const struct sm_lsq_points *p, size_t i)
{
	return p->w ? p->w[i] : 1;
}

#endif
