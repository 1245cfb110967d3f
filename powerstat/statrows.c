// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "statrows.h"

int ps_stats_init(struct ps_stats *s, const struct ps_table *t, bool hist)
{
	memset(s, 0, sizeof(*s));
	s->part = PS_PARTS;
	s->n = t->n;
	s->col = calloc(t->n, sizeof(*s->col));
	if (!s->col)
		return -ENOMEM;
	if (!hist)
		return 0;
	s->nhist = PS_HIST_THERMAL0 + t->nthermal;
	s->hist = calloc(s->nhist, sizeof(*s->hist));
	if (!s->hist) {
		ps_stats_fini(s);
		return -ENOMEM;
	}
	for (unsigned int i = 0; i < s->nhist; i++)
		sm_linhist_init(&s->hist[i]);
	return 0;
}

void ps_stats_fini(struct ps_stats *s)
{
	free(s->col);
	free(s->hist);
	memset(s, 0, sizeof(*s));
}

/* Sysfs can say anything: what is beyond the integers is in no bin. */
static void count(struct sm_linhist *h, double v, double scale)
{
	v *= scale;
	if (isfinite(v) && fabs(v) < 0x1p62)
		sm_linhist_add(h, llround(v));
}

static void add_histograms(
	struct ps_stats *s, const struct ps_table *t, const double *v, bool power)
{
	if (power)
		count(&s->hist[PS_HIST_POWER], v[PS_WATTS], PS_HIST_SCALE_POWER);
	count(&s->hist[PS_HIST_CPU], 100 - v[PS_IDLE], PS_HIST_SCALE_CPU);
	if (t->nfreq)
		count(&s->hist[PS_HIST_FREQ], v[t->freq0], PS_HIST_SCALE_FREQ);
	for (unsigned int i = 0; i < t->nthermal; i++)
		count(&s->hist[PS_HIST_THERMAL0 + i], v[t->thermal0 + i],
			PS_HIST_SCALE_THERMAL);
}

static void add_energy(struct ps_stats *s, const struct ps_sample *p)
{
	double watts = p->v[PS_WATTS], joules = p->v[PS_JOULES];

	if (p->incomplete)
		s->incomplete++;
	if (!isfinite(watts)) {
		s->kinds[PS_ABSENT]++;
		return;
	}
	s->kinds[p->kind]++;
	if (p->kind == PS_LEVEL || p->kind == PS_ESTIMATE)
		s->last_window_ns = p->window_ns;
	if (p->kind != PS_ESTIMATE) {
		s->joules += joules;
		s->power_ns += p->energy_ns;
		return;
	}
	s->estimate_joules += joules;
	s->estimate_ns += p->energy_ns;
	s->last_estimate_w = watts;
}

/* A figure of more than all before: what was of less goes. */
static void begin_anew(struct ps_stats *s, const struct ps_table *t, enum ps_part part)
{
	s->part = (uint8_t)part;
	for (unsigned int i = 0; i < s->n; i++)
		if (t->col[i].group == PS_G_POWER)
			s->col[i] = (struct sm_welford){0};
	if (s->hist)
		sm_linhist_init(&s->hist[PS_HIST_POWER]);
}

/* Is it of as much as those that the statistics of the power are made of? */
static bool same_part(
	struct ps_stats *s, const struct ps_table *t, const struct ps_sample *p)
{
	enum ps_part part = p->missing	    ? PS_PART_MISSING
			    : p->incomplete ? PS_PART_INCOMPLETE
					    : PS_PART_WHOLE;

	if (p->kind == PS_ESTIMATE || !isfinite(p->v[PS_WATTS]))
		return false;
	if (part < s->part)
		begin_anew(s, t, part);
	return part == s->part;
}

void ps_stats_add(
	struct ps_stats *s, const struct ps_table *t, const struct ps_sample *sample)
{
	bool estimate = sample->kind == PS_ESTIMATE;
	bool power = same_part(s, t, sample);

	s->samples++;
	s->span_ns += sample->dt_ns;
	s->events_lost += sample->events_lost;
	add_energy(s, sample);
	for (unsigned int i = 0; i < s->n; i++) {
		uint8_t group = t->col[i].group;

		if (estimate && group == PS_G_DOMAIN)
			continue;
		if (!power && group == PS_G_POWER)
			continue;
		if (t->col[i].shown && isfinite(sample->v[i]))
			sm_welford_add(&s->col[i], sample->v[i]);
	}
	if (s->hist)
		add_histograms(s, t, sample->v, power);
}

static double geomean(const struct sm_welford *w)
{
	double mean;

	if (w->min <= 0)
		return w->min < 0 ? NAN : 0;
	return sm_welford_geomean(w, &mean) == 0 ? mean : NAN;
}

double ps_stats_get(const struct ps_stats *s, unsigned int col, enum ps_stat what)
{
	const struct sm_welford *w = &s->col[col];

	if (w->n == 0)
		return NAN;
	switch (what) {
	case PS_STAT_AVERAGE:
		return w->mean;
	case PS_STAT_GEOMEAN:
		return geomean(w);
	case PS_STAT_STDDEV:
		return sm_welford_stddev(w);
	case PS_STAT_MIN:
		return w->min;
	case PS_STAT_MAX:
		return w->max;
	default:
		return NAN;
	}
}

double ps_stats_estimate_w(const struct ps_stats *s)
{
	if (s->estimate_ns == 0)
		return NAN;
	if (s->last_window_ns >= s->estimate_ns / 2)
		return s->last_estimate_w;
	return s->estimate_joules / ((double)s->estimate_ns / 1e9);
}

double ps_stats_joules(const struct ps_stats *s, uint64_t *covered_ns)
{
	*covered_ns = s->power_ns + s->estimate_ns;
	return s->joules + s->estimate_joules;
}
