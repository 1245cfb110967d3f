/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * robust: least squares that a few wrong points do not move.
 *
 * First Huber's M-estimate (1964) by iteratively reweighted least squares: a point within 1.345 scales
 * of the fit has its full weight, another one scale / residual of it.  Then points further off than 6
 * times the median absolute residual (4 standard deviations of normal errors) are rejected, and the
 * rest is fitted with its own weights, which is what is returned: until the same points are rejected
 * twice.  With 6 the fit of undisturbed normal errors keeps all but 1 of 20,000 points.
 *
 * The scale is the median absolute residual times 1.4826 (the standard deviation, if errors are
 * normal), with n / (n - p) for the p coefficients.  If more than half of the points are met exactly,
 * it is the root mean square of the others, so that a meter with coarse steps is not mistaken for one
 * with outliers.  And an outlier is not only improbable but large: no point within 2 % of the median
 * |y| of the fit is rejected.  Without that rule, on a machine that is busy nearly all the time, most
 * readings are of one power exactly, and the few others, which alone tell what a busy CPU takes, are
 * far off by the scale of the first.
 *
 * More than a quarter of the points is never rejected: then it is not the points that are wrong but
 * the model, `misfit` is set and all points are kept.
 *
 * Errors are those of lsq.h, and -ENOMEM.
 */
#ifndef SM_ROBUST_H
#define SM_ROBUST_H

#include "base/lsq.h"

struct sm_robust {
	struct sm_lsq fit;             /* of the points that were kept */
	size_t used, rejected;
	double scale;                  /* of the residuals, in units of y */
	bool misfit;                   /* over a quarter would have been rejected */
};

/* Sets w[i] of each point to its own weight, or to 0 if it was rejected: `points` with these weights
 * is what other fits of the same points should use. */
int sm_robust_fit(const struct sm_lsq_points *points, double *w, struct sm_robust *r) SM_MUST;

/* The median of n values, which are reordered; 0 for none. */
double sm_robust_median(double *v, size_t n);

#endif
