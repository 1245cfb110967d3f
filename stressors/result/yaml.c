// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "columns.h"
#include "cpus.h"
#include "format/yaml.h"
#include "metric.h"
#include "number.h"
#include "yaml.h"
#include "yaml_key.h"

#ifdef __clang__
#define COMPILER ""
#else
#define COMPILER "gcc "
#endif

/* --- system-info -------------------------------------------------------------------- */

static void put_host(struct sm_yaml *y, const struct facts *f)
{
	sm_yaml_word(y, "hostname", f->host.nodename);
	sm_yaml_word(y, "sysname", f->host.sysname);
	sm_yaml_word(y, "nodename", f->host.nodename);
	sm_yaml_word(y, "release", f->host.release);
	sm_yaml_word(y, "version", f->host.version);
	sm_yaml_word(y, "machine", f->host.machine);
	sm_yaml_word(y, "compiler", COMPILER __VERSION__);
}

static void put_memory(struct sm_yaml *y, const struct sysinfo *s)
{
	uint64_t unit = s->mem_unit;

	sm_yaml_u64(y, "uptime", (uint64_t)s->uptime);
	sm_yaml_u64(y, "totalram", s->totalram * unit);
	sm_yaml_u64(y, "freeram", s->freeram * unit);
	sm_yaml_u64(y, "sharedram", s->sharedram * unit);
	sm_yaml_u64(y, "bufferram", s->bufferram * unit);
	sm_yaml_u64(y, "totalswap", s->totalswap * unit);
	sm_yaml_u64(y, "freeswap", s->freeswap * unit);
	sm_yaml_u64(y, "pagesize", (uint64_t)sysconf(_SC_PAGESIZE));
}

static void put_system(struct sm_yaml *y, const struct facts *f)
{
	uint64_t start_s = f->begin_wall_ns / SM_NSEC_PER_SEC;

	sm_yaml_begin(y, "system-info");
	sm_yaml_word(y, "stressors-version", SM_VERSION);
	sm_yaml_time(y, "date-yyyy-mm-dd", "time-hh-mm-ss", (time_t)start_s);
	sm_yaml_u64(y, "epoch-secs", start_s);
	put_host(y, f);
	put_memory(y, &f->system);
	sm_yaml_u64(y, "cpus", f->known_cpus);
	sm_yaml_u64(y, "cpus-online", f->online_cpus);
	sm_yaml_u64(y, "cpus-usable", f->cpus);
	sm_yaml_u64(y, "ticks-per-second", (uint64_t)sysconf(_SC_CLK_TCK));
	sm_yaml_end(y, "{}");
	sm_buf_chr(y->b, '\n');
}

/* --- metrics ------------------------------------------------------------------------ */

static const char *const metric_keys[] = {"stressor", "bogo-ops",
	"bogo-ops-per-second-usr-sys-time", "bogo-ops-per-second-real-time",
	"wall-clock-time", "user-time", "system-time", "cpu-usage-per-instance",
	"max-rss", "instances", "status"};

static void take_metric_keys(struct sm_buf *k)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(metric_keys); i++)
		sm_buf_add(k, metric_keys[i], strlen(metric_keys[i]) + 1);
}

/* Returns the value of --NAME-method; "" if the stressor lacks this option. */
static const char *method_of(const struct job *j)
{
	const struct stressor_opt *o = j->stressor->opts;

	for (unsigned int i = 0; o && i < PLAN_VALUES && o[i].name; i++)
		if (o[i].kind == STRESSOR_CHOICE && strcmp(o[i].name, "method") == 0)
			return o[i].choices[j->value[i]];
	return "";
}

/* Writes the value, and the instance that has the maximum or minimum. */
static void put_metric(
	struct sm_yaml *y, const struct result *r, unsigned int i, struct sm_buf *keys)
{
	const struct stressor *s = r->job->stressor;
	const struct stressor_metric *m = &s->metrics[i];
	double value, factor = m->yaml_factor;
	unsigned int instance;
	size_t at = keys->len;

	if (!result_metric(r, i, &value))
		return;
	yaml_key_metric(keys, s->name, method_of(r->job), m);
	sm_yaml_number(y, yaml_keys_end(keys, at), factor != 0 ? value * factor : value);
	if ((m->mean != MEAN_MAX && m->mean != MEAN_MIN) ||
		!result_metric_instance(r, i, &instance))
		return;
	at = keys->len;
	yaml_key_metric(keys, s->name, method_of(r->job), m);
	sm_buf_str(keys, "-instance");
	sm_yaml_u64(y, yaml_keys_end(keys, at), instance);
}

