// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/signame.h"
#include "../coverage/names.h"
#include "bins.h"
#include "cpus.h"
#include "metric.h"
#include "number.h"
#include "rows.h"

void rows_init(struct rows *w, enum sm_format format, const struct sm_app_opts *o)
{
	static const uint8_t csv_only[] = {C_TYPE, C_NAME, C_VALUE, C_UNIT, C_MEAN,
		C_COUNTED, C_PER_S, C_SHARE, C_LOW, C_HIGH, C_ON_CPU};

	memset(w, 0, sizeof(*w));
	sm_table_init(&w->table, format, stressors_columns, C_N, "result", NULL);
	sm_table_set_time(&w->table, C_TIME, (enum sm_time_style)o->time_style,
		o->interval_ns % SM_NSEC_PER_SEC ? 3 : 0);
	w->table.time.wall_offset_ns = sm_clock_wall_offset_ns();
	w->table.no_header = o->no_header;
	for (size_t i = 0; format == SM_FORMAT_JSON && i < SM_ARRAY_SIZE(csv_only); i++)
		sm_table_show(&w->table, csv_only[i], false);
	if (format == SM_FORMAT_CSV) {
		sm_table_show(&w->table, C_METRICS, false);
		sm_table_show(&w->table, C_FIGURES, false);
		sm_table_show(&w->table, C_HISTOGRAM, false);
	}
}

void rows_fini(struct rows *w)
{
	sm_table_fini(&w->table);
	sm_buf_fini(&w->part);
	for (size_t i = 0; i < SM_ARRAY_SIZE(w->number); i++)
		sm_buf_fini(&w->number[i]);
}

/* Moves the rows that the table has collected to b. */
static void take(struct rows *w, struct sm_buf *b)
{
	struct sm_buf *row = &w->table.row;

	if (sm_table_error(&w->table))
		sm_buf_fail(b, sm_table_error(&w->table));
	if (sm_buf_error(row))
		sm_buf_fail(b, sm_buf_error(row));
	else
		sm_buf_add(b, row->p, row->len);
	sm_buf_reset(row);
}

static void put_row(
	struct rows *w, const char *type, const struct sm_value *v, struct sm_buf *b)
{
	w->table.record = type;
	(void)sm_table_row(&w->table, v); /* take() has the error */
	take(w, b);
}

/* --- the first records -------------------------------------------------------------- */

/* Writes the timeout in seconds; without a limit, the key is missing. */
static void put_timeout(struct sm_json *j, uint64_t ns)
{
	if (ns != UINT64_MAX)
		sm_json_seconds(j, "timeout_s", ns);
}

/* Writes a string, because many readers of JSON keep only 53 bits of a number. */
static void put_seed(struct sm_json *j, uint64_t seed)
{
	struct sm_buf text = {0};

	sm_buf_u64(&text, seed);
	if (sm_buf_error(&text))
		sm_buf_fail(j->b, sm_buf_error(&text));
	else
		sm_json_text(j, "seed", text.p, text.len);
	sm_buf_fini(&text);
}

static void put_plan(struct sm_json *j, const struct plan *p)
{
	put_timeout(j, p->time_ns);
	sm_json_u64(j, "jobs", p->n);
	sm_json_bool(j, "sequential", p->sequential);
	put_seed(j, p->seed);
	sm_json_bool(j, "verify", p->verify);
	sm_json_bool(j, "aggressive", p->aggressive);
	if (p->max_memory)
		sm_json_u64(j, "max_memory_bytes", p->max_memory);
	if (p->has_sched)
		sm_json_str(j, "sched", policy_names[p->sched]);
	if (p->has_sched && policy_realtime(p->sched))
		sm_json_u64(j, "sched_prio", p->sched_prio);
}

static void put_machine(struct sm_json *j, const struct facts *f)
{
	sm_json_u64(j, "cpus", f->cpus);
	sm_json_u64(j, "online_cpus", f->online_cpus);
	if (f->cpu_limit > 0) {
		sm_json_double(j, "cpu_limit", f->cpu_limit, 3);
		sm_json_double(j, "cpu_asked", f->cpu_asked, 3);
	}
	sm_json_u64(j, "memory_bytes", (uint64_t)f->system.totalram * f->system.mem_unit);
	sm_json_str(j, "release", f->host.release);
	sm_json_str(j, "machine", f->host.machine);
}

