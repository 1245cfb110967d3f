/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * robust: least squares that is insensitive to a few outliers.
 *
 * The first step is Huber's M-estimate (1964) by iteratively reweighted least squares: a point within
 * 1.345 scales of the fit has its full weight, any other point scale / residual of it.  In the second
 * step, points further off than 6 times the median absolute residual (4 standard deviations of normal
 * errors) are rejected, and the remaining points are fitted with their own weights.  This is repeated
 * until two successive fits reject the same points; the last fit is returned.  With the factor 6, the
 * fit of undisturbed normal errors keeps all but 1 of 20,000 points.
 *
 * The scale is the median absolute residual times 1.4826 (the standard deviation, if errors are
 * normal), with n / (n - p) for the p coefficients.  If more than half of the points are fitted
 * exactly, the scale is the root mean square of the other residuals, so that a meter with coarse steps
 * is not mistaken for one with outliers.  An outlier must also be large: no point within 2 % of the
 * median |y| of the fit is rejected.  Without that rule, on a machine that is busy nearly all the time,
 * most readings have exactly the same power, and the few others, which alone show the power of a busy
 * CPU, would be far off on the scale of the first ones.
 *
 * At most a quarter of the points are rejected.  If more would have to be, the model is wrong rather
 * than the points: `misfit` is set, and all points are kept.
 *
 * Errors are those of lsq.h, and -ENOMEM.
 */
#ifndef SM_ROBUST_H
#define SM_ROBUST_H

#include "fit/lsq.h"

struct sm_robust {
	struct sm_lsq fit;             /* fit of the points that were kept */
	size_t used, rejected;
	double scale;                  /* scale of the residuals, in units of y */
	bool misfit;                   /* over a quarter would have been rejected */
};

/* Sets w[i] of each point to its own weight, or to 0 if it was rejected.  Other fits of these points
 * should use the weights w. */
int sm_robust_fit(const struct sm_lsq_points *points, double *w, struct sm_robust *r) SM_MUST;

/* Returns the median of n values, which are reordered; 0 if n is 0. */
double sm_robust_median(double *v, size_t n);

#endif
