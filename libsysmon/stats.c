// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats.h"

#include <errno.h>
#include <math.h>

void sm_welford_add(struct sm_welford *w, double x)
{
	double delta = x - w->mean;

	w->min = w->n == 0 || x < w->min ? x : w->min;
	w->max = w->n == 0 || x > w->max ? x : w->max;
	w->n++;
	w->mean += delta / (double)w->n;
	w->m2 += delta * (x - w->mean);
	if (x > 0) {
		w->log_sum += log(x);
		w->positive++;
	}
}

double sm_welford_variance(const struct sm_welford *w)
{
	return w->n > 0 ? w->m2 / (double)w->n : 0;
}

double sm_welford_stddev(const struct sm_welford *w)
{
	return sqrt(sm_welford_variance(w));
}

int sm_welford_geomean(const struct sm_welford *w, double *out)
{
	if (w->n == 0 || w->positive != w->n)
		return -ENODATA;
	*out = exp(w->log_sum / (double)w->n);
	return 0;
}

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
