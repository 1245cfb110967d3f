/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serial: least squares for readings in a row, whose errors are not independent, with intervals that
 * are true all the same.
 *
 * Power readings a second apart are alike beyond what the regressors explain: heat, a fan, a service
 * that works for some seconds.  Where in addition a load level lasts for many readings, the usual
 * standard error takes ten readings of one block for ten pieces of evidence, and an interval of "95 %"
 * contains the truth in 60 % of cases.
 *
 * Model: error = white noise + a part that fades, with a correlation of exp(-distance / tau) between
 * two times, or one that is common to a block (a test: the same level without interruption) and
 * independent of other blocks.  share is the fraction of the variance of the second part.  Both are
 * unknown, and with a minute of readings not well known; so neither is chosen: generalised least
 * squares is done for each pair of a grid (tau from half of the usual distance of readings to the
 * whole run, share 0 to 0.95), and the results are averaged with the (restricted) likelihood of the
 * pair as their weight.  The probability distribution of a coefficient is that mixture of t
 * distributions, and its interval goes from the 2.5 % to the 97.5 % quantile.  With white noise it is
 * hardly wider than the usual one.
 *
 * The fit of a pair is a Kalman filter along the readings, so gaps (tests apart, rejected readings)
 * cost nothing and need not be regular; time and memory are linear in the readings.
 *
 * Units: of the caller; times in any unit, increasing.  Errors as in lsq.h, and -EINVAL for times that
 * decrease, -ENODATA if there is not at least one point more than coefficients.
 */
#ifndef SM_SERIAL_H
#define SM_SERIAL_H

#include "base/lsq.h"

enum { SM_SERIAL_PAIRS = 96 };

struct sm_serial_pair {
	double probability;            /* of all they add up to 1 */
	double tau, share;             /* tau infinite: common to a block; share 0: white noise */
	double coef[SM_LSQ_COEFS];
	double cov[SM_LSQ_COEFS][SM_LSQ_COEFS];
};

struct sm_serial {                     /* 60 KB: not for a small stack */
	unsigned int p, npairs;
	size_t used;
	int bad;                       /* as in struct sm_lsq */
	double df;
	double coef[SM_LSQ_COEFS];     /* means of the mixture */
	/* Means, for a report of how much the errors are alike: of tau (of the pairs that have one), of
	 * share, and the part of share that is common to a block. */
	double tau, share, blocks;
	struct sm_serial_pair pair[SM_SERIAL_PAIRS];
};

struct sm_serial_times {
	const double *t;               /* of each point */
	const unsigned int *block;     /* the test that each point is of; NULL: no blocks */
};

int sm_serial_fit(const struct sm_lsq_points *points, const struct sm_serial_times *at,
	struct sm_serial *s) SM_MUST;

/* Of a sum of coefficients, factor[0] coef[0] + ...: a unit vector is one coefficient, {1, x...} the
 * fitted line at x (for a band around it). */
struct sm_serial_estimate {
	double value, se;              /* mean and standard error */
	double low, high;              /* of the interval */
	double p;                      /* two-sided p-value of the hypothesis that it is 0 */
};

/* confidence: 0.95 for a 95 % interval.  -EINVAL unless it is between 0 and 1. */
int sm_serial_estimate(const struct sm_serial *s, const double factor[SM_LSQ_COEFS],
	double confidence, struct sm_serial_estimate *e) SM_MUST;
/* The same of coefficient i. */
int sm_serial_coef(const struct sm_serial *s, unsigned int i, double confidence,
	struct sm_serial_estimate *e) SM_MUST;

#endif
