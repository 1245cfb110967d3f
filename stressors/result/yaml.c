// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "columns.h"
#include "cpus.h"
#include "metric.h"
#include "number.h"
#include "yaml.h"
#include "yaml_key.h"

#define INFO "      " /* before a key of system-info, of times, and of a list's item */
#define ITEM "    - "
#ifdef __clang__
#define COMPILER ""
#else
#define COMPILER "gcc "
#endif

/* Writes a JSON string, which is also valid in YAML except for its pairs of surrogates;
 * invisible characters are therefore made visible first. */
static void put_quoted(struct sm_buf *b, const char *text)
{
	struct sm_buf clean = {0};
	bool lossy = false;

	sm_text_human(&clean, text, strlen(text), SM_TEXT_UTF8);
	if (sm_buf_error(&clean))
		sm_buf_fail(b, sm_buf_error(&clean));
	else
		sm_text_json(b, clean.len ? clean.p : "", clean.len, &lossy);
	sm_buf_fini(&clean);
}

/* Returns true for words that YAML 1.1 does not read as text; "null" is a stressor of
 * stress-ng. */
static bool is_special(const char *s)
{
	static const char *const words[] = {
		"true", "false", "yes", "no", "on", "off", "y", "n", "null"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(words); i++)
		if (strcasecmp(s, words[i]) == 0)
			return true;
	return false;
}

/* Returns true for a word that is written without quotes, as in stress-ng: many readers
 * do not parse YAML completely. */
static bool is_plain(const char *s)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
	size_t n = strspn(s, letters);

	return n &&
	       !s[n + strspn(s + n, "_-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz")] &&
	       !is_special(s);
}

static void put_key(struct sm_buf *b, const char *indent, const char *key)
{
	sm_buf_str(b, indent);
	sm_buf_str(b, key);
	sm_buf_str(b, ": ");
}

static void put_text(struct sm_buf *b, const char *indent, const char *key, const char *s)
{
	put_key(b, indent, key);
	if (is_plain(s))
		sm_buf_str(b, s);
	else
		put_quoted(b, s);
	sm_buf_chr(b, '\n');
}

static void put_u64(struct sm_buf *b, const char *key, uint64_t v)
{
	put_key(b, INFO, key);
	sm_buf_u64(b, v);
	sm_buf_chr(b, '\n');
}

static void put_number(struct sm_buf *b, const char *key, double v)
{
	if (!isfinite(v))
		return;
	put_key(b, INFO, key);
	number_machine(b, v);
	sm_buf_chr(b, '\n');
}

/* --- system-info -------------------------------------------------------------------- */

static void put_date(struct sm_buf *b, const struct facts *f)
{
	time_t start = (time_t)(f->begin_wall_ns / SM_NSEC_PER_SEC);
	char date[16], clock[16];
	struct tm t;

	if (localtime_r(&start, &t) && strftime(date, sizeof(date), "%Y-%m-%d", &t) > 0 &&
		strftime(clock, sizeof(clock), "%H:%M:%S", &t) > 0) {
		put_text(b, INFO, "date-yyyy-mm-dd", date);
		put_text(b, INFO, "time-hh-mm-ss", clock);
	}
	put_u64(b, "epoch-secs", f->begin_wall_ns / SM_NSEC_PER_SEC);
}

static void put_host(struct sm_buf *b, const struct facts *f)
{
	put_text(b, INFO, "hostname", f->host.nodename);
	put_text(b, INFO, "sysname", f->host.sysname);
	put_text(b, INFO, "nodename", f->host.nodename);
	put_text(b, INFO, "release", f->host.release);
	put_text(b, INFO, "version", f->host.version);
	put_text(b, INFO, "machine", f->host.machine);
	put_text(b, INFO, "compiler", COMPILER __VERSION__);
}

