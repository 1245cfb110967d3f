/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsq: weighted linear least squares with a constant and up to 7 regressors:
 *
 *	y = coef[0] + coef[1] x[0] + coef[2] x[1] + ...
 *
 * Each column is shifted by its mean and divided by its spread, and the rows are rotated into a
 * triangular matrix one by one (QR decomposition with Givens rotations).  There are no normal
 * equations, so a regressor around 1e9 that varies by 1 loses 9 of its own digits and none of the
 * others'.  No memory is allocated.
 *
 * Weights are inverse variances up to a common factor: the residual variance s2 applies to a point of
 * weight 1.  Units are the caller's.
 *
 * Errors: -EINVAL for a value that is not finite, a negative weight or more than 7 regressors; -ENODATA
 * for fewer points of weight > 0 than coefficients; -EDOM for a regressor, named by `bad`, that is
 * constant or a linear combination of those before it.  An unknown result is an error, never NaN.
 *
 * The standard errors are valid for independent errors of y.  For successive readings see autocorr.h.
 */
#ifndef SM_LSQ_H
#define SM_LSQ_H

#include "base/base.h"

enum { SM_LSQ_COEFS = 8 };             /* the constant and the regressors */

struct sm_lsq_points {
	size_t n;
	unsigned int k;                /* number of regressors, without the constant */
	const double *x;               /* n rows of k */
	const double *y;               /* n */
	const double *w;               /* n weights; 0 leaves a point out; NULL: 1 each */
};

struct sm_lsq {
	unsigned int p;                /* coefficients: k + 1 */
	size_t used;                   /* points of weight > 0 */
	int bad;                       /* the regressor (0 is the first of x) that caused -EDOM, or -1 */
	bool combined;                 /* bad is a combination of those before it, not constant */
	double coef[SM_LSQ_COEFS];
	/* (X'WX)^-1; s2 times it is the covariance of the coefficients. */
	double unit[SM_LSQ_COEFS][SM_LSQ_COEFS];
	double rss, tss;               /* residual and total sum of squares, weighted */
	bool constant;                 /* y is constant to rounding */
};

int sm_lsq_solve(const struct sm_lsq_points *points, struct sm_lsq *l) SM_MUST;

/* Returns the fitted y for a row of k regressors. */
double sm_lsq_predict(const double coef[SM_LSQ_COEFS], const double *x, unsigned int k);
/* Returns the degrees of freedom, used - p. */
double sm_lsq_df(const struct sm_lsq *l);
/* Returns the residual variance rss / df; -ENODATA if there are as many coefficients as points. */
int sm_lsq_s2(const struct sm_lsq *l, double *s2) SM_MUST;
/* Returns the standard error of a coefficient; -ENODATA as above, -EINVAL if there is no coefficient i. */
int sm_lsq_se(const struct sm_lsq *l, unsigned int i, double *se) SM_MUST;
/* Returns the explained fraction of the variance of y, 0 to 1; -ENODATA if y is constant, so that there
 * is no variance to explain. */
int sm_lsq_r2(const struct sm_lsq *l, double *r2) SM_MUST;

#endif
