// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "fit/regress.h"
#include "fit/spread.h"
#include "fit/steps.h"

/* Largest relative change of the first coefficient by errors of a regressor. */
#define BIAS_MAX 0.02
/* Number of its errors by which a regressor must vary to have a coefficient of its own;
 * the errors then bias that coefficient by 3 % towards 0. */
#define BLUR 6

/* Standard deviation of the factor with which a regressor is joined, relative to it. */
#define JOIN_ERROR (1 / 6.0)
/* Steps: levels that are closer, in steps, have one error; residuals below this part of a
 * step are not due to steps. */
#define STEP_APART 0.25
#define STEP_SURE  0.02

struct work {
	double *x;	/* the regressors that are kept */
	double *w;	/* weights of the last fit; 0: rejected */
	double *weight; /* weights of the points by their spread */
	double *room;	/* a value for each point */
	struct sm_lsq_points in;
	unsigned int
		column[SM_LSQ_COEFS]; /* the caller's number of each kept regressor */
	struct sm_robust robust;
};

/* Returns the first regressor of a row, including the regressors joined to it. */
static double first_of(const struct sm_regress *r, const double *x)
{
	double sum = x[0];

	for (unsigned int j = 1; j < r->k; j++)
		if (r->joined >> j & 1)
			sum += r->join[j] * x[j];
	return sum;
}

static bool is_in(const struct sm_regress *r, unsigned int j)
{
	return !((r->left_out | r->joined) >> j & 1);
}

/* Copies the regressors that are kept. */
static void choose(
	const struct sm_regress_points *p, const struct sm_regress *r, struct work *k)
{
	unsigned int n = 0;

	for (unsigned int j = 0; j < p->k; j++)
		if (is_in(r, j))
			k->column[n++] = j;
	for (size_t i = 0; i < p->n; i++)
		for (unsigned int j = 0; j < n; j++)
			k->x[i * n + j] = k->column[j] ? p->x[i * p->k + k->column[j]]
						       : first_of(r, p->x + i * p->k);
	k->in = (struct sm_lsq_points){.n = p->n, .k = n, .x = k->x, .y = p->y};
}

static bool join(
	const struct sm_regress_points *p, unsigned int column, struct sm_regress *r)
{
	if (column == 0 || !p->join || p->join[column] == 0)
		return false;
	r->joined |= 1u << column;
	r->join[column] = p->join[column];
	return true;
}

/* Records that the first coefficient cannot be determined, because of a regressor or of
 * itself. */
static int refuse(unsigned int column, struct sm_regress *r)
{
	/* If it is the first one, a regressor that was joined to it is the cause. */
	for (unsigned int j = 1; column == 0 && j < r->k; j++)
		if (r->joined >> j & 1)
			column = j;
	r->bad = (int)column;
	r->combined = true;
	return -EDOM;
}

/* Leaves out optional regressors that are constant, and joins those that are combinations
 * of others if the caller allows that. */
static int robust(const struct sm_regress_points *p, struct work *k, struct sm_regress *r)
{
	int err, bad;

	for (;;) {
		choose(p, r, k);
		err = sm_robust_fit(&k->in, k->w, &k->robust);
		bad = k->robust.fit.bad;
		if (err != -EDOM || bad < 0)
			return err;
		r->bad = (int)k->column[bad];
		r->combined = k->robust.fit.combined;
		if (r->combined && join(p, (unsigned int)r->bad, r)) {
			r->bad = -1;
			continue;
		}
		if (r->bad == 0 && r->joined)
			return refuse(0, r);
		if (r->combined || !(p->optional >> r->bad & 1))
			return -EDOM;
		r->left_out |= 1u << r->bad;
		r->bad = -1;
	}
}

/* --- errors of regressors ----------------------------------------------------------- */

/* Regresses column c on the others: returns its residual variance, and its slope with
 * respect to the first of them. */
static int apart(
	const struct work *k, unsigned int c, double *x, double *variance, double *slope)
{
	struct sm_lsq_points others = {.n = k->in.n,
		.k = k->in.k - 1,
		.x = x,
		.y = x + k->in.n * (k->in.k - 1),
		.w = k->w};
	struct sm_lsq l;
	int err;

	for (size_t i = 0; i < k->in.n; i++) {
		const double *row = k->in.x + i * k->in.k;

		for (unsigned int j = 0, to = 0; j < k->in.k; j++)
			if (j != c)
				x[i * others.k + to++] = row[j];
		x[k->in.n * others.k + i] = row[c];
	}
	err = sm_lsq_solve(&others, &l);
	*slope = err == 0 && others.k ? l.coef[1] : 0;
	return err ? err : sm_lsq_s2(&l, variance);
}

