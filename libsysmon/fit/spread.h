/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spread: robust regression of readings whose spread depends on the first regressor.
 *
 * The absolute residuals are fitted as a line over that regressor, and the points have the weights
 * 1 / spread^2.  Three rounds are done, because the weights show better whether the line has a slope; unless
 * it exceeds 2.5 standard errors at the end, all weights are 1.  Where the line is below a tenth of the mean
 * spread, it is the rms of the residuals there.
 */
#ifndef SM_SPREAD_H
#define SM_SPREAD_H

#include "fit/robust.h"

/* Repeats the fit *r of points without weights.  points->w is set to `weight`, with mean 1 / weight 1, or to
 * NULL if the spread does not depend on the regressor; w is set as by sm_robust_fit().  Returns the
 * errors of sm_robust_fit(). */
int sm_spread_fit(struct sm_lsq_points *points, double *weight, double *w, struct sm_robust *r) SM_MUST;

#endif
