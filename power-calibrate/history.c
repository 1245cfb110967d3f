// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/steps.h"
#include "history.h"

/* Difference of times that is only rounding. */
#define ROUNDING_S 1e-6
/* A held value is read at least SPARSE times; it is compared with KNOWN polls. */
#define SPARSE 3
#define KNOWN  300
/* Coarse steps divide the range of the values into at most COARSE parts.  The common
 * divisor of fewer values than DISTINCT may be that large by chance. */
#define COARSE	 64
#define DISTINCT 4
/* Even times: the part of the time between two polls by which the meter may be uneven;
 * steps of the search. */
#define ROOM	 0.3
#define HALVINGS 20

/* --- collecting --------------------------------------------------------------------- */

/* Makes room for one more element. */
static void *grown(void *p, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap ? 2 * *cap : 256;

	if (n < *cap)
		return p;
	p = reallocarray(p, more, size);
	if (p)
		*cap = more;
	return p;
}

int history_look(struct history *h, double t_s, const double use[HISTORY_USES])
{
	void *p = grown(h->look, h->looks, &h->looks_cap, sizeof(*h->look));
	struct history_look *now;

	if (!p)
		return -ENOMEM;
	h->look = p;
	now = &h->look[h->looks];
	*now = (struct history_look){.t_s = t_s};
	for (unsigned int i = 0; h->looks && i < HISTORY_USES; i++)
		now->sum[i] = now[-1].sum[i] +
			      (isfinite(use[i]) ? use[i] * (t_s - now[-1].t_s) : 0);
	h->looks++;
	return 0;
}

int history_poll(struct history *h, double t_s, double watts)
{
	void *p = grown(h->poll, h->polls, &h->polls_cap, sizeof(*h->poll));
	struct history_poll *now;

	if (!p)
		return -ENOMEM;
	h->poll = p;
	now = &h->poll[h->polls];
	*now = (struct history_poll){.t_s = t_s, .renewed_s = t_s, .watts = watts};
	if (h->polls && watts == now[-1].watts) {
		now->renewed_s = now[-1].renewed_s;
		now->within_s = now[-1].within_s;
	} else if (h->polls) {
		now->renewed_s = (now[-1].t_s + t_s) / 2;
		now->within_s = (t_s - now[-1].t_s) / 2;
	}
	h->polls++;
	return 0;
}

void history_fini(struct history *h)
{
	free(h->look);
	free(h->poll);
	memset(h, 0, sizeof(*h));
}

/* --- the kind of the meter ---------------------------------------------------------- */

/* Returns whether poll i shows a value that one of the polls before it showed. */
static bool is_known(const struct history *h, size_t i)
{
	for (size_t j = i > KNOWN ? i - KNOWN : 0; j + 1 < i; j++)
		if (h->poll[i].watts == h->poll[j].watts)
			return true;
	return false;
}

