/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * autocorr: least squares for successive readings, whose errors are correlated, with confidence intervals
 * that remain valid.
 *
 * Power readings taken one second apart are correlated beyond what the regressors explain: because of
 * heat, a fan, or a service that runs for some seconds.  If, in addition, a load level lasts for many
 * readings, the usual standard error counts ten readings of one block as ten independent ones, and a
 * "95 %" interval contains the true value in 60 % of cases.
 *
 * Model: The error is white noise plus either an autocorrelated part, with correlation exp(-distance /
 * tau) between two times, or a part that is constant within a block (a test: one level without
 * interruption) and independent between blocks.  share is the second part's fraction of the variance.
 * tau and share are unknown and cannot be estimated well from a minute of readings, so no single pair
 * is chosen.  Generalised least squares is done for each pair of a grid (tau from half of the usual
 * distance between readings to the whole run, share from 0 to 0.95), and the results are averaged,
 * weighted by the (restricted) likelihood of each pair.  The probability distribution of a coefficient
 * is the resulting mixture of t distributions; its interval extends from the 2.5 % to the 97.5 %
 * quantile.  With white noise, the interval is hardly wider than the usual one.
 *
 * The fit of a pair is a Kalman filter over the readings.  Gaps (between tests, or from rejected
 * readings) therefore cost nothing and need not be regular; time and memory are linear in the number of
 * readings.
 *
 * Units are the caller's.  Times may have any unit and must not decrease.  Errors are those of lsq.h;
 * also -EINVAL for decreasing times, and -ENODATA unless there are more points than coefficients.
 */
#ifndef SM_AUTOCORR_H
#define SM_AUTOCORR_H

#include "fit/lsq.h"

enum { SM_AUTOCORR_PAIRS = 96 };

struct sm_autocorr_pair {
	double probability;            /* the sum over all pairs is 1 */
	double tau, share;             /* tau infinite: constant within a block; share 0: white noise */
	double coef[SM_LSQ_COEFS];
	double cov[SM_LSQ_COEFS][SM_LSQ_COEFS];
};

struct sm_autocorr {                     /* 60 KB: not for a small stack */
	unsigned int p, npairs;
	size_t used;
	int bad;                       /* as in struct sm_lsq */
	double df;
	double coef[SM_LSQ_COEFS];     /* means of the mixture */
	/* Means over the mixture, for a report of the correlation of the errors: of tau (over the pairs
	 * that have one), of share, and the part of share that is constant within a block. */
	double tau, share, blocks;
	/* Covariance of further errors of the coefficients, added to the cov of each pair: 0, unless the
	 * caller sets it. */
	double extra[SM_LSQ_COEFS][SM_LSQ_COEFS];
	struct sm_autocorr_pair pair[SM_AUTOCORR_PAIRS];
};

struct sm_autocorr_times {
	const double *t;               /* time of each point */
	const unsigned int *block;     /* the test that each point belongs to; NULL: no blocks */
};

int sm_autocorr_fit(const struct sm_lsq_points *points, const struct sm_autocorr_times *at,
	struct sm_autocorr *s) SM_MUST;

/* Estimate of a linear combination of coefficients, factor[0] coef[0] + ...: with a unit vector one
 * coefficient, with {1, x...} the fitted line at x (for its confidence band). */
struct sm_autocorr_estimate {
	double value, se;              /* mean and standard error */
	double low, high;              /* bounds of the interval */
	double p;                      /* two-sided p-value of the hypothesis that the value is 0 */
};

/* confidence: 0.95 for a 95 % interval.  -EINVAL unless it is between 0 and 1. */
int sm_autocorr_estimate(const struct sm_autocorr *s, const double factor[SM_LSQ_COEFS],
	double confidence, struct sm_autocorr_estimate *e) SM_MUST;
/* The estimate of coefficient i alone. */
int sm_autocorr_coef(const struct sm_autocorr *s, unsigned int i, double confidence,
	struct sm_autocorr_estimate *e) SM_MUST;

#endif
