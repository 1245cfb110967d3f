// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../coverage/names.h"
#include "bins.h"
#include "columns.h"
#include "cpus.h"
#include "grid.h"
#include "metric.h"
#include "number.h"
#include "report_tables.h"

struct results {
	const struct result *r;
	size_t n;
};

static void put_grid(struct grid *g, const struct report_to *to, struct sm_buf *b)
{
	struct sm_buf text = {0};

	g->columns = to->columns;
	g->text_flags = to->text_flags;
	g->no_header = to->no_header;
	grid_put(g, &text);
	if (sm_buf_error(&text))
		sm_buf_fail(b, sm_buf_error(&text));
	if (b->len && text.len)
		sm_buf_chr(b, '\n');
	sm_buf_add(b, text.p, text.len);
	sm_buf_fini(&text);
}

/* --- results ------------------------------------------------------------------------ */

static void result_rows(struct grid *g, const void *ctx)
{
	const struct results *all = ctx;
	struct sm_value v[C_N];

	for (size_t i = 0; i < all->n; i++) {
		if (!all->r[i].n)
			continue;
		columns_result(v, &all->r[i]);
		grid_row(g, v);
	}
}

void report_results(const struct result *r, size_t n, bool brief,
	const struct report_to *to, struct sm_buf *b)
{
	struct results all = {r, n};
	struct grid g = {
		.column = stressors_columns, .n = C_N, .rows = result_rows, .ctx = &all};

	if (brief)
		g.hidden = UINT64_C(1) << C_CPU | UINT64_C(1) << C_RSS;
	put_grid(&g, to, b);
}

/* --- metrics ------------------------------------------------------------------------ */

enum { M_STRESSOR, M_NAME, M_VALUE, M_UNIT, M_MEAN, M_N };

static const struct sm_column metric_columns[M_N] = {
	[M_STRESSOR] = {.head = "Stressor", .align = SM_ALIGN_LEFT},
	[M_NAME] = {.head = "Metric", .align = SM_ALIGN_LEFT},
	[M_VALUE] = {.head = "Value", .align = SM_ALIGN_RIGHT},
	[M_UNIT] = {.head = "Unit", .align = SM_ALIGN_LEFT},
	[M_MEAN] = {.head = "Mean", .align = SM_ALIGN_LEFT, .priority = 1},
};

/* Writes "sum of 2" or "max of 2 (instance 1)"; nothing for a single value. */
static void put_mean(struct sm_buf *b, const struct result *r, unsigned int i)
{
	unsigned int n = metric_instances(r, i), instance;

	sm_buf_reset(b);
	if (n < 2)
		return;
	sm_buf_str(b, metric_mean_name(r->job->stressor->metrics[i].mean));
	sm_buf_str(b, " of ");
	sm_buf_u64(b, n);
	if (result_metric_instance(r, i, &instance))
		sm_buf_printf(b, " (instance %u)", instance);
}

static struct sm_value text_of(const struct sm_buf *b)
{
	if (sm_buf_error(b) || !b->len)
		return sm_value_str("");
	return sm_value_bytes(SM_VALUE_STR, b->p, b->len);
}

struct metric_texts {
	struct sm_buf value, mean;
};

static void metric_row(
	struct grid *g, const struct result *r, unsigned int i, struct metric_texts *t)
{
	const struct stressor_metric *m = &r->job->stressor->metrics[i];
	struct sm_value v[M_N];
	double value;

	if (!result_metric(r, i, &value))
		return;
	put_mean(&t->mean, r, i);
	sm_buf_reset(&t->value);
	number_metric(&t->value, value);
	memset(v, 0, sizeof(v));
	v[M_STRESSOR] = sm_value_str(r->job->stressor->name);
	v[M_NAME] = sm_value_str(m->name);
	v[M_VALUE] = text_of(&t->value);
	v[M_UNIT] = sm_value_str(m->unit);
	v[M_MEAN] = text_of(&t->mean);
	grid_row(g, v);
}

