/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps: readings of a meter with coarse steps.
 *
 * A meter that reports multiples of a step q rounds a constant value to one multiple.  More readings
 * do not make this error smaller, unless noise or a change of the value moves them over the edges of the
 * steps.  For normal noise of standard deviation s before the rounding, and a value anywhere between two
 * edges, the variance of the error that remains in the mean of many readings is
 *
 *	sum over k = 1, 2, ... of q^2 / (2 pi^2 k^2) exp(-4 pi^2 k^2 s^2 / q^2)
 *
 * that is q^2 / 12 without noise, and nearly 0 from s = q / 2 on.
 */
#ifndef SM_STEPS_H
#define SM_STEPS_H

#include "base/base.h"

/* Returns the step of n values: at least half of them occur more than once, and the step is the largest
 * number of which all differences of those are multiples.  Returns 0 if there is no such step.  Means of
 * several readings, some of which are between two steps, are therefore permitted.  The values are
 * reordered. */
double sm_steps_find(double *v, size_t n);

/* Returns the variance of the error that remains.  rms: deviation of single readings, including the rounding;
 * it is sqrt(s^2 + q^2 / 12). */
double sm_steps_variance(double step, double rms);

#endif
