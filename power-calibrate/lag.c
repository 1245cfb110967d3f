// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/robust.h"
#include "lag.h"

/* Time constants that are tried, of each kind. */
#define FIRST_S	 0.1
#define FACTOR	 1.3
#define STEPS	 27
#define REFINE	 8
#define TRIALS	 (3 + 6 * STEPS + 4 * REFINE)
#define OVERLAP	 0.48 /* with the rounding of times */
#define NEAR	 1.02 /* for the derivative */
#define FEW	 8    /* readings below which nothing is tried */
#define OUTLIER	 8.0  /* standard deviations */
#define UNLIKELY 2.0  /* factor of the loss */

struct trial {
	struct history_meter meter;
	double price_w[HISTORY_USES]; /* slope of each load */
	double noise_s;		      /* time constant of the errors; 0: independent */
	bool known;		      /* its time is the one of the driver */
	bool good;
};

struct search {
	const struct history *history;
	bool gauge;
	bool coarse;	  /* a value that does not change may be new: a poll is a point */
	double average_s; /* as the driver has it; 0: unknown */
	double longest_s; /* a longer one needs longer tests */
	struct lag_point *point;
	size_t n, used, rows; /* readings, points, points of a trial */
	unsigned int uses;    /* other load, and the load of each type */
	double *x, *y, *w;
	double *weight;	  /* of a residual */
	double *residual; /* n of each trial */
	double scale;	  /* the least of all trials */
	struct trial trial[TRIALS];
	unsigned int trials;
};

static bool is_usable(const struct reading *a)
{
	return isfinite(a->v[F_WATTS]) && isfinite(a->v[F_OWN]) &&
	       isfinite(a->v[F_OTHER]);
}

/* Finds the output of the meter at the end of each reading. */
static void choose_points(struct search *s, const struct readings *r)
{
	/* When the first value was renewed is unknown. */
	double last_s = r->history.poll[0].t_s;

	for (size_t i = 0; i < r->n; i++) {
		const struct reading *a = &r->at[i];
		const struct history_poll *poll =
			history_last_poll(&r->history, a->t_s + a->dt_s / 2);
		struct lag_point *p = &s->point[i];
		double at_s;

		if (!is_usable(a) || !poll || !isfinite(poll->watts))
			continue;
		at_s = s->coarse ? poll->t_s : poll->renewed_s;
		if (at_s <= last_s)
			continue;
		*p = (struct lag_point){.used = true, .t_s = at_s, .watts = poll->watts};
		last_s = p->t_s;
		s->used++;
	}
}

/* Sets the times of the points to even ones, if it is renewed at such times. */
static void even_out(struct search *s)
{
	struct history_even e;

	if (!history_is_even(s->history, &e))
		return;
	for (size_t i = 0; i < s->n; i++)
		s->point[i].t_s = history_nearest(&e, s->point[i].t_s);
}

static int filter_use(struct search *s, struct history_meter meter, enum history_of of)
{
	struct history_shown shown;
	int err = history_show(&shown, s->history, meter, of);

	for (size_t i = 0; !err && i < s->n; i++)
		if (s->point[i].used)
			s->point[i].use[of] = history_value(&shown, s->point[i].t_s);
	history_hide(&shown);
	return err;
}

static int filter(struct search *s, struct history_meter meter)
{
	int err = 0;

	for (unsigned int of = 0; !err && of < s->uses; of++)
		err = filter_use(s, meter, of);
	return err;
}

/* --- trials ------------------------------------------------------------------------- */

/* Returns the mean time of a test. */
static double test_s(const struct readings *r)
{
	const struct reading *last = &r->at[r->n - 1];

	return (last->t_s + last->dt_s / 2) / (last->test + 1);
}

static int search_init(struct search *s, const struct readings *r, unsigned int loads)
{
	size_t n = r->n + 1;

	*s = (struct search){.n = r->n,
		.uses = HISTORY_OWN + loads,
		.history = &r->history,
		.gauge = r->gauge,
		.longest_s = LAG_TESTS * test_s(r),
		.average_s = r->average_s,
		.scale = INFINITY,
		.point = calloc(n, sizeof(*s->point)),
		.x = calloc(n, sizeof(double) * (HISTORY_USES + 1)),
		.y = calloc(n, sizeof(double)),
		.w = calloc(n, sizeof(double)),
		.weight = calloc(n, sizeof(double)),
		.residual = calloc(n, sizeof(double) * TRIALS)};
	return s->point && s->x && s->y && s->w && s->weight && s->residual ? 0 : -ENOMEM;
}