/* Writes the keys cpu-0-maximum-ns and so on. */
static void put_cpus(struct sm_yaml *y, const struct result *r)
{
	struct cpu_values *cpus;
	unsigned int n;

	if (cpus_make(r, &cpus, &n) < 0)
		sm_buf_fail(y->b, -ENOMEM);
	for (unsigned int i = 0; i < n; i++) {
		char key[sizeof("cpu-4294967295-maximum-ns")];

		snprintf(key, sizeof(key), "cpu-%u-maximum-ns", cpus[i].cpu);
		sm_yaml_u64(y, key, cpus[i].max_ns);
	}
	free(cpus);
}

static void put_metrics_of(struct sm_yaml *y, const struct result *r)
{
	struct sm_buf keys = {0};

	take_metric_keys(&keys);
	sm_yaml_word(y, "- stressor", r->job->stressor->name);
	sm_yaml_u64(y, "bogo-ops", r->ops);
	sm_yaml_number(y, "bogo-ops-per-second-usr-sys-time", result_cpu_rate(r));
	sm_yaml_number(y, "bogo-ops-per-second-real-time", result_rate(r));
	sm_yaml_number(y, "wall-clock-time", r->wall_s);
	sm_yaml_number(y, "user-time", r->user_s);
	sm_yaml_number(y, "system-time", r->sys_s);
	sm_yaml_number(y, "cpu-usage-per-instance", result_cpu_percent(r) / r->n);
	sm_yaml_u64(y, "max-rss", r->maxrss_kb);
	sm_yaml_u64(y, "instances", r->n);
	sm_yaml_word(y, "status", result_status_names[r->status]);
	for (unsigned int i = 0; i < metric_count(r->job->stressor); i++)
		put_metric(y, r, i, &keys);
	put_cpus(y, r);
	sm_buf_chr(y->b, '\n');
	yaml_keys_fini(&keys, y->b);
}

static void put_metrics(struct sm_yaml *y, const struct result *r, size_t n)
{
	sm_yaml_begin(y, "metrics");
	for (size_t i = 0; i < n; i++)
		if (r[i].n)
			put_metrics_of(y, &r[i]);
	sm_yaml_end(y, "[]");
}

/* --- figures ------------------------------------------------------------------------ */

enum section { PERF, ENERGY, THERMAL };

static enum section section_of(const struct result_figure *f)
{
	if (strcmp(f->unit, "Cel") == 0)
		return THERMAL;
	return strcmp(f->unit, "J") == 0 || strcmp(f->unit, "W") == 0 ? ENERGY : PERF;
}

/* end: the last words of the key, or "". */
static void put_named(struct sm_yaml *y, struct sm_buf *keys, const char *name,
	const char *end, char dash, double v)
{
	size_t at = keys->len;

	yaml_key_name(keys, name, dash);
	if (*end) {
		sm_buf_chr(keys, dash);
		yaml_key_name(keys, end, dash);
	}
	sm_yaml_number(y, yaml_keys_end(keys, at), v);
}

/* Writes page_faults_minor_total and page_faults_minor_per_second, for example, as in
 * stress-ng. */
static void put_event(struct sm_yaml *y, const struct result *r,
	const struct result_figure *f, struct sm_buf *keys)
{
	/* stress-ng's key of task-clock lacks the unit. */
	bool unit = *f->unit && strcmp(f->name, "task-clock") != 0;
	double per_s;

	put_named(y, keys, f->name, unit ? f->unit : "total", '_', f->value);
	if (columns_per_second(r, f, &per_s))
		put_named(y, keys, f->name, "per_second", '_', per_s);
}

static void put_energy(struct sm_yaml *y, const struct result *r,
	const struct result_figure *f, struct sm_buf *keys)
{
	double watts;

	if (strcmp(f->unit, "W") == 0) {
		put_named(y, keys, f->name, "watts", '-', f->value);
		return;
	}
	put_named(y, keys, f->name, "joules", '-', f->value);
	if (columns_per_second(r, f, &watts))
		put_named(y, keys, f->name, "watts", '-', watts);
	if (f->value > 0 && r->ops)
		put_named(y, keys, f->name, "bogo-ops-per-joule", '-',
			(double)r->ops / f->value);
}

