// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the result as a JSON record and as YAML. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/text.h"
#include "result.h"
#include "settings.h"

static const struct {
	const char *json, *yaml, *figure;
	const char *figure_correct; /* the original misspells its key */
	int count;		    /* SM_COUNTS_..., -1: operations */
} energy[MODEL_ENERGIES] = {
	[MODEL_OP] = {"op", "bogo-op", "one-bogo-op-watts-seconds", NULL, -1},
	[MODEL_CYCLE] = {"cycle", "cpu-cycle", "one-cpu-cycle-watt-seconds", NULL,
		SM_COUNTS_CYCLES},
	[MODEL_INSTRUCTION] = {"instruction", "cpu-instruction",
		"on-cpu-instruction-watt-seconds", "one-cpu-instruction-watt-seconds",
		SM_COUNTS_INSTRUCTIONS},
	[MODEL_REF_CYCLE] = {"ref_cycle", "cpu-ref-cycle",
		"one-cpu-ref-cycle-watt-seconds", NULL, SM_COUNTS_REF_CYCLES},
};

static const char *method(const struct result *r, unsigned int e)
{
	return energy[e].count < 0
		       ? "counted"
		       : sm_counts_method_name(r->readings->method[energy[e].count]);
}

static bool counted(const struct result *r, unsigned int e)
{
	return energy[e].count < 0 ||
	       r->readings->method[energy[e].count] != SM_COUNTS_NONE;
}

/* --- JSON --------------------------------------------------------------------------- */

#define DECIMALS 9
#define NANO	 1e9

static void json_number(struct sm_json *j, const char *key, double v)
{
	sm_json_double(j, key, v, DECIMALS);
}

static void json_estimate(struct sm_json *j, const char *key,
	const struct sm_autocorr_estimate *e, double scale)
{
	sm_json_object(j, key);
	json_number(j, "value", e->value * scale);
	json_number(j, "se", e->se * scale);
	json_number(j, "low", e->low * scale);
	json_number(j, "high", e->high * scale);
	sm_json_end(j);
}

static void json_quality(struct sm_json *j, const struct model_line *l)
{
	if (l->has_r2) {
		json_number(j, "r2", l->r2);
		json_number(j, "adjusted_r2", l->adjusted_r2);
	}
	json_number(j, "rms_w", l->rms);
	json_number(j, "worst_w", l->worst);
	sm_json_u64(j, "used", l->used);
	sm_json_u64(j, "rejected", l->rejected);
	sm_json_bool(j, "misfit", l->misfit);
	if (l->step_w > 0)
		json_number(j, "step_w", l->step_w);
}

static void json_line(
	struct sm_json *j, const struct model_line *l, const char *slope, double scale)
{
	if (l->err) {
		sm_json_str(j, "error", model_reason(l));
		return;
	}
	json_estimate(j, slope, &l->slope, scale);
	json_estimate(j, "base_w", &l->base, 1);
	if (l->has_other)
		json_estimate(j, "other_w_per_cpu", &l->other, 1);
	if (result_drifts(l))
		json_estimate(j, "drift_w_per_h", &l->drift, 1);
	json_quality(j, l);
}

static void json_load(const struct result *r, struct sm_json *j)
{
	const struct model_line *l = &r->model->load;

	sm_json_object(j, "load");
	json_line(j, l, "w_per_cpu", 1);
	if (l->has_bend && !l->err) {
		json_number(j, "bend_p", l->bend_p);
		json_number(j, "bend_share", l->bend_share);
		sm_json_bool(j, "linear", !l->not_linear);
	}
	sm_json_end(j);
}

static void json_energies(const struct result *r, struct sm_json *j)
{
	sm_json_object(j, "energy");
	for (unsigned int e = 0; e < MODEL_ENERGIES; e++) {
		if (!counted(r, e))
			continue;
		sm_json_object(j, energy[e].json);
		json_line(j, &r->model->energy[e], "nj", NANO);
		sm_json_str(j, "method", method(r, e));
		sm_json_end(j);
	}
	sm_json_end(j);
}

