// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"

#define S_PER_H 3600.0

void points_fini(struct points *p)
{
	free(p->x);
	free(p->y);
	free(p->t);
	free(p->block);
	free(p->from);
	free(p->kept);
}

/* --- the regressors ----------------------------------------------------------------- */

/* Returns whether the mean line by type needs all tests and the parts of the types. */
static bool has_parts(const struct points_from *f, const struct points_choice *c)
{
	return f->plan->types && !c->by_type && f->lag->point;
}

static bool has_change(const struct points_from *f, const struct points_choice *c)
{
	return f->lag->point && c->domain < 0 && f->lag->searched;
}

static unsigned int count(
	struct points *p, const struct points_from *f, const struct points_choice *c)
{
	p->loads = c->by_type ? f->plan->types : 1;
	return p->loads + 2 + has_change(f, c) +
	       (has_parts(f, c) ? f->plan->types - 1 : 0);
}

unsigned int points_optional(const struct points *p)
{
	return ~((1u << p->loads) - 1) & ((1u << p->k) - 1);
}

const char *points_name(const struct points *p, unsigned int regressor)
{
	return regressor < p->loads	   ? "the load"
	       : regressor == p->loads	   ? "other load"
	       : regressor == p->loads + 1 ? "time"
					   : "the lag of the meter";
}

static double load_of(const double use[HISTORY_USES])
{
	double sum = 0;

	for (unsigned int i = HISTORY_OWN; i < HISTORY_USES; i++)
		sum += use[i];
	return sum;
}

/* Returns the part of a type in the CPUs. */
static double part_of(const struct plan *plan, unsigned int type)
{
	return (double)plan->set[type].cpus / plan->set[plan->types].cpus;
}

/* A value of the meter, or the mean of a reading. */
struct shown {
	double t_s, watts, change;
	double use[HISTORY_USES];
};

static void put_row(struct points *p, const struct points_from *f,
	const struct points_choice *c, const struct shown *s)
{
	double *x = p->x + p->n * p->k, all = load_of(s->use);
	double delay_s = history_delay_s(f->lag->meter);

	if (c->by_type)
		memcpy(x, &s->use[HISTORY_OWN], p->loads * sizeof(*x));
	else
		*x = all;
	x += p->loads;
	*x++ = s->use[HISTORY_OTHER];
	*x++ = (s->t_s - delay_s - f->middle_s) / S_PER_H;
	if (has_change(f, c))
		*x++ = s->change;
	for (unsigned int i = 0; has_parts(f, c) && i + 1 < f->plan->types; i++)
		*x++ = s->use[HISTORY_OWN + i] - part_of(f->plan, i) * all;
	p->y[p->n] = s->watts;
	p->t[p->n] = s->t_s;
}

/* --- the readings ------------------------------------------------------------------- */

static double watts_of(const struct readings *r, size_t i, int domain)
{
	return domain < 0 ? r->at[i].v[F_WATTS]
			  : r->domain[i * r->ndomains + (size_t)domain];
}

static bool is_point(const struct points_from *f, const struct points_choice *c, size_t i)
{
	const struct reading *a = &f->readings->at[i];

	return isfinite(watts_of(f->readings, i, c->domain)) && isfinite(a->v[F_OWN]) &&
	       isfinite(a->v[F_OTHER]) &&
	       (!c->cpus || !a->cpus || a->cpus == c->cpus || has_parts(f, c));
}

/* Sets the mean of a reading. */
static void mean_of(const struct points_from *f, const struct points_choice *c, size_t i,
	struct shown *s)
{
	const struct reading *a = &f->readings->at[i];

	*s = (struct shown){.t_s = a->t_s, .watts = watts_of(f->readings, i, c->domain)};
	s->use[HISTORY_OTHER] = a->v[F_OTHER];
	if (f->lag->point)
		memcpy(s->use, f->lag->point[i].mean, sizeof(s->use));
	else if (f->plan->types)
		memcpy(&s->use[HISTORY_OWN], a->own_of, sizeof(a->own_of));
	else
		s->use[HISTORY_OWN] = a->v[F_OWN];
}

/* Sets the value that a late meter showed at the end of a reading.  Returns false if it
 * is not used. */
static bool value_of(const struct lag_point *a, struct shown *s)
{
	*s = (struct shown){.t_s = a->t_s, .watts = a->watts, .change = a->change};
	memcpy(s->use, a->use, sizeof(s->use));
	return a->used;
}

static void fill(
	struct points *p, const struct points_from *f, const struct points_choice *c)
{
	const struct lag_point *late = c->domain < 0 ? f->lag->point : NULL;
	struct shown s;

	for (size_t i = 0; i < f->readings->n; i++) {
		if (!is_point(f, c, i))
			continue;
		if (!late)
			mean_of(f, c, i, &s);
		else if (!value_of(&late[i], &s))
			continue;
		put_row(p, f, c, &s);
		p->block[p->n] = f->readings->at[i].block;
		p->from[p->n++] = i;
	}
}

int points_init(
	struct points *p, const struct points_from *f, const struct points_choice *c)
{
	size_t n = f->readings->n + 1;

	*p = (struct points){0};
	p->k = count(p, f, c);
	p->x = calloc(n * p->k, sizeof(*p->x));
	p->y = calloc(n, sizeof(*p->y));
	p->t = calloc(n, sizeof(*p->t));
	p->block = calloc(n, sizeof(*p->block));
	p->from = calloc(n, sizeof(*p->from));
	p->kept = calloc(n, sizeof(*p->kept));
	if (!p->x || !p->y || !p->t || !p->block || !p->from || !p->kept)
		return -ENOMEM;
	fill(p, f, c);
	return 0;
}
