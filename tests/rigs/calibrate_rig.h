/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate_rig: a result of power-calibrate whose figures are set by the test: 10 W for a busy CPU (9.5 to
 * 10.5), 5 W when idle (4.9 to 5.1), 2 of 4 CPUs loaded, 6 readings.
 */
#ifndef CALIBRATE_RIG_H
#define CALIBRATE_RIG_H

#include <math.h>
#include <string.h>

#include "format/table.h"
#include "power-calibrate/result.h"
#include "unit.h"

static struct opts opts;
static struct plan plan;
static struct readings readings;
static struct model model;
static struct sm_source power;
static struct sm_source_domain domains[2];
static struct state state;
static struct sm_topology_types types;
static struct result result;
static struct sm_buf text;

static inline struct sm_autocorr_estimate estimate(double value, double half)
{
	return (struct sm_autocorr_estimate){
		.value = value, .se = half / 2, .low = value - half, .high = value + half};
}

static inline struct model_line line(double slope, double half)
{
	return (struct model_line){.slope = estimate(slope, half),
		.base = estimate(5, 0.1),
		.has_r2 = true,
		.r2 = 0.97,
		.adjusted_r2 = 0.96,
		.rms = 0.25,
		.worst = 0.75,
		.used = 6};
}

/* Idle, then half and full load of two CPUs; watts as the line says, and 0.5 W more in the last one. */
static inline void rig_readings(void)
{
	for (unsigned int i = 0; i < 6; i++) {
		struct reading a = {.t_s = i + 0.5, .dt_s = 1, .test = i / 2, .block = i / 2,
			.ppm = 500000 * (i / 2), .load_ppm = 500000 * (i / 2), .cpus = i < 2 ? 0 : 2};

		for (unsigned int f = 0; f < F_N; f++)
			a.v[f] = NAN;
		a.v[F_OWN] = i / 2;
		a.v[F_OTHER] = 0;
		a.v[F_OPS] = 1e9 * (i / 2);
		a.v[F_WATTS] = 5 + 10 * (i / 2) + (i == 5 ? 0.5 : 0);
		ck_assert_int_eq(readings_add(&readings, &a, (const double[]){1, 2}), 0);
	}
}

static inline void rig_up(void)
{
	static const struct plan_want want = {.cpus = 2, .levels = 3, .test_ns = 2 * SM_NSEC_PER_SEC,
		.interval_ns = SM_NSEC_PER_SEC, .seed = 1};

	opts = (struct opts){.app.interval_ns = SM_NSEC_PER_SEC};
	ck_assert_int_eq(plan_make(&plan, &want), 0);
	readings = (struct readings){.ndomains = 2, .online = 4};
	rig_readings();
	model = (struct model){.load = line(10, 0.5), .middle_s = 3};
	model.used = calloc(readings.n, sizeof(*model.used));
	for (size_t i = 0; i < readings.n; i++)
		model.used[i] = true;
	for (unsigned int e = 0; e < MODEL_ENERGIES; e++)
		model.energy[e].err = -61; /* ENODATA */
	model.energy[MODEL_OP] = line(8.465141e-9, 1e-10);
	domains[0] = (struct sm_source_domain){.label = "package-0", .counted = true};
	domains[1] = (struct sm_source_domain){.label = "\033[2J\"core\"\n"};
	power = (struct sm_source){.domain = domains, .n = 2};
	state = (struct state){0};
	types = (struct sm_topology_types){.n = 1, .cpus = {2}};
	result = (struct result){.opts = &opts, .plan = &plan, .readings = &readings, .model = &model,
		.power = &power, .state = &state, .types = &types,
		.source = "RAPL: \"test\"", .tests = plan.n,
		.complete = true, .start_wall_ns = UINT64_C(1700000000) * SM_NSEC_PER_SEC};
	shortfall_find(&result.shortfall, &readings);
}

static inline void rig_down(void)
{
	sm_buf_fini(&text);
	plan_fini(&plan);
	readings_fini(&readings);
	model_fini(&model);
}

/* Removes the marks at which a narrow terminal may continue a line. */
static inline void without_marks(struct sm_buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		if (!strchr(SM_TABLE_MAY_BREAK SM_TABLE_MIGHT_BREAK, b->p[i]))
			b->p[n++] = b->p[i];
	b->len = n;
}

static inline const char *as(void (*put)(const struct result *r, struct sm_buf *b))
{
	sm_buf_fini(&text);
	put(&result, &text);
	without_marks(&text);
	sm_buf_chr(&text, '\0');
	ck_assert_int_eq(sm_buf_error(&text), 0);
	return text.p;
}

static inline void has(const char *s, const char *part)
{
	if (!strstr(s, part))
		ck_abort_msg("no \"%s\" in:\n%s", part, s);
}

static inline void has_not(const char *s, const char *part)
{
	if (strstr(s, part))
		ck_abort_msg("\"%s\" in:\n%s", part, s);
}

static inline const char *json(void)
{
	struct sm_json j;

	sm_buf_fini(&text);
	sm_json_open(&j, &text, "result");
	result_json(&result, &j);
	sm_json_close(&j);
	sm_buf_chr(&text, '\0');
	return text.p;
}

/* Neither of them is a number to YAML, JSON or a reader. */
static inline void no_nan(const char *s)
{
	has_not(s, "nan");
	has_not(s, "NaN");
	has_not(s, "inf");
}

static inline void count_lines(void)
{
	model.counts = plan.counts;
	model.count[0] = line(12, 1);
	model.count[1] = line(9, 1);
	model.count[1].err = -EDOM;
	model.count[1].combined = true;
	model.domain = calloc(2, sizeof(*model.domain));
	model.ndomains = 2;
	model.domain[0] = line(8, 1);
	model.domain[1] = line(2, 1);
}

#endif