static void json_types(const struct result *r, struct sm_json *j)
{
	const struct model *m = r->model;

	if (!m->types)
		return;
	sm_json_array(j, "types");
	for (unsigned int i = 0; i < m->types; i++) {
		sm_json_object(j, NULL);
		sm_json_str(j, "cpu_type", r->types->name[i]);
		sm_json_u64(j, "cpus", r->types->cpus[i]);
		json_line(j, &m->type[i], "w_per_cpu", 1);
		sm_json_end(j);
	}
	sm_json_end(j);
}

static void json_parts(const struct result *r, struct sm_json *j)
{
	const struct model *m = r->model;

	json_types(r, j);
	if (m->counts)
		sm_json_array(j, "counts");
	for (unsigned int i = 0; i < m->counts; i++) {
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpus", r->plan->count[i]);
		json_line(j, &m->count[i], "w_per_cpu", 1);
		sm_json_end(j);
	}
	if (m->counts)
		sm_json_end(j);
	if (m->ndomains)
		sm_json_array(j, "domains");
	for (unsigned int i = 0; i < m->ndomains; i++) {
		const struct sm_source_domain *d = &r->power->domain[i];

		sm_json_object(j, NULL);
		sm_json_text(j, "name", d->label, strlen(d->label));
		sm_json_bool(j, "added", d->counted);
		json_line(j, &m->domain[i], "w_per_cpu", 1);
		sm_json_end(j);
	}
	if (m->ndomains)
		sm_json_end(j);
}

static void json_pair(struct sm_json *j, const char *key, const struct state_pair *p,
	unsigned int decimals)
{
	if (!p->known)
		return;
	sm_json_object(j, key);
	sm_json_double(j, "begin", p->begin, decimals);
	sm_json_double(j, "end", p->end, decimals);
	sm_json_end(j);
}

static void json_state(const struct state *s, struct sm_json *j)
{
	json_pair(j, "mhz", &s->mhz, 3);
	json_pair(j, "full_load_mhz", &s->full_mhz, 3);
	if (s->zones)
		sm_json_array(j, "temperatures");
	for (unsigned int i = 0; i < s->zones; i++) {
		const struct state_zone *z = &s->zone[i];

		sm_json_object(j, NULL);
		sm_json_text(j, "zone", z->label, strlen(z->label));
		json_pair(j, "c", &z->c, 3);
		sm_json_end(j);
	}
	if (s->zones)
		sm_json_end(j);
	if (s->has_throttle) {
		sm_json_u64(j, "core_throttles", s->core_throttles);
		sm_json_u64(j, "package_throttles", s->package_throttles);
	}
}

static void json_shortfall(const struct shortfall *s, struct sm_json *j)
{
	if (!s->tests)
		return;
	sm_json_object(j, "load_shortfall");
	sm_json_u64(j, "tests", s->tests);
	sm_json_double(j, "requested_cpus", s->requested, 6);
	sm_json_double(j, "own_cpus", s->own, 6);
	sm_json_end(j);
}

static void json_lag(const struct lag *l, struct sm_json *j)
{
	if (l->meter.kind == HISTORY_LAG)
		sm_json_double(j, "meter_lag_s", l->meter.s, 2);
	else if (l->meter.kind == HISTORY_MEAN)
		sm_json_double(j, "meter_average_s", l->meter.s, 2);
}

void result_json(const struct result *r, struct sm_json *j)
{
	sm_json_bool(j, "complete", r->complete);
	sm_json_u64(j, "tests", r->tests);
	sm_json_u64(j, "failed_tests", r->failed_tests);
	sm_json_u64(j, "readings", r->readings->n);
	sm_json_u64(j, "failed_readings", r->readings->failed);
	sm_json_u64(j, "online_cpus", r->readings->online);
	sm_json_str(j, "op", sm_ops_table[r->opts->op].name);
	settings_json(r, j);
	if (r->opts->target_ci > 0)
		sm_json_bool(j, "target_reached", r->reached);
	json_shortfall(&r->shortfall, j);
	json_lag(&r->model->lag, j);
	json_load(r, j);
	json_energies(r, j);
	json_parts(r, j);
	json_state(r->state, j);
}

