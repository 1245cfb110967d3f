/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_shown: the power that the meters or gauges of a source showed at the last poll.  A tool that knows
 * the load corrects the delay of a meter with it, which the means of sm_source_take() do not allow.
 */
#ifndef SM_SOURCE_SHOWN_H
#define SM_SOURCE_SHOWN_H

#include "power/source.h"

/* Sets the sum of the counted domains; false for energy counters and levels, which show no power, and while
 * a domain has no reading. */
bool sm_source_shown(const struct sm_source *p, double *uw) SM_MUST;

#endif