static void put_figure(struct sm_yaml *y, const struct result *r,
	const struct result_figure *f, struct sm_buf *keys)
{
	enum section section = section_of(f);

	if (section == PERF)
		put_event(y, r, f, keys);
	else if (section == ENERGY)
		put_energy(y, r, f, keys);
	else
		put_named(y, keys, f->name, "", '-', f->value);
}

static void put_figures_of(
	struct sm_yaml *y, const struct result *r, enum section section)
{
	static const char used[] = "stressor\0duration"; /* with the NUL after the last */
	struct sm_buf keys = {0};
	size_t at = y->b->len;

	sm_buf_add(&keys, used, sizeof(used));
	for (unsigned int i = 0; i < r->n_figures; i++) {
		const struct result_figure *f = &r->figure[i];

		if (section_of(f) != section || !isfinite(f->value))
			continue;
		if (y->b->len == at) {
			sm_yaml_word(y, "- stressor", r->job->stressor->name);
			if (section != THERMAL)
				sm_yaml_number(y, "duration", r->wall_s);
		}
		put_figure(y, r, f, &keys);
	}
	if (y->b->len > at)
		sm_buf_chr(y->b, '\n');
	yaml_keys_fini(&keys, y->b);
}

static void put_section(struct sm_yaml *y, const struct result *r, size_t n,
	const char *name, enum section section)
{
	sm_yaml_begin(y, name);
	for (size_t i = 0; i < n; i++)
		put_figures_of(y, &r[i], section);
	sm_yaml_end(y, "[]");
}

/* --- times and results -------------------------------------------------------------- */

static void put_times(
	struct sm_yaml *y, const struct result *r, size_t n, const struct facts *f)
{
	double all_s = f->wall_s * f->cpus, user_s = 0, sys_s = 0;

	for (size_t i = 0; i < n; i++) {
		user_s += r[i].user_s;
		sys_s += r[i].sys_s;
	}
	sm_yaml_begin(y, "times");
	sm_yaml_number(y, "run-time", f->wall_s);
	sm_yaml_number(y, "available-cpu-time", all_s);
	sm_yaml_number(y, "user-time", user_s);
	sm_yaml_number(y, "system-time", sys_s);
	sm_yaml_number(y, "total-time", user_s + sys_s);
	sm_yaml_number(y, "user-time-percent", 100 * user_s / all_s);
	sm_yaml_number(y, "system-time-percent", 100 * sys_s / all_s);
	sm_yaml_number(y, "total-time-percent", 100 * (user_s + sys_s) / all_s);
	sm_yaml_number(y, "load-average-1-minute", f->load[0]);
	sm_yaml_number(y, "load-average-5-minute", f->load[1]);
	sm_yaml_number(y, "load-average-15-minute", f->load[2]);
	sm_yaml_end(y, "{}");
}

static void put_results(struct sm_yaml *y, const struct result *r, size_t n)
{
	sm_yaml_begin(y, "results");
	for (size_t i = 0; i < n; i++) {
		const char *reason = facts_reason(&r[i]);

		sm_yaml_word(y, "- stressor", r[i].job->stressor->name);
		sm_yaml_word(y, "status", result_status_names[r[i].status]);
		if (reason)
			sm_yaml_word(y, "reason", reason);
		sm_yaml_u64(y, "oom-kills", r[i].oom_kills);
		sm_yaml_u64(y, "forced", r[i].forced);
	}
	sm_yaml_end(y, "[]");
}

void yaml_put(const struct result *r, size_t n, const struct config *c,
	const struct facts *f, struct sm_buf *b)
{
	struct sm_yaml y;

	sm_yaml_open(&y, b, 6, number_machine);
	put_system(&y, f);
	put_metrics(&y, r, n);
	if (c->perf)
		put_section(&y, r, n, "perfstats", PERF);
	if (c->rapl)
		put_section(&y, r, n, "energy", ENERGY);
	if (c->tz)
		put_section(&y, r, n, "thermal-zones", THERMAL);
	if (c->times)
		put_times(&y, r, n, f);
	put_results(&y, r, n);
	sm_buf_str(b, "...\n");
}