/* --- YAML --------------------------------------------------------------------------- */

static void yaml_line(struct sm_yaml *y, const struct model_line *l)
{
	sm_yaml_number(y, "intercept", l->base.value);
	if (l->has_r2)
		sm_yaml_number(y, "r-squared", l->r2);
	sm_yaml_u64(y, "samples", l->used);
	sm_yaml_u64(y, "rejected", l->rejected);
}

static void yaml_slope(struct sm_yaml *y, const char *key, const char *interval,
	const struct sm_autocorr_estimate *e, double scale)
{
	sm_yaml_number(y, key, e->value * scale);
	sm_yaml_pair(y, interval, e->low * scale, e->high * scale);
}

static void yaml_part(struct sm_yaml *y, const struct model_line *l)
{
	yaml_slope(y, "one-busy-cpu-watts", "ci95", &l->slope, 1);
	yaml_line(y, l);
}

static void yaml_load(const struct result *r, struct sm_yaml *y)
{
	const struct model_line *l = &r->model->load;
	const struct shortfall *s = &r->shortfall;

	sm_yaml_begin(y, "cpu-load");
	yaml_slope(y, "one-percent-cpu-load-watts", "ci95", &l->slope,
		(double)r->readings->online / 100);
	sm_yaml_number(y, "one-busy-cpu-watts", l->slope.value);
	sm_yaml_u64(y, "online-cpus", r->readings->online);
	yaml_line(y, l);
	sm_yaml_pair(y, "intercept-ci95", l->base.low, l->base.high);
	if (l->has_other)
		yaml_slope(y, "other-busy-cpu-watts", "other-ci95", &l->other, 1);
	if (result_drifts(l))
		yaml_slope(y, "drift-watts-per-hour", "drift-ci95", &l->drift, 1);
	if (s->tests) {
		sm_yaml_key(y, "load-shortfall");
		sm_buf_printf(y->b, "{tests: %u, requested-cpus: %.9g, own-cpus: %.9g}\n",
			s->tests, s->requested, s->own);
	}
	if (l->step_w > 0)
		sm_yaml_number(y, "meter-step-watts", l->step_w);
	if (l->has_bend)
		sm_yaml_bool(y, "linear", !l->not_linear);
	sm_yaml_end(y, NULL);
}

static void yaml_energy(const struct result *r, unsigned int e, struct sm_yaml *y)
{
	const struct model_line *l = &r->model->energy[e];

	if (!counted(r, e) || l->err)
		return;
	sm_yaml_begin(y, energy[e].yaml);
	yaml_slope(y, energy[e].figure, "ci95", &l->slope, 1);
	if (energy[e].figure_correct)
		sm_yaml_number(y, energy[e].figure_correct, l->slope.value);
	sm_yaml_word(y, "method", method(r, e));
	yaml_line(y, l);
	sm_yaml_end(y, NULL);
}

static void yaml_parts(const struct result *r, struct sm_yaml *y)
{
	const struct model *m = r->model;

	sm_yaml_begin(y, "cpu-types");
	for (unsigned int i = 0; i < m->types; i++) {
		sm_yaml_word(y, "- type", r->types->name[i]);
		sm_yaml_u64(y, "cpus", r->types->cpus[i]);
		yaml_part(y, &m->type[i]);
	}
	sm_yaml_end(y, NULL);
	sm_yaml_begin(y, "cpu-counts");
	for (unsigned int i = 0; i < m->counts; i++) {
		if (m->count[i].err)
			continue;
		sm_yaml_u64(y, "- cpus", r->plan->count[i]);
		yaml_part(y, &m->count[i]);
	}
	sm_yaml_end(y, m->counts ? "[]" : NULL);
	sm_yaml_begin(y, "domains");
	for (unsigned int i = 0; i < m->ndomains; i++) {
		if (m->domain[i].err)
			continue;
		sm_yaml_string(y, "- name", r->power->domain[i].label);
		sm_yaml_bool(y, "added", r->power->domain[i].counted);
		yaml_part(y, &m->domain[i]);
	}
	sm_yaml_end(y, NULL);
}

