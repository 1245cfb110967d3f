/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuelgauge_rig: a simulated battery whose gauge shows what was drained, now and then, in steps.
 */
#ifndef FUELGAUGE_RIG_H
#define FUELGAUGE_RIG_H

#include <math.h>

#include "power/fuelgauge.h"
#include "unit.h"

#define UWH_UJ 3600.0 /* 1 uWh in uJ */

static struct sm_fuelgauge g;
static double uw;

/* Every n-th of many cases is tested; in check-live all are. */
static inline unsigned int one_in(unsigned int n)
{
	return unit_live() ? 1 : n;
}

static inline void setup(void)
{
	sm_fuelgauge_init(&g, 120 * SM_NSEC_PER_SEC);
	uw = -1;
}

static inline uint64_t at(double s)
{
	return (uint64_t)(s * 1e9);
}

static inline int power(double s)
{
	return sm_fuelgauge_power(&g, at(s), &uw);
}

/* ---- a gauge that shows what has been drained, now and then, in steps ---- */

struct sim {
	double step_uwh; /* of what it shows */
	double update_s; /* how often it looks */
	double phase_s;	 /* when it first looks */
	double read_s;	 /* how often we look */
	double delay_s;	 /* when we first look */
	double watts, low_watts,
		period_s;	 /* low_watts in the second half of each period */
	double drop_uwh, drop_s; /* what the gauge corrects itself by, and when */
};

static inline double drained_uj(const struct sim *s, double t)
{
	double whole, part;

	if (s->period_s <= 0)
		return s->watts * t * 1e6;
	whole = floor(t / s->period_s) * s->period_s;
	part = t - whole;
	return 1e6 * (whole * (s->watts + s->low_watts) / 2 +
			     fmin(part, s->period_s / 2) * s->watts +
			     fmax(part - s->period_s / 2, 0) * s->low_watts);
}

static inline double shown_uj(const struct sim *s, double t)
{
	double looked = floor((t - s->phase_s) / s->update_s) * s->update_s + s->phase_s;
	double left = 50e6 * UWH_UJ + 1234567 - drained_uj(s, fmax(looked, 0));
	double step = s->step_uwh * UWH_UJ;

	if (looked >= s->drop_s)
		left -= s->drop_uwh * UWH_UJ;
	return floor(left / step) * step;
}

#endif
