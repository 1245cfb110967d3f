/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tdist: Student's t distribution, for intervals and tests of a regression.
 *
 * All functions use the regularised incomplete beta function, computed with its continued fraction
 * (Lentz 1976).  Relative errors are below 1e-10 for degrees of freedom from 0.5 to 1e7.  Degrees of
 * freedom need not be whole numbers; values above 1e7 are treated as 1e7, where t equals the normal
 * distribution to 7 digits.  Arguments outside a function's domain, including NaN, return NAN.
 */
#ifndef SM_TDIST_H
#define SM_TDIST_H

#include "base/base.h"

/* P(T <= t). */
double sm_tdist_cdf(double t, double df);
/* P(|T| >= |t|): the p-value of the hypothesis that the estimate with this t is 0. */
double sm_tdist_p(double t, double df);
/* Returns the t with P(T <= t) = p, 0 < p < 1.  sm_tdist_quantile(0.975, 10) is 2.228: half the width
 * of a 95 % interval is 2.228 standard errors. */
double sm_tdist_quantile(double p, double df);

#endif
