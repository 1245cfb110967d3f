// SPDX-License-Identifier: GPL-2.0-or-later
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "fit/lsq_qr.h"
#include "fit/robust.h"
#include "fit/autocorr.h"
#include "fit/tdist.h"

/* Pairs with a lower probability have no visible effect on an interval. */
#define NEGLIGIBLE 1e-6
#define TAUS	   12
/* Prior weights of independent errors and of errors by block, relative to one share with
 * all its taus.  With 1 and 1 the interval for a minute of white noise is 40 % wider than
 * the usual one and has 99 % coverage; with these, 18 % and 97 %. */
#define PRIOR_WHITE  6.0
#define PRIOR_BLOCKS 0.25

static const double shares[] = {0.15, 0.3, 0.5, 0.7, 0.85, 0.95};
static_assert(
	(TAUS + 1) * SM_ARRAY_SIZE(shares) + 1 <= SM_AUTOCORR_PAIRS, "room for the grid");

/* The filter's estimate of the autocorrelated part of the error, for each column of a
 * row. */
struct filter {
	double state[SM_LSQ_COEFS + 1];
	double variance; /* variance of that part */
	double log_det;	 /* log determinant of the covariance of the readings so far */
};

/* Replaces the row by its innovation divided by the innovation's standard deviation: rows
 * transformed in this way have independent errors of variance 1. */
static void whiten(struct filter *k, double noise, unsigned int p, double *row)
{
	double variance = k->variance + noise, gain = k->variance / variance;
	double root = sqrt(variance);

	for (unsigned int j = 0; j <= p; j++) {
		double innovation = row[j] - k->state[j];

		k->state[j] += gain * innovation;
		row[j] = innovation / root;
	}
	k->variance *= 1 - gain;
	k->log_det += log(variance);
}

/* Returns the fraction of the autocorrelated part of reading `from` that remains in
 * reading `to`. */
static double left(const struct sm_autocorr_times *at, const struct sm_autocorr_pair *g,
	size_t from, size_t to)
{
	if (isinf(g->tau))
		return at->block[from] == at->block[to];
	return exp(-(at->t[to] - at->t[from]) / g->tau);
}

static void fade(struct filter *k, double share, double by, unsigned int p)
{
	for (unsigned int j = 0; j <= p; j++)
		k->state[j] *= by;
	k->variance = by * by * k->variance + share * (1 - by * by);
}

/* Returns the variance below which residuals are rounding errors, times the number of
 * readings. */
static double rounding(const struct sm_lsq_frame *f)
{
	double one = 64 * DBL_EPSILON * f->largest[0] + DBL_MIN;

	return one * one * (double)f->used;
}

/* Generalised least squares for one pair; `probability` is set to the logarithm of its
 * likelihood. */
static int fit_pair(const struct sm_lsq_points *points,
	const struct sm_autocorr_times *at, const struct sm_lsq_frame *f,
	struct sm_autocorr_pair *g, int *bad)
{
	struct filter k = {.variance = g->share};
	struct sm_lsq_qr q = {.p = f->p};
	double row[SM_LSQ_COEFS + 1], rss, df = (double)f->used - f->p;
	size_t before = SIZE_MAX;
	int err;

	for (size_t i = 0; i < points->n; i++) {
		double w = sm_lsq_weight(points, i);

		if (w == 0)
			continue;
		if (g->share > 0 && before != SIZE_MAX)
			fade(&k, g->share, left(at, g, before, i), f->p);
		before = i;
		sm_lsq_frame_row(f, points, i, row);
		whiten(&k, (1 - g->share) / w, f->p, row);
		sm_lsq_qr_add(&q, row);
	}
	err = sm_lsq_qr_solve(&q, f, g->coef, g->cov, &rss, bad);
	if (err < 0)
		return err;
	rss = fmax(rss, rounding(f));
	g->probability = -k.log_det / 2 - df / 2 * log(rss);
	for (unsigned int i = 0; i < f->p; i++)
		g->probability -= log(fabs(q.r[i][i]));
	for (unsigned int i = 0; i < f->p; i++)
		for (unsigned int j = 0; j < f->p; j++)
			g->cov[i][j] *= rss / df;
	return 0;
}