bool history_is_held(const struct history *h)
{
	size_t renewed = 0, known = 0;

	for (size_t i = 1; i < h->polls; i++) {
		if (h->poll[i].watts == h->poll[i - 1].watts)
			continue;
		renewed++;
		known += is_known(h, i);
	}
	return SPARSE * renewed < h->polls && 2 * known < renewed;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values and returns the number of different ones. */
static size_t distinct(double *v, size_t n)
{
	size_t different = n > 0;

	qsort(v, n, sizeof(*v), by_value);
	for (size_t i = 1; i < n; i++)
		different += v[i] != v[i - 1];
	return different;
}

int history_is_coarse(const struct history *h, bool *coarse)
{
	double *v = calloc(h->polls + 1, sizeof(*v)), range;

	if (!v)
		return -ENOMEM;
	for (size_t i = 0; i < h->polls; i++)
		v[i] = h->poll[i].watts;
	*coarse = distinct(v, h->polls) >= DISTINCT;
	range = h->polls ? v[h->polls - 1] - v[0] : 0;
	if (*coarse)
		*coarse = COARSE * sm_steps_find(v, h->polls) >= range;
	free(v);
	return 0;
}

/* --- even times --------------------------------------------------------------------- */

/* Returns the next poll that shows a new value, or NULL. */
static const struct history_poll *next_renewal(
	const struct history *h, const struct history_poll *p)
{
	const struct history_poll *end = h->poll + h->polls;

	for (p++; p < end; p++)
		if (p->renewed_s != p[-1].renewed_s)
			return p;
	return NULL;
}

/* Returns the least time between two renewals. */
static double least_gap(const struct history *h)
{
	const struct history_poll *p = next_renewal(h, h->poll), *next;
	double least = INFINITY;

	for (; p && (next = next_renewal(h, p)); p = next)
		least = fmin(least, next->renewed_s - p->renewed_s);
	return least;
}

/* Fits a line to the renewals so far; each further one lies near the next even time. */
static void follow(const struct history *h, struct history_even *e)
{
	const struct history_poll *p = h->poll;
	double n = 0, k = 0, t = 0, kk = 0, kt = 0, at = 0, last_s = NAN;

	while ((p = next_renewal(h, p))) {
		double now = p->renewed_s;

		if (n > 0)
			at += round((now - last_s) / e->every_s);
		last_s = now;
		n++;
		k += at;
		t += now;
		kk += at * at;
		kt += at * now;
		if (n > 2)
			e->every_s = (n * kt - k * t) / (n * kk - k * k);
	}
	e->start_s = (t - e->every_s * k) / n;
}

double history_nearest(const struct history_even *e, double t_s)
{
	return e->start_s + e->every_s * round((t_s - e->start_s) / e->every_s);
}

/* Sets the middle of the start_s with which an even time lies between the polls of each
 * renewal.  Returns by how much this fails; at most 0 if there is such a start_s. */
static double place(
	const struct history *h, const struct history_even *near, struct history_even *e)
{
	double low = -INFINITY, high = INFINITY;

	for (const struct history_poll *p = h->poll; (p = next_renewal(h, p));) {
		double n = round((p->renewed_s - near->start_s) / near->every_s);
		double start_s = p->renewed_s - n * e->every_s;

		low = fmax(low, start_s - p->within_s);
		high = fmin(high, start_s + p->within_s);
	}
	e->start_s = (low + high) / 2;
	return low - high;
}

/* Returns the mean of twice the greatest errors of the renewals. */
static double mean_error(const struct history *h)
{
	const struct history_poll *p = h->poll;
	double sum = 0;
	size_t n = 0;

	for (; (p = next_renewal(h, p)); n++)
		sum += 2 * p->within_s;
	return sum / (double)n;
}

bool history_is_even(const struct history *h, struct history_even *e)
{
	struct history_even near = {.every_s = least_gap(h)};
	double least, step_s;

	if (!isfinite(near.every_s))
		return false;
	follow(h, &near);
	*e = near;
	least = place(h, &near, e);
	/* The failure is convex in every_s, so halved steps find its minimum. */
	step_s = near.every_s * near.every_s / (h->poll[h->polls - 1].t_s - h->poll->t_s);
	for (unsigned int i = 0; i < 2 * HALVINGS; i++) {
		struct history_even other = *e;
		double failure;

		step_s *= i % 2 ? -1 : -0.5;
		other.every_s += step_s;
		failure = place(h, &near, &other);
		if (failure >= least)
			continue;
		least = failure;
		*e = other;
	}
	return least <= ROOM * mean_error(h);
}

double history_delay_s(struct history_meter meter)
{
	return meter.kind == HISTORY_LAG    ? meter.s
	       : meter.kind == HISTORY_MEAN ? meter.s / 2
					    : 0;
}

/* --- the output of a meter --------------------------------------------------------- */

static double use_after(const struct history_shown *s, size_t i)
{
	const struct history_look *a = &s->h->look[i];

	return (a[1].sum[s->of] - a->sum[s->of]) / (a[1].t_s - a->t_s);
}

/* The use before the first look. */
static double use_before(const struct history_shown *s)
{
	return s->of == HISTORY_OTHER && s->h->looks > 1 ? use_after(s, 0) : 0;
}

/* Returns the output of a lag after dt_s of a constant use. */
static double lagged(double state, double use, double dt_s, double tau_s)
{
	return use + (state - use) * exp(-dt_s / tau_s);
}

int history_show(struct history_shown *s, const struct history *h,
	struct history_meter meter, enum history_of of)
{
	*s = (struct history_shown){.h = h, .meter = meter, .of = of};
	if (meter.kind != HISTORY_LAG)
		return 0;
	s->state = calloc(h->looks + 1, sizeof(*s->state));
	if (!s->state)
		return -ENOMEM;
	s->state[0] = use_before(s);
	for (size_t i = 1; i < h->looks; i++)
		s->state[i] = lagged(s->state[i - 1], use_after(s, i - 1),
			h->look[i].t_s - h->look[i - 1].t_s, meter.s);
	return 0;
}

void history_hide(struct history_shown *s)
{
	free(s->state);
	s->state = NULL;
}

/* Returns the last look that is not later and has a successor; the first, if all are
 * later. */
static size_t look_before(const struct history *h, double t_s)
{
	size_t low = 0, high = h->looks - 1;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (h->look[middle].t_s <= t_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Returns the integral of the use up to a time. */
static double sum_at(const struct history_shown *s, double t_s)
{
	const struct history_look *first = s->h->look;
	size_t i;

	if (t_s < first->t_s)
		return use_before(s) * (t_s - first->t_s);
	i = look_before(s->h, t_s);
	return first[i].sum[s->of] + use_after(s, i) * (t_s - first[i].t_s);
}

static double lag_at(const struct history_shown *s, double t_s)
{
	size_t i;

	if (t_s < s->h->look[0].t_s)
		return use_before(s);
	i = look_before(s->h, t_s);
	return lagged(s->state[i], use_after(s, i), t_s - s->h->look[i].t_s, s->meter.s);
}

double history_value(const struct history_shown *s, double t_s)
{
	if (s->meter.kind == HISTORY_LAG)
		return lag_at(s, t_s);
	if (s->meter.kind == HISTORY_MEAN)
		return (sum_at(s, t_s) - sum_at(s, t_s - s->meter.s)) / s->meter.s;
	return use_after(s, look_before(s->h, t_s));
}

/* Returns the first poll that is not earlier. */
static size_t poll_from(const struct history *h, double t_s)
{
	size_t low = 0, high = h->polls;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (h->poll[middle].t_s < t_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct history_poll *history_last_poll(const struct history *h, double t_s)
{
	size_t i = poll_from(h, t_s + ROUNDING_S);

	return i ? &h->poll[i - 1] : NULL;
}

/* The mean of the polls from one time to another by trapezoids, including the last poll
 * before them. */
static double mean_of_polls(const struct history_shown *s, double from_s, double to_s)
{
	const struct history_poll *p = s->h->poll;
	size_t i = poll_from(s->h, from_s);
	double sum = 0, time = 0, before, now;

	i -= i > 0;
	before = history_value(s, p[i].renewed_s);
	for (i++; i < s->h->polls && p[i].t_s <= to_s + ROUNDING_S; i++) {
		double dt = p[i].t_s - fmax(p[i - 1].t_s, from_s);

		now = history_value(s, p[i].renewed_s);
		sum += dt * (before + now) / 2;
		time += dt;
		before = now;
	}
	return time > 0 ? sum / time : before;
}

double history_mean(const struct history_shown *s, double from_s, double to_s)
{
	if (s->h->looks < 2)
		return NAN;
	if (s->h->polls > 1)
		return mean_of_polls(s, from_s, to_s);
	return (sum_at(s, to_s) - sum_at(s, from_s)) / (to_s - from_s);
}
