// SPDX-License-Identifier: GPL-2.0-or-later
/* Help texts, lists of stressors and classes, and the dry run. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "run/limit.h"
#include "run/stress.h"
#include "list.h"
#include "opts_state.h"

#define COLUMNS 80u

void opts_put_classes(struct sm_buf *b, const struct stressor *s)
{
	const char *between = "";

	for (size_t i = 0; list_classes[i]; i++) {
		if (!(s->classes & UINT32_C(1) << i))
			continue;
		sm_buf_printf(b, "%s%s", between, list_classes[i]);
		between = ", ";
	}
}

/* --- --help=NAME -------------------------------------------------------------------- */

static const char *mean_name(enum stressor_mean mean)
{
	static const char *const names[] = {
		[MEAN_SUM] = "sum of the instances",
		[MEAN_RATE] = "sum of the instances",
		[MEAN_ARITHMETIC] = "mean of the instances",
		[MEAN_GEOMETRIC] = "geometric mean of the instances",
		[MEAN_HARMONIC] = "harmonic mean of the instances",
		[MEAN_MAX] = "highest of the instances",
		[MEAN_MIN] = "lowest of the instances",
		[MEAN_OF_MAX] = "of the instance with the maximum",
		[MEAN_OF_ALL] = "of the values of all instances",
		[MEAN_DEVIATION] = "of the values of all instances",
		[MEAN_MODE] = "of the values of all instances",
		[MEAN_QUANTILE] = "of the values of all instances",
	};

	return names[mean];
}

bool opts_metric_ends(const struct stressor_metric *m)
{
	return !m[1].name || strcmp(m[1].unit, m->unit) != 0 ||
	       strcmp(mean_name(m[1].mean), mean_name(m->mean)) != 0;
}

void opts_put_metric_kind(struct sm_buf *b, const struct stressor_metric *m)
{
	sm_buf_printf(b, "(%s%s%s)", m->unit, *m->unit ? "; " : "", mean_name(m->mean));
}

/* Writes the metrics; successive metrics with equal unit and mean share a line. */
static void put_metrics(struct sm_buf *b, const struct stressor_metric *m)
{
	bool begins = true;

	sm_buf_str(b, m && m->name ? "Metrics, in addition to ops per second:\n"
				   : "Metrics: ops per second\n");
	for (; m && m->name; m++) {
		sm_buf_printf(b, "%s%s", begins ? "" : ", ", m->name);
		begins = opts_metric_ends(m);
		if (!begins)
			continue;
		sm_buf_chr(b, ' ');
		opts_put_metric_kind(b, m);
		sm_buf_chr(b, '\n');
	}
}

static void put_notes(struct sm_buf *b, const struct stressor *s)
{
	sm_buf_str(b, "Class: ");
	opts_put_classes(b, s);
	sm_buf_printf(b, "\nOne op: %s\n", s->op);
	sm_buf_printf(b, "Checked: %s\n", s->checks ? s->checks : "nothing");
	sm_buf_printf(b, "Needs: %s\n", s->needs ? s->needs : "nothing");
	put_metrics(b, s->metrics);
	sm_buf_chr(b, '\0');
}

static void put_help(struct sm_buf *b, const struct stressor *s,
	const struct sm_opt *rows, size_t n, struct sm_opt *copy)
{
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};
	struct sm_opt_spec spec = {
		.tool = "stressors", .summary = s->does, .opts = copy, .nopts = n + 1};
	size_t synopsis;

	put_notes(&text, s);
	synopsis = text.len;
	sm_buf_printf(&text, "--%s N [OPTION]...", s->name);
	sm_buf_chr(&text, '\0');
	if (text.err) {
		sm_buf_fail(b, text.err);
		return;
	}
	copy[0] = (struct sm_opt){.kind = SM_OPT_GROUP, .help = "Options"};
	for (size_t i = 0; i < n; i++) {
		copy[i + 1] = rows[i];
		copy[i + 1].detail = false;
	}
	copy[1].help = "run N instances (0: one per CPU)";
	spec.synopsis = text.p + synopsis;
	spec.exit_notes = text.p;
	sm_opt_help(&spec, b, COLUMNS);
}

/* Writes the usual help together with the options that it normally omits. */
static int put_all(struct sm_buf *b, const struct asked *a)
{
	size_t n = a->rows->n_own;
	struct sm_opt_spec spec = *a->spec;
	struct sm_opt *copy = calloc(n, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		copy[i] = a->rows->opt[i];
		copy[i].detail = false;
	}
	spec.opts = copy;
	spec.nopts = n;
	sm_opt_help(&spec, b, COLUMNS);
	free(copy);
	return 0;
}