/* Returns the usual distance between two readings and the time from the first to the
 * last. */
static int distances(
	const struct sm_lsq_points *points, const double *t, double *usual, double *span)
{
	double *d = calloc(points->n, sizeof(*d)), before = 0;
	size_t n = 0;
	int err = d ? 0 : -ENOMEM;

	*span = 0;
	for (size_t i = 0; err == 0 && i < points->n; i++) {
		if (sm_lsq_weight(points, i) == 0)
			continue;
		if (!isfinite(t[i]) || (n > 0 && t[i] < before))
			err = -EINVAL;
		else if (n > 0)
			*span += d[n - 1] = t[i] - before;
		before = t[i];
		n++;
	}
	*usual = n > 1 && err == 0 ? sm_robust_median(d, n - 1) : 0;
	free(d);
	return err;
}

/* Independent errors first, then each tau with each share, then blocks. */
static unsigned int grid(
	double usual, double span, bool blocks, struct sm_autocorr_pair *pair)
{
	double low = usual / 2, high = fmax(span, usual);
	unsigned int n = 1;

	pair[0] = (struct sm_autocorr_pair){.share = 0};
	for (size_t i = 0; i < SM_ARRAY_SIZE(shares); i++) {
		for (unsigned int k = 0; usual > 0 && k < TAUS; k++)
			pair[n++] = (struct sm_autocorr_pair){.share = shares[i],
				.tau = low * pow(high / low, k / (TAUS - 1.0))};
		if (blocks)
			pair[n++] = (struct sm_autocorr_pair){
				.share = shares[i], .tau = INFINITY};
	}
	return n;
}

/* Returns the logarithm of the prior probability. */
static double prior(const struct sm_autocorr_pair *g)
{
	if (g->share == 0)
		return log(TAUS * PRIOR_WHITE);
	return isinf(g->tau) ? log(TAUS * PRIOR_BLOCKS) : 0;
}

/* Converts logarithms of likelihoods to probabilities and drops the negligible pairs. */
static void normalise(struct sm_autocorr *s)
{
	double best = -INFINITY, sum = 0;
	unsigned int kept = 0;

	for (unsigned int i = 0; i < s->npairs; i++) {
		s->pair[i].probability += prior(&s->pair[i]);
		best = fmax(best, s->pair[i].probability);
	}
	for (unsigned int i = 0; i < s->npairs; i++) {
		double likely = exp(s->pair[i].probability - best);

		if (likely < NEGLIGIBLE)
			continue;
		s->pair[kept] = s->pair[i];
		s->pair[kept++].probability = likely;
		sum += likely;
	}
	s->npairs = kept;
	for (unsigned int i = 0; i < kept; i++)
		s->pair[i].probability /= sum;
}

static void average(struct sm_autocorr *s)
{
	double faded = 0;

	for (unsigned int i = 0; i < s->npairs; i++) {
		const struct sm_autocorr_pair *g = &s->pair[i];

		for (unsigned int j = 0; j < s->p; j++)
			s->coef[j] += g->probability * g->coef[j];
		s->share += g->probability * g->share;
		if (isinf(g->tau)) {
			s->blocks += g->probability * g->share;
		} else if (g->share > 0) {
			s->tau += g->probability * g->tau;
			faded += g->probability;
		}
	}
	s->tau = faded > 0 ? s->tau / faded : 0;
}

int sm_autocorr_fit(const struct sm_lsq_points *points,
	const struct sm_autocorr_times *at, struct sm_autocorr *s)
{
	struct sm_lsq_frame f;
	double usual, span;
	int err;

	*s = (struct sm_autocorr){.p = points->k + 1, .bad = -1};
	err = sm_lsq_frame(points, &f, &s->bad);
	if (err < 0)
		return err;
	s->used = f.used;
	s->df = (double)f.used - f.p;
	if (f.used <= f.p)
		return -ENODATA;
	err = distances(points, at->t, &usual, &span);
	if (err < 0)
		return err;
	s->npairs = grid(usual, span, at->block != NULL, s->pair);
	for (unsigned int i = 0; i < s->npairs; i++) {
		err = fit_pair(points, at, &f, &s->pair[i], &s->bad);
		if (err < 0)
			return err;
	}
	normalise(s);
	average(s);
	return 0;
}

