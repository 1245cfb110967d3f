// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the result as a JSON record and as YAML. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

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

/* Prints a JSON string, which is also a YAML string. */
static void yaml_text(struct sm_buf *b, const char *key, const char *text)
{
	bool lossy;

	sm_buf_printf(b, "    %s: ", key);
	sm_text_json(b, text, strlen(text), &lossy);
	sm_buf_str(b, "\n");
}

static void yaml_line(struct sm_buf *b, const struct model_line *l)
{
	sm_buf_printf(b, "    intercept: %.9g\n", l->base.value);
	if (l->has_r2)
		sm_buf_printf(b, "    r-squared: %.9g\n", l->r2);
	sm_buf_printf(b, "    samples: %zu\n    rejected: %zu\n", l->used, l->rejected);
}

static void yaml_slope(struct sm_buf *b, const char *key,
	const struct sm_autocorr_estimate *e, double scale)
{
	sm_buf_printf(b, "    %s: %.9g\n    ci95: [%.9g, %.9g]\n", key, e->value * scale,
		e->low * scale, e->high * scale);
}

static void yaml_load(const struct result *r, struct sm_buf *b)
{
	const struct model_line *l = &r->model->load;

	sm_buf_str(b, "  cpu-load:\n");
	yaml_slope(b, "one-percent-cpu-load-watts", &l->slope,
		(double)r->readings->online / 100);
	sm_buf_printf(b, "    one-busy-cpu-watts: %.9g\n    online-cpus: %u\n",
		l->slope.value, r->readings->online);
	yaml_line(b, l);
	sm_buf_printf(b, "    intercept-ci95: [%.9g, %.9g]\n", l->base.low, l->base.high);
	if (l->has_other)
		sm_buf_printf(b,
			"    other-busy-cpu-watts: %.9g\n    other-ci95: [%.9g, "
			"%.9g]\n",
			l->other.value, l->other.low, l->other.high);
	if (result_drifts(l))
		sm_buf_printf(b,
			"    drift-watts-per-hour: %.9g\n    drift-ci95: [%.9g, %.9g]\n",
			l->drift.value, l->drift.low, l->drift.high);
	if (r->shortfall.tests)
		sm_buf_printf(b,
			"    load-shortfall: {tests: %u, requested-cpus: %.9g, own-cpus: "
			"%.9g}\n",
			r->shortfall.tests, r->shortfall.requested, r->shortfall.own);
	if (l->step_w > 0)
		sm_buf_printf(b, "    meter-step-watts: %.9g\n", l->step_w);
	if (l->has_bend)
		sm_buf_printf(b, "    linear: %s\n", l->not_linear ? "false" : "true");
}

static void yaml_energy(const struct result *r, unsigned int e, struct sm_buf *b)
{
	const struct model_line *l = &r->model->energy[e];

	if (!counted(r, e) || l->err)
		return;
	sm_buf_printf(b, "  %s:\n", energy[e].yaml);
	yaml_slope(b, energy[e].figure, &l->slope, 1);
	if (energy[e].figure_correct)
		sm_buf_printf(
			b, "    %s: %.9g\n", energy[e].figure_correct, l->slope.value);
	sm_buf_printf(b, "    method: %s\n", method(r, e));
	yaml_line(b, l);
}

static void yaml_counts(const struct result *r, struct sm_buf *b)
{
	if (r->model->counts)
		sm_buf_str(b, "  cpu-counts:\n");
	for (unsigned int i = 0; i < r->model->counts; i++) {
		const struct model_line *l = &r->model->count[i];

		if (l->err)
			continue;
		sm_buf_printf(b,
			"  - cpus: %u\n    one-busy-cpu-watts: %.9g\n    ci95: "
			"[%.9g, %.9g]\n",
			r->plan->count[i], l->slope.value, l->slope.low, l->slope.high);
		yaml_line(b, l);
	}
}

static void yaml_domain(
	const struct sm_source_domain *d, const struct model_line *l, struct sm_buf *b)
{
	bool lossy;

	sm_buf_str(b, "  - name: ");
	sm_text_json(b, d->label, strlen(d->label), &lossy);
	sm_buf_printf(b,
		"\n    added: %s\n    one-busy-cpu-watts: %.9g\n    ci95: [%.9g, "
		"%.9g]\n",
		d->counted ? "true" : "false", l->slope.value, l->slope.low,
		l->slope.high);
	yaml_line(b, l);
}

