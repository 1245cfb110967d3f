// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_types.h"

/* The last one only for a meter that lags. */
enum { X_LOAD, X_OTHER, X_TIME, X_CHANGE, X_N };

#define S_PER_H 3600.0
/* Part of the load that CPU times may lack: the clock of a process may include time that
 * a hypervisor has stolen. */
#define UNCOUNTED 0.5
#define TICK_S	  0.01
/* Standard error of the difference of two tick counts: 1/sqrt(6) of a tick.  Idle and
 * iowait are two such differences. */
#define TICK_ERROR (TICK_S / 1.7320508)

static const char *const x_names[X_N] = {
	"the load", "other load", "time", "the lag of the meter"};

struct points {
	size_t n;
	unsigned int k;
	double *x, *y, *t;
	unsigned int *block;
	size_t *from; /* index of the reading of each point */
};

/* Selects readings, and the part of their power. */
struct choice {
	int domain;	   /* -1: the total */
	unsigned int cpus; /* 0: any */
};

static void points_fini(struct points *p)
{
	free(p->x);
	free(p->y);
	free(p->t);
	free(p->block);
	free(p->from);
}

static int points_init(struct points *p, size_t n)
{
	n++;
	*p = (struct points){.x = calloc(n * X_N, sizeof(double)),
		.y = calloc(n, sizeof(double)),
		.t = calloc(n, sizeof(double)),
		.block = calloc(n, sizeof(unsigned int)),
		.from = calloc(n, sizeof(size_t))};
	return p->x && p->y && p->t && p->block && p->from ? 0 : -ENOMEM;
}

static double y_of(const struct readings *r, size_t i, int domain)
{
	return domain < 0 ? r->at[i].v[F_WATTS]
			  : r->domain[i * r->ndomains + (size_t)domain];
}

/* Adds a reading with y watts. */
static void put_reading(struct points *p, const struct model *m, const struct reading *a,
	const struct lag_point *late, double y)
{
	double *x = p->x + p->n * p->k;

	x[X_LOAD] = late ? late->mean_own : a->v[F_OWN];
	x[X_OTHER] = late ? late->mean_other : a->v[F_OTHER];
	x[X_TIME] = model_hours(a->t_s - m->middle_s);
	p->y[p->n] = y;
	p->t[p->n] = a->t_s;
}

/* Adds the power that a meter with a lag showed at the end of a reading. */
static void put_late(struct points *p, const struct model *m, const struct lag_point *a)
{
	double *x = p->x + p->n * p->k;

	x[X_LOAD] = a->own;
	x[X_OTHER] = a->other;
	x[X_TIME] = model_hours(a->t_s - m->middle_s);
	if (p->k > X_CHANGE)
		x[X_CHANGE] = a->change;
	p->y[p->n] = a->watts;
	p->t[p->n] = a->t_s;
}

static bool is_point(const struct readings *r, size_t i, const struct choice *c)
{
	const struct reading *a = &r->at[i];

	return isfinite(y_of(r, i, c->domain)) && isfinite(a->v[F_OWN]) &&
	       isfinite(a->v[F_OTHER]) && (!c->cpus || !a->cpus || a->cpus == c->cpus);
}

static void points_fill(struct points *p, const struct model *m, const struct readings *r,
	const struct choice *c)
{
	bool late = m->lag.point && c->domain < 0;

	p->k = late && m->lag.searched ? X_N : X_CHANGE;
	for (size_t i = 0; i < r->n; i++) {
		const struct lag_point *a = m->lag.point ? &m->lag.point[i] : NULL;

		if (!is_point(r, i, c) || (late && !a->used))
			continue;
		if (late)
			put_late(p, m, a);
		else
			put_reading(p, m, &r->at[i], a, y_of(r, i, c->domain));
		p->block[p->n] = r->at[i].block;
		p->from[p->n++] = i;
	}
}

/* --- one line ----------------------------------------------------------------------- */

void model_take(struct model_line *l, const struct sm_regress *f, unsigned int other,
	unsigned int time)
{
	l->slope = f->coef[1];
	l->base = f->coef[0];
	l->other = f->coef[1 + other];
	l->drift = f->coef[1 + time];
	l->has_other = !((f->left_out | f->joined) & 1u << other);
	l->other_joined = f->joined >> other & 1;
	l->has_drift = !(f->left_out & 1u << time);
	l->has_r2 = f->has_r2 && isfinite(f->r2);
	l->r2 = f->r2;
	l->adjusted_r2 = f->adjusted_r2;
	l->rms = f->rms;
	l->worst = f->worst;
	l->used = f->used;
	l->rejected = f->rejected;
	l->step_w = f->step;
	l->misfit = f->misfit;
	l->tau_s = f->serial.tau;
	l->share = f->serial.share;
}