/* A linear combination of coefficients according to one pair. */
struct part {
	double probability, mean, se;
};

struct mixture {
	unsigned int n;
	double df;
	struct part part[SM_AUTOCORR_PAIRS];
};

static void project(
	const struct sm_autocorr *s, const double factor[SM_LSQ_COEFS], struct mixture *m)
{
	m->n = s->npairs;
	m->df = s->df;
	for (unsigned int g = 0; g < s->npairs; g++) {
		const struct sm_autocorr_pair *pair = &s->pair[g];
		double mean = 0, variance = 0;

		for (unsigned int i = 0; i < s->p; i++) {
			mean += factor[i] * pair->coef[i];
			for (unsigned int j = 0; j < s->p; j++)
				variance += factor[i] * factor[j] *
					    (pair->cov[i][j] + s->extra[i][j]);
		}
		m->part[g] = (struct part){
			pair->probability, mean, sqrt(fmax(variance, DBL_MIN))};
	}
}

/* Returns P(value > x) if above, otherwise P(value <= x). */
static double tail(const struct mixture *m, double x, bool above)
{
	double sum = 0;

	for (unsigned int g = 0; g < m->n; g++) {
		const struct part *a = &m->part[g];
		double z = (x - a->mean) / a->se;

		sum += a->probability * sm_tdist_cdf(above ? -z : z, m->df);
	}
	return sum;
}

/* Returns the x that is exceeded with probability p < 0.5, upwards or downwards; it lies
 * between the quantiles of the parts. */
static double limit(const struct mixture *m, double p, bool above)
{
	double t = sm_tdist_quantile(1 - p, m->df), inner = INFINITY, outer = -INFINITY;
	double sign = above ? 1 : -1;

	for (unsigned int g = 0; g < m->n; g++) {
		double x = sign * m->part[g].mean + t * m->part[g].se;

		inner = fmin(inner, x);
		outer = fmax(outer, x);
	}
	for (int i = 0; i < 40 && outer - inner > 1e-7 * fabs(outer); i++) {
		double middle = inner / 2 + outer / 2;

		if (tail(m, sign * middle, above) > p)
			inner = middle;
		else
			outer = middle;
	}
	return sign * (inner / 2 + outer / 2);
}

static void moments(const struct mixture *m, struct sm_autocorr_estimate *e)
{
	double variance = 0;

	e->value = 0;
	for (unsigned int g = 0; g < m->n; g++)
		e->value += m->part[g].probability * m->part[g].mean;
	for (unsigned int g = 0; g < m->n; g++) {
		const struct part *a = &m->part[g];
		double d = a->mean - e->value;

		variance += a->probability * (a->se * a->se + d * d);
	}
	e->se = sqrt(variance);
}

int sm_autocorr_estimate(const struct sm_autocorr *s, const double factor[SM_LSQ_COEFS],
	double confidence, struct sm_autocorr_estimate *e)
{
	struct mixture m;
	double p = (1 - confidence) / 2;

	if (!(confidence > 0) || !(confidence < 1))
		return -EINVAL;
	project(s, factor, &m);
	moments(&m, e);
	e->low = limit(&m, p, false);
	e->high = limit(&m, p, true);
	e->p = fmin(2 * fmin(tail(&m, 0, false), tail(&m, 0, true)), 1);
	return 0;
}

int sm_autocorr_coef(const struct sm_autocorr *s, unsigned int i, double confidence,
	struct sm_autocorr_estimate *e)
{
	double factor[SM_LSQ_COEFS] = {0};

	if (i >= s->p)
		return -EINVAL;
	factor[i] = 1;
	return sm_autocorr_estimate(s, factor, confidence, e);
}