/* Returns the error of column c; for the first one, including the errors of the joined
 * regressors. */
static double error_of(const struct sm_regress_points *p, const struct work *k,
	const struct sm_regress *r, unsigned int c)
{
	double sum = p->error[k->column[c]] * p->error[k->column[c]];

	for (unsigned int j = 1; c == 0 && j < p->k; j++)
		if (r->joined >> j & 1)
			sum += r->join[j] * r->join[j] * p->error[j] * p->error[j];
	return sqrt(sum);
}

/* Judges the effect of an error e on the first coefficient: the error of the first
 * regressor biases its coefficient towards 0 by the fraction e^2 / v of the residual
 * variance; for another regressor, the first one absorbs that fraction, times `slope`.
 * Returns 1 if the column was joined to the first. */
static int judge_error(const struct sm_regress_points *p, const struct work *k,
	unsigned int c, double *x, struct sm_regress *r)
{
	double e = error_of(p, k, r, c), v = 0, slope = 0, share;
	int err;

	if (!(e > 0))
		return 0;
	err = apart(k, c, x, &v, &slope);
	if (err < 0)
		return err;
	share = v > 0 ? e * e / v : INFINITY;
	if (c && v < BLUR * BLUR * e * e && join(p, k->column[c], r))
		return 1;
	if (share * (c ? fabs(slope) : 1) > BIAS_MAX)
		return refuse(k->column[c], r);
	return 0;
}

/* Returns 1 if a regressor was joined to the first; -EDOM if the first coefficient cannot
 * be determined. */
static int blurred(
	const struct sm_regress_points *p, const struct work *k, struct sm_regress *r)
{
	double *x;
	int err = 0;

	if (!p->error)
		return 0;
	x = calloc(p->n, sizeof(*x) * (p->k + 1));
	if (!x)
		return -ENOMEM;
	for (unsigned int c = k->in.k; err == 0 && c-- > 0;)
		err = judge_error(p, k, c, x, r);
	free(x);
	return err;
}

static double residual_of(const struct work *k, size_t i)
{
	return k->in.y[i] -
	       sm_lsq_predict(k->robust.fit.coef, k->x + i * k->in.k, k->in.k);
}

/* Sets R^2 of the points used.  The weights are not included: R^2 is a fraction of the
 * variation of y as it is. */
static void explain(const struct work *k, double rss, struct sm_regress *r)
{
	const struct sm_lsq *fit = &k->robust.fit;
	double n = (double)fit->used, df = sm_lsq_df(fit), mean = 0, tss = 0;

	for (size_t i = 0; i < k->in.n; i++)
		mean += k->w[i] > 0 ? k->in.y[i] / n : 0;
	for (size_t i = 0; i < k->in.n; i++)
		tss += k->w[i] > 0 ? (k->in.y[i] - mean) * (k->in.y[i] - mean) : 0;
	r->has_r2 = !fit->constant && df > 0;
	if (!r->has_r2)
		return;
	r->r2 = fmax(1 - rss / tss, 0);
	r->adjusted_r2 = 1 - (1 - r->r2) * (n - 1) / df;
}

static void judge_residuals(const struct work *k, struct sm_regress *r)
{
	double rss = 0, df = sm_lsq_df(&k->robust.fit);

	for (size_t i = 0; i < k->in.n; i++) {
		double residual = residual_of(k, i);

		if (k->w[i] == 0)
			continue;
		rss += residual * residual;
		if (fabs(residual) < fabs(r->worst))
			continue;
		r->worst = residual;
		r->worst_at = i;
	}
	r->rms = df > 0 ? sqrt(rss / df) : 0;
	explain(k, rss, r);
	r->used = k->robust.used;
	r->rejected = k->robust.rejected;
	r->misfit = k->robust.misfit;
}

/* --- steps -------------------------------------------------------------------------- */

static void look_for_steps(const struct work *k, struct sm_regress *r)
{
	size_t n = 0;
	double step;

	for (size_t i = 0; i < k->in.n; i++)
		if (k->w[i] > 0)
			k->room[n++] = k->in.y[i];
	step = sm_steps_find(k->room, n);
	if (r->rms < step && r->rms > STEP_SURE * step)
		r->step = step;
}

struct level {
	double fit;
	size_t i;
};

static int by_fit(const void *a, const void *b)
{
	const struct level *x = a, *y = b;

	return (x->fit > y->fit) - (x->fit < y->fit);
}

/* Adds an error of the points to the covariance of the coefficients.  sum: the sum of the
 * rows, times their weights and their errors. */
