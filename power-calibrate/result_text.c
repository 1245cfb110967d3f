// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "format/table.h"
#include "result.h"

/* Smallest relative change of the power; less is rounding of counters and clocks. */
#define CONSTANT 2e-4
/* A narrow terminal may continue a line at MAY, a very narrow one also at MIGHT. */
#define MAY   SM_TABLE_MAY_BREAK
#define MIGHT SM_TABLE_MIGHT_BREAK

/* Does the load change the power of the idle machine by less than CONSTANT? */
static bool is_constant(const struct result *r)
{
	const struct model_line *l = &r->model->load;
	double most = 0;

	for (size_t i = 0; i < r->readings->n; i++)
		most = fmax(most, r->readings->at[i].v[F_OWN]);
	return !l->has_r2 || fabs(l->slope.value * most) < CONSTANT * fabs(l->base.value);
}

bool result_usable(const struct result *r, const char **why)
{
	const struct model_line *l = &r->model->load;

	*why = NULL;
	if (!r->readings->n)
		*why = "the power source gave no reading";
	else if (l->err)
		*why = model_reason(l);
	else if (r->model->types && r->model->type[0].err)
		*why = model_reason(&r->model->type[0]);
	else if (is_constant(r))
		*why = "the power does not change with the load";
	return !*why;
}

static bool is_certain(const struct model_line *l)
{
	return l->slope.low > 0 || l->slope.high < 0;
}

bool result_certain(const struct result *r)
{
	const struct model *m = r->model;
	bool certain = is_certain(&m->load);

	for (unsigned int i = 0; i < m->types; i++)
		certain &= is_certain(&m->type[i]);
	return certain;
}

bool result_drifts(const struct model_line *l)
{
	return l->has_drift && (l->drift.low > 0 || l->drift.high < 0);
}

/* Appends "117.62 mW", "-196.00 mW", "8.47 nJ": two decimals, with the prefix that gives
 * 1 to 999. */
static void put_unit(struct sm_buf *b, double v, const char *unit)
{
	static const char *const prefix[] = {"", "m", "u", "n", "p", "f", "a"};
	size_t i = 0;

	while (v != 0 && fabs(v) < 0.9995 && i < SM_ARRAY_SIZE(prefix) - 1) {
		v *= 1000;
		i++;
	}
	sm_buf_printf(b, "%.2f %s%s", v, prefix[i], unit);
}

static void put_range(struct sm_buf *b, const struct sm_autocorr_estimate *e,
	double scale, const char *unit)
{
	sm_buf_str(b, " " MAY "(95% interval " MIGHT);
	put_unit(b, e->low * scale, unit);
	sm_buf_str(b, " to ");
	put_unit(b, e->high * scale, unit);
	sm_buf_str(b, ")");
}

static void put_r2(struct sm_buf *b, const struct model_line *l)
{
	if (!l->has_r2)
		return;
	sm_buf_printf(b, "  Coefficient of determination " MAY "R^2 = %f " MAY "(%s)\n",
		l->r2, model_strength(l->r2));
}

/* Returns the busy CPUs in 1 % of the whole machine, the original's unit of load. */
static double per_percent(const struct result *r)
{
	return (double)r->readings->online / 100;
}

static void put_watts_line(
	const struct result *r, const struct model_line *l, struct sm_buf *b)
{
	double percent = per_percent(r);

	sm_buf_printf(b, "  Power (Watts) = " MAY "(%% CPU load * %e) " MIGHT "+ %f\n",
		l->slope.value * percent, l->base.value);
	sm_buf_str(b, "  1% CPU load is about " MAY);
	put_unit(b, l->slope.value * percent, "W");
	put_range(b, &l->slope, percent, "W");
	sm_buf_str(b, "\n");
	put_r2(b, l);
}

/* --- the load ----------------------------------------------------------------------- */

