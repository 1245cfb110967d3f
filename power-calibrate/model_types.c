// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_types.h"

/* Regressors: the load of each type, other load, time. */
#define K_MAX (PLAN_TYPES_MAX + 2)

struct points {
	size_t n;
	unsigned int k; /* regressors */
	double *x, *y, *t;
	unsigned int *block;
	size_t *from; /* index of the reading of each point */
	bool *kept;
};

static int points_open(struct points *p, size_t n, unsigned int k)
{
	n++;
	*p = (struct points){.k = k,
		.x = calloc(n * k, sizeof(double)),
		.y = calloc(n, sizeof(double)),
		.t = calloc(n, sizeof(double)),
		.block = calloc(n, sizeof(unsigned int)),
		.from = calloc(n, sizeof(size_t)),
		.kept = calloc(n, sizeof(bool))};
	return p->x && p->y && p->t && p->block && p->from && p->kept ? 0 : -ENOMEM;
}

static void points_close(struct points *p)
{
	free(p->x);
	free(p->y);
	free(p->t);
	free(p->block);
	free(p->from);
	free(p->kept);
}

static void add(struct points *p, const struct reading *a, unsigned int types,
	double middle_s, size_t from)
{
	size_t n = p->n++;
	double *x = p->x + n * p->k;

	memcpy(x, a->own_of, types * sizeof(*x));
	x[types] = a->v[F_OTHER];
	x[types + 1] = model_hours(a->t_s - middle_s);
	p->y[n] = a->v[F_WATTS];
	p->t[n] = a->t_s;
	p->block[n] = a->block;
	p->from[n] = from;
}

static void fill(struct points *p, const struct model *m, const struct readings *r,
	unsigned int types)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct reading *a = &r->at[i];

		if (isfinite(a->v[F_WATTS]) && isfinite(a->v[F_OWN]) &&
			isfinite(a->v[F_OTHER]))
			add(p, a, types, m->middle_s, i);
	}
}

static int regress(const struct points *p, const struct readings *r, unsigned int types,
	struct sm_regress *f)
{
	double error[K_MAX] = {0}, join[K_MAX] = {0};
	const struct sm_regress_points points = {.n = p->n,
		.k = p->k,
		.optional = 3u << types,
		.x = p->x,
		.error = error,
		.join = join,
		.y = p->y,
		.t = p->t,
		.block = p->block,
		.confidence = MODEL_CONFIDENCE};

	error[types] = model_other_error(r);
	join[types] = 1;
	return sm_regress(&points, p->kept, f);
}

static void take(struct model *m, const struct sm_regress *f)
{
	struct model_line all = {0};

	model_take(&all, f, m->types, m->types + 1);
	for (unsigned int i = 0; i < m->types; i++) {
		m->type[i] = all;
		m->type[i].slope = f->coef[1 + i];
	}
}

static void fail(struct model *m, const struct model_line *l)
{
	for (unsigned int i = 0; i < m->types; i++)
		m->type[i] = *l;
}

/* Returns whether readings after the time to settle contain power of the test before: the
 * first one starts after this time.  A battery's gauge averages for an unknown time. */
static bool is_late(const struct model *m, const struct readings *r)
{
	const struct reading *first = r->at;

	return m->lag.meter.kind != HISTORY_SHARP || r->gauge ||
	       (r->n && r->average_s > first->t_s - first->dt_s / 2);
}

int model_types_fit(
	struct model *m, const struct readings *r, const struct plan *p, bool *used)
{
	struct sm_regress *f = calloc(1, sizeof(*f));
	struct points points;
	int err = points_open(&points, r->n, p->types + 2);

	m->types = p->types;
	if (m->load.err)
		fail(m, &m->load);
	else if (is_late(m, r))
		fail(m, &(struct model_line){.err = -EOPNOTSUPP});
	if (!f)
		err = -ENOMEM;
	if (!err && !m->type[0].err) {
		fill(&points, m, r, p->types);
		err = regress(&points, r, p->types, f);
		if (err)
			fail(m, &(struct model_line){
					.err = err, .combined = f->combined});
		else
			take(m, f);
	}
	for (size_t i = 0; !err && i < points.n; i++)
		used[points.from[i]] |= points.kept[i];
	points_close(&points);
	free(f);
	return err == -ENOMEM ? err : 0;
}