static void add_error(const struct work *k, const double sum[SM_LSQ_COEFS],
	double extra[SM_LSQ_COEFS][SM_LSQ_COEFS])
{
	const struct sm_lsq *fit = &k->robust.fit;
	double effect[SM_LSQ_COEFS] = {0};

	for (unsigned int a = 0; a < fit->p; a++)
		for (unsigned int b = 0; b < fit->p; b++)
			effect[a] += fit->unit[a][b] * sum[b];
	for (unsigned int a = 0; a < fit->p; a++)
		for (unsigned int b = 0; b < fit->p; b++)
			extra[a][b] += effect[a] * effect[b];
}

static void add_row(
	const struct work *k, size_t i, double error, double sum[SM_LSQ_COEFS])
{
	sum[0] += k->w[i] * error;
	for (unsigned int j = 0; j < k->in.k; j++)
		sum[j + 1] += k->w[i] * error * k->x[i * k->in.k + j];
}

/* Adds the error of each factor with which a regressor was joined to the first one. */
static void add_joins(
	const struct sm_regress_points *p, const struct work *k, struct sm_regress *r)
{
	for (unsigned int j = 1; j < p->k; j++) {
		double sum[SM_LSQ_COEFS] = {0};
		double unit = JOIN_ERROR * r->join[j] * k->robust.fit.coef[1];

		if (!(r->joined >> j & 1))
			continue;
		for (size_t i = 0; i < p->n; i++)
			add_row(k, i, unit * p->x[i * p->k + j], sum);
		add_error(k, sum, r->autocorr.extra);
	}
}

/* Adds one error for each distinct level. */
static int add_steps(const struct work *k, struct sm_regress *r)
{
	struct level *level = calloc(k->in.n, sizeof(*level));
	double error = sqrt(sm_steps_variance(r->step, r->rms));

	if (!level)
		return -ENOMEM;
	for (size_t i = 0; i < k->in.n; i++)
		level[i] = (struct level){k->in.y[i] - residual_of(k, i), i};
	qsort(level, k->in.n, sizeof(*level), by_fit);
	for (size_t i = 0, end; i < k->in.n; i = end) {
		double sum[SM_LSQ_COEFS] = {0};

		for (end = i; end < k->in.n &&
			      level[end].fit - level[i].fit < STEP_APART * r->step;
			end++)
			add_row(k, level[end].i, error, sum);
		add_error(k, sum, r->autocorr.extra);
	}
	free(level);
	return 0;
}

static int intervals(
	const struct sm_regress_points *p, struct work *k, struct sm_regress *r)
{
	const struct sm_autocorr_times at = {.t = p->t, .block = p->block};
	int err;

	for (unsigned int j = 0; j <= p->k; j++)
		r->coef[j] = (struct sm_autocorr_estimate){.p = 1};
	k->in.w = k->w;
	err = sm_autocorr_fit(&k->in, &at, &r->autocorr);
	if (err == 0 && r->step > 0)
		err = add_steps(k, r);
	if (err == 0)
		add_joins(p, k, r);
	for (unsigned int j = 0; err == 0 && j <= k->in.k; j++)
		err = sm_autocorr_coef(&r->autocorr, j, p->confidence,
			&r->coef[j ? k->column[j - 1] + 1 : 0]);
	return err;
}

static int work_init(struct work *k, size_t n, unsigned int columns)
{
	k->x = calloc(n ? n : 1, sizeof(*k->x) * (columns ? columns : 1));
	k->w = calloc(n ? n : 1, sizeof(*k->w));
	k->weight = calloc(n ? n : 1, sizeof(*k->weight));
	k->room = calloc(n ? n : 1, sizeof(*k->room));
	return k->x && k->w && k->weight && k->room ? 0 : -ENOMEM;
}

static void work_fini(struct work *k)
{
	free(k->x);
	free(k->w);
	free(k->weight);
	free(k->room);
}

static int fit(const struct sm_regress_points *points, struct work *k, bool *used,
	struct sm_regress *r)
{
	int err;

	do {
		err = robust(points, k, r);
		if (err == 0)
			err = blurred(points, k, r);
	} while (err > 0);
	if (err == 0)
		err = sm_spread_fit(&k->in, k->weight, k->w, &k->robust);
	if (err < 0)
		return err;
	judge_residuals(k, r);
	look_for_steps(k, r);
	for (size_t i = 0; used && i < points->n; i++)
		used[i] = k->w[i] > 0;
	return intervals(points, k, r);
}

