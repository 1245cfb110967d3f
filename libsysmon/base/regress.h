/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regress: the regression of readings, as a tool reports it: robust.h, then serial.h, and what is to
 * be said of the fit.
 *
 *	watts = base + a own + b other + c time
 *
 * with a row for each reading.  Points that are far off are rejected, regressors that are constant are
 * left out if the caller allows that, and the intervals hold for readings whose errors are alike for
 * some time, or for the length of a test.
 *
 * A regressor that is a combination of others is an error, never left out: without idle time other
 * load is what own load leaves, the power is constant, and a fit by own load alone would say, with a
 * narrow interval, that a busy CPU takes 0 W.
 *
 * Regressors may be measured with errors of a known size (the differences of two clocks of 10 ms ticks
 * are off by 10 ms / sqrt(6)).  Of one whose variation is mostly error the coefficient is drawn towards
 * 0, and the others have to stand in for it: on a quiet machine, where the other load is 0.02 CPUs and
 * its rounding as much, the base would be 1 % too high, with an interval that does not know of it.  So a
 * regressor that varies, apart from the others, by less than 6 times its error has no coefficient of its
 * own: it is joined to the first one, in its units (a CPU that is busy with others takes what one takes that
 * is busy with the load), whose variation is far above that error.  Where it is not, or where errors may
 * move the first coefficient by more than 2 %, the answer is -EDOM too.
 *
 * The time of readings and the time as a regressor are two things: the former is always needed.  With
 * the regressor, the constant is y at time 0 of that regressor.
 *
 * Left for the caller: readings in which a level changed do not belong into the points.
 *
 * Errors are those of lsq.h and serial.h; -EDOM: the regressor `bad` cannot be told; `combined` tells
 * whether from the others, or at all. For coefficients with intervals a point more than coefficients
 * is needed, else -ENODATA.
 */
#ifndef SM_REGRESS_H
#define SM_REGRESS_H

#include "base/robust.h"
#include "base/serial.h"

struct sm_regress_points {
	size_t n;
	unsigned int k;                /* regressors */
	unsigned int optional;         /* bit j: regressor j may be left out if it is constant */
	const double *x;               /* n rows of k; the most important regressor first */
	const double *error;           /* k standard deviations of errors of x; NULL: exact */
	const double *join;            /* k: how much of the first regressor 1 of this is, if it is to be
	                                  joined; 0: never; NULL: none is */
	const double *y;
	const double *t;               /* of each reading, not decreasing */
	const unsigned int *block;     /* the test of each reading; NULL: not known */
	double confidence;             /* 0.95 */
};

struct sm_regress {                    /* 60 KB: not for a small stack */
	unsigned int k, left_out;      /* bit j: regressor j was */
	unsigned int joined;           /* to the first one */
	double join[SM_LSQ_COEFS];     /* of those: as it was given */
	int bad;                       /* of -EDOM, else -1 */
	bool combined;
	size_t used, rejected;
	bool misfit;                   /* over a quarter would have been rejected: none was */
	/* [0] the constant, [j + 1] regressor j; all 0 and p 1 for one that was left out
	 * or joined. */
	struct sm_serial_estimate coef[SM_LSQ_COEFS];
	bool has_r2;                   /* false if y is constant, or nothing is left to judge by */
	double r2, adjusted_r2;
	double rms, worst;             /* residuals of the points used; worst has its sign */
	size_t worst_at;
	double confidence;
	struct sm_serial serial;       /* of the regressors that are in */
};

/* used[i], if used is not NULL: whether point i was. */
int sm_regress(const struct sm_regress_points *points, bool *used, struct sm_regress *r) SM_MUST;

/* The line at k regressors, with its band. */
int sm_regress_at(const struct sm_regress *r, const double *x, struct sm_serial_estimate *e) SM_MUST;

struct sm_regress_bend {
	struct sm_serial_estimate square; /* its coefficient; its p is the test of "linear" */
	double sag;                    /* the greatest distance of the curve from its chord, of y */
	double share;                  /* sag over the rise of y along the chord, 0.02 is 2 %; 0: no rise */
};

/* Adds the square of the sum of the regressors whose bits are set in `which` (bit 0 is the first).  For
 * power that is own and other load together: what bends is the power over all that the CPUs do.  The rise
 * is by the coefficient of the first regressor.  -EDOM if the sum has only two levels: curvature cannot be
 * seen then.  A tool should say "not linear" only if p is small and share matters: with enough readings
 * every machine is a little curved. */
int sm_regress_bend(const struct sm_regress_points *points, unsigned int which,
	struct sm_regress_bend *b) SM_MUST;

#endif