static void yaml_domains(const struct result *r, struct sm_buf *b)
{
	bool any = false;

	for (unsigned int i = 0; i < r->model->ndomains; i++) {
		if (r->model->domain[i].err)
			continue;
		sm_buf_str(b, any ? "" : "  domains:\n");
		yaml_domain(&r->power->domain[i], &r->model->domain[i], b);
		any = true;
	}
}

static void yaml_types(const struct result *r, struct sm_buf *b)
{
	if (r->model->types)
		sm_buf_str(b, "  cpu-types:\n");
	for (unsigned int i = 0; i < r->model->types; i++) {
		const struct model_line *l = &r->model->type[i];

		sm_buf_printf(b, "  - type: %s\n    cpus: %u\n", r->types->name[i],
			r->types->cpus[i]);
		yaml_slope(b, "one-busy-cpu-watts", &l->slope, 1);
		yaml_line(b, l);
	}
}

static void yaml_pair(struct sm_buf *b, const char *key, const struct state_pair *p)
{
	if (p->known)
		sm_buf_printf(b, "    %s: [%.9g, %.9g]\n", key, p->begin, p->end);
}

static void yaml_zones(const struct state *s, struct sm_buf *b)
{
	bool lossy, any = false;

	for (unsigned int i = 0; i < s->zones; i++) {
		const struct state_zone *z = &s->zone[i];

		if (!z->c.known)
			continue;
		sm_buf_str(b, any ? "    - zone: " : "    temperatures:\n    - zone: ");
		sm_text_json(b, z->label, strlen(z->label), &lossy);
		sm_buf_printf(b, "\n      celsius: [%.9g, %.9g]\n", z->c.begin, z->c.end);
		any = true;
	}
}

/* Prints the settings, and pairs of values at the start and end of the run. */
static void yaml_state(const struct result *r, struct sm_buf *out)
{
	const struct state *s = r->state;
	struct sm_buf b = {0};

	settings_yaml_machine(r, &b);
	yaml_pair(&b, "frequency-mhz", &s->mhz);
	yaml_pair(&b, "full-load-frequency-mhz", &s->full_mhz);
	yaml_zones(s, &b);
	if (s->has_throttle)
		sm_buf_printf(&b,
			"    core-throttles: %llu\n    package-throttles: %llu\n",
			(unsigned long long)s->core_throttles,
			(unsigned long long)s->package_throttles);
	if (b.len)
		sm_buf_str(out, "  machine:\n");
	sm_buf_add(out, b.p, b.len);
	sm_buf_fini(&b);
}

static void yaml_run(const struct result *r, struct sm_buf *b)
{
	time_t start = (time_t)(r->start_wall_ns / SM_NSEC_PER_SEC);
	char date[16], clock[16];
	struct utsname host;
	struct tm t;

	sm_buf_str(b, "  test-run:\n");
	if (localtime_r(&start, &t)) {
		strftime(date, sizeof(date), "%Y-%m-%d", &t);
		strftime(clock, sizeof(clock), "%H:%M:%S", &t);
		yaml_text(b, "date", date);
		yaml_text(b, "time", clock);
	}
	if (uname(&host) == 0) {
		yaml_text(b, "sysname", host.sysname);
		yaml_text(b, "nodename", host.nodename);
		yaml_text(b, "release", host.release);
		yaml_text(b, "machine", host.machine);
	}
	yaml_text(b, "source", r->source);
	yaml_text(b, "op", sm_ops_table[r->opts->op].name);
	sm_buf_printf(b,
		"    tests: %u\n    failed-tests: %u\n    readings: %zu\n"
		"    complete: %s\n",
		r->tests, r->failed_tests, r->readings->n,
		r->complete ? "true" : "false");
}

static void yaml_lag(const struct lag *l, struct sm_buf *b)
{
	if (l->meter.kind == HISTORY_LAG)
		sm_buf_printf(b, "  meter-lag-seconds: %.2f\n", l->meter.s);
	else if (l->meter.kind == HISTORY_MEAN)
		sm_buf_printf(b, "  meter-average-seconds: %.2f\n", l->meter.s);
}

void result_yaml(const struct result *r, struct sm_buf *b)
{
	sm_buf_str(b, "---\npower-calibrate:\n");
	yaml_run(r, b);
	yaml_lag(&r->model->lag, b);
	yaml_load(r, b);
	for (unsigned int e = 0; e < MODEL_ENERGIES; e++)
		yaml_energy(r, e, b);
	yaml_types(r, b);
	yaml_counts(r, b);
	yaml_domains(r, b);
	settings_yaml_options(r, b);
	yaml_state(r, b);
	sm_buf_str(b, "...\n");
}