static void put_run(
	struct rows *w, const struct config *c, const struct facts *f, struct sm_buf *b)
{
	struct sm_json j;

	sm_table_record(&w->table, &j, "run", f->begin_wall_ns);
	put_plan(&j, &c->plan);
	if (c->app.interval_ns)
		sm_json_seconds(&j, "interval_s", c->app.interval_ns);
	put_machine(&j, f);
	(void)sm_table_record_end(&w->table, &j, 1); /* take() has the error */
	take(w, b);
}

void rows_begin(
	struct rows *w, const struct config *c, const struct facts *f, struct sm_buf *b)
{
	if (w->table.format == SM_FORMAT_CSV) {
		sm_table_header(&w->table);
		take(w, b);
		return;
	}
	sm_table_json_header(
		&w->table, "stressors", SM_VERSION, f->boot_id, f->begin_wall_ns);
	take(w, b);
	put_run(w, c, f, b);
}

/* --- rows --------------------------------------------------------------------------- */

void rows_interval(struct rows *w, const struct rows_interval *i, struct sm_buf *b)
{
	const char *type = i->interim ? "interim" : "interval";
	struct sm_value v[C_N];

	memset(v, 0, sizeof(v));
	v[C_TIME] = sm_value_time(i->wall_ns);
	v[C_TYPE] = sm_value_str(type);
	v[C_STRESSOR] = sm_value_str(i->stressor);
	v[C_JOB] = sm_value_u64(i->job);
	if (i->instance >= 0)
		v[C_INSTANCE] = sm_value_u64((uint64_t)i->instance);
	v[C_T] = sm_value_double(i->t_s);
	v[C_OPS] = sm_value_u64(i->ops);
	v[C_RATE] = sm_value_double(i->ops_per_s);
	put_row(w, type, v, b);
}

void rows_time(struct rows *w, uint64_t wall_ns, struct sm_buf *b)
{
	sm_table_time_text(&w->table, wall_ns, b);
}

/* Writes a number of any magnitude: the nine decimals of sm_json_double() do not suffice
 * for the energy of an op. */
static void json_number(struct sm_json *j, const char *key, double v)
{
	if (!isfinite(v))
		return;
	sm_buf_chr(j->b, ',');
	sm_buf_chr(j->b, '"');
	sm_buf_str(j->b, key);
	sm_buf_str(j->b, "\":");
	number_machine(j->b, v);
}

static void json_metric(struct sm_json *j, const struct result *r, unsigned int i)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];
	unsigned int instance;
	double value;

	if (!result_metric(r, i, &value))
		return;
	sm_json_object(j, NULL);
	sm_json_str(j, "name", m->name);
	json_number(j, "value", value);
	sm_json_str(j, "unit", m->unit);
	sm_json_str(j, "mean", metric_mean_name(m->mean));
	sm_json_u64(j, "n", metric_instances(r, i));
	if (result_metric_instance(r, i, &instance))
		sm_json_u64(j, "instance", instance);
	sm_json_end(j);
}

static void json_figure(
	struct sm_json *j, const struct result *r, const struct result_figure *f)
{
	double per_s;

	if (!isfinite(f->value))
		return;
	sm_json_object(j, NULL);
	sm_json_str(j, "name", f->name);
	json_number(j, "value", f->value);
	sm_json_str(j, "unit", f->unit);
	if (columns_per_second(r, f, &per_s))
		json_number(j, "per_s", per_s);
	sm_json_double(j, "share", f->share, 6);
	sm_json_end(j);
}

/* Returns the text that was written to w->part between `at` and `end`; an empty array is
 * a missing value. */
static struct sm_value json_part(const struct rows *w, size_t at, size_t end)
{
	if (sm_buf_error(&w->part) || end - at <= 2)
		return sm_value_of(SM_VALUE_NONE);
	return sm_value_bytes(SM_VALUE_JSON, w->part.p + at, end - at);
}