int sm_regress(const struct sm_regress_points *points, bool *used, struct sm_regress *r)
{
	struct work k = {.x = NULL};
	int err;

	*r = (struct sm_regress){.bad = -1, .confidence = points->confidence};
	r->k = points->k;
	if (points->k >= SM_LSQ_COEFS)
		return -EINVAL;
	err = work_init(&k, points->n, points->k);
	if (err == 0)
		err = fit(points, &k, used, r);
	work_fini(&k);
	return err;
}

int sm_regress_at(
	const struct sm_regress *r, const double *x, struct sm_autocorr_estimate *e)
{
	double factor[SM_LSQ_COEFS] = {1};
	unsigned int n = 1;

	for (unsigned int j = 0; j < r->k; j++)
		if (is_in(r, j))
			factor[n++] = j ? x[j] : first_of(r, x);
	return sm_autocorr_estimate(&r->autocorr, factor, r->confidence, e);
}

/* Returns the sum of the regressors whose bits are set. */
static double sum_of(const struct sm_regress_points *p, size_t i, unsigned int which)
{
	double sum = 0;

	for (unsigned int j = 0; j < p->k; j++)
		if (which >> j & 1)
			sum += p->x[i * p->k + j];
	return sum;
}

struct range {
	double low, high, middle;
};

static struct range range_of(const struct sm_regress_points *p, unsigned int which)
{
	struct range r = {INFINITY, -INFINITY, 0};

	for (size_t i = 0; i < p->n; i++) {
		r.low = fmin(r.low, sum_of(p, i, which));
		r.high = fmax(r.high, sum_of(p, i, which));
	}
	r.middle = r.low / 2 + r.high / 2;
	return r;
}

/* Returns true if the sum has values further than a twentieth of the range from both of
 * its ends; otherwise only noise distinguishes its square from it. */
static bool has_middle(
	const struct sm_regress_points *p, unsigned int which, struct range r)
{
	double near = (r.high - r.low) / 20;

	for (size_t i = 0; i < p->n; i++) {
		double x = sum_of(p, i, which);

		if (x > r.low + near && x < r.high - near)
			return true;
	}
	return false;
}

/* The points with the square inserted after the first regressor, so that no optional
 * regressor precedes it. */
struct bent {
	struct sm_regress_points points;
	double *x, error[SM_LSQ_COEFS], join[SM_LSQ_COEFS];
};

/* Copies one value per regressor, with 0 inserted for the square. */
static const double *moved(const double *from, unsigned int k, double to[SM_LSQ_COEFS])
{
	if (!from)
		return NULL;
	to[0] = from[0];
	to[1] = 0;
	for (unsigned int j = 1; j < k; j++)
		to[j + 1] = from[j];
	return to;
}

static void bend_points(struct bent *b, const struct sm_regress_points *p)
{
	b->points = *p;
	b->points.x = b->x;
	b->points.error = moved(p->error, p->k, b->error);
	b->points.join = moved(p->join, p->k, b->join);
	b->points.k++;
	b->points.optional = (p->optional & 1) | (p->optional & ~1u) << 1;
}

/* Returns the regressors with the square of the distance from the middle inserted. */
static double *squared(
	const struct sm_regress_points *p, unsigned int which, double middle)
{
	unsigned int k = p->k + 1;
	double *x = calloc(p->n, sizeof(*x) * k);

	for (size_t i = 0; x && i < p->n; i++) {
		double d = sum_of(p, i, which) - middle;

		x[i * k] = p->x[i * p->k];
		x[i * k + 1] = d * d;
		for (unsigned int j = 1; j < p->k; j++)
			x[i * k + j + 1] = p->x[i * p->k + j];
	}
	return x;
}

static void describe(
	struct sm_regress_bend *b, const struct sm_regress *r, struct range x)
{
	double half = (x.high - x.low) / 2, rise = fabs(r->coef[1].value) * 2 * half;

	b->square = r->coef[2];
	b->sag = fabs(b->square.value) * half * half;
	b->share = rise > 0 ? b->sag / rise : 0;
}

int sm_regress_bend(const struct sm_regress_points *points, unsigned int which,
	struct sm_regress_bend *b)
{
	struct bent more;
	struct sm_regress *r;
	struct range range;
	int err;

	*b = (struct sm_regress_bend){.sag = 0};
	if (!which || points->k == 0 || which >> points->k ||
		points->k + 1 >= SM_LSQ_COEFS)
		return -EINVAL;
	range = range_of(points, which);
	if (!has_middle(points, which, range))
		return -EDOM;
	more.x = squared(points, which, range.middle);
	bend_points(&more, points);
	r = malloc(sizeof(*r));
	err = more.x && r ? sm_regress(&more.points, NULL, r) : -ENOMEM;
	if (err == 0)
		describe(b, r, range);
	free(r);
	free(more.x);
	return err;
}