static void search_fini(struct search *s)
{
	free(s->point);
	free(s->x);
	free(s->y);
	free(s->w);
	free(s->weight);
	free(s->residual);
}

/* Subtracts the part of the errors that was already in the previous point. */
static struct lag_point apart(
	const struct lag_point *p, const struct lag_point *before, double share)
{
	double rest = 1 - share;
	struct lag_point a = {.used = true,
		.t_s = (p->t_s - share * before->t_s) / rest,
		.watts = (p->watts - share * before->watts) / rest,
		.change = (p->change - share * before->change) / rest};

	for (unsigned int i = 0; i < HISTORY_USES; i++)
		a.use[i] = (p->use[i] - share * before->use[i]) / rest;
	return a;
}

/* Returns the correlation of the errors of two points: means share the part of their
 * time that overlaps. */
static double share_of(
	const struct lag_point *p, const struct lag_point *before, const struct trial *t)
{
	double apart_s = p->t_s - before->t_s;

	if (t->noise_s == 0)
		return 0;
	if (t->meter.kind == HISTORY_MEAN)
		return fmax(1 - apart_s / t->noise_s, 0);
	return exp(-apart_s / t->noise_s);
}

/* Adds a row: the loads, time and, if it has a column, other load. */
static void put_point(struct search *s, const struct lag_point *p, unsigned int k)
{
	double *x = s->x + s->rows * k;

	for (unsigned int i = HISTORY_OWN; i < s->uses; i++)
		*x++ = p->use[i];
	*x++ = p->t_s;
	if (k > s->uses)
		*x = p->use[HISTORY_OTHER];
	s->y[s->rows++] = p->watts;
}

static void put_points(struct search *s, const struct trial *t, unsigned int k)
{
	const struct lag_point *before = NULL;

	s->rows = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct lag_point *p = &s->point[i];

		if (!p->used)
			continue;
		if (before) {
			double share = share_of(p, before, t);
			struct lag_point a = apart(p, before, share);

			s->weight[s->rows] = 1 - share;
			put_point(s, &a, k);
		}
		before = p;
	}
}

/* Fits the line over the filtered use; leaves out other load if it is constant. */
static int fit(
	struct search *s, const struct trial *t, struct sm_robust *fit, unsigned int *k)
{
	int err = -EDOM;

	for (*k = s->uses + 1; err == -EDOM && *k >= s->uses; --*k) {
		struct sm_lsq_points p;

		put_points(s, t, *k);
		p = (struct sm_lsq_points){.n = s->rows, .k = *k, .x = s->x, .y = s->y};
		err = sm_robust_fit(&p, s->w, fit);
	}
	++*k;
	return err;
}

/* Keeps the residuals of a trial. */
static int try(struct search *s, struct history_meter meter, double noise_s, bool known)
{
	struct trial *t = &s->trial[s->trials];
	double *residual = s->residual + s->trials * s->n, scale;
	struct sm_robust line;
	unsigned int k;
	int err;

	*t = (struct trial){.meter = meter, .noise_s = noise_s, .known = known};
	s->trials++;
	err = fit(s, t, &line, &k);
	t->good = !err;
	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; i < s->rows; i++) {
		double y = sm_lsq_predict(line.fit.coef, s->x + i * k, k);

		residual[i] = (s->y[i] - y) * s->weight[i];
		s->w[i] = fabs(residual[i]);
	}
	memcpy(&t->price_w[HISTORY_OWN], &line.fit.coef[1],
		(s->uses - HISTORY_OWN) * sizeof(*t->price_w));
	scale = 1.4826 * sm_robust_median(s->w, s->rows);
	if (scale > 0 && scale < s->scale)
		s->scale = scale;
	return 0;
}

static int try_meter(struct search *s, enum history_kind kind, double time_s, bool known)
{
	const struct history_meter meter = {
		.kind = kind, .s = kind == HISTORY_SHARP ? 0 : time_s};
	int err = filter(s, meter);

	if (!err && kind != HISTORY_SHARP)
		err = try(s, meter, 0, known);
	return err ? err : try(s, meter, time_s, known);
}

