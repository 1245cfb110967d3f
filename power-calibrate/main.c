// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * power-calibrate: measures the power cost of CPU load.
 *
 *	tests in random order (plan) -> load, clocks and power (measure) -> readings
 *	-> rows of the tests (columns) and, at the end, regressions (model) -> result
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/app_rows.h"
#include "cli/err.h"
#include "files.h"
#include "metrics.h"
#include "power/source_open.h"
#include "run.h"
#include "settings.h"

static struct run run;

static void table(
	void *ctx, struct sm_table *t, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;

	sm_table_init(t, format, power_calibrate_columns, C_N, "test", sink);
	sm_app_rows_set_up(&r->app, t, C_TIME);
	sm_table_show(t, C_TYPE, r->opts.by == OPTS_BY_TYPE);
	for (unsigned int i = 0; i < r->types.n; i++)
		if (strlen(r->types.name[i]) > sm_table_width(t, C_TYPE))
			sm_table_set_width(
				t, C_TYPE, (unsigned int)strlen(r->types.name[i]));
}

/* --- events of the measurement ------------------------------------------------------ */

static uint64_t left_ns(const struct run *r)
{
	return measure_left_ns(&r->measure, sm_clock_mono_ns());
}

/* Returns the type of the loaded CPUs, "all", or NULL: idle, or not by type. */
static const char *type_name(const struct run *r, const struct reading *a)
{
	const struct plan_test *t = &r->plan.test[a->test];
	int type = plan_only_type(&r->plan, t);

	if (!r->plan.types || !t->cpus)
		return NULL;
	return type < 0 ? "all" : r->types.name[type];
}

static void reading_types(const struct run *r, const struct reading *a, struct sm_json *j)
{
	const char *name = type_name(r, a);

	if (name)
		sm_json_str(j, "cpu_type", name);
	if (r->plan.types)
		sm_json_object(j, "own_cpus_by_type");
	for (unsigned int i = 0; i < r->plan.types; i++)
		sm_json_double(j, r->types.name[i], a->own_of[i], 6);
	if (r->plan.types)
		sm_json_end(j);
}

static void reading_record(
	const struct run *r, const struct reading *a, struct sm_json *j)
{
	sm_json_double(j, "t_s", a->t_s, 6);
	sm_json_double(j, "dt_s", a->dt_s, 6);
	sm_json_u64(j, "test", a->test + 1);
	sm_json_double(j, "level_pct", a->ppm / 1e4, 4);
	sm_json_u64(j, "cpus", a->cpus);
	reading_types(r, a, j);
	sm_json_double(j, "own_cpus", a->v[F_OWN], 6);
	sm_json_double(j, "other_cpus", a->v[F_OTHER], 6);
	sm_json_double(j, "ops_per_s", a->v[F_OPS], 0);
	sm_json_double(j, "cycles_per_s", a->v[F_CYCLES], 0);
	sm_json_double(j, "instructions_per_s", a->v[F_INSTRUCTIONS], 0);
	sm_json_double(j, "ref_cycles_per_s", a->v[F_REF_CYCLES], 0);
	sm_json_double(j, "watts", a->v[F_WATTS], 6);
}

static void on_reading(void *ctx, const struct reading *a)
{
	struct run *r = ctx;
	uint64_t wall_ns = sm_app_rows_wall_ns(sm_clock_mono_ns());
	struct sm_json j;

	for (unsigned int i = 0; i < r->app.outputs.n; i++) {
		struct sm_table *t = &r->app.outputs.out[i];

		if (t->format != SM_FORMAT_JSON)
			continue;
		sm_table_record(t, &j, "reading", wall_ns);
		reading_record(r, a, &j);
		sm_table_record_end(t, &j, 1);
	}
	progress_show(&r->progress, &r->plan, r->tests, left_ns(r));
}

static const struct plan_test *current_test(const struct run *r)
{
	return &r->plan.test[r->measure.test];
}

/* The load is still running here: it changes when the next test begins. */
static void note_full_load(struct run *r)
{
	const struct plan_test *t = current_test(r);

	if (t->ppm == SM_DUTY_FULL && t->cpus == r->ncpu)
		state_full(&r->state);
}

static void put_type(struct run *r, const struct reading *mean)
{
	const char *name = type_name(r, mean);

	if (name)
		r->row.v[C_TYPE] = sm_value_str(name);
}

static void on_test(void *ctx, size_t first)
{
	struct run *r = ctx;
	uint64_t now = sm_clock_mono_ns();
	struct reading mean;
	const struct plan_test *t = current_test(r);
	size_t n = readings_mean(&r->measure.readings, first, &mean);

	note_full_load(r);
	if (!n) {
		columns_no_reading(&mean, t);
		r->failed_tests++;
	}
	columns_fill(&r->row, &mean, n, t->block + 1, now, sm_app_rows_wall_ns(now));
	put_type(r, &mean);
	progress_erase(&r->progress);
	sm_app_rows_put(&r->app, r->row.v);
	r->tests++;
	sm_app_rows_count(&r->app, r->tests);
	progress_test(&r->progress, &r->plan, r->tests, left_ns(r));
}