static void put_estimate(struct sm_buf *b, const char *what,
	const struct sm_autocorr_estimate *e, const char *unit)
{
	sm_buf_printf(b, "  %-22s %10.4f %-3s " MAY "+- %.4f  " MAY "(%.4f to %.4f)\n",
		what, e->value, unit, e->se, e->low, e->high);
}

static void put_quality(const struct model_line *l, struct sm_buf *b)
{
	sm_buf_printf(b,
		"  Residuals: %.4f W rms, " MAY "worst %.4f W; " MAY
		"%zu readings used, " MAY "%zu rejected\n",
		l->rms, l->worst, l->used, l->rejected);
	if (l->has_r2)
		sm_buf_printf(b, "  Adjusted R^2 = %f\n", l->adjusted_r2);
	if (l->misfit)
		sm_buf_str(b, "  The readings do not follow a line: more than a quarter "
			      "are outliers, so none was rejected\n");
	if (l->not_linear)
		sm_buf_printf(b,
			"  Not linear: the curve deviates from the line by %.1f%% of the "
			"rise (p = %.2g); use the table, or -e\n",
			100 * l->bend_share, l->bend_p);
}

static void put_terms(const struct model_line *l, struct sm_buf *b)
{
	put_estimate(b, "Idle machine", &l->base, "W");
	if (l->has_other)
		put_estimate(b, "1 CPU busy with others", &l->other, "W");
	if (result_drifts(l))
		put_estimate(b, "Drift in an hour", &l->drift, "W");
}

static void put_load(const struct result *r, struct sm_buf *b)
{
	const struct model_line *l = &r->model->load;

	sm_buf_str(b, r->model->types ? "For all CPUs, a mean over the types of CPUs:\n"
				      : "For all CPUs:\n");
	put_watts_line(r, l, b);
	sm_buf_str(b, "\n  Power within seconds of a change of the load; " MAY
		      "leakage that follows the temperature " MAY
		      "over tens of seconds is only partly in it\n");
	sm_buf_str(b, "  Estimate                    value     " MAY
		      "+- standard error  " MAY "(95% interval)\n");
	put_estimate(b, "1 busy CPU", &l->slope, "W");
	put_terms(l, b);
	put_quality(l, b);
}

/* --- energy ------------------------------------------------------------------------- */

static const char *const energy_names[MODEL_ENERGIES] = {[MODEL_OP] = "bogo op",
	[MODEL_CYCLE] = "CPU cycle",
	[MODEL_INSTRUCTION] = "CPU instruction",
	[MODEL_REF_CYCLE] = "CPU reference cycle"};

static enum sm_counts_method method_of(const struct result *r, enum model_energy e)
{
	static const int count[MODEL_ENERGIES] = {[MODEL_CYCLE] = SM_COUNTS_CYCLES,
		[MODEL_INSTRUCTION] = SM_COUNTS_INSTRUCTIONS,
		[MODEL_REF_CYCLE] = SM_COUNTS_REF_CYCLES};

	return r->readings->method[count[e]];
}

static const char *method_name(const struct result *r, enum model_energy e)
{
	return e == MODEL_OP ? "counted" : sm_counts_method_name(method_of(r, e));
}

static void put_energy(const struct result *r, enum model_energy e, struct sm_buf *b)
{
	const struct model_line *l = &r->model->energy[e];
	const char *name = energy_names[e];

	if (e != MODEL_OP && method_of(r, e) == SM_COUNTS_NONE) {
		sm_buf_printf(b, "\n  %s: unavailable on this machine\n", name);
		return;
	}
	if (l->err) {
		sm_buf_printf(b, "\n  %s: %s\n", name, model_reason(l));
		return;
	}
	sm_buf_printf(b, "\n  Energy (Watt-seconds) = " MAY "(%s * %e) " MIGHT "+ %f\n",
		name, l->slope.value, l->base.value);
	sm_buf_printf(b, "  1 %s is about " MAY, name);
	put_unit(b, l->slope.value, "Ws");
	put_range(b, &l->slope, 1, "Ws");
	sm_buf_printf(b, " " MAY "[%s]\n", method_name(r, e));
	put_r2(b, l);
}

