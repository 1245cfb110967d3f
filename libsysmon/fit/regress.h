/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regress: regression of readings as the tools report it: robust.h, then autocorr.h, and figures that
 * describe the fit.
 *
 *	watts = base + a own + b other + c time
 *
 * There is one row per reading.  Outliers are rejected.  Constant regressors are left out if the caller
 * allows that.  The intervals are valid for readings whose errors are correlated for some time, or for
 * the length of a test.
 *
 * A regressor that is a combination of others is an error and is never left out.  Example: without idle
 * time, other load is the time that own load leaves, and the power is constant; a fit with own load
 * alone would report, with a narrow interval, that a busy CPU uses 0 W.
 *
 * Regressors may have measurement errors of a known size (the difference of two clocks with 10 ms ticks
 * has an error of 10 ms / sqrt(6)).  If a regressor varies mostly by measurement error, its coefficient
 * is biased towards 0 and the other coefficients absorb its effect: on a quiet machine, where the other
 * load is 0.02 CPUs and its rounding error as large, the base would be 1 % too high, with an interval
 * that does not include this error.  A regressor whose variation, apart from the others, is less than 6
 * times its error therefore gets no coefficient of its own: it is joined to the first one, in the units
 * of that one (a CPU that is busy with other load uses as much power as one that is busy with own
 * load), provided that the first one varies far more than that error.  Otherwise, or if errors may
 * change the first coefficient by more than 2 %, the result is also -EDOM.  The factor of a joined
 * regressor is not known exactly: its standard deviation is assumed to be a sixth of it, and the intervals
 * include the error that results.  A steady other load of 0.02 CPUs that takes 30 % less power than the own
 * load is too small for its own coefficient, but changes the base by 0.06 W.
 *
 * The spread of the readings may depend on the first regressor (spread.h): the noise of a meter is often a
 * fraction of the power.  With noise of 3 % of the power of the load, equal weights give a 95 % interval that
 * contains the true value in 84 % of the runs on 2 CPUs, and in half of the runs on 16.  rms, worst and R^2
 * are computed from the readings used, without weights.
 *
 * The meter may have coarse steps (steps.h), whose error is equal in all readings of one power.  If the
 * readings have such steps, larger than the rms of the residuals, each distinct level (readings whose fitted
 * values lie within a quarter of a step) has an error of its own, which the intervals include.  Residuals
 * far below the error of such steps show that the values are merely alike.
 *
 * The times of the readings (t) are always needed, whether or not time is also a regressor.  If it is,
 * the constant is y at time 0 of that regressor.
 *
 * The caller must leave out readings during which a level changed.
 *
 * Errors are those of lsq.h and autocorr.h.  -EDOM: the coefficient of regressor `bad` cannot be
 * determined; `combined` is set if it cannot be separated from the others.  Coefficients with intervals
 * need more points than coefficients, otherwise the result is -ENODATA.
 */
#ifndef SM_REGRESS_H
#define SM_REGRESS_H

#include "fit/robust.h"
#include "fit/autocorr.h"

struct sm_regress_points {
	size_t n;
	unsigned int k;                /* number of regressors */
	unsigned int optional;         /* bit j: regressor j may be left out if it is constant */
	const double *x;               /* n rows of k values; the most important regressor first */
	const double *error;           /* k: standard deviation of the regressor's errors; NULL: exact */
	const double *join;            /* k: how much of the first regressor a unit of this one is, if joined;
	                                  0: never joined; NULL: none is */
	const double *y;
	const double *t;               /* time of each reading, not decreasing */
	const unsigned int *block;     /* the test of each reading; NULL: unknown */
	double confidence;             /* of the intervals: 0.95 */
};

struct sm_regress {                    /* 60 KB: not for a small stack */
	unsigned int k, left_out;      /* bit j: regressor j was left out */
	unsigned int joined;           /* bit j: regressor j was joined to the first one */
	double join[SM_LSQ_COEFS];     /* factors of the joined regressors, as given */
	int bad;                       /* the regressor that caused -EDOM, or -1 */
	bool combined;                 /* bad cannot be separated from the others */
	size_t used, rejected;
	bool misfit;                   /* over a quarter would have been rejected, so all were kept */
	/* [0] the constant, [j + 1] regressor j; for one that was left out or joined, all members are 0
	 * and p is 1. */
	struct sm_autocorr_estimate coef[SM_LSQ_COEFS];
	bool has_r2;                   /* false if y is constant, or without degrees of freedom */
	double r2, adjusted_r2;
	double rms, worst;             /* residuals of the points used; worst has its sign */
	size_t worst_at;
	double step;                   /* y is in multiples of this, up to a constant; 0: without steps */
	double confidence;
	struct sm_autocorr autocorr;       /* fit of the regressors that were kept */
};

/* used[i] is set to whether point i was used; used may be NULL. */
int sm_regress(const struct sm_regress_points *points, bool *used, struct sm_regress *r) SM_MUST;

/* Returns the fitted line at k regressors, with its confidence band. */
int sm_regress_at(const struct sm_regress *r, const double *x, struct sm_autocorr_estimate *e) SM_MUST;

struct sm_regress_bend {
	struct sm_autocorr_estimate square; /* coefficient of the square; its p-value tests linearity */
	double sag;                    /* greatest distance of the curve from its chord, in units of y */
	double share;                  /* sag divided by the rise of y along the chord; 0: no rise */
};

/* Tests for curvature: adds the square of the sum of the regressors whose bits are set in `which` (bit
 * 0 is the first).  For power, that is own plus other load: curvature is a property of the power as a
 * function of all CPU load.  The rise is computed with the coefficient of the first regressor.  -EDOM
 * if the sum has only two levels, because curvature is then invisible.  A tool should report "not
 * linear" only if p is small and share is relevant: with enough readings, every machine is slightly
 * curved. */
int sm_regress_bend(const struct sm_regress_points *points, unsigned int which,
	struct sm_regress_bend *b) SM_MUST;

#endif