/* Tries the meter of the driver with errors of each time constant, because the power
 * itself may have such errors. */
static int try_known(struct search *s)
{
	const struct history_meter meter = {.kind = HISTORY_MEAN, .s = s->average_s};
	double time_s = FIRST_S;
	int err = try_meter(s, meter.kind, meter.s, true);

	for (unsigned int i = 0; !err && i < STEPS; i++) {
		if (time_s > meter.s)
			err = try(s, meter, time_s, true);
		time_s *= FACTOR;
	}
	return err;
}

static int try_all(struct search *s)
{
	double time_s = FIRST_S;
	int err = try_meter(s, HISTORY_SHARP, 0, false);

	if (!err && s->average_s > 0)
		err = try_known(s);
	for (unsigned int i = 0; !err && i < STEPS; i++) {
		err = try_meter(s, HISTORY_SHARP, time_s, false);
		if (!err)
			err = try_meter(s, HISTORY_LAG, time_s, false);
		if (!err)
			err = try_meter(s, HISTORY_MEAN, time_s, false);
		time_s *= FACTOR;
	}
	return err;
}

/* --- the choice --------------------------------------------------------------------- */

static double loss_of(const struct search *s, unsigned int trial)
{
	const double *residual = s->residual + trial * s->n;
	double limit = OUTLIER * s->scale, sum = 0;

	if (!s->trial[trial].good)
		return INFINITY;
	for (size_t i = 0; i < s->rows; i++) {
		double e = fmin(fabs(residual[i]), limit);

		sum += e * e;
	}
	/* A meter that filters the load filters its noise too. */
	if (s->trial[trial].noise_s == 0 && s->trial[trial].meter.kind != HISTORY_SHARP)
		sum *= UNLIKELY;
	return sum;
}

static bool is_any(const struct trial *t)
{
	(void)t;
	return true;
}

static bool is_sharp(const struct trial *t)
{
	return t->meter.kind == HISTORY_SHARP;
}

static bool is_known(const struct trial *t)
{
	return t->known;
}

/* Returns the best of such trials; otherwise the first trial. */
static unsigned int least_of(const struct search *s, bool (*is)(const struct trial *t))
{
	unsigned int best = 0;
	double least = INFINITY;

	for (unsigned int i = 0; i < s->trials; i++) {
		double loss = is(&s->trial[i]) ? loss_of(s, i) : INFINITY;

		if (loss < least) {
			best = i;
			least = loss;
		}
	}
	return best;
}

/* Tries time constants nearer and nearer to the best. */
static int refine(struct search *s)
{
	double factor = FACTOR;
	int err = 0;

	for (unsigned int i = 0; !err && i < REFINE; i++) {
		struct history_meter best = s->trial[least_of(s, is_any)].meter;

		if (best.kind == HISTORY_SHARP)
			return 0;
		factor = sqrt(factor);
		err = try_meter(s, best.kind, best.s * factor, false);
		if (!err)
			err = try_meter(s, best.kind, best.s / factor, false);
	}
	return err;
}

/* Returns whether a trial is clearly worse than the best one. */
static bool is_worse(const struct search *s, unsigned int trial, unsigned int best)
{
	double ratio = loss_of(s, trial) / loss_of(s, best);

	return ratio >= LAG_LESS && (double)s->rows * log(ratio) >= LAG_LIKELIER;
}

/* Returns the trial to use. */
static unsigned int choose(const struct search *s)
{
	unsigned int best = least_of(s, is_any), sharp = least_of(s, is_sharp);
	unsigned int known = least_of(s, is_known);

	if (s->average_s > 0 && !is_worse(s, known, best))
		return known;
	/* Readings in coarse steps fit the flat output of a slow meter as well. */
	if (s->coarse && s->trial[best].meter.s > s->longest_s)
		return sharp;
	return s->gauge || is_worse(s, sharp, best) ? best : sharp;
}

static double power_of(
	const struct search *s, const struct trial *t, const struct lag_point *p)
{
	double sum = 0;

	for (unsigned int i = HISTORY_OWN; i < s->uses; i++)
		sum += t->price_w[i] * p->use[i];
	return sum;
}

/* Sets the change of the power of the filtered load with the logarithm of the time
 * constant. */
