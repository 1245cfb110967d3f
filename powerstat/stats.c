// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

int stats_init(struct stats *s, const struct columns *c, bool hist)
{
	memset(s, 0, sizeof(*s));
	s->part = PARTS;
	s->next_watts = NAN;
	s->n = c->list.n;
	s->col = calloc(c->list.n, sizeof(*s->col));
	s->undo = calloc(c->list.n, sizeof(*s->undo));
	if (!s->col || !s->undo) {
		stats_fini(s);
		return -ENOMEM;
	}
	if (!hist)
		return 0;
	s->nhist = HIST_THERMAL0 + c->nthermal;
	s->hist = calloc(s->nhist, sizeof(*s->hist));
	if (!s->hist) {
		stats_fini(s);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < s->nhist; i++)
		sm_linhist_init(&s->hist[i]);
	return 0;
}

void stats_fini(struct stats *s)
{
	free(s->col);
	free(s->undo);
	free(s->hist);
	memset(s, 0, sizeof(*s));
}

/* Adds a value to a bin; values that exceed 64-bit integers are ignored. */
static void count(struct sm_linhist *h, double v, double scale)
{
	v *= scale;
	if (isfinite(v) && fabs(v) < 0x1p62)
		sm_linhist_add(h, llround(v));
}

void stats_end(struct stats *s)
{
	if (s->hist)
		count(&s->hist[HIST_POWER], s->next_watts, HIST_SCALE_POWER);
	s->next_watts = NAN;
}

static void add_histograms(
	struct stats *s, const struct columns *c, const struct sample *p, bool power)
{
	const double *v = p->v;

	if (power) {
		stats_end(s);
		s->next_watts = v[V_WATTS];
	}
	count(&s->hist[HIST_CPU], 100 - v[V_IDLE], HIST_SCALE_CPU);
	if (c->nfreq)
		count(&s->hist[HIST_FREQ], v[c->freq0], HIST_SCALE_FREQ);
	for (unsigned int i = 0; i < c->nthermal; i++)
		count(&s->hist[HIST_THERMAL0 + i], v[c->thermal0 + i],
			HIST_SCALE_THERMAL);
}

static void add_energy(struct stats *s, const struct sample *p)
{
	double watts = p->v[V_WATTS], joules = p->v[V_JOULES];

	if (p->incomplete)
		s->incomplete++;
	if (!isfinite(watts)) {
		s->kinds[SM_FIGURE_ABSENT]++;
		return;
	}
	s->kinds[p->kind]++;
	if (p->kind == SM_FIGURE_LEVEL || p->kind == SM_FIGURE_ESTIMATE)
		s->last_window_ns = p->window_ns;
	if (p->kind != SM_FIGURE_ESTIMATE) {
		s->joules += joules;
		s->power_ns += p->energy_ns;
		return;
	}
	s->estimate_joules += joules;
	s->estimate_ns += p->energy_ns;
	s->last_estimate_w = watts;
}

static void restart(struct stats *s, enum part part)
{
	s->part = (uint8_t)part;
	s->col[V_WATTS] = s->col[V_JOULES] = (struct sm_stats){0};
	s->undo[V_WATTS] = s->undo[V_JOULES] = (struct sm_stats){0};
	if (s->hist)
		sm_linhist_init(&s->hist[HIST_POWER]);
	s->next_watts = NAN;
}

/* Returns whether the sample's total is as complete as the totals in the statistics.  A
 * more complete one restarts them. */
static bool same_part(struct stats *s, const struct sample *p)
{
	enum part part = p->missing	 ? PART_MISSING
			 : p->incomplete ? PART_INCOMPLETE
					 : PART_WHOLE;

	if (p->kind == SM_FIGURE_ESTIMATE || !isfinite(p->v[V_WATTS]))
		return false;
	if (part < s->part)
		restart(s, part);
	return part == s->part;
}

/* Returns the time that a value covers, so that average power equals energy divided by
 * time; counts and joules have equal weights. */