/* [{"cpu":0,"count":200,"max_s":...}]; nothing if no instance was pinned. */
static void json_cpus(struct sm_json *j, const struct result *r)
{
	struct cpu_values *cpus;
	unsigned int n;

	if (cpus_make(r, &cpus, &n) < 0)
		sm_buf_fail(j->b, -ENOMEM);
	if (n)
		sm_json_array(j, "cpus");
	for (unsigned int i = 0; i < n; i++) {
		sm_json_object(j, NULL);
		sm_json_u64(j, "cpu", cpus[i].cpu);
		sm_json_u64(j, "count", cpus[i].count);
		sm_json_seconds(j, "max_s", cpus[i].max_ns);
		sm_json_end(j);
	}
	if (n)
		sm_json_end(j);
	free(cpus);
}

/* {"of":"wake-ups by latency","count":200,"bins":[{"low_s":...}],"cpus":[...]}; nothing
 * without values. */
static void json_histogram(struct sm_json *j, const struct result *r)
{
	struct sm_timebin *bins;
	unsigned int n;

	if (bins_make(r, 0, &bins, &n) < 0)
		sm_buf_fail(j->b, -ENOMEM);
	if (n) {
		sm_json_object(j, NULL);
		sm_json_str(j, "of", r->job->stressor->histogram);
		sm_histogram_times_json(bins, n, j);
		json_cpus(j, r);
		sm_json_end(j);
	}
	free(bins);
}

static void json_metrics(struct sm_json *j, const struct result *r)
{
	sm_json_array(j, NULL);
	for (unsigned int i = 0; i < metric_count(r->job->stressor); i++)
		json_metric(j, r, i);
	sm_json_end(j);
}

static void json_figures(struct sm_json *j, const struct result *r)
{
	sm_json_array(j, NULL);
	for (unsigned int i = 0; i < r->n_figures; i++)
		json_figure(j, r, &r->figure[i]);
	sm_json_end(j);
}

static void json_result(
	struct rows *w, struct sm_value *v, const struct result *r, struct sm_buf *b)
{
	static const struct {
		unsigned int column;
		void (*put)(struct sm_json *j, const struct result *r);
	} parts[] = {{C_METRICS, json_metrics}, {C_FIGURES, json_figures},
		{C_HISTOGRAM, json_histogram}};
	size_t end[SM_ARRAY_SIZE(parts) + 1] = {0};

	sm_buf_reset(&w->part);
	for (size_t i = 0; i < SM_ARRAY_SIZE(parts); i++) {
		struct sm_json j = {.b = &w->part};

		parts[i].put(&j, r);
		end[i + 1] = w->part.len;
	}
	if (sm_buf_error(&w->part))
		sm_buf_fail(b, sm_buf_error(&w->part));
	for (size_t i = 0; i < SM_ARRAY_SIZE(parts); i++)
		v[parts[i].column] = json_part(w, end[i], end[i + 1]);
	put_row(w, "result", v, b);
}

/* Returns a value of any magnitude as text, which CSV has without quotes, as a number. */
static struct sm_value csv_number(struct sm_buf *text, double value)
{
	sm_buf_reset(text);
	number_machine(text, value);
	if (sm_buf_error(text))
		return sm_value_of(SM_VALUE_NONE);
	return sm_value_bytes(SM_VALUE_STR, text->p, text->len);
}

static void csv_named(struct rows *w, struct sm_value *v, const struct result *r,
	const char *type, const char *name, const char *unit, double value)
{
	memset(v, 0, C_N * sizeof(*v));
	v[C_TIME] = sm_value_time(w->wall_ns);
	v[C_TYPE] = sm_value_str(type);
	v[C_STRESSOR] = sm_value_str(r->job->stressor->name);
	v[C_JOB] = sm_value_u64(r->job->number);
	v[C_NAME] = sm_value_text(name, strlen(name));
	v[C_UNIT] = sm_value_str(unit);
	v[C_VALUE] = csv_number(&w->number[0], value);
}

