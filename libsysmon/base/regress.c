// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/regress.h"

/* Largest relative change of the first coefficient by errors of a regressor. */
#define BIAS_MAX 0.02
/* Number of its errors by which a regressor must vary to have a coefficient of its own;
 * the errors then bias that coefficient by 3 % towards 0. */
#define BLUR 6

/* Spread that depends on the first regressor: slope, in standard errors, above which it
 * is taken into account; rounds; the least spread relative to its mean, and relative to
 * that the least that the residuals can show. */
#define SPREAD_SURE   2.5
#define SPREAD_ROUNDS 3
#define SPREAD_LEAST  0.1
#define SPREAD_TINY   0.01
/* Standard deviation of normal errors, divided by their mean size. */
#define NORMAL_SD 1.2533141373155003

struct work {
	double *x;	/* the regressors that are kept */
	double *w;	/* weights of the last fit; 0: rejected */
	double *weight; /* weights of the points by their spread */
	double *room;	/* two values for each point */
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

/* --- spread ------------------------------------------------------------------------- */

/* Fits the absolute residuals as a line over the first regressor; `sure`: it has a slope.
 */
static int spread_line(struct work *k, double coef[SM_LSQ_COEFS], bool *sure)
{
	double *own = k->room, *size = k->room + k->in.n, se;
	const struct sm_lsq_points points = {
		.n = k->in.n, .k = 1, .x = own, .y = size, .w = k->in.w};
	struct sm_robust line;
	int err;

	for (size_t i = 0; i < k->in.n; i++) {
		own[i] = k->x[i * k->in.k];
		size[i] = fabs(residual_of(k, i));
	}
	err = sm_robust_fit(&points, k->w, &line);
	if (err == 0)
		err = sm_lsq_se(&line.fit, 1, &se);
	if (err < 0)
		return err;
	memcpy(coef, line.fit.coef, sizeof(line.fit.coef));
	*sure = fabs(coef[1]) > SPREAD_SURE * se;
	return 0;
}

/* Returns the spread of the points where the line is below `least`: the root mean square
 * of their own residuals.  Otherwise, if they had less, the others would seem to have
 * less as well. */
static double least_spread(const struct work *k, const double *spread, double least)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < k->in.n; i++) {
		double residual = residual_of(k, i);

		if (spread[i] >= least)
			continue;
		sum += residual * residual;
		n++;
	}
	return n ? fmin(fmax(sqrt(sum / (double)n), SPREAD_TINY * least), least) : least;
}

/* Sets the weights to 1 / spread^2, such that the mean variance is 1.  Returns false if
 * all residuals are 0. */
static bool weigh(struct work *k, const double coef[SM_LSQ_COEFS])
{
	double *spread = k->room + k->in.n, mean = 0, variance = 0, least;

	for (size_t i = 0; i < k->in.n; i++) {
		spread[i] = NORMAL_SD * fmax(coef[0] + coef[1] * k->room[i], 0);
		mean += spread[i] / (double)k->in.n;
	}
	least = least_spread(k, spread, SPREAD_LEAST * mean);
	for (size_t i = 0; i < k->in.n; i++) {
		if (spread[i] < SPREAD_LEAST * mean)
			spread[i] = least;
		variance += spread[i] * spread[i] / (double)k->in.n;
	}
	for (size_t i = 0; i < k->in.n; i++)
		k->weight[i] = variance / (spread[i] * spread[i]);
	return variance > 0;
}

/* Weighs the points if their spread depends on the first regressor.  Whether it does is
 * seen better with the weights than without them. */
static int even_out(struct work *k)
{
	double coef[SM_LSQ_COEFS];
	bool sure = false;
	int err = 0;

	for (int round = 0; err == 0 && round < SPREAD_ROUNDS; round++) {
		err = spread_line(k, coef, &sure);
		if (err == 0 && !weigh(k, coef))
			err = -ENODATA;
		k->in.w = k->weight;
		if (err == 0)
			err = sm_robust_fit(&k->in, k->w, &k->robust);
	}
	if (err == -ENOMEM || (err == 0 && sure))
		return err;
	k->in.w = NULL;
	return sm_robust_fit(&k->in, k->w, &k->robust);
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

static int intervals(
	const struct sm_regress_points *p, struct work *k, struct sm_regress *r)
{
	const struct sm_serial_times at = {.t = p->t, .block = p->block};
	int err;

	for (unsigned int j = 0; j <= p->k; j++)
		r->coef[j] = (struct sm_serial_estimate){.p = 1};
	k->in.w = k->w;
	err = sm_serial_fit(&k->in, &at, &r->serial);
	for (unsigned int j = 0; err == 0 && j <= k->in.k; j++)
		err = sm_serial_coef(&r->serial, j, p->confidence,
			&r->coef[j ? k->column[j - 1] + 1 : 0]);
	return err;
}

static int work_init(struct work *k, size_t n, unsigned int columns)
{
	k->x = calloc(n ? n : 1, sizeof(*k->x) * (columns ? columns : 1));
	k->w = calloc(n ? n : 1, sizeof(*k->w));
	k->weight = calloc(n ? n : 1, sizeof(*k->weight));
	k->room = calloc(n ? n : 1, 2 * sizeof(*k->room));
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
		err = even_out(k);
	if (err < 0)
		return err;
	judge_residuals(k, r);
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
	const struct sm_regress *r, const double *x, struct sm_serial_estimate *e)
{
	double factor[SM_LSQ_COEFS] = {1};
	unsigned int n = 1;

	for (unsigned int j = 0; j < r->k; j++)
		if (is_in(r, j))
			factor[n++] = j ? x[j] : first_of(r, x);
	return sm_serial_estimate(&r->serial, factor, r->confidence, e);
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
