/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bins: the histogram of a job, of all its instances together, as bins that have values.
 */
#ifndef STRESSORS_RESULT_BINS_H
#define STRESSORS_RESULT_BINS_H

#include "format/histogram.h"
#include "result.h"

/* Makes bins of width_ns, or wider ones where the values were counted in wider ones (3 % of the value);
 * width_ns 0: as they were counted.  *n: number of bins, 0 without a histogram or values.  The caller frees
 * them.  0 or -ENOMEM. */
int bins_make(const struct result *r, uint64_t width_ns, struct sm_timebin **bins, unsigned int *n) SM_MUST;

#endif