static double weight(const struct columns *c, const struct sample *p, unsigned int i)
{
	if (i == V_WATTS)
		return (double)p->energy_ns;
	if (i == V_JOULES || (i >= V_FORK && i <= V_EXIT) || i == c->throttle)
		return 1;
	if (i - c->domain0 < c->ndomains)
		return (double)sm_source_at(p->power, i - c->domain0)->of_ns;
	return (double)p->dt_ns;
}

static bool is_retracted(const struct columns *c, const struct sample *p, unsigned int i)
{
	if (i == V_WATTS || i == V_JOULES)
		return p->retracted_j > 0;
	return i - c->domain0 < c->ndomains &&
	       sm_source_at(p->power, i - c->domain0)->retracted_uj > 0;
}

/* Returns the duration of the removed power values, which the replacement value must also
 * cover. */
static double retract(struct stats *s, const struct columns *c, const struct sample *p)
{
	double before = s->col[V_WATTS].weight;

	for (unsigned int i = V_USER; i < s->n; i++)
		if (is_retracted(c, p, i))
			s->col[i] = s->undo[i];
	s->joules -= p->retracted_j;
	if (p->retracted_j > 0)
		s->next_watts = NAN;
	return before - s->col[V_WATTS].weight;
}

static void add_column(struct stats *s, const struct columns *c, const struct sample *p,
	unsigned int i, double lost)
{
	if (!isfinite(p->v[i]))
		return;
	s->undo[i] = s->col[i];
	sm_stats_add(&s->col[i], p->v[i], weight(c, p, i) + (i == V_WATTS ? lost : 0),
		p->partial);
}

void stats_add(struct stats *s, const struct columns *c, const struct sample *sample)
{
	bool estimate = sample->kind == SM_FIGURE_ESTIMATE;
	bool power = same_part(s, sample);
	double lost = retract(s, c, sample);
	unsigned int own = 0;

	s->samples++;
	s->span_ns += sample->dt_ns;
	s->core_throttles += sample->core_throttles;
	s->package_throttles += sample->package_throttles;
	s->events_lost += sample->events_lost;
	add_energy(s, sample);
	/* Other sources than a battery do not give estimates. */
	if (estimate && c->ndomains)
		own = sample->power->n;
	for (unsigned int i = V_USER; i < s->n; i++) {
		if (i - c->domain0 < own)
			continue;
		if (!power && (i == V_WATTS || i == V_JOULES))
			continue;
		if (columns_for_machines(c, i))
			add_column(s, c, sample, i, lost);
	}
	if (s->hist)
		add_histograms(s, c, sample, power);
}

/* Later retractions refer to the discarded values, which are not in the statistics. After
 * this, retract() changes nothing. */
void stats_discard(struct stats *s, const struct columns *c, const struct sample *p)
{
	s->power_ns -= (uint64_t)retract(s, c, p);
	s->events_lost += p->events_lost;
	if (isfinite(p->v[V_WATTS]) && !p->missing)
		stats_end(s);
	for (unsigned int i = V_USER; i < s->n; i++) {
		if (p->missing && (i == V_WATTS || i == V_JOULES))
			continue;
		if (isfinite(p->v[i]))
			s->undo[i] = s->col[i];
	}
}

double stats_get(const struct stats *s, unsigned int col, enum stat_kind what)
{
	const struct sm_stats *w = &s->col[col];

	if (w->n == 0)
		return NAN;
	switch (what) {
	case STAT_AVERAGE:
		return w->mean;
	case STAT_GEOMEAN:
		return sm_stats_geomean(w);
	case STAT_STDDEV:
		return sm_stats_stddev(w);
	case STAT_MIN:
		return w->min;
	case STAT_MAX:
		return w->max;
	default:
		return NAN;
	}
}

double stats_estimate_w(const struct stats *s)
{
	if (s->estimate_ns == 0)
		return NAN;
	if (s->last_window_ns >= s->estimate_ns / 2)
		return s->last_estimate_w;
	return s->estimate_joules / ((double)s->estimate_ns / 1e9);
}

double stats_joules(const struct stats *s, uint64_t *covered_ns)
{
	*covered_ns = s->power_ns + s->estimate_ns;
	return s->joules + s->estimate_joules;
}