static void put_memory(struct sm_buf *b, const struct sysinfo *s)
{
	uint64_t unit = s->mem_unit;

	put_u64(b, "uptime", (uint64_t)s->uptime);
	put_u64(b, "totalram", s->totalram * unit);
	put_u64(b, "freeram", s->freeram * unit);
	put_u64(b, "sharedram", s->sharedram * unit);
	put_u64(b, "bufferram", s->bufferram * unit);
	put_u64(b, "totalswap", s->totalswap * unit);
	put_u64(b, "freeswap", s->freeswap * unit);
	put_u64(b, "pagesize", (uint64_t)sysconf(_SC_PAGESIZE));
}

static void put_system(struct sm_buf *b, const struct facts *f)
{
	sm_buf_str(b, "system-info:\n");
	put_text(b, INFO, "stressors-version", SM_VERSION);
	put_date(b, f);
	put_host(b, f);
	put_memory(b, &f->system);
	put_u64(b, "cpus", f->known_cpus);
	put_u64(b, "cpus-online", f->online_cpus);
	put_u64(b, "cpus-usable", f->cpus);
	put_u64(b, "ticks-per-second", (uint64_t)sysconf(_SC_CLK_TCK));
}

/* --- metrics ------------------------------------------------------------------------ */

static const char *const metric_keys[] = {"stressor", "bogo-ops",
	"bogo-ops-per-second-usr-sys-time", "bogo-ops-per-second-real-time",
	"wall-clock-time", "user-time", "system-time", "cpu-usage-per-instance",
	"max-rss", "instances", "status"};

static void take_metric_keys(struct yaml_keys *k)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(metric_keys); i++)
		sm_buf_add(&k->b, metric_keys[i], strlen(metric_keys[i]) + 1);
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

static void put_metric_key(struct sm_buf *b, const struct result *r, unsigned int i)
{
	const struct stressor *s = r->job->stressor;

	yaml_key_metric(b, s->name, method_of(r->job), &s->metrics[i]);
}

/* Writes the instance that has the maximum or minimum. */
static void put_extreme(
	struct sm_buf *b, const struct result *r, unsigned int i, struct yaml_keys *keys)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];
	unsigned int instance;
	size_t at;

	if ((m->mean != MEAN_MAX && m->mean != MEAN_MIN) ||
		!result_metric_instance(r, i, &instance))
		return;
	sm_buf_str(b, INFO);
	at = b->len;
	put_metric_key(b, r, i);
	sm_buf_str(b, "-instance");
	yaml_keys_unique(keys, b, at);
	sm_buf_printf(b, ": %u\n", instance);
}

static void put_metric(
	struct sm_buf *b, const struct result *r, unsigned int i, struct yaml_keys *keys)
{
	double value, factor = r->job->stressor->metrics[i].yaml_factor;
	size_t at;

	if (!result_metric(r, i, &value))
		return;
	sm_buf_str(b, INFO);
	at = b->len;
	put_metric_key(b, r, i);
	yaml_keys_unique(keys, b, at);
	sm_buf_str(b, ": ");
	number_machine(b, factor != 0 ? value * factor : value);
	sm_buf_chr(b, '\n');
	put_extreme(b, r, i, keys);
}

/* Writes the keys cpu-0-maximum-ns and so on. */
static void put_cpus(struct sm_buf *b, const struct result *r)
{
	struct cpu_values *cpus;
	unsigned int n;

	if (cpus_make(r, &cpus, &n) < 0)
		sm_buf_fail(b, -ENOMEM);
	for (unsigned int i = 0; i < n; i++)
		sm_buf_printf(b, INFO "cpu-%u-maximum-ns: %" PRIu64 "\n", cpus[i].cpu,
			cpus[i].max_ns);
	free(cpus);
}