static void metric_rows(struct grid *g, const void *ctx)
{
	const struct results *all = ctx;
	struct metric_texts t = {0};

	for (size_t i = 0; i < all->n; i++)
		for (unsigned int k = 0; k < metric_count(all->r[i].job->stressor); k++)
			metric_row(g, &all->r[i], k, &t);
	sm_buf_fini(&t.value);
	sm_buf_fini(&t.mean);
}

void report_metrics(
	const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b)
{
	struct results all = {r, n};
	struct grid g = {
		.column = metric_columns, .n = M_N, .rows = metric_rows, .ctx = &all};

	put_grid(&g, to, b);
}

/* --- maxima of CPUs ----------------------------------------------------------------- */

enum { P_STRESSOR, P_CPU, P_COUNT, P_MAX, P_N };

static const struct sm_column cpu_columns[P_N] = {
	[P_STRESSOR] = {.head = "Stressor", .align = SM_ALIGN_LEFT},
	[P_CPU] = {.head = "CPU", .align = SM_ALIGN_RIGHT},
	[P_COUNT] = {.head = "Samples", .align = SM_ALIGN_RIGHT},
	[P_MAX] = {.head = "Maximum ns", .align = SM_ALIGN_RIGHT},
};

static void cpu_rows_of(struct grid *g, const struct result *r)
{
	struct cpu_values *cpus;
	struct sm_value v[P_N];
	unsigned int n;

	if (cpus_make(r, &cpus, &n) < 0)
		sm_buf_fail(&g->table.row, -ENOMEM);
	for (unsigned int i = 0; i < n; i++) {
		v[P_STRESSOR] = sm_value_str(r->job->stressor->name);
		v[P_CPU] = sm_value_u64(cpus[i].cpu);
		v[P_COUNT] = sm_value_u64(cpus[i].count);
		v[P_MAX] = sm_value_u64(cpus[i].max_ns);
		grid_row(g, v);
	}
	free(cpus);
}

static void cpu_rows(struct grid *g, const void *ctx)
{
	const struct results *all = ctx;

	for (size_t i = 0; i < all->n; i++)
		cpu_rows_of(g, &all->r[i]);
}

void report_cpus(
	const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b)
{
	struct results all = {r, n};
	struct grid g = {.column = cpu_columns, .n = P_N, .rows = cpu_rows, .ctx = &all};

	put_grid(&g, to, b);
}

/* --- figures ------------------------------------------------------------------------ */

enum { F_STRESSOR, F_NAME, F_VALUE, F_UNIT, F_PER_S, F_NOTE, F_N };

static const struct sm_column figure_columns[F_N] = {
	[F_STRESSOR] = {.head = "Stressor", .align = SM_ALIGN_LEFT},
	[F_NAME] = {.head = "Figure", .align = SM_ALIGN_LEFT},
	[F_VALUE] = {.head = "Value", .align = SM_ALIGN_RIGHT},
	[F_UNIT] = {.head = "Unit", .align = SM_ALIGN_LEFT},
	[F_PER_S] = {.head = "Per second", .align = SM_ALIGN_RIGHT, .priority = 2},
	[F_NOTE] = {.head = "Note", .align = SM_ALIGN_LEFT, .priority = 1},
};

static const struct result_figure *figure_of(const struct result *r, const char *name)
{
	for (unsigned int i = 0; i < r->n_figures; i++)
		if (strcmp(r->figure[i].name, name) == 0)
			return &r->figure[i];
	return NULL;
}

/* Figures that are shown as a share of another figure. */
static const struct {
	const char *name, *of, *text;
	double factor;
} shares[] = {
	{"instructions", "cycles", " per cycle", 1},
	{"branch-misses", "branches", "% of branches", 100},
	{"cache-misses", "cache-references", "% of cache-references", 100},
};

