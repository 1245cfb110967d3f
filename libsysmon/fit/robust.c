// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/robust.h"

#define HUBER	  1.345
#define REJECT	  6.0
#define MAD_TO_SD 1.4826022185056018
/* Points within this fraction of the median |y| are never rejected. */
#define TRIFLE	   0.02
#define ITERATIONS 50
#define PRECISION  1e-7 /* change of a coefficient, roughly in standard errors */

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double sm_robust_median(double *v, size_t n)
{
	if (n == 0)
		return 0;
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : v[n / 2 - 1] / 2 + v[n / 2] / 2;
}

struct work {
	const struct sm_lsq_points *points;
	double *residual; /* of the points, times the root of their own weight */
	double *sorted;
	double largest; /* largest |y| */
	double trifle;	/* lower bound of the median absolute residual */
};

static void residuals(struct work *k, const struct sm_lsq *l)
{
	const struct sm_lsq_points *p = k->points;

	for (size_t i = 0; i < p->n; i++) {
		double fit = sm_lsq_predict(l->coef, p->x + i * p->k, p->k);

		k->residual[i] = (p->y[i] - fit) * sqrt(p->w ? p->w[i] : 1);
	}
}

static double rms_above(const double *v, size_t n, double floor)
{
	double sum = 0;
	size_t many = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i] > floor) {
			sum += v[i] * v[i];
			many++;
		}
	return many ? sqrt(sum / (double)many) : floor;
}

/* Returns the median absolute residual of all points, corrected for p coefficients. */
static double mad(struct work *k, unsigned int p)
{
	double floor = 64 * DBL_EPSILON * k->largest, middle;
	size_t n = 0;

	for (size_t i = 0; i < k->points->n; i++)
		if (!k->points->w || k->points->w[i] > 0)
			k->sorted[n++] = fabs(k->residual[i]);
	middle = sm_robust_median(k->sorted, n);
	if (middle <= floor)
		return fmax(rms_above(k->sorted, n, floor) / MAD_TO_SD, k->trifle);
	if (n > p)
		middle *= (double)n / (double)(n - p);
	return fmax(middle, k->trifle);
}

static bool same_fit(const struct sm_lsq *a, const struct sm_lsq *b)
{
	for (unsigned int j = 0; j < a->p; j++)
		if (fabs(a->coef[j] - b->coef[j]) > PRECISION * fabs(b->coef[j]))
			return false;
	return true;
}

static int huber(struct work *k, double *w, struct sm_lsq *l)
{
	struct sm_lsq_points weighted = *k->points;
	int err = sm_lsq_solve(k->points, l);

	weighted.w = w;
	for (int round = 0; err == 0 && round < ITERATIONS; round++) {
		struct sm_lsq before = *l;
		double limit;

		residuals(k, l);
		limit = HUBER * MAD_TO_SD * mad(k, l->p);
		for (size_t i = 0; i < weighted.n; i++) {
			double own = k->points->w ? k->points->w[i] : 1;
			double size = fabs(k->residual[i]);

			w[i] = size > limit ? own * limit / size : own;
		}
		err = sm_lsq_solve(&weighted, l);
		if (err == 0 && same_fit(l, &before))
			break;
	}
	return err;
}

/* Sets the weights and returns the number of points whose rejection changed. */
static size_t reject(const struct work *k, double limit, double *w, size_t *rejected)
{
	size_t changed = 0;

	*rejected = 0;
	for (size_t i = 0; i < k->points->n; i++) {
		double own = k->points->w ? k->points->w[i] : 1;
		double now = fabs(k->residual[i]) > limit ? 0 : own;

		*rejected += own > 0 && now == 0;
		changed += (now == 0) != (w[i] == 0);
		w[i] = now;
	}
	return changed;
}

static void own_weights(const struct sm_lsq_points *p, double *w)
{
	for (size_t i = 0; i < p->n; i++)
		w[i] = p->w ? p->w[i] : 1;
}

static int rejection(struct work *k, double *w, struct sm_robust *r)
{
	struct sm_lsq_points kept = *k->points;
	size_t n = r->fit.used;
	int err = 0;

	kept.w = w;
	for (int round = 0; err == 0 && round < ITERATIONS; round++) {
		double one = mad(k, r->fit.p);
		size_t changed = reject(k, REJECT * one, w, &r->rejected);

		r->scale = MAD_TO_SD * one;
		r->misfit = r->rejected > n / 4;
		if (r->misfit) {
			own_weights(k->points, w);
			r->rejected = 0;
		} else if (!changed && round > 0) {
			break;
		}
		err = sm_lsq_solve(&kept, &r->fit);
		residuals(k, &r->fit);
		if (r->misfit)
			break;
	}
	r->used = r->fit.used;
	return err;
}

static void sizes(struct work *k)
{
	const struct sm_lsq_points *p = k->points;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		double root = sqrt(p->w ? p->w[i] : 1);

		if (!(root > 0) || !isfinite(p->y[i]))
			continue;
		k->sorted[n++] = fabs(p->y[i]) * root;
		k->largest = fmax(k->largest, fabs(p->y[i]));
	}
	k->trifle = TRIFLE / REJECT * sm_robust_median(k->sorted, n);
}

int sm_robust_fit(const struct sm_lsq_points *points, double *w, struct sm_robust *r)
{
	struct work k = {.points = points};
	double *room = calloc(points->n ? points->n : 1, 2 * sizeof(*room));
	int err;

	*r = (struct sm_robust){.rejected = 0};
	if (!room)
		return -ENOMEM;
	k.residual = room;
	k.sorted = room + points->n;
	sizes(&k);
	err = huber(&k, w, &r->fit);
	if (err == 0) {
		residuals(&k, &r->fit);
		err = rejection(&k, w, r);
	}
	free(room);
	return err;
}
