// SPDX-License-Identifier: GPL-2.0-or-later
/* The summary record of JSON. */
#include <math.h>
#include <string.h>

#include "summary.h"
#include "text.h"

static void string(struct sm_json *j, const char *key, const char *s)
{
	sm_json_text(j, key, s, strlen(s));
}

/* "watts":{"n":60,"average":28.5,...}: by the unique keys of the columns. */
static void column(const struct summary *s, unsigned int i, struct sm_json *j)
{
	static const char *const names[PS_STATS] = {[PS_STAT_AVERAGE] = "average",
		[PS_STAT_GEOMEAN] = "geomean",
		[PS_STAT_STDDEV] = "stddev",
		[PS_STAT_MIN] = "min",
		[PS_STAT_MAX] = "max"};

	sm_json_object(j, s->table->col[i].key);
	sm_json_u64(j, "n", s->stats->col[i].n);
	for (unsigned int k = 0; k < PS_STATS; k++)
		sm_json_double(
			j, names[k], ps_stats_get(s->stats, i, (enum ps_stat)k), 6);
	sm_json_end(j);
}

static void columns(const struct summary *s, struct sm_json *j)
{
	sm_json_object(j, "stats");
	for (unsigned int i = 0; i < s->table->n; i++) {
		if (s->table->col[i].shown)
			column(s, i, j);
	}
	sm_json_end(j);
}

static void power(const struct summary *s, struct sm_json *j)
{
	double mean = ps_stats_get(s->stats, PS_WATTS, PS_STAT_AVERAGE), joules;
	bool estimate = !isfinite(mean) && s->stats->estimate_ns;
	uint64_t covered_ns;

	joules = ps_stats_joules(s->stats, &covered_ns);
	string(j, "source", summary_source(s->power));
	sm_json_double(
		j, "watts_average", estimate ? ps_stats_estimate_w(s->stats) : mean, 6);
	sm_json_double(
		j, "watts_stddev", ps_stats_get(s->stats, PS_WATTS, PS_STAT_STDDEV), 6);
	sm_json_bool(j, "estimate", estimate);
	sm_json_double(j, "joules", covered_ns ? joules : NAN, 6);
	sm_json_seconds(j, "joules_of_s", covered_ns);
	sm_json_double(j, "joules_estimated", s->stats->estimate_joules, 6);
	sm_json_object(j, "kinds");
	for (unsigned int k = 0; k < PS_KINDS; k++)
		sm_json_u64(j, summary_kind((enum ps_kind)k), s->stats->kinds[k]);
	sm_json_end(j);
	if (!s->power)
		return;
	sm_json_bool(j, "on_mains", s->power->mains_note);
	sm_json_bool(j, "source_lost", s->power->lost);
	if (s->power->lost && s->power->lost_why)
		string(j, "source_lost_why", s->power->lost_why);
}

static void state(struct sm_json *j, struct sm_str name, double pct)
{
	sm_json_object(j, NULL);
	sm_json_text(j, "name", name.p, name.n);
	sm_json_double(j, "resident_pct", pct, 3);
}

static void idle_states(const struct sm_cpuidle *c, struct sm_json *j)
{
	double covered_us = (double)c->covered_us, rest_us = covered_us;

	for (unsigned int i = 0; i < c->nstates && c->covered_us; i++) {
		const struct sm_cpuidle_state *st = &c->state[i];

		state(j, (struct sm_str){st->name, strnlen(st->name, sizeof(st->name))},
			100 * (double)st->time_us / covered_us);
		sm_json_u64(j, "count", st->usage);
		sm_json_u64(j, "latency_us", st->latency_us);
		sm_json_end(j);
		rest_us -= (double)st->time_us;
	}
	if (!c->covered_us)
		return;
	state(j, SM_STR("C0"), 100 * fmax(rest_us, 0) / covered_us);
	sm_json_end(j);
}

void summary_json(const struct summary *s, struct sm_json *j)
{
	sm_json_u64(j, "samples", s->stats->samples);
	sm_json_seconds(j, "span_s", s->stats->span_ns);
	power(s, j);
	columns(s, j);
	if (s->opts->cstates) {
		sm_json_array(j, "cstates");
		if (s->idle)
			idle_states(s->idle, j);
		sm_json_end(j);
		if (s->idle)
			sm_json_u64(j, "cstate_intervals_dropped", s->idle->dropped);
	}
	sm_json_u64(j, "incomplete", s->stats->incomplete);
	sm_json_u64(j, "missed", s->missed);
	sm_json_u64(j, "skipped", s->skipped);
	sm_json_u64(j, "lost", s->stats->events_lost);
	sm_json_u64(j, "lost_rows", s->lost_rows);
}