static void put_energies(const struct result *r, struct sm_buf *b)
{
	/* Print reference cycles only if cycles are not counted. */
	bool cycles = method_of(r, MODEL_CYCLE) != SM_COUNTS_NONE;

	for (unsigned int e = 0; e < MODEL_ENERGIES; e++)
		if ((e != MODEL_REF_CYCLE || !cycles) && (e != MODEL_CYCLE || cycles))
			put_energy(r, (enum model_energy)e, b);
}

/* --- parts -------------------------------------------------------------------------- */

static unsigned int shown(const struct result *r, unsigned int n)
{
	uint64_t limit = r->opts->app.limit;

	return limit && limit < n ? (unsigned int)limit : n;
}

static void put_counts(const struct result *r, struct sm_buf *b)
{
	for (unsigned int i = 0; i < shown(r, r->model->counts); i++) {
		const struct model_line *l = &r->model->count[i];
		unsigned int n = r->plan->count[i];

		sm_buf_printf(b, "\nFor %u CPU%s:\n", n, n == 1 ? "" : "s");
		if (l->err) {
			sm_buf_printf(b, "  no result: %s\n", model_reason(l));
			continue;
		}
		put_watts_line(r, l, b);
		put_estimate(b, "1 busy CPU", &l->slope, "W");
	}
}

/* The types share all terms except the slopes. */
static void put_types(const struct result *r, struct sm_buf *b)
{
	const struct model *m = r->model;
	const struct model_line *l = &m->type[0];

	if (!m->types)
		return;
	sm_buf_str(b, "\nFor each type of CPUs, 1 busy CPU, in one regression:\n");
	for (unsigned int i = 0; i < m->types; i++) {
		char what[48];

		snprintf(what, sizeof(what), "1 %s CPU", r->types->name[i]);
		put_estimate(b, what, &m->type[i].slope, "W");
	}
	put_terms(l, b);
	put_quality(l, b);
}

static void put_domains(const struct result *r, struct sm_buf *b)
{
	for (unsigned int i = 0; i < shown(r, r->model->ndomains); i++) {
		const struct model_line *l = &r->model->domain[i];
		const struct sm_source_domain *d = &r->power->domain[i];

		sm_buf_str(b, i ? "  " : "\nFor each domain, 1 busy CPU and idle:\n  ");
		sm_text_human(b, d->label, strlen(d->label), SM_TEXT_UTF8);
		if (l->err)
			sm_buf_printf(b, ": no result: %s\n", model_reason(l));
		else
			sm_buf_printf(b,
				": " MAY "%.4f W (%.4f to %.4f), " MAY
				"%.4f W (%.4f to %.4f)%s\n",
				l->slope.value, l->slope.low, l->slope.high,
				l->base.value, l->base.low, l->base.high,
				d->counted ? "" : ", " MAY "not added");
	}
}

/* --- the machine -------------------------------------------------------------------- */

static void put_frequency(
	struct sm_buf *b, const char *when, const struct state_pair *mhz)
{
	if (mhz->known)
		sm_buf_printf(b, "  CPU frequency %s: " MAY "%.0f MHz, %.0f MHz\n", when,
			mhz->begin, mhz->end);
}

static void put_zones(const struct result *r, struct sm_buf *b)
{
	for (unsigned int i = 0; i < shown(r, r->state->zones); i++) {
		const struct state_zone *z = &r->state->zone[i];

		if (!z->c.known)
			continue;
		sm_buf_str(b, "  ");
		sm_text_human(b, z->label, strlen(z->label), SM_TEXT_UTF8);
		sm_buf_printf(b, ": " MAY "%.1f degrees C, %.1f degrees C\n", z->c.begin,
			z->c.end);
	}
}