int opts_help_name(void *cfg, const struct sm_opt *o, const char *arg, struct sm_buf *why)
{
	const struct asked *a = cfg;
	const struct sm_opt *rows;
	struct sm_opt *copy;
	size_t n, i = 0;

	(void)o;
	if (strcmp(arg, "all") == 0)
		return put_all(why, a);
	while (list_all[i] && strcmp(list_all[i]->name, arg) != 0)
		i++;
	if (!list_all[i])
		return opts_unknown((struct sm_str){arg, strlen(arg)}, why);
	rows = opts_rows_find(a->rows, i, &n);
	copy = calloc(n + 1, sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	put_help(why, list_all[i], rows, n, copy);
	free(copy);
	return 0;
}

/* --- lists -------------------------------------------------------------------------- */

/* Returns the reason why the stressor cannot run with its default values, or NULL. */
static const char *why_not(const struct stressor *s)
{
	uint64_t value[PLAN_VALUES] = {0};
	struct stress one = {
		.stressor = s, .value = value, .instances = 1, .ops_max = UINT64_MAX};

	for (unsigned int i = 0; s->opts && i < PLAN_VALUES && s->opts[i].name; i++)
		value[i] = s->opts[i].normal;
	return s->probe ? s->probe(&one) : NULL;
}

static size_t longest_name(void)
{
	size_t most = 0;

	for (size_t i = 0; list_all[i]; i++)
		if (strlen(list_all[i]->name) > most)
			most = strlen(list_all[i]->name);
	return most;
}

void opts_list(struct sm_buf *b, bool probe, bool verifiable)
{
	size_t width = longest_name() + 2;

	for (size_t i = 0; list_all[i]; i++) {
		const struct stressor *s = list_all[i];
		const char *why = probe ? why_not(s) : NULL;

		if (verifiable && !s->checks)
			continue;
		sm_buf_str(b, s->name);
		sm_buf_fill(b, ' ', width - strlen(s->name));
		sm_buf_printf(b, "%s (", s->does);
		opts_put_classes(b, s);
		sm_buf_str(b, ")\n");
		if (!probe)
			continue;
		sm_buf_fill(b, ' ', width);
		if (why)
			sm_buf_printf(b, "cannot run here: %s\n", why);
		else
			sm_buf_str(b, "can run here\n");
	}
}

void opts_list_classes(struct sm_buf *b, uint32_t classes)
{
	for (size_t i = 0; list_classes[i]; i++) {
		if (!(classes & UINT32_C(1) << i))
			continue;
		sm_buf_printf(b, "%s:", list_classes[i]);
		for (size_t k = 0; list_all[k]; k++)
			if (list_all[k]->classes & UINT32_C(1) << i)
				sm_buf_printf(b, " %s", list_all[k]->name);
		sm_buf_chr(b, '\n');
	}
}

/* --- --dry-run ---------------------------------------------------------------------- */

static void put_value(struct sm_buf *b, const struct stressor_opt *o, uint64_t v)
{
	sm_buf_chr(b, ' ');
	if (o->zero && v == o->zero)
		sm_buf_chr(b, '0');
	else
		opts_rows_put_value(b, o, v);
}

static void put_options(struct sm_buf *b, const struct job *j)
{
	const struct stressor *s = j->stressor;

	if (j->ops != UINT64_MAX)
		sm_buf_printf(b, " --%s-ops %" PRIu64, s->name, j->ops);
	for (unsigned int i = 0; s->opts && i < PLAN_VALUES && s->opts[i].name; i++) {
		if (j->value[i] == s->opts[i].normal)
			continue;
		sm_buf_printf(b, " --%s-%s", s->name, s->opts[i].name);
		if (s->opts[i].kind != STRESSOR_FLAG)
			put_value(b, &s->opts[i], j->value[i]);
	}
}

static void put_job(struct sm_buf *b, const struct job *j)
{
	uint64_t bytes = limit_memory(j), disk = limit_disk(j);

	sm_buf_printf(b, "  --%s %u", j->stressor->name, j->instances);
	put_options(b, j);
	if (j->why_not) {
		sm_buf_printf(b, "  # skipped: %s\n", j->why_not);
		return;
	}
	sm_buf_str(b, "  # memory: ");
	if (bytes)
		sm_units_print_iec(b, bytes);
	else
		sm_buf_str(b, "less than 1 MB");
	if (disk) {
		sm_buf_str(b, ", disk: ");
		sm_units_print_iec(b, disk);
	}
	sm_buf_chr(b, '\n');
}

/* Applies the limits to each stage, as a run does. */
static void apply_limits(const struct plan *p, const struct sm_root *root)
{
	size_t n;
	int err = 0;

	for (size_t i = 0; !err && i < p->n; i += n) {
		n = p->sequential ? 1 : p->n;
		err = limit_apply(p, &p->job[i], n, root);
	}
}

static void put_jobs(struct sm_buf *b, const struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		put_job(b, &p->job[i]);
}

void opts_dry_run(struct sm_buf *b, const struct plan *p, const struct sm_root *root)
{
	apply_limits(p, root);
	sm_buf_printf(b, "%zu stressor%s would run", p->n, p->n == 1 ? "" : "s");
	if (p->n > 1)
		sm_buf_str(
			b, p->sequential ? ", one after the other" : " at the same time");
	if (p->time_ns == UINT64_MAX) {
		sm_buf_str(b, ", without a time limit");
	} else {
		sm_buf_str(b, ", for ");
		amount_put_time(b, p->time_ns);
		sm_buf_str(b, p->n > 1 && p->sequential ? " each" : "");
	}
	sm_buf_printf(b, ", on %u CPU%s:\n", opts_cpus(p), opts_cpus(p) == 1 ? "" : "s");
	put_jobs(b, p);
}
