// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/spread.h"

/* Spread that depends on the first regressor: slope, in standard errors, above which it
 * is taken into account; rounds; the least spread relative to its mean, and relative to
 * that the least that the residuals can show. */
#define SURE   2.5
#define ROUNDS 3
#define LEAST  0.1
#define TINY   0.01
/* Standard deviation of normal errors, divided by their mean size. */
#define NORMAL_SD 1.2533141373155003

struct work {
	struct sm_lsq_points *in;
	double *weight; /* by the spread */
	double *w;	/* weights of the last fit; 0: rejected */
	double *room;	/* two values for each point */
	struct sm_robust *robust;
};

static double residual_of(const struct work *k, size_t i)
{
	return k->in->y[i] -
	       sm_lsq_predict(k->robust->fit.coef, k->in->x + i * k->in->k, k->in->k);
}

/* Fits the absolute residuals as a line over the first regressor; `sure`: it has a slope.
 */
static int spread_line(struct work *k, double coef[SM_LSQ_COEFS], bool *sure)
{
	double *own = k->room, *size = k->room + k->in->n, se = 0;
	const struct sm_lsq_points points = {
		.n = k->in->n, .k = 1, .x = own, .y = size, .w = k->in->w};
	struct sm_robust line;
	int err;

	for (size_t i = 0; i < k->in->n; i++) {
		own[i] = k->in->x[i * k->in->k];
		size[i] = fabs(residual_of(k, i));
	}
	err = sm_robust_fit(&points, k->w, &line);
	if (err == 0)
		err = sm_lsq_se(&line.fit, 1, &se);
	if (err < 0)
		return err;
	memcpy(coef, line.fit.coef, sizeof(line.fit.coef));
	*sure = fabs(coef[1]) > SURE * se;
	return 0;
}

/* Returns the spread of the points where the line is below `least`: the root mean square
 * of their own residuals.  A greater one would make the spread of the other points
 * seem too small. */
static double least_spread(const struct work *k, const double *spread, double least)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < k->in->n; i++) {
		double residual = residual_of(k, i);

		if (spread[i] >= least)
			continue;
		sum += residual * residual;
		n++;
	}
	return n ? fmin(fmax(sqrt(sum / (double)n), TINY * least), least) : least;
}

/* Sets the weights to 1 / spread^2, such that the mean variance is 1.  Returns false if
 * all residuals are 0. */
static bool weigh(struct work *k, const double coef[SM_LSQ_COEFS])
{
	double *spread = k->room + k->in->n, mean = 0, variance = 0, least;

	for (size_t i = 0; i < k->in->n; i++) {
		spread[i] = NORMAL_SD * fmax(coef[0] + coef[1] * k->room[i], 0);
		mean += spread[i] / (double)k->in->n;
	}
	least = least_spread(k, spread, LEAST * mean);
	for (size_t i = 0; i < k->in->n; i++) {
		if (spread[i] < LEAST * mean)
			spread[i] = least;
		variance += spread[i] * spread[i] / (double)k->in->n;
	}
	for (size_t i = 0; i < k->in->n; i++)
		k->weight[i] = variance / (spread[i] * spread[i]);
	return variance > 0;
}

static int fit(struct work *k)
{
	double coef[SM_LSQ_COEFS];
	bool sure = false;
	int err = 0;

	for (int round = 0; err == 0 && round < ROUNDS; round++) {
		err = spread_line(k, coef, &sure);
		if (err == 0 && !weigh(k, coef))
			err = -ENODATA;
		k->in->w = k->weight;
		if (err == 0)
			err = sm_robust_fit(k->in, k->w, k->robust);
	}
	if (err == -ENOMEM || (err == 0 && sure))
		return err;
	k->in->w = NULL;
	return sm_robust_fit(k->in, k->w, k->robust);
}

int sm_spread_fit(
	struct sm_lsq_points *points, double *weight, double *w, struct sm_robust *r)
{
	struct work k = {points, weight, w, .robust = r};
	int err;

	k.room = calloc(points->n ? points->n : 1, 2 * sizeof(*k.room));
	if (!k.room)
		return -ENOMEM;
	err = fit(&k);
	free(k.room);
	return err;
}