static void put_state(const struct result *r, struct sm_buf *b)
{
	const struct state *s = r->state;
	struct sm_buf lines = {0};

	put_frequency(&lines, "(mean)", &s->mhz);
	put_frequency(&lines, "in the first and last test with full load", &s->full_mhz);
	put_zones(r, &lines);
	if (lines.len)
		sm_buf_str(b, "\nAt the start and end of the run:\n");
	sm_buf_add(b, lines.p, lines.len);
	sm_buf_fini(&lines);
	if (s->core_throttles || s->package_throttles)
		sm_buf_printf(b,
			"Thermal throttling: %llu times on a core, %llu times on a "
			"package; the processor was slower at high loads\n",
			(unsigned long long)s->core_throttles,
			(unsigned long long)s->package_throttles);
	else if (s->has_throttle)
		sm_buf_str(b, "No thermal throttling\n");
}

static void put_shortfall(const struct result *r, struct sm_buf *b)
{
	const struct shortfall *s = &r->shortfall;

	if (!s->tests)
		return;
	sm_buf_printf(b, "The load got less CPU time than requested in %u of %u tests",
		s->tests, r->tests);
	if (r->state->limit_milli)
		sm_buf_printf(b, " (CPU limit of the cgroup: %.4g CPUs)",
			(double)r->state->limit_milli / 1000);
	if (shortfall_of_range(s))
		sm_buf_printf(b,
			": at most %.2f of %.4g busy CPUs; the line is measured only up "
			"to this load",
			s->own, s->requested);
	sm_buf_chr(b, '\n');
}

/* Names the types whose mean the slope is. */
static void remark_types(const struct result *r, struct sm_buf *b)
{
	const struct sm_topology_types *t = r->types;

	if (t->n < 2 || r->model->types)
		return;
	sm_buf_str(b, "The CPUs have several types (");
	for (unsigned int i = 0; i < t->n; i++)
		sm_buf_printf(b, "%s%u %s", i ? ", " : "", t->cpus[i], t->name[i]);
	sm_buf_str(b, "), and the power of a busy CPU is a mean over them; --by=type "
		      "reports each type\n");
}

static void put_lag(const struct lag *l, struct sm_buf *b)
{
	if (l->meter.kind == HISTORY_LAG)
		sm_buf_printf(b, "The meter lags %.1f s", l->meter.s);
	else if (l->meter.kind == HISTORY_MEAN)
		sm_buf_printf(b, "The meter averages %.1f s", l->meter.s);
	else
		return;
	sm_buf_str(b, "; the result is corrected for it\n");
}

static void put_remarks(const struct result *r, struct sm_buf *b)
{
	remark_types(r, b);
	put_lag(&r->model->lag, b);
	if (!r->complete)
		sm_buf_printf(b, "Incomplete: %u of %u tests were done\n", r->tests,
			r->plan->n);
	if (r->opts->target_ci > 0 && !r->reached)
		sm_buf_printf(b,
			"The 95%% confidence interval is wider than requested: +-%.2f%% "
			"of the slope, not %.2f%%\n",
			100 * model_widest(r->model), 100 * r->opts->target_ci);
	put_shortfall(r, b);
	if (r->failed_tests)
		sm_buf_printf(
			b, "%u of %u tests have no reading\n", r->failed_tests, r->tests);
	if (r->model->load.step_w > 0)
		sm_buf_printf(
			b, "The meter has steps of %.4g W\n", r->model->load.step_w);
	if (r->readings->failed)
		sm_buf_printf(b,
			"%llu readings were discarded: the CPU use or part of the "
			"power was unknown\n",
			(unsigned long long)r->readings->failed);
	if (r->suspended)
		sm_buf_printf(b,
			"%llu readings were discarded: the machine was suspended\n",
			(unsigned long long)r->suspended);
}

void result_text(const struct result *r, struct sm_buf *b)
{
	sm_buf_chr(b, '\n');
	put_load(r, b);
	put_energies(r, b);
	put_types(r, b);
	put_counts(r, b);
	put_domains(r, b);
	put_state(r, b);
	put_remarks(r, b);
}