static void csv_metric(
	struct rows *w, const struct result *r, unsigned int i, struct sm_buf *b)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];
	struct sm_value v[C_N];
	unsigned int instance;
	double value;

	if (!result_metric(r, i, &value))
		return;
	csv_named(w, v, r, "metric", m->name, m->unit, value);
	v[C_MEAN] = sm_value_str(metric_mean_name(m->mean));
	v[C_COUNTED] = sm_value_u64(metric_instances(r, i));
	if (result_metric_instance(r, i, &instance))
		v[C_INSTANCE] = sm_value_u64(instance);
	put_row(w, "metric", v, b);
}

static void csv_figure(struct rows *w, const struct result *r,
	const struct result_figure *f, struct sm_buf *b)
{
	struct sm_value v[C_N];
	double per_s;

	if (!isfinite(f->value))
		return;
	csv_named(w, v, r, "figure", f->name, f->unit, f->value);
	if (columns_per_second(r, f, &per_s))
		v[C_PER_S] = csv_number(&w->number[1], per_s);
	v[C_SHARE] = sm_value_double(f->share);
	put_row(w, "figure", v, b);
}

static void csv_bins(struct rows *w, const struct result *r, struct sm_buf *b)
{
	struct sm_timebin *bins;
	struct sm_value v[C_N];
	unsigned int n;

	if (bins_make(r, 0, &bins, &n) < 0)
		sm_buf_fail(b, -ENOMEM);
	for (unsigned int i = 0; i < n; i++) {
		csv_named(w, v, r, "bin", r->job->stressor->histogram, "", NAN);
		v[C_VALUE] = sm_value_of(SM_VALUE_NONE);
		v[C_LOW] = sm_value_double((double)bins[i].low_ns / 1e9);
		v[C_HIGH] = sm_value_double((double)bins[i].high_ns / 1e9);
		v[C_COUNTED] = sm_value_u64(bins[i].count);
		put_row(w, "bin", v, b);
	}
	free(bins);
}

static void csv_cpus(struct rows *w, const struct result *r, struct sm_buf *b)
{
	struct cpu_values *cpus;
	struct sm_value v[C_N];
	unsigned int n;

	if (cpus_make(r, &cpus, &n) < 0)
		sm_buf_fail(b, -ENOMEM);
	for (unsigned int i = 0; i < n; i++) {
		csv_named(w, v, r, "cpu", r->job->stressor->histogram, "ns",
			(double)cpus[i].max_ns);
		v[C_MEAN] = sm_value_str(metric_mean_name(MEAN_MAX));
		v[C_COUNTED] = sm_value_u64(cpus[i].count);
		v[C_ON_CPU] = sm_value_u64(cpus[i].cpu);
		put_row(w, "cpu", v, b);
	}
	free(cpus);
}

static void csv_result(struct rows *w, const struct sm_value *v, const struct result *r,
	struct sm_buf *b)
{
	put_row(w, "result", v, b);
	for (unsigned int i = 0; i < metric_count(r->job->stressor); i++)
		csv_metric(w, r, i, b);
	for (unsigned int i = 0; i < r->n_figures; i++)
		csv_figure(w, r, &r->figure[i], b);
	csv_bins(w, r, b);
	csv_cpus(w, r, b);
}

void rows_results(struct rows *w, const struct result *r, size_t n, uint64_t wall_ns,
	struct sm_buf *b)
{
	struct sm_value v[C_N];

	w->wall_ns = wall_ns;
	for (size_t i = 0; i < n; i++) {
		columns_result(v, &r[i]);
		v[C_TIME] = sm_value_time(wall_ns);
		if (w->table.format == SM_FORMAT_JSON)
			json_result(w, v, &r[i], b);
		else
			csv_result(w, v, &r[i], b);
	}
}

/* --- system calls ------------------------------------------------------------------- */

/* {"type":"coverage","call":"openat","number":257,"calls":9,"ok":6,"errors":[{"errno":"ENOENT","n":3}]}
 */