static void look_for_bend(struct model_line *l, const struct sm_regress_points *points)
{
	struct sm_regress_bend bend;

	if (sm_regress_bend(points, 1u << X_LOAD | 1u << X_OTHER, &bend) < 0)
		return;
	l->has_bend = true;
	l->bend_p = bend.square.p;
	l->bend_share = bend.share;
	l->not_linear =
		bend.square.p < MODEL_BEND_P && fabs(bend.share) > MODEL_BEND_SHARE;
}

static double mean_time(const struct readings *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += r->at[i].dt_s;
	return r->n ? sum / (double)r->n : 1;
}

double model_other_error(const struct readings *r)
{
	return TICK_ERROR / mean_time(r);
}

double model_hours(double s)
{
	return s / S_PER_H;
}

/* Marks the readings whose points were kept. */
static void mark_used(const struct points *p, const bool *kept, bool *used)
{
	for (size_t i = 0; i < p->n; i++)
		used[p->from[i]] = kept[i];
}

/* Returns whether the kernel's CPU times include the load.  A virtual file of a container
 * may lack it. */
static bool counts_the_load(const struct readings *r)
{
	double own = 0, busy = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct reading *a = &r->at[i];

		if (!isfinite(a->v[F_OTHER]) || !isfinite(a->v[F_OWN]))
			continue;
		own += a->v[F_OWN] * a->dt_s;
		busy += (a->v[F_OWN] + a->v[F_OTHER]) * a->dt_s;
	}
	return own - busy <= UNCOUNTED * own;
}

static bool has_ticks(const struct readings *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (isfinite(r->at[i].v[F_IDLE]))
			return true;
	return false;
}

static int regress(struct model_line *l, const struct points *p, const struct readings *r,
	double confidence, struct sm_regress *f, bool *used)
{
	const double error[X_N] = {[X_OTHER] = model_other_error(r)};
	const double join[X_N] = {[X_OTHER] = 1};
	const struct sm_regress_points points = {.n = p->n,
		.k = p->k,
		.optional = 1u << X_OTHER | 1u << X_TIME | 1u << X_CHANGE,
		.x = p->x,
		.error = error,
		.join = join,
		.y = p->y,
		.t = p->t,
		.block = p->block,
		.confidence = confidence};
	bool *kept = calloc(p->n + 1, sizeof(*kept));

	if (!kept)
		return -ENOMEM;
	l->err = sm_regress(&points, kept, f);
	if (!l->err) {
		model_take(l, f, X_OTHER, X_TIME);
		look_for_bend(l, &points);
		if (used)
			mark_used(p, kept, used);
	} else if (l->err == -EDOM && f->bad >= 0 && f->bad < X_N) {
		l->bad = x_names[f->bad];
		l->combined = f->combined;
		l->no_ticks = !has_ticks(r);
	}
	free(kept);
	return l->err == -ENOMEM ? -ENOMEM : 0;
}

static int line(const struct model *m, const struct readings *r, const struct choice *c,
	struct model_line *l, bool *used)
{
	struct points p;
	int err = points_init(&p, r->n);

	memset(l, 0, sizeof(*l));
	l->uncounted = !counts_the_load(r);
	l->err = l->uncounted ? -EDOM : m->lag.few ? -EAGAIN : 0;
	if (!err && !l->err) {
		points_fill(&p, m, r, c);
		err = regress(l, &p, r,
			m->lag.meter.kind == HISTORY_SHARP ? MODEL_CONFIDENCE
							   : MODEL_LATE_CONFIDENCE,
			m->fit, used);
	}
	points_fini(&p);
	return err;
}

/* --- energy ------------------------------------------------------------------------- */

/* Returns the rate of x per second of a CPU that is busy with the load. */
static double per_busy_cpu(const struct readings *r, const bool *used, enum figure x)
{
	double sum = 0, own = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct reading *a = &r->at[i];

		if (!used[i] || !isfinite(a->v[x]))
			continue;
		sum += a->v[x] * a->dt_s;
		own += a->v[F_OWN] * a->dt_s;
	}
	return own > 0 ? sum / own : NAN;
}

