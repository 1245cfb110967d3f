/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lag: finds out whether the power meter shows the load late, and replaces the load by the output of such
 * a meter for it (history.h).
 *
 * Power meters filter their readings, and fuel gauges average for up to a minute.  Readings taken while the
 * meter still approaches the new power lie between it and the former power, so
 * the slope is too small although the scatter is small: with a lag of 1 s and tests of 5 s by a quarter.  The
 * load is known at any time, so it can be passed through this filter; the line over the filtered load
 * has the slope that a meter without a lag would show.  By type, the load of each type is filtered, and the
 * line has a slope for each.
 *
 * Each kind of meter is tried with time constants from 0.1 to 90 s, by the sum of the squared residuals of
 * a robust line (a residual counts at most as the limit for outliers).  The best is used if it reduces the
 * sum by the factor LAG_LESS and beyond the effect of noise: n ln(ratio) > LAG_LIKELIER, where n is the
 * number of points.  Otherwise the load is used as it is.
 *
 * A point is the power shown at the end of a reading, at the time when this value was renewed; a value
 * that an earlier point has is left out.  The mean of a reading would not do: successive means of a filtered
 * noise are more alike than the errors of fit/autocorr.h, and the interval would be too narrow.
 *
 * If the averaging time is known from the driver, the mean over this time is used and its time is fixed,
 * unless another meter is clearly better.  It is tried with errors of each time constant, because the errors
 * of the power itself show nothing about the meter.  Of its points, those that share more than half of
 * their time with the previous one are left out: their errors differ little, and are alike for longer than
 * fit/autocorr.h expects.
 *
 * The result is missing if a meter was renewed fewer than LAG_VALUES times, or averages over more than
 * LAG_TESTS tests: its values then hardly differ, and the result depends on the exact shape of the filter.
 *
 * A value that is held was renewed at some time between two polls.  While the power changes, an error of this
 * time is an error of the power that the flat parts of the run do not show.  If even times lie between all
 * these polls, they are used.  They are found from all polls of the run: those at the ends of readings are
 * often equally long after a renewal, and a time that is wrong by 0.02 s in all points would change the
 * slope by more than its interval.
 *
 * The time constant is an estimate.  Its uncertainty is included in the interval of the slope by a further
 * regressor, the derivative of the power of the filtered load with respect to the logarithm of the time
 * constant.
 */
#ifndef POWER_CALIBRATE_LAG_H
#define POWER_CALIBRATE_LAG_H

#include "readings.h"

#define LAG_LESS     1.03
#define LAG_LIKELIER 6
#define LAG_TESTS    2.5
#define LAG_VALUES   20

struct lag_point { /* of a reading */
	bool used;
	double t_s, watts;            /* as shown, and since when */
	double use[HISTORY_USES];     /* the filtered CPU use */
	double mean[HISTORY_USES];    /* mean output of the meter in the reading, for the domains */
	double change;                /* of the power with the logarithm of the time constant, W */
};

struct lag {
	struct history_meter meter;   /* HISTORY_SHARP: without a lag */
	struct lag_point *point;      /* for each reading; NULL: use the readings as they are */
	bool searched;                /* its time was estimated; otherwise it is the one of the driver */
	bool held;                    /* the value is renewed less often than it is read */
	bool few;                     /* the tests are too short for it */
	double renew_s;               /* mean time between two values, if `held` */
};

/* Returns how long the tests must be for a result (-r), in seconds. */
double lag_needs_s(const struct lag *l);
/* loads: number of loads in the history, one for each type.  -ENOMEM. */
int lag_find(struct lag *l, const struct readings *r, unsigned int loads) SM_MUST;
void lag_fini(struct lag *l);

#endif
