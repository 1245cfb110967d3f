// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "load/ops.h"
#include "settings.h"

/* The functions of a format for a setting of each kind. */
struct format {
	void *out;
	void (*text)(void *out, const char *key, const char *s); /* s: sanitised */
	void (*number)(void *out, const char *key, double v);
	void (*flag)(void *out, const char *key, bool on);
};

static void put_text(const struct format *f, const char *key, const char *s)
{
	struct sm_buf clean = {0};

	if (!s || !*s)
		return;
	sm_text_human(&clean, s, strlen(s), SM_TEXT_UTF8);
	sm_buf_chr(&clean, '\0');
	if (!sm_buf_error(&clean))
		f->text(f->out, key, clean.p);
	sm_buf_fini(&clean);
}

/* Puts a number that is 0 if its option was not given. */
static void put_given(const struct format *f, const char *key, double v)
{
	if (v > 0)
		f->number(f->out, key, v);
}

static void put_machine(const struct state *s, const struct format *f)
{
	put_text(f, "cpu_model", s->cpu.model);
	put_text(f, "scaling_driver", s->cpu.driver);
	put_text(f, "governor", s->cpu.governor);
	put_text(f, "epp", s->cpu.epp);
	put_text(f, "turbo", sm_cpusettings_turbo(&s->cpu));
	put_given(f, "cpu_limit", (double)s->limit_milli / 1000);
}

static void put_options(const struct opts *o, const struct format *f)
{
	put_text(f, "cpus", o->cpus);
	put_text(f, "op", sm_ops_table[o->op].name);
	f->number(f->out, "levels", (double)o->levels);
	f->flag(f->out, "per_count", o->per_count);
	put_given(f, "test_time_s", (double)o->test_ns * 1e-9);
	if (o->have_settle)
		f->number(f->out, "settle_s", (double)o->settle_ns * 1e-9);
	f->number(f->out, "interval_s", (double)o->app.interval_ns * 1e-9);
	put_given(f, "max_time_s", (double)o->max_time_ns * 1e-9);
	put_given(f, "target_ci_pct", o->target_ci * 100);
	put_given(f, "count", (double)o->app.count);
	put_given(f, "duration_s", (double)o->app.duration_ns * 1e-9);
	f->number(f->out, "seed", (double)o->seed);
	put_text(f, "source", opts_source_name(o));
	put_text(f, "total", opts_total_name(o));
	if (o->app.realtime)
		f->number(f->out, "realtime", (double)o->app.priority);
}

/* --- JSON --------------------------------------------------------------------------- */

static void json_text(void *out, const char *key, const char *s)
{
	sm_json_str(out, key, s);
}

static void json_number(void *out, const char *key, double v)
{
	if (v == (double)(uint64_t)v)
		sm_json_u64(out, key, (uint64_t)v);
	else
		sm_json_double(out, key, v, 6);
}

static void json_flag(void *out, const char *key, bool on)
{
	sm_json_bool(out, key, on);
}

void settings_json(const struct result *r, struct sm_json *j)
{
	const struct format f = {j, json_text, json_number, json_flag};

	put_text(&f, "source", r->source);
	sm_json_object(j, "machine");
	put_machine(r->state, &f);
	sm_json_end(j);
	sm_json_object(j, "options");
	put_options(r->opts, &f);
	sm_json_end(j);
}

/* --- YAML --------------------------------------------------------------------------- */

static const char *dashed(const char *key, char text[32])
{
	snprintf(text, 32, "%s", key);
	for (char *p = text; (p = strchr(p, '_'));)
		*p = '-';
	return text;
}

static void yaml_text(void *out, const char *key, const char *s)
{
	char text[32];

	sm_yaml_string(out, dashed(key, text), s);
}

static void yaml_number(void *out, const char *key, double v)
{
	char text[32];

	sm_yaml_number(out, dashed(key, text), v);
}

static void yaml_flag(void *out, const char *key, bool on)
{
	char text[32];

	sm_yaml_bool(out, dashed(key, text), on);
}

void settings_yaml_machine(const struct result *r, struct sm_yaml *y)
{
	const struct format f = {y, yaml_text, yaml_number, yaml_flag};

	put_machine(r->state, &f);
}

void settings_yaml_options(const struct result *r, struct sm_yaml *y)
{
	const struct format f = {y, yaml_text, yaml_number, yaml_flag};

	put_options(r->opts, &f);
}

/* --- gnuplot ------------------------------------------------------------------------ */

static void comment_text(void *out, const char *key, const char *s)
{
	sm_buf_printf(out, "# %s: %s\n", key, s);
}

static void comment_number(void *out, const char *key, double v)
{
	sm_buf_printf(out, "# %s: %.9g\n", key, v);
}

static void comment_flag(void *out, const char *key, bool on)
{
	comment_text(out, key, on ? "true" : "false");
}

void settings_gnuplot(const struct result *r, struct sm_buf *b)
{
	const struct format f = {b, comment_text, comment_number, comment_flag};

	comment_flag(b, "complete", r->complete);
	put_text(&f, "source", r->source);
	put_machine(r->state, &f);
	sm_buf_str(b, "# options:\n");
	put_options(r->opts, &f);
}

/* --- Prometheus --------------------------------------------------------------------- */

#define NAME "sysmon_power_calibrate_settings"
#define HELP "Power source, CPUs and load of the run."

void settings_prom(const struct result *r, bool has_result, struct sm_prom *p)
{
	const struct sm_cpusettings *c = &r->state->cpu;
	const char *turbo = sm_cpusettings_turbo(c);
	const char *const value[] = {r->source, sm_ops_table[r->opts->op].name, c->model,
		c->governor, c->epp, turbo ? turbo : ""};
	static const char *const name[] = {
		"source", "op", "cpu_model", "governor", "epp", "turbo"};
	struct sm_prom_label label[SM_ARRAY_SIZE(name)];

	for (size_t i = 0; i < SM_ARRAY_SIZE(name); i++)
		label[i] = (struct sm_prom_label){name[i], {value[i], strlen(value[i])}};
	if (has_result)
		sm_prom_result(p, NAME, HELP);
	else
		sm_prom_family(p, NAME, "gauge", HELP);
	sm_prom_u64(p, "", label, SM_ARRAY_SIZE(label), 1);
}