static void energies(struct model *m, const struct readings *r)
{
	static const enum figure x[MODEL_ENERGIES] = {[MODEL_OP] = F_OPS,
		[MODEL_CYCLE] = F_CYCLES,
		[MODEL_INSTRUCTION] = F_INSTRUCTIONS,
		[MODEL_REF_CYCLE] = F_REF_CYCLES};

	for (unsigned int i = 0; i < MODEL_ENERGIES; i++) {
		struct model_line *l = &m->energy[i];
		double rate = per_busy_cpu(r, m->used, x[i]);

		*l = m->load;
		if (!l->err && !(rate > 0))
			l->err = -ENODATA;
		l->slope.value /= rate;
		l->slope.se /= rate;
		l->slope.low /= rate;
		l->slope.high /= rate;
	}
}

/* --- all ---------------------------------------------------------------------------- */

static int counts(struct model *m, const struct readings *r, const struct plan *p)
{
	int err = 0;

	m->counts = p->counts;
	for (unsigned int i = 0; i < p->counts && !err; i++) {
		const struct choice c = {.domain = -1, .cpus = p->count[i]};

		err = line(m, r, &c, &m->count[i], NULL);
	}
	return err;
}

static int domains(struct model *m, const struct readings *r, unsigned int cpus)
{
	int err = 0;

	if (r->ndomains < 2)
		return 0;
	m->domain = calloc(r->ndomains, sizeof(*m->domain));
	if (!m->domain)
		return -ENOMEM;
	m->ndomains = r->ndomains;
	for (unsigned int i = 0; i < r->ndomains && !err; i++) {
		const struct choice c = {.domain = (int)i, .cpus = cpus};

		err = line(m, r, &c, &m->domain[i], NULL);
	}
	return err;
}

int model_fit(
	struct model *m, const struct readings *r, const struct plan *p, bool per_count)
{
	/* By type, the mean line needs the types to be loaded together. */
	const struct choice all = {.domain = -1, .cpus = p->types ? p->count[0] : 0};
	int err;

	memset(m, 0, sizeof(*m));
	m->fit = calloc(1, sizeof(*m->fit));
	m->used = calloc(r->n + 1, sizeof(*m->used));
	if (!m->fit || !m->used)
		return -ENOMEM;
	if (r->n)
		m->middle_s = (r->at[0].t_s + r->at[r->n - 1].t_s) / 2;
	err = lag_find(&m->lag, r);
	if (!err && per_count)
		err = counts(m, r, p);
	if (!err)
		err = domains(m, r, all.cpus);
	/* The line of the load is computed last, so that its fit remains. */
	if (!err)
		err = line(m, r, &all, &m->load, m->used);
	energies(m, r);
	if (!err && p->types)
		err = model_types_fit(m, r, p, m->used);
	return err;
}

void model_fini(struct model *m)
{
	free(m->fit);
	free(m->used);
	free(m->domain);
	lag_fini(&m->lag);
	memset(m, 0, sizeof(*m));
}

int model_at(const struct model *m, double own, struct sm_serial_estimate *e)
{
	const double x[X_N] = {[X_LOAD] = own};

	return m->load.err ? m->load.err : sm_regress_at(m->fit, x, e);
}

double model_half_width(const struct model_line *l)
{
	if (l->err || l->slope.value == 0)
		return INFINITY;
	return fabs((l->slope.high - l->slope.low) / 2 / l->slope.value);
}

double model_widest(const struct model *m)
{
	double most = model_half_width(&m->load);

	for (unsigned int i = 0; i < m->types; i++)
		most = fmax(most, model_half_width(&m->type[i]));
	return most;
}

const char *model_strength(double r2)
{
	static const struct {
		double below;
		const char *word;
	} step[] = {{0.4, "very weak"}, {0.75, "weak"}, {0.8, "fair"}, {0.9, "good"},
		{0.95, "strong"}, {1.0, "very strong"}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(step); i++)
		if (r2 < step[i].below)
			return step[i].word;
	return "perfect";
}

const char *model_reason(const struct model_line *l)
{
	switch (l->err) {
	case 0:
		return "";
	case -ENODATA:
		return "too few readings";
	case -EAGAIN:
		return "the power meter is too slow for tests of this time";
	case -EOPNOTSUPP:
		return "the power meter lags or averages, and --by=type needs one that "
		       "does not; without --by=type, the result is corrected";
	case -EDOM:
		if (l->uncounted)
			return "the CPU times in /proc/stat do not include the load; run "
			       "power-calibrate outside of this container";
		if (l->combined && l->no_ticks)
			return "the CPU times in /proc/stat do not advance; run "
			       "power-calibrate outside of this container";
		return l->combined ? "cannot separate the power of the load from that of "
				     "other load or drift; was no CPU idle?"
				   : "the load did not vary";
	default:
		return strerror(-l->err);
	}
}
