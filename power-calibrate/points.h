/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points: the rows of a regression (model.h), made from the readings, or from the values of a late meter
 * (lag.h).  Pure.
 *
 * A late meter also shows drift late, so the time of its values is less by this delay; otherwise the base
 * would be the one of an earlier time.
 *
 * The regressors of a row, in this order: the load, or the load of each type of CPUs; other load; time;
 * for a meter whose time constant was estimated, the change of the power with it; and for the mean line by
 * type of a late meter, how far the load of each type but the last is from its part of the load of all
 * CPUs.
 *
 * The mean line by type is fitted to the tests on all CPUs.  After the test of one type, a late meter still
 * shows a part of the power of this type.  The line of such a meter therefore has all tests and the
 * differences from the parts as further regressors; the slope of the load is then the slope of equal
 * loads.
 */
#ifndef POWER_CALIBRATE_POINTS_H
#define POWER_CALIBRATE_POINTS_H

#include "fit/regress.h"
#include "lag.h"
#include "plan.h"

struct points_from {
	const struct readings *readings;
	const struct plan *plan;
	const struct lag *lag;
	double middle_s;       /* time 0 of the regression */
};

struct points_choice { /* the readings, and the part of their power */
	int domain;            /* -1: the total */
	unsigned int cpus;     /* 0: any */
	bool by_type;          /* a regressor for the load of each type */
};

struct points {
	size_t n;
	unsigned int k;        /* regressors, of which */
	unsigned int loads;    /* the first ones are loads, followed by other load and time */
	double *x, *y, *t;
	unsigned int *block;
	size_t *from;          /* index of the reading of each point */
	bool *kept;            /* for sm_regress() */
};

/* -ENOMEM; points_fini() in any case. */
int points_init(struct points *p, const struct points_from *from, const struct points_choice *c) SM_MUST;
void points_fini(struct points *p);
/* Returns the bits of the regressors that may be left out if they are constant. */
unsigned int points_optional(const struct points *p);
/* Returns the name of a regressor. */
const char *points_name(const struct points *p, unsigned int regressor);

#endif