static void yaml_pair(struct sm_yaml *y, const char *key, const struct state_pair *p)
{
	if (p->known)
		sm_yaml_pair(y, key, p->begin, p->end);
}

/* Prints the settings, and pairs of values at the start and end of the run. */
static void yaml_state(const struct result *r, struct sm_yaml *y)
{
	const struct state *s = r->state;

	sm_yaml_begin(y, "machine");
	settings_yaml_machine(r, y);
	yaml_pair(y, "frequency-mhz", &s->mhz);
	yaml_pair(y, "full-load-frequency-mhz", &s->full_mhz);
	sm_yaml_begin(y, "temperatures");
	for (unsigned int i = 0; i < s->zones; i++) {
		if (!s->zone[i].c.known)
			continue;
		sm_yaml_string(y, "- zone", s->zone[i].label);
		yaml_pair(y, "celsius", &s->zone[i].c);
	}
	sm_yaml_end(y, NULL);
	if (s->has_throttle) {
		sm_yaml_u64(y, "core-throttles", s->core_throttles);
		sm_yaml_u64(y, "package-throttles", s->package_throttles);
	}
	sm_yaml_end(y, NULL);
}

static void yaml_run(const struct result *r, struct sm_yaml *y)
{
	struct utsname host;

	sm_yaml_begin(y, "test-run");
	sm_yaml_time(y, "date", "time", (time_t)(r->start_wall_ns / SM_NSEC_PER_SEC));
	if (uname(&host) == 0) {
		sm_yaml_string(y, "sysname", host.sysname);
		sm_yaml_string(y, "nodename", host.nodename);
		sm_yaml_string(y, "release", host.release);
		sm_yaml_string(y, "machine", host.machine);
	}
	sm_yaml_string(y, "source", r->source);
	sm_yaml_string(y, "op", sm_ops_table[r->opts->op].name);
	sm_yaml_u64(y, "tests", r->tests);
	sm_yaml_u64(y, "failed-tests", r->failed_tests);
	sm_yaml_u64(y, "readings", r->readings->n);
	sm_yaml_bool(y, "complete", r->complete);
	sm_yaml_end(y, NULL);
}

static void yaml_lag(const struct lag *l, struct sm_yaml *y)
{
	if (l->meter.kind != HISTORY_LAG && l->meter.kind != HISTORY_MEAN)
		return;
	sm_yaml_key(y, l->meter.kind == HISTORY_LAG ? "meter-lag-seconds"
						    : "meter-average-seconds");
	sm_buf_printf(y->b, "%.2f\n", l->meter.s);
}

static void nine_digits(struct sm_buf *b, double v)
{
	sm_buf_printf(b, "%.9g", v);
}

void result_yaml(const struct result *r, struct sm_buf *b)
{
	struct sm_yaml y;

	sm_yaml_open(&y, b, 2, nine_digits);
	sm_yaml_begin(&y, "power-calibrate");
	yaml_run(r, &y);
	yaml_lag(&r->model->lag, &y);
	yaml_load(r, &y);
	for (unsigned int e = 0; e < MODEL_ENERGIES; e++)
		yaml_energy(r, e, &y);
	yaml_parts(r, &y);
	sm_yaml_begin(&y, "options");
	settings_yaml_options(r, &y);
	sm_yaml_end(&y, NULL);
	yaml_state(r, &y);
	sm_buf_str(b, "...\n");
}
