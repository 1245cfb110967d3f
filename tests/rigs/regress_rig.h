/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * regress_rig: simulated runs of power-calibrate, for the coverage of its intervals: three levels in two
 * random blocks of ten readings each, 5 W and 10 W for each busy CPU, some other load, a drift, and noise
 * of one kind.  The same seed gives the same runs.
 */
#ifndef REGRESS_RIG_H
#define REGRESS_RIG_H

#include <math.h>

#include "fit/regress.h"

enum { RIG_TESTS = 6, RIG_READINGS = 10, RIG_N = RIG_TESTS * RIG_READINGS, RIG_K = 3 };

enum rig_noise {
	RIG_NONE,
	RIG_WHITE,                     /* 0.5 W */
	RIG_FADING,                    /* 0.5 W, correlation 0.8 from reading to reading */
	RIG_MIXED,                     /* 0.35 W of 0.9, 0.35 W white */
	RIG_WANDER,                    /* a random walk of 0.1 W, 0.3 W white */
	RIG_TESTWISE,                  /* 0.2 W common to a test, 0.4 W white */
	RIG_PROPORTIONAL,              /* 3 % of the power */
	RIG_GROWING,                   /* 3 % of the power of the first regressor */
	RIG_OUTLIERS,                  /* 0.5 W white, one in 40 up to 60 W more */
};

struct rig {
	uint64_t state;
	double x[RIG_N * RIG_K], y[RIG_N], t[RIG_N];
	unsigned int block[RIG_N];
	bool used[RIG_N];
	double fading, test, walk;
};

#define RIG_BASE  5.0
#define RIG_SLOPE 10.0
#define RIG_OTHER 9.0
#define RIG_DRIFT 0.05

static inline double rig_uniform(struct rig *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return ((double)(r->state >> 11) + 0.5) / 9007199254740992.0;
}

static inline double rig_normal(struct rig *r)
{
	double radius = sqrt(-2 * log(rig_uniform(r)));

	return radius * cos(2 * M_PI * rig_uniform(r));
}

static inline void rig_levels(struct rig *r, double level[RIG_TESTS])
{
	for (int b = 0; b < RIG_TESTS; b += 3) {
		for (int i = 0; i < 3; i++)
			level[b + i] = i;
		for (int i = 2; i > 0; i--) {
			int k = b + (int)(rig_uniform(r) * (i + 1));
			double old = level[b + i];

			level[b + i] = level[k];
			level[k] = old;
		}
	}
}

static inline double rig_fade(struct rig *r, double by)
{
	r->fading = by * r->fading + sqrt(1 - by * by) * rig_normal(r);
	return r->fading;
}

static inline double rig_error(struct rig *r, enum rig_noise kind, double own)
{
	double white = rig_normal(r);

	switch (kind) {
	case RIG_NONE:
		return 0;
	case RIG_WHITE:
		return 0.5 * white;
	case RIG_FADING:
		return 0.5 * rig_fade(r, 0.8);
	case RIG_MIXED:
		return 0.35 * rig_fade(r, 0.9) + 0.35 * white;
	case RIG_WANDER:
		r->walk += 0.1 * rig_normal(r);
		return r->walk + 0.3 * white;
	case RIG_TESTWISE:
		return 0.2 * r->test + 0.4 * white;
	case RIG_PROPORTIONAL:
		return 0.03 * (RIG_BASE + RIG_SLOPE * own) * white;
	case RIG_GROWING:
		return 0.03 * RIG_SLOPE * own * white;
	default:
		return 0.5 * white + (rig_uniform(r) < 1 / 40.0 ? 60 * rig_uniform(r) : 0);
	}
}

static inline void rig_run(struct rig *r, enum rig_noise kind)
{
	double level[RIG_TESTS];

	rig_levels(r, level);
	r->fading = rig_normal(r);
	r->walk = 0;
	for (unsigned int i = 0; i < RIG_N; i++) {
		unsigned int test = i / RIG_READINGS;
		double *x = r->x + i * RIG_K, error;

		if (i % RIG_READINGS == 0)
			r->test = rig_normal(r);
		r->block[i] = test;
		r->t[i] = i + 2.0 * test;
		x[0] = level[test] + 0.001 * rig_normal(r);
		x[1] = 0.02 + 0.01 * rig_uniform(r);
		x[2] = r->t[i];
		error = rig_error(r, kind, x[0]);
		r->y[i] = RIG_BASE + RIG_SLOPE * x[0] + RIG_OTHER * x[1] + RIG_DRIFT * x[2] + error;
	}
}

static inline struct sm_regress_points rig_points(const struct rig *r)
{
	return (struct sm_regress_points){ .n = RIG_N, .k = RIG_K, .optional = 6, .x = r->x,
		.y = r->y, .t = r->t, .block = r->block, .confidence = 0.95 };
}

#endif