static void json_call(
	struct rows *w, const struct coverage_call *c, uint64_t wall_ns, struct sm_buf *b)
{
	char name[NAMES_SIZE];
	struct sm_json j;

	sm_table_record(&w->table, &j, "coverage", wall_ns);
	sm_json_str(&j, "call", names_call(c->number, name));
	sm_json_u64(&j, "number", c->number);
	sm_json_u64(&j, "calls", c->calls);
	sm_json_u64(&j, "ok", c->ok);
	sm_json_array(&j, "errors");
	for (size_t i = 0; i < c->n_errors; i++) {
		sm_json_object(&j, NULL);
		sm_json_str(&j, "errno", names_error(c->error[i].error, name));
		sm_json_u64(&j, "n", c->error[i].n);
		sm_json_end(&j);
	}
	sm_json_end(&j);
	(void)sm_table_record_end(&w->table, &j, 1); /* take() has the error */
	take(w, b);
}

/* error: "" in the row for the calls themselves. */
static void csv_call_row(struct rows *w, const char *type, const char *call,
	const char *error, uint64_t n, struct sm_buf *b)
{
	char name[2 * NAMES_SIZE];
	struct sm_value v[C_N];

	snprintf(name, sizeof(name), "%s%s%s", call, *error ? " " : "", error);
	memset(v, 0, sizeof(v));
	v[C_TIME] = sm_value_time(w->wall_ns);
	v[C_TYPE] = sm_value_str(type);
	v[C_NAME] = sm_value_str(name);
	v[C_VALUE] = sm_value_u64(n);
	put_row(w, type, v, b);
}

static void csv_call(struct rows *w, const struct coverage_call *c, struct sm_buf *b)
{
	char name[NAMES_SIZE], error[NAMES_SIZE];
	const char *call = names_call(c->number, name);

	csv_call_row(w, "call", call, "", c->calls, b);
	for (size_t i = 0; i < c->n_errors; i++)
		csv_call_row(w, "error", call, names_error(c->error[i].error, error),
			c->error[i].n, b);
}

static void put_coverage(struct rows *w, const struct facts *f, struct sm_buf *b)
{
	for (size_t i = 0; f->coverage && i < f->coverage->n; i++) {
		if (w->table.format == SM_FORMAT_JSON)
			json_call(w, &f->coverage->call[i], f->end_wall_ns, b);
		else
			csv_call(w, &f->coverage->call[i], b);
	}
}

/* --- the last record ---------------------------------------------------------------- */

static void put_counts(struct sm_json *j, const struct result *r, size_t n)
{
	static const char *const keys[] = {
		[RESULT_PASS] = "pass",
		[RESULT_FAIL] = "fail",
		[RESULT_SKIP] = "skip",
		[RESULT_LACKS] = "no_resource",
		[RESULT_INTERRUPTED] = "interrupted",
	};
	struct facts_counts counts;

	facts_count(r, n, &counts);
	for (size_t i = 0; i < SM_ARRAY_SIZE(keys); i++)
		sm_json_u64(j, keys[i], counts.n[i]);
}

static void put_signal(struct sm_json *j, int signal)
{
	char name[SM_SIGNAME_MAX];

	if (signal)
		sm_json_str(j, "signal", sm_signame(signal, name));
}

void rows_end(struct rows *w, const struct result *r, size_t n, const struct facts *f,
	struct sm_buf *b)
{
	struct sm_json j;

	w->wall_ns = f->end_wall_ns;
	put_coverage(w, f, b);
	if (w->table.format != SM_FORMAT_JSON)
		return;
	sm_table_record(&w->table, &j, "summary", f->end_wall_ns);
	sm_json_double(&j, "wall_s", f->wall_s, 6);
	put_counts(&j, r, n);
	sm_json_i64(&j, "exit", f->exit);
	put_signal(&j, f->signal);
	if (f->coverage)
		sm_json_u64(&j, "lost_calls", f->coverage->lost);
	sm_json_u64(&j, "lost_rows", f->lost_rows);
	(void)sm_table_record_end(&w->table, &j, 1); /* take() has the error */
	take(w, b);
}
