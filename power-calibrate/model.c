// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* Part of the load that CPU times may lack: the clock of a process may include time that
 * a hypervisor has stolen. */
#define UNCOUNTED 0.5
#define TICK_S	  0.01
/* Standard error of the difference of two tick counts: 1/sqrt(6) of a tick.  Idle and
 * iowait are two such differences. */
#define TICK_ERROR (TICK_S / 1.7320508)

/* --- one line ----------------------------------------------------------------------- */

static void take(struct model_line *l, const struct sm_regress *f, const struct points *p)
{
	unsigned int other = p->loads, time = p->loads + 1;

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
	l->tau_s = f->autocorr.tau;
	l->share = f->autocorr.share;
}

static void look_for_bend(struct model_line *l, const struct sm_regress_points *points)
{
	struct sm_regress_bend bend;

	/* The load and other load. */
	if (sm_regress_bend(points, 3, &bend) < 0)
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

/* Returns the standard deviation of the errors of other load. */
static double other_error(const struct readings *r)
{
	return TICK_ERROR / mean_time(r);
}

/* Marks the readings whose points were kept. */
static void mark_used(const struct points *p, bool *used)
{
	for (size_t i = 0; i < p->n; i++)
		used[p->from[i]] |= p->kept[i];
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

static void regress(struct model_line *l, const struct points *p,
	const struct readings *r, double confidence, struct sm_regress *f)
{
	double error[SM_LSQ_COEFS] = {0}, join[SM_LSQ_COEFS] = {0};
	const struct sm_regress_points points = {.n = p->n,
		.k = p->k,
		.optional = points_optional(p),
		.x = p->x,
		.error = error,
		.join = join,
		.y = p->y,
		.t = p->t,
		.block = p->block,
		.confidence = confidence};

	error[p->loads] = other_error(r);
	join[p->loads] = 1;
	l->err = sm_regress(&points, p->kept, f);
	if (!l->err) {
		take(l, f, p);
		if (p->loads == 1)
			look_for_bend(l, &points);
	} else if (l->err == -EDOM && f->bad >= 0) {
		l->bad = points_name(p, (unsigned int)f->bad);
		l->combined = f->combined;
		l->no_ticks = !has_ticks(r);
	}
}

/* Fits a line.  used: the readings to be marked, or NULL. */
static int line(const struct model *m, const struct points_from *from,
	const struct points_choice *c, struct model_line *l, struct sm_regress *f,
	bool *used)
{
	struct points p;
	int err = points_init(&p, from, c);

	memset(l, 0, sizeof(*l));
	l->uncounted = !counts_the_load(from->readings);
	l->err = l->uncounted ? -EDOM : m->lag.few ? -EAGAIN : 0;
	if (!err && !l->err)
		regress(l, &p, from->readings,
			m->lag.meter.kind == HISTORY_SHARP ? MODEL_CONFIDENCE
							   : MODEL_LATE_CONFIDENCE,
			f);
	if (!err && !l->err && used)
		mark_used(&p, used);
	points_fini(&p);
	return err ? err : l->err == -ENOMEM ? -ENOMEM : 0;
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

static int counts(struct model *m, const struct points_from *from)
{
	int err = 0;

	m->counts = from->plan->counts;
	for (unsigned int i = 0; i < m->counts && !err; i++) {
		const struct points_choice c = {
			.domain = -1, .cpus = from->plan->count[i]};

		err = line(m, from, &c, &m->count[i], m->fit, NULL);
	}
	return err;
}

static int domains(struct model *m, const struct points_from *from, unsigned int cpus)
{
	unsigned int n = from->readings->ndomains;
	int err = 0;

	if (n < 2)
		return 0;
	m->domain = calloc(n, sizeof(*m->domain));
	if (!m->domain)
		return -ENOMEM;
	m->ndomains = n;
	for (unsigned int i = 0; i < n && !err; i++) {
		const struct points_choice c = {.domain = (int)i, .cpus = cpus};

		err = line(m, from, &c, &m->domain[i], m->fit, NULL);
	}
	return err;
}

/* Fits the line with a slope for each type.  If the line of all CPUs failed, so does it.
 */
static int types(struct model *m, const struct points_from *from)
{
	const struct points_choice c = {.domain = -1, .by_type = true};
	struct model_line all = m->load;
	struct sm_regress *f = calloc(1, sizeof(*f));
	int err = f ? 0 : -ENOMEM;

	m->types = from->plan->types;
	if (!err && !all.err)
		err = line(m, from, &c, &all, f, m->used);
	for (unsigned int i = 0; f && i < m->types; i++) {
		m->type[i] = all;
		m->type[i].slope = f->coef[1 + i];
	}
	free(f);
	return err;
}

int model_fit(
	struct model *m, const struct readings *r, const struct plan *p, bool per_count)
{
	/* By type, the mean line needs the types to be loaded together. */
	const struct points_choice all = {
		.domain = -1, .cpus = p->types ? p->count[0] : 0};
	struct points_from from = {.readings = r, .plan = p, .lag = &m->lag};
	int err;

	memset(m, 0, sizeof(*m));
	m->fit = calloc(1, sizeof(*m->fit));
	m->used = calloc(r->n + 1, sizeof(*m->used));
	if (!m->fit || !m->used)
		return -ENOMEM;
	if (r->n)
		m->middle_s = (r->at[0].t_s + r->at[r->n - 1].t_s) / 2;
	from.middle_s = m->middle_s;
	err = lag_find(&m->lag, r, p->types ? p->types : 1);
	if (!err && per_count)
		err = counts(m, &from);
	if (!err)
		err = domains(m, &from, all.cpus);
	/* The line of the load is computed last, so that its fit remains. */
	if (!err)
		err = line(m, &from, &all, &m->load, m->fit, m->used);
	energies(m, r);
	if (!err && p->types)
		err = types(m, &from);
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

int model_at(const struct model *m, double own, struct sm_autocorr_estimate *e)
{
	const double x[SM_LSQ_COEFS] = {own};

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
