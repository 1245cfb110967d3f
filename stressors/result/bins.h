/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bins: the histogram of a job, all instances together, as bins that have values.
 */
#ifndef STRESSORS_RESULT_BINS_H
#define STRESSORS_RESULT_BINS_H

#include "out/histogram.h"
#include "result.h"

/* Bins of width_ns, wider where the values were counted in wider ones (3 % of the value); 0: as they were
 * counted.  To be freed; *n: their number, 0 if there is no histogram or no value.  -ENOMEM. */
int bins_make(const struct result *r, uint64_t width_ns, struct sm_timebin **bins, unsigned int *n) SM_MUST;

#endif
