// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>

#include "base/linreg.h"

void sm_linreg_add(struct sm_linreg *r, double x, double y)
{
	double dx = x - r->mean_x, dy = y - r->mean_y;

	r->n++;
	r->mean_x += dx / (double)r->n;
	r->mean_y += dy / (double)r->n;
	r->sxx += dx * (x - r->mean_x);
	r->sxy += dx * (y - r->mean_y);
	r->syy += dy * (y - r->mean_y);
}

int sm_linreg_solve(const struct sm_linreg *r, double *a, double *b, double *r2)
{
	if (r->n < 2 || !(r->sxx > 0))
		return -ENODATA;
	*b = r->sxy / r->sxx;
	*a = r->mean_y - *b * r->mean_x;
	/* A constant y is met exactly. */
	*r2 = r->syy > 0 ? fmin(r->sxy * r->sxy / (r->sxx * r->syy), 1) : 1;
	return 0;
}
