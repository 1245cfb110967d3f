/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * levelcheck: compares the rate that a battery reports with the fall of its level.
 *
 * Some drivers report a constant, or the rate of another moment.  The level is a second measurement: its
 * energy between two edges (fuelgauge.h) is exact to one step of the gauge, and its time to the time
 * between two readings at each end.  The mean rate over this time has the statistical error of its
 * readings, two standard errors, and the 5 percent by which the gauge's current and level may differ.
 * The two disagree if their intervals do not overlap.
 *
 * The comparison restarts with the gauge's line, for example when the level rises.  It needs 20 steps.
 *
 * For example: power_now is 25.6 W in every reading; energy_now falls by 58 steps of 1 mWh between the
 * edges at 1 s and 31 s: 208.8 J in 30 s are 6.96 W, exact to 1/58 + 2/30 = 8.4 percent, at most 7.5 W.
 * The rate is at least 24.3 W.
 */
#ifndef SM_LEVELCHECK_H
#define SM_LEVELCHECK_H

#include "base/stats.h"
#include "power/battery_text.h"
#include "power/fuelgauge.h"

struct sm_levelcheck {
	uint64_t edges;          /* of the gauge's line at the last reading */
	uint64_t first_ns, last_ns; /* times of the first and the last edge */
	double first_uj, last_uj;
	double step_uj;          /* step of the gauge; 0: unknown */
	uint64_t rate_ns;        /* time of the last rate */
	struct sm_stats rate;    /* uW since the first edge, */
	struct sm_stats at_edge; /* and up to the last edge */
};

/* Adds a reading, after it was added to the gauge. */
void sm_levelcheck_add(struct sm_levelcheck *c, const struct sm_battery *b,
	const struct sm_fuelgauge *g, uint64_t now_ns);
/* Sets the power by which the level fell, and the mean rate over this time, in uW.  Returns -ENODATA:
 * too few steps, or no rate; 1: they disagree; otherwise 0. */
int sm_levelcheck_result(const struct sm_levelcheck *c, double *level_uw, double *rate_uw) SM_MUST;

#endif
