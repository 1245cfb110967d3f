// SPDX-License-Identifier: GPL-2.0-or-later
/* The summary record of JSON. */
#include <math.h>
#include <string.h>

#include "power/source_reason.h"
#include "summary.h"
#include "base/text.h"

/* "watts":{"n":60,"average":28.5,...} */
static void column(const struct summary *s, unsigned int i, struct sm_json *j)
{
	static const char *const names[STATS] = {[STAT_AVERAGE] = "average",
		[STAT_GEOMEAN] = "geomean",
		[STAT_STDDEV] = "stddev",
		[STAT_MIN] = "min",
		[STAT_MAX] = "max"};

	sm_json_object(j, s->columns->list.col[i].key);
	sm_json_u64(j, "n", s->stats->col[i].n);
	for (unsigned int k = 0; k < STATS; k++)
		sm_json_double(j, names[k], stats_get(s->stats, i, (enum stat_kind)k), 6);
	sm_json_end(j);
}

static void columns(const struct summary *s, struct sm_json *j)
{
	sm_json_object(j, "stats");
	for (unsigned int i = V_USER; i < s->columns->list.n; i++) {
		if (columns_for_machines(s->columns, i))
			column(s, i, j);
	}
	sm_json_end(j);
}

static void average(const struct summary *s, struct sm_json *j)
{
	uint64_t ns = sm_source_average_ns(s->power);

	if (!ns)
		return;
	sm_json_seconds(j, "average_s", ns);
	sm_json_bool(j, "too_short", sm_source_too_short(s->power, summary_run_ns(s)));
	if (s->idle_power.of_ns)
		sm_json_bool(j, "idle_too_short",
			sm_source_too_short(s->power, s->idle_power.of_ns));
}

static void power(const struct summary *s, struct sm_json *j)
{
	double mean = stats_get(s->stats, V_WATTS, STAT_AVERAGE), joules;
	bool estimate = !isfinite(mean) && s->stats->estimate_ns;
	uint64_t covered_ns;

	joules = stats_joules(s->stats, &covered_ns);
	sm_json_str(j, "source", summary_source(s->power));
	sm_json_double(
		j, "watts_average", estimate ? stats_estimate_w(s->stats) : mean, 6);
	sm_json_double(j, "watts_stddev", stats_get(s->stats, V_WATTS, STAT_STDDEV), 6);
	sm_json_bool(j, "estimate", estimate);
	sm_json_double(j, "joules", covered_ns ? joules : NAN, 6);
	sm_json_seconds(j, "joules_of_s", covered_ns);
	if (s->idle_power.of_ns) {
		sm_json_double(j, "idle_watts", s->idle_power.watts, 6);
		sm_json_seconds(j, "idle_of_s", s->idle_power.of_ns);
		sm_json_double(j, "idle_watts_stderr", idle_stderr_w(&s->idle_power), 6);
		sm_json_double(j, "joules_above_idle", summary_above_idle(s), 6);
		sm_json_double(
			j, "joules_above_idle_stderr", summary_above_idle_stderr(s), 6);
	}
	sm_json_double(j, "joules_estimated", s->stats->estimate_joules, 6);
	sm_json_object(j, "kinds");
	for (unsigned int k = 0; k < SM_FIGURES; k++)
		sm_json_u64(j, columns_kind((enum sm_figure)k), s->stats->kinds[k]);
	sm_json_end(j);
	if (!s->power)
		return;
	sm_json_u64(j, "readings", s->power->readings);
	average(s, j);
	sm_json_double(j, "level_watts", summary_level_watts(s->power), 6);
	sm_json_bool(j, "on_mains", s->power->mains_note);
	sm_json_bool(j, "source_lost", s->power->lost);
	if (s->power->lost && s->power->lost_why)
		sm_json_str(j, "source_lost_why", s->power->lost_why);
}

/* Adds a member with the text, unless it is empty. */
static void text_member(struct sm_json *j, const char *key, struct sm_buf *text)
{
	if (text->len)
		sm_json_text(j, key, text->p, text->len);
	sm_buf_fini(text);
}

static void reasons(const struct summary *s, struct sm_json *j)
{
	struct sm_buf reason = {0}, suspect = {0};

	if (!s->power)
		return;
	if (summary_no_figure(s))
		sm_source_reason(s->power, &reason);
	sm_source_suspect(s->power, &suspect);
	text_member(j, "reason", &reason);
	text_member(j, "suspect", &suspect);
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
	reasons(s, j);
	if (s->repeat)
		repeat_json(s->repeat, j);
	columns(s, j);
	if (s->columns->throttle && s->stats->col[s->columns->throttle].n) {
		sm_json_u64(j, "core_throttles", s->stats->core_throttles);
		sm_json_u64(j, "package_throttles", s->stats->package_throttles);
	}
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
	if (s->opts->proc_log)
		sm_json_u64(j, "log_missing", s->log_missing);
}