static void put_share(
	struct sm_buf *b, const struct result *r, const struct result_figure *f)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(shares); i++) {
		const struct result_figure *of;

		if (strcmp(f->name, shares[i].name) != 0)
			continue;
		of = figure_of(r, shares[i].of);
		if (!of || !(of->value > 0))
			return;
		sm_buf_double(b, shares[i].factor * f->value / of->value, 2);
		sm_buf_str(b, shares[i].text);
	}
}

static void put_note(
	struct sm_buf *b, const struct result *r, const struct result_figure *f)
{
	sm_buf_reset(b);
	put_share(b, r, f);
	if (strcmp(f->unit, "J") == 0 && f->value > 0 && r->ops) {
		number_short(b, (double)r->ops / f->value);
		sm_buf_str(b, " ops/J");
	}
	if (f->share < 1) {
		sm_buf_str(b, b->len ? ", counted " : "counted ");
		sm_buf_double(b, 100 * f->share, 0);
		sm_buf_str(b, "% of the time");
	}
}

/* Returns the unit for readers: "C" instead of "Cel", which is UCUM's. */
static const char *unit_text(const char *unit)
{
	return strcmp(unit, "Cel") == 0 ? "C" : unit;
}

/* Returns true if the power is a separate figure. */
static bool has_watts(const struct result *r)
{
	for (unsigned int i = 0; i < r->n_figures; i++)
		if (strcmp(r->figure[i].unit, "W") == 0)
			return true;
	return false;
}

static void put_per_second(
	struct sm_buf *b, const struct result *r, const struct result_figure *f)
{
	double per_s;

	sm_buf_reset(b);
	if (!columns_per_second(r, f, &per_s))
		return;
	if (strcmp(f->unit, "J") != 0) {
		number_short(b, per_s);
		return;
	}
	if (has_watts(r))
		return;
	number_text(b, per_s);
	sm_buf_str(b, " W");
}

struct figure_texts {
	struct sm_buf value, per_s, note;
};

static void figure_row(struct grid *g, const struct result *r,
	const struct result_figure *f, struct figure_texts *t)
{
	struct sm_value v[F_N];

	memset(v, 0, sizeof(v));
	v[F_STRESSOR] = sm_value_str(r->job->stressor->name);
	v[F_NAME] = sm_value_text(f->name, strlen(f->name));
	if (isfinite(f->value)) {
		sm_buf_reset(&t->value);
		if (*f->unit && strcmp(f->unit, "ns") != 0)
			number_metric(&t->value, f->value);
		else
			number_short(&t->value, f->value);
		put_per_second(&t->per_s, r, f);
		put_note(&t->note, r, f);
		v[F_VALUE] = text_of(&t->value);
		v[F_PER_S] = text_of(&t->per_s);
		v[F_NOTE] = text_of(&t->note);
		v[F_UNIT] = sm_value_str(unit_text(f->unit));
	} else {
		v[F_PER_S] = v[F_NOTE] = v[F_UNIT] = sm_value_str("");
	}
	grid_row(g, v);
}

/* Returns true if any job has a value for this figure. */
static bool known_anywhere(const struct results *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct result_figure *f = figure_of(&all->r[i], name);

		if (f && isfinite(f->value))
			return true;
	}
	return false;
}

static void figure_rows(struct grid *g, const void *ctx)
{
	const struct results *all = ctx;
	struct figure_texts t = {0};

	for (size_t i = 0; i < all->n; i++) {
		const struct result *r = &all->r[i];

		for (unsigned int k = 0; r->n && k < r->n_figures; k++)
			if (known_anywhere(all, r->figure[k].name))
				figure_row(g, r, &r->figure[k], &t);
	}
	sm_buf_fini(&t.value);
	sm_buf_fini(&t.per_s);
	sm_buf_fini(&t.note);
}

/* Returns true if a job before this one has this figure. */
static bool named_before(const struct results *all, size_t job, const char *name)
{
	for (size_t i = 0; i < job; i++)
		if (figure_of(&all->r[i], name))
			return true;
	return false;
}