static void put_metrics_of(struct sm_buf *b, const struct result *r)
{
	struct yaml_keys keys = {{0}};

	take_metric_keys(&keys);
	put_text(b, ITEM, "stressor", r->job->stressor->name);
	put_u64(b, "bogo-ops", r->ops);
	put_number(b, "bogo-ops-per-second-usr-sys-time", result_cpu_rate(r));
	put_number(b, "bogo-ops-per-second-real-time", result_rate(r));
	put_number(b, "wall-clock-time", r->wall_s);
	put_number(b, "user-time", r->user_s);
	put_number(b, "system-time", r->sys_s);
	put_number(b, "cpu-usage-per-instance", result_cpu_percent(r) / r->n);
	put_u64(b, "max-rss", r->maxrss_kb);
	put_u64(b, "instances", r->n);
	put_text(b, INFO, "status", result_status_names[r->status]);
	for (unsigned int i = 0; i < metric_count(r->job->stressor); i++)
		put_metric(b, r, i, &keys);
	put_cpus(b, r);
	sm_buf_chr(b, '\n');
	yaml_keys_fini(&keys);
}

static void put_metrics(struct sm_buf *b, const struct result *r, size_t n)
{
	size_t at = b->len;

	sm_buf_str(b, "metrics:\n");
	for (size_t i = 0; i < n; i++)
		if (r[i].n)
			put_metrics_of(b, &r[i]);
	if (!sm_buf_error(b) && b->len == at + strlen("metrics:\n"))
		sm_buf_str(b, "    []\n");
}

/* --- figures ------------------------------------------------------------------------ */

enum section { PERF, ENERGY, THERMAL };

static enum section section_of(const struct result_figure *f)
{
	if (strcmp(f->unit, "Cel") == 0)
		return THERMAL;
	return strcmp(f->unit, "J") == 0 || strcmp(f->unit, "W") == 0 ? ENERGY : PERF;
}

static void put_named(struct sm_buf *b, struct yaml_keys *keys, const char *name,
	const char *end, char dash, double v)
{
	size_t at;

	sm_buf_str(b, INFO);
	at = b->len;
	yaml_key_name(b, name, dash);
	sm_buf_str(b, end);
	yaml_keys_unique(keys, b, at);
	sm_buf_str(b, ": ");
	number_machine(b, v);
	sm_buf_chr(b, '\n');
}

/* Writes page_faults_minor_total and page_faults_minor_per_second, for example, as in
 * stress-ng. */
static void put_event(struct sm_buf *b, const struct result *r,
	const struct result_figure *f, struct yaml_keys *keys)
{
	struct sm_buf end = {0};
	double per_s;

	/* stress-ng's key of task-clock lacks the unit. */
	if (*f->unit && strcmp(f->name, "task-clock") != 0) {
		sm_buf_chr(&end, '_');
		yaml_key_name(&end, f->unit, '_');
	} else {
		sm_buf_str(&end, "_total");
	}
	sm_buf_chr(&end, '\0');
	if (sm_buf_error(&end))
		sm_buf_fail(b, sm_buf_error(&end));
	else
		put_named(b, keys, f->name, end.p, '_', f->value);
	if (columns_per_second(r, f, &per_s))
		put_named(b, keys, f->name, "_per_second", '_', per_s);
	sm_buf_fini(&end);
}

static void put_energy(struct sm_buf *b, const struct result *r,
	const struct result_figure *f, struct yaml_keys *keys)
{
	double watts;

	if (strcmp(f->unit, "W") == 0) {
		put_named(b, keys, f->name, "-watts", '-', f->value);
		return;
	}
	put_named(b, keys, f->name, "-joules", '-', f->value);
	if (columns_per_second(r, f, &watts))
		put_named(b, keys, f->name, "-watts", '-', watts);
	if (f->value > 0 && r->ops)
		put_named(b, keys, f->name, "-bogo-ops-per-joule", '-',
			(double)r->ops / f->value);
}