static int fit(struct run *r)
{
	int err;

	model_fini(&r->model);
	err = model_fit(&r->model, &r->measure.readings, &r->plan, r->opts.per_count);
	r->have_model = !err;
	if (err)
		sm_app_fail(&r->app, "regression", err);
	return err;
}

static bool on_block(void *ctx)
{
	struct run *r = ctx;

	if (!(r->opts.target_ci > 0) || fit(r))
		return false;
	r->reached = model_widest(&r->model) <= r->opts.target_ci;
	return r->reached;
}

static const struct measure_events events = {
	.reading = on_reading, .test = on_test, .block = on_block};

/* --- the run ------------------------------------------------------------------------ */

static int check_files(struct run *r)
{
	char what[FILES_NAME];
	int err = files_check(&r->opts, what);

	if (!err)
		return 0;
	sm_err_at(what, err);
	return SM_EXIT_RUNTIME;
}

static void report_limit(const struct run *r)
{
	double limit = (double)r->state.limit_milli / 1000;

	if (limit > 0 && limit < r->ncpu)
		sm_err("the cgroup of this process is limited to %.4g CPUs; a larger "
		       "load gets less CPU time than requested",
			limit);
}

static int begin(void *ctx)
{
	struct run *r = ctx;
	int code = check_files(r), err;

	if (code)
		return code;
	report_limit(r);
	r->measure.events = &events;
	r->measure.ctx = r;
	r->start_wall_ns = sm_clock_ns(CLOCK_REALTIME);
	progress_init(
		&r->progress, r->opts.progress, r->opts.app.quiet, r->opts.app.json.here);
	state_begin(&r->state);
	sm_app_rows_begin(&r->app);
	sm_app_go(&r->app, sm_clock_mono_ns(), 0);
	err = measure_begin(&r->measure);
	return err ? sm_app_refuse("start", err) : 0;
}

static void fail(struct run *r, int err)
{
	char text[128];

	progress_erase(&r->progress);
	r->app.stop = true;
	r->code = SM_EXIT_RUNTIME;
	if (err == -ECHILD) {
		sm_workers_reason(&r->measure.fault, text, sizeof(text));
		sm_err("%s; the run ends", text);
	} else if (err == -ENODEV && r->power.lost) {
		sm_err("%s; the run ends", r->power.lost_why);
		r->code = SM_EXIT_FEATURE;
	} else {
		sm_app_fail(&r->app, "reading", err);
	}
}

static uint64_t next(void *ctx)
{
	const struct run *r = ctx;

	return measure_next(&r->measure);
}

static void iterate(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;
	int err;

	(void)now_ns;
	err = measure_step(&r->measure);
	if (err)
		fail(r, err);
	if (r->measure.state == MEASURE_DONE)
		r->app.stop = true;
}

/* --- the end ------------------------------------------------------------------------ */

/* Stops the load before the result is computed. */
static void last(void *ctx)
{
	struct run *r = ctx;

	progress_erase(&r->progress);
	state_end(&r->state);
	if (r->have_workers)
		sm_workers_close(&r->workers);
	r->have_workers = false;
	(void)fit(r);
}

static struct result result_of(const struct run *r)
{
	struct result res = {.opts = &r->opts,
		.plan = &r->plan,
		.readings = &r->measure.readings,
		.model = &r->model,
		.power = &r->power,
		.state = &r->state,
		.types = &r->types,
		.source = r->source.p,
		.tests = r->tests,
		.failed_tests = r->failed_tests,
		.complete = r->measure.state == MEASURE_DONE,
		.reached = r->reached,
		.start_wall_ns = r->start_wall_ns,
		.suspended = r->measure.suspended};

	shortfall_find(&res.shortfall, &r->measure.readings);
	return res;
}

static void header(void *ctx, struct sm_json *j)
{
	struct result res = result_of(ctx);

	settings_json(&res, j);
}

static void put_result(struct run *r, const struct result *res)
{
	uint64_t wall_ns = sm_app_rows_wall_ns(sm_clock_mono_ns());
	struct sm_buf text = {0};
	struct sm_json j;

	result_text(res, &text);
	for (unsigned int i = 0; i < r->app.outputs.n; i++) {
		struct sm_table *t = &r->app.outputs.out[i];

		if (t->format == SM_FORMAT_TABLE)
			sm_table_wrap(t, &text, 0);
		if (t->format != SM_FORMAT_JSON)
			continue;
		sm_table_record(t, &j, "result", wall_ns);
		result_json(res, &j);
		sm_table_record_end(t, &j, 1);
	}
	sm_buf_fini(&text);
}

/* Prints an interim result (SIGUSR1). */
static void interim(void *ctx)
{
	struct run *r = ctx;
	struct result res = result_of(r);
	const char *why;

	progress_erase(&r->progress);
	state_end(&r->state);
	if (fit(r))
		return;
	if (result_usable(&res, &why))
		put_result(r, &res);
	else
		sm_err("no interim result: %s", why);
}

