/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shortfall: tests in which the load got less CPU time than was set, because of a CPU limit of the
 * cgroup, a competitor or a real-time task.  Pure: no input or output.
 *
 * The line is still correct, because own load is measured, but nothing was measured above the largest own
 * load.  A test is short if it lacks more than 5 % of the requested load and more than 0.01 CPUs for each
 * loaded CPU; levels are more exact than that.
 */
#ifndef POWER_CALIBRATE_SHORTFALL_H
#define POWER_CALIBRATE_SHORTFALL_H

#include "readings.h"

struct shortfall {
	unsigned int tests;    /* number of short tests */
	double requested;      /* largest requested load of the tests, in busy CPUs */
	double own;            /* largest own load of a test, in busy CPUs */
};

/* Returns the load that was set in a test, in busy CPUs. */
double shortfall_requested(const struct reading *mean);
/* Returns whether a test with these means is short. */
bool shortfall_is_short(const struct reading *mean);
/* Examines all tests with readings. */
void shortfall_find(struct shortfall *s, const struct readings *list);
/* Returns whether the largest own load is short of the largest requested one. */
bool shortfall_of_range(const struct shortfall *s);

#endif