static void put_figure(struct sm_buf *b, const struct result *r,
	const struct result_figure *f, struct yaml_keys *keys)
{
	switch (section_of(f)) {
	case PERF:
		put_event(b, r, f, keys);
		break;
	case ENERGY:
		put_energy(b, r, f, keys);
		break;
	case THERMAL:
		put_named(b, keys, f->name, "", '-', f->value);
		break;
	}
}

static void put_figures_of(struct sm_buf *b, const struct result *r, enum section section)
{
	static const char used[] = "stressor\0duration"; /* with the NUL after the last */
	struct yaml_keys keys = {{0}};
	bool any = false;

	sm_buf_add(&keys.b, used, sizeof(used));
	for (unsigned int i = 0; i < r->n_figures; i++) {
		const struct result_figure *f = &r->figure[i];

		if (section_of(f) != section || !isfinite(f->value))
			continue;
		if (!any) {
			put_text(b, ITEM, "stressor", r->job->stressor->name);
			if (section != THERMAL)
				put_number(b, "duration", r->wall_s);
		}
		any = true;
		put_figure(b, r, f, &keys);
	}
	if (any)
		sm_buf_chr(b, '\n');
	yaml_keys_fini(&keys);
}

static void put_section(struct sm_buf *b, const struct result *r, size_t n,
	const char *name, enum section section)
{
	size_t at;

	sm_buf_str(b, name);
	sm_buf_str(b, ":\n");
	at = b->len;
	for (size_t i = 0; i < n; i++)
		put_figures_of(b, &r[i], section);
	if (!sm_buf_error(b) && b->len == at)
		sm_buf_str(b, "    []\n");
}

/* --- times and results -------------------------------------------------------------- */

static void put_times(
	struct sm_buf *b, const struct result *r, size_t n, const struct facts *f)
{
	double all_s = f->wall_s * f->cpus, user_s = 0, sys_s = 0;

	for (size_t i = 0; i < n; i++) {
		user_s += r[i].user_s;
		sys_s += r[i].sys_s;
	}
	sm_buf_str(b, "times:\n");
	put_number(b, "run-time", f->wall_s);
	put_number(b, "available-cpu-time", all_s);
	put_number(b, "user-time", user_s);
	put_number(b, "system-time", sys_s);
	put_number(b, "total-time", user_s + sys_s);
	put_number(b, "user-time-percent", 100 * user_s / all_s);
	put_number(b, "system-time-percent", 100 * sys_s / all_s);
	put_number(b, "total-time-percent", 100 * (user_s + sys_s) / all_s);
	put_number(b, "load-average-1-minute", f->load[0]);
	put_number(b, "load-average-5-minute", f->load[1]);
	put_number(b, "load-average-15-minute", f->load[2]);
}

static void put_results(struct sm_buf *b, const struct result *r, size_t n)
{
	sm_buf_str(b, n ? "results:\n" : "results:\n    []\n");
	for (size_t i = 0; i < n; i++) {
		const char *reason = facts_reason(&r[i]);

		put_text(b, ITEM, "stressor", r[i].job->stressor->name);
		put_text(b, INFO, "status", result_status_names[r[i].status]);
		if (reason)
			put_text(b, INFO, "reason", reason);
		put_u64(b, "oom-kills", r[i].oom_kills);
		put_u64(b, "forced", r[i].forced);
	}
}

void yaml_put(const struct result *r, size_t n, const struct config *c,
	const struct facts *f, struct sm_buf *b)
{
	sm_buf_str(b, "---\n");
	put_system(b, f);
	sm_buf_chr(b, '\n');
	put_metrics(b, r, n);
	if (c->perf)
		put_section(b, r, n, "perfstats", PERF);
	if (c->rapl)
		put_section(b, r, n, "energy", ENERGY);
	if (c->tz)
		put_section(b, r, n, "thermal-zones", THERMAL);
	if (c->times)
		put_times(b, r, n, f);
	put_results(b, r, n);
	sm_buf_str(b, "...\n");
}
