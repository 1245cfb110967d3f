/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tdist: the distributions of Student's t and of F, for intervals and tests of a regression.
 *
 * All is computed from the regularised incomplete beta function, by its continued fraction
 * (Lentz 1976); relative errors are below 1e-10 for degrees of freedom from 0.5 to 1e7.  Degrees of
 * freedom need not be whole numbers; above 1e7 they are taken as 1e7, where t is the normal
 * distribution to 7 digits.  Arguments outside of a function's domain, NaN included, give NAN.
 */
#ifndef SM_TDIST_H
#define SM_TDIST_H

#include "base/base.h"

/* I_x(a, b) for a, b > 0 and x from 0 to 1. */
double sm_tdist_beta(double a, double b, double x);

/* P(T <= t). */
double sm_tdist_cdf(double t, double df);
/* P(|T| >= |t|): the p-value of the hypothesis that what t was computed of is 0. */
double sm_tdist_p(double t, double df);
/* The t with P(T <= t) = p, 0 < p < 1.  sm_tdist_quantile(0.975, 10) is 2.228: half of a 95 %
 * interval is 2.228 standard errors. */
double sm_tdist_quantile(double p, double df);

/* P(F >= f) with df1 and df2 degrees of freedom. */
double sm_tdist_f_p(double f, double df1, double df2);

#endif