static int differentiate(struct search *s, const struct trial *t)
{
	struct history_meter more = t->meter, less = t->meter;
	int err;

	more.s *= NEAR;
	less.s /= NEAR;
	err = filter(s, less);
	for (size_t i = 0; !err && i < s->n; i++)
		s->point[i].change = power_of(s, t, &s->point[i]);
	if (!err)
		err = filter(s, more);
	for (size_t i = 0; !err && i < s->n; i++)
		s->point[i].change = (power_of(s, t, &s->point[i]) - s->point[i].change) /
				     (2 * log(NEAR));
	return err;
}

/* Sets the mean output of the meter in each reading. */
static int mean_use(struct lag *l, const struct readings *r, unsigned int of)
{
	struct history_shown shown;
	int err = history_show(&shown, &r->history, l->meter, of);

	for (size_t i = 0; !err && i < r->n; i++) {
		const struct reading *a = &r->at[i];

		l->point[i].mean[of] =
			history_mean(&shown, a->t_s - a->dt_s / 2, a->t_s + a->dt_s / 2);
	}
	history_hide(&shown);
	return err;
}

/* Drops points of a mean that share more than about half of their time with the one
 * before. */
static void thin_out(struct search *s, double average_s)
{
	double last_s = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		struct lag_point *p = &s->point[i];

		p->used = p->used && p->t_s - last_s > OVERLAP * average_s;
		if (p->used)
			last_s = p->t_s;
	}
}

/* Hands over the points of a meter, without the errors that are in the previous point; of
 * a known meter, those that it has shown before, because only their time is known. */
static void hand_over(struct lag *l, struct search *s, const struct trial *chosen)
{
	struct trial t = *chosen;
	struct lag_point before = {0};

	if (t.known) {
		t.noise_s = fmin(t.noise_s, t.meter.s);
		thin_out(s, t.meter.s);
	}
	for (size_t i = 0; t.noise_s > 0 && i < s->n; i++) {
		struct lag_point *p = &s->point[i], now = *p;

		if (!p->used)
			continue;
		p->used = before.used;
		if (before.used)
			*p = apart(&now, &before, share_of(&now, &before, &t));
		before = now;
	}
	l->point = s->point;
	s->point = NULL;
}

static int use(
	struct lag *l, struct search *s, const struct trial *t, const struct readings *r)
{
	int err = 0;

	l->searched = t->meter.kind != HISTORY_SHARP && !t->known;
	if (l->searched)
		err = differentiate(s, t);
	if (!err)
		err = filter(s, t->meter);
	if (err)
		return err;
	l->meter = t->meter;
	hand_over(l, s, t);
	for (unsigned int of = 0; !err && of < s->uses; of++)
		err = mean_use(l, r, of);
	return err;
}

/* Decides whether the tests are long enough for the meter. */
static void judge(struct lag *l, const struct readings *r, size_t points)
{
	const struct history *h = &r->history;

	if (l->held)
		l->renew_s = (h->poll[h->polls - 1].t_s - h->poll[0].t_s) /
			     (double)(points ? points : 1);
	l->few = (l->held && points < LAG_VALUES) || l->meter.s > LAG_TESTS * test_s(r);
}

int lag_find(struct lag *l, const struct readings *r, unsigned int loads)
{
	struct search s;
	int err;

	memset(l, 0, sizeof(*l));
	if (!r->n || r->history.polls < 2 || r->history.looks < 2)
		return 0;
	err = search_init(&s, r, loads);
	if (!err)
		err = history_is_coarse(&r->history, &s.coarse);
	l->held = !s.coarse && history_is_held(&r->history);
	if (!err)
		choose_points(&s, r);
	if (!err && s.used >= FEW) {
		const struct trial *t;

		if (l->held)
			even_out(&s);
		err = try_all(&s);
		if (!err)
			err = refine(&s);
		t = &s.trial[choose(&s)];
		if (!err && (l->held || t->meter.kind != HISTORY_SHARP))
			err = use(l, &s, t, r);
	}
	judge(l, r, s.used);
	search_fini(&s);
	return err;
}

double lag_needs_s(const struct lag *l)
{
	return ceil(6 * fmax(l->meter.s, l->renew_s));
}

void lag_fini(struct lag *l)
{
	free(l->point);
	memset(l, 0, sizeof(*l));
}
