/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_shown: the power that the meters or gauges of a source showed at the last poll.  A tool that knows
 * the load corrects the delay of a meter with it, which the means of sm_source_take() do not allow.
 */
#ifndef SM_SOURCE_SHOWN_H
#define SM_SOURCE_SHOWN_H

#include "power/source.h"

/* Sets the sum of the counted domains; false for energy counters and levels, which show no power, or before
 * a reading of each. */
bool sm_source_shown(const struct sm_source *p, double *uw) SM_MUST;
/* Returns whether a discharging battery reports only its level. */
bool sm_source_level_only(const struct sm_source *p);
/* Returns the least number of steps that the level of such a battery fell from its first edge to
 * its last since sm_source_resumed(), with `from_start`. */
double sm_source_level_steps(const struct sm_source *p);

#endif