static void put_unknown(
	const struct results *all, const struct report_to *to, struct sm_buf *b)
{
	const char *before = "not supported here: ";

	for (size_t i = 0; i < all->n; i++)
		for (unsigned int k = 0; k < all->r[i].n_figures; k++) {
			const char *name = all->r[i].figure[k].name;

			if (named_before(all, i, name) || known_anywhere(all, name))
				continue;
			sm_buf_str(b, before);
			sm_text_human(b, name, strlen(name), to->text_flags);
			before = ", ";
		}
	if (*before == ',')
		sm_buf_chr(b, '\n');
}

void report_figures(
	const struct result *r, size_t n, const struct report_to *to, struct sm_buf *b)
{
	struct results all = {r, n};
	struct grid g = {
		.column = figure_columns, .n = F_N, .rows = figure_rows, .ctx = &all};

	put_grid(&g, to, b);
	put_unknown(&all, to, b);
}

/* --- system calls ------------------------------------------------------------------- */

enum { S_CALL, S_CALLS, S_ERRORS, S_N };

static const struct sm_column call_columns[S_N] = {
	[S_CALL] = {.head = "System call", .align = SM_ALIGN_LEFT},
	[S_CALLS] = {.head = "Calls", .align = SM_ALIGN_RIGHT},
	[S_ERRORS] = {.head = "Errors", .align = SM_ALIGN_LEFT},
};

/* Writes "ENOENT 3, EACCES 1". */
static void put_errors(struct sm_buf *b, const struct coverage_call *c)
{
	char name[NAMES_SIZE];

	sm_buf_reset(b);
	for (size_t i = 0; i < c->n_errors; i++)
		sm_buf_printf(b, "%s%s %" PRIu64, i ? ", " : "",
			names_error(c->error[i].error, name), c->error[i].n);
}

static void call_rows(struct grid *g, const void *ctx)
{
	const struct coverage_result *r = ctx;
	struct sm_buf errors = {0};
	char name[NAMES_SIZE];

	for (size_t i = 0; i < r->n; i++) {
		put_errors(&errors, &r->call[i]);
		grid_row(g, (const struct sm_value[S_N]){
				    [S_CALL] = sm_value_str(
					    names_call(r->call[i].number, name)),
				    [S_CALLS] = sm_value_u64(r->call[i].calls),
				    [S_ERRORS] = text_of(&errors)});
	}
	sm_buf_fini(&errors);
}

void report_coverage(
	const struct coverage_result *r, const struct report_to *to, struct sm_buf *b)
{
	struct grid g = {.column = call_columns, .n = S_N, .rows = call_rows, .ctx = r};
	size_t calls = 0, errors = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (!coverage_exists(&r->call[i]))
			continue;
		calls++;
		errors += r->call[i].n_errors;
	}
	put_grid(&g, to, b);
	sm_buf_printf(b, "coverage: %zu system calls, %zu pairs of call and errno", calls,
		errors);
	if (r->lost)
		sm_buf_printf(
			b, "; %" PRIu64 " tasks or calls were not counted", r->lost);
	sm_buf_chr(b, '\n');
}

/* --- histograms --------------------------------------------------------------------- */

/* Appends the histograms that were requested. */
void report_histograms(const struct result *r, size_t n, struct sm_buf *b)
{
	for (size_t i = 0; i < n; i++) {
		const struct stressor *s = r[i].job->stressor;
		uint64_t width = s->histogram ? r[i].job->value[s->histogram_width] : 0;
		struct sm_timebin *bins;
		unsigned int k;

		if (!width || !r[i].n)
			continue;
		if (bins_make(&r[i], width, &bins, &k) < 0)
			sm_buf_fail(b, -ENOMEM);
		else
			sm_histogram_times(bins, k, s->histogram, b);
		free(bins);
	}
}