/* Names the option that helps. */
static void advise(const struct lag *l, double coarse_s)
{
	bool averages = l->meter.s > l->renew_s;

	if (l->few)
		sm_err("the meter %s %.0f s: use -r %.0f",
			averages ? "averages" : "renews its value only every",
			averages ? l->meter.s : l->renew_s, lag_needs_s(l));
	else if (coarse_s > 0)
		sm_err("the level of the battery fell by too few steps in a test: use "
		       "-r %.0f",
			ceil(coarse_s));
}

static void summary(void *ctx)
{
	struct run *r = ctx;
	struct result res = result_of(r);
	const char *why;

	if (r->have_model && result_usable(&res, &why)) {
		put_result(r, &res);
		if (!result_certain(&res)) {
			sm_err("the 95%% confidence interval contains 0, so no effect of "
			       "the load is established; measure longer (-r)");
			r->code = r->code ? r->code : SM_EXIT_RUNTIME;
		}
	} else if (r->have_model) {
		sm_err("no result: %s", why);
		advise(&r->model.lag, r->measure.readings.coarse_s);
		r->code = r->code ? r->code : SM_EXIT_RUNTIME;
	}
	sm_app_rows_summary(&r->app);
}

/* Returns whether there is a result for the files.  Without a reader of standard output,
 * summary() was not called. */
static bool for_files(const struct run *r, const struct result *res)
{
	const char *why;

	return !r->code && !r->app.error && r->have_model && result_usable(res, &why) &&
	       result_certain(res);
}

static void report_partial(const struct sm_buf *written)
{
	struct sm_buf text = {0};

	sm_buf_str(&text, "the run is incomplete; its result is in ");
	sm_text_human(&text, written->p, written->len, SM_TEXT_UTF8);
	sm_err_text(&text);
}

static int write_files(struct run *r, const struct result *res)
{
	/* A limit that the user set does not interrupt a run. */
	bool interrupted =
		!res->complete && (r->app.stopped_by || r->app.writers.no_reader);
	struct sm_buf written = {0};
	char what[FILES_NAME];
	int err = files_write(res, interrupted, &written, what);

	if (interrupted && written.len)
		report_partial(&written);
	if (err)
		sm_err_at(what, err);
	sm_buf_fini(&written);
	return err;
}

/* Writes the result files.  Without them, the exit status is not 0. */
static void files(void *ctx)
{
	struct run *r = ctx;
	struct result res = result_of(r);

	if (!(r->opts.yaml || r->opts.gnuplot))
		return;
	if (for_files(r, &res)) {
		if (!write_files(r, &res))
			return;
	} else {
		sm_err(res.complete ? "no file was written"
				    : "the run is incomplete: no file was written");
	}
	r->code = r->code ? r->code : SM_EXIT_RUNTIME;
}

static bool writes_later(void *ctx)
{
	const struct run *r = ctx;

	return r->opts.yaml || r->opts.gnuplot;
}

static void metrics(void *ctx, struct sm_prom *p)
{
	const struct run *r = ctx;
	struct result res = result_of(r);

	settings_prom(&res, r->have_model && !r->model.load.err, p);
	metrics_write(p, r->have_model ? &r->model : NULL, &r->types, r->tests,
		r->measure.readings.n, sm_outputs_dropped(&r->app.outputs));
}

static void resized(void *ctx)
{
	struct run *r = ctx;

	sm_app_rows_resized(&r->app);
}

static int verdict(void *ctx)
{
	const struct run *r = ctx;

	/* This takes precedence even if the readings give no result. */
	if (r->app.stopped_by)
		return 128 + r->app.stopped_by;
	if (r->code)
		return r->code;
	return r->measure.readings.failed || r->measure.suspended || r->failed_tests
		       ? SM_EXIT_LOST
		       : SM_EXIT_OK;
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	if (r->have_workers)
		sm_workers_close(&r->workers);
	sm_counts_close(&r->counts);
	if (r->have_measure)
		measure_close(&r->measure);
	model_fini(&r->model);
	state_close(&r->state);
	plan_fini(&r->plan);
	if (r->have_power)
		sm_source_close(&r->power);
	sm_buf_fini(&r->source);
	if (r->cpus)
		sm_cpus_close(r->cpus);
	free(r->cpus);
	free(r->cpu);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.table = table,
	.prepare = run_prepare,
	.open = run_open,
	.begin = begin,
	.header = header,
	.next = next,
	.iterate = iterate,
	.resized = resized,
	.last = last,
	.interim = interim,
	.summary = summary,
	.files = files,
	.metrics = metrics,
	.writes_later = writes_later,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	run.opts = opts_default;
	run.measure.stat_file.file = (struct sm_file)SM_FILE_INIT;
	return sm_app_main(&run.app, &tool, &run, &run.opts, argc, argv);
}
