/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * linreg: ordinary least squares y = a + b x with r^2, from a stream of points in constant memory.
 */
#ifndef SM_LINREG_H
#define SM_LINREG_H

#include "base/base.h"

struct sm_linreg {
	uint64_t n;
	double mean_x, mean_y, sxx, sxy, syy;
};

void sm_linreg_add(struct sm_linreg *r, double x, double y);
/* -ENODATA for fewer than two distinct x. */
int sm_linreg_solve(const struct sm_linreg *r, double *a, double *b, double *r2) SM_MUST;

#endif
