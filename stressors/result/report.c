// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "metric.h"
#include "number.h"
#include "report_tables.h"

#define LIST_MAX 3 /* names in the closing line; each has a line of its own above */

static const struct {
	const char *word, *sgr;
} words[] = {
	[RESULT_PASS] = {"passed", NULL},
	[RESULT_FAIL] = {"failed", "1;31"},
	[RESULT_SKIP] = {"skipped", "33"},
	[RESULT_LACKS] = {"no resource", "31"},
	[RESULT_INTERRUPTED] = {"interrupted", "33"},
};

/* --- a line for a job --------------------------------------------------------------- */

static void put_word(
	struct sm_buf *b, enum result_status status, const struct report_to *to)
{
	if (to->color && words[status].sgr)
		sm_buf_printf(
			b, "\033[%sm%s\033[0m", words[status].sgr, words[status].word);
	else
		sm_buf_str(b, words[status].word);
}

static void put_number_of(struct sm_buf *b, uint64_t n, const char *what)
{
	number_commas(b, n);
	sm_buf_chr(b, ' ');
	sm_buf_str(b, what);
	if (n != 1)
		sm_buf_chr(b, 's');
}

/* Writes a time with two decimals, or with more if it would be 0.00. */
static void put_seconds(struct sm_buf *b, double s)
{
	sm_buf_double(b, s, s < 0.1 && s > 0 ? number_decimals(s) : 2);
	sm_buf_str(b, " s");
}

/* Writes a value with at least three digits; only a small one has decimals. */
static void put_value(struct sm_buf *b, double v)
{
	if (v >= 99.5 && v < 1e15)
		number_commas(b, (uint64_t)(v + 0.5));
	else
		number_metric(b, v);
}

/* Returns the metric for the line: of several with a headline, the one with the highest
 * value; NULL: there is no value.  *n: number of metrics with a value. */
static const struct stressor_metric *headline(
	const struct result *r, unsigned int *n, double *value)
{
	const struct stressor_metric *m = r->job->stressor->metrics, *best = NULL;
	double one;

	*n = 0;
	for (unsigned int i = 0; i < metric_count(r->job->stressor); i++) {
		if (!m[i].headline || !result_metric(r, i, &one))
			continue;
		if (++*n > 1 && one <= *value)
			continue;
		best = &m[i];
		*value = one;
	}
	return best;
}

/* Writes ", 27,131 MB/s" or ", 9,886 MB/s (read128, the highest of 22)". */
static void put_headline(struct sm_buf *b, const struct result *r)
{
	unsigned int n;
	double value = 0;
	const struct stressor_metric *m = headline(r, &n, &value);

	if (!m)
		return;
	sm_buf_str(b, ", ");
	put_value(b, value);
	sm_buf_printf(b, " %s", m->headline);
	if (n > 1)
		sm_buf_printf(b, " (%s, the highest of %u)", m->name, n);
}

/* Writes ", 2 instances, 27,131 MB/s, 4,413 ops in 2.00 s (2206.50/s)". */
static void put_ops(struct sm_buf *b, const struct result *r)
{
	sm_buf_str(b, ", ");
	put_number_of(b, r->n, "instance");
	put_headline(b, r);
	sm_buf_str(b, ", ");
	put_number_of(b, r->ops, "op");
	sm_buf_str(b, " in ");
	put_seconds(b, r->wall_s);
	sm_buf_str(b, " (");
	number_text(b, result_rate(r));
	sm_buf_str(b, "/s)");
}

/* Writes how many instances the supervisor had to restart or kill. */
static void put_help(struct sm_buf *b, const struct result *r)
{
	if (r->oom_kills) {
		sm_buf_str(b, ", ");
		put_number_of(b, r->oom_kills, "restart");
		sm_buf_str(b, " for lack of memory");
	}
	if (r->forced) {
		sm_buf_str(b, ", ");
		sm_buf_u64(b, r->forced);
		sm_buf_str(b, " killed after the end of the run");
	}
}

static void put_reason(
	struct sm_buf *b, const struct result *r, const struct report_to *to)
{
	const char *reason = facts_reason(r);

	if (!reason)
		return;
	sm_buf_str(b, ": ");
	sm_text_human(b, reason, strlen(reason), to->text_flags);
}

static void put_line(struct sm_buf *b, const struct result *r, bool verbose,
	const struct report_to *to)
{
	sm_buf_str(b, r->job->stressor->name);
	sm_buf_str(b, ": ");
	put_word(b, r->status, to);
	if (r->n)
		put_ops(b, r);
	put_help(b, r);
	if (verbose && r->n) {
		sm_buf_str(b, ", set up in ");
		put_seconds(b, r->setup_s);
	}
	put_reason(b, r, to);
	sm_buf_chr(b, '\n');
}

static bool is_plain(const struct result *r)
{
	return r->status == RESULT_PASS && !r->oom_kills && !r->forced && !r->reason;
}

static void put_lines(struct sm_buf *b, const struct result *r, size_t n, bool all,
	bool verbose, const struct report_to *to)
{
	bool blank = b->len > 0;

	for (size_t i = 0; i < n; i++) {
		if (!all && !verbose && is_plain(&r[i]))
			continue;
		if (blank)
			sm_buf_chr(b, '\n');
		blank = false;
		put_line(b, &r[i], verbose, to);
	}
}

/* --- --times ------------------------------------------------------------------------ */

static void put_time(struct sm_buf *b, const char *name, double s, double all_s)
{
	sm_buf_printf(b, "  %-13s", name);
	sm_buf_double_right(b, s, 2, 9);
	sm_buf_str(b, " s");
	if (all_s > 0) {
		sm_buf_double_right(b, 100 * s / all_s, 2, 8);
		sm_buf_chr(b, '%');
	}
	sm_buf_chr(b, '\n');
}

static void put_load(struct sm_buf *b, const double *load)
{
	if (!isfinite(load[0]))
		return;
	sm_buf_str(b, "  load average  ");
	for (unsigned int i = 0; i < 3; i++) {
		sm_buf_chr(b, ' ');
		sm_buf_double(b, load[i], 2);
	}
	sm_buf_chr(b, '\n');
}

static void put_times(
	struct sm_buf *b, const struct result *r, size_t n, const struct facts *f)
{
	double all_s = f->wall_s * f->cpus, user_s = 0, sys_s = 0;

	for (size_t i = 0; i < n; i++) {
		user_s += r[i].user_s;
		sys_s += r[i].sys_s;
	}
	if (b->len)
		sm_buf_chr(b, '\n');
	sm_buf_str(b, "Times of all stressors\n");
	put_time(b, "real", f->wall_s, 0);
	put_time(b, "available CPU", all_s, 0);
	put_time(b, "user", user_s, all_s);
	put_time(b, "system", sys_s, all_s);
	put_time(b, "user + system", user_s + sys_s, all_s);
	put_load(b, f->load);
}

/* --- the closing line --------------------------------------------------------------- */

/* Writes " (af-alg: no AF_ALG; rtc: ...; and 2 more)".  The reason of a failure is in the
 * job's line above. */
static void put_list(struct sm_buf *b, const struct result *r, size_t n,
	enum result_status status, const struct report_to *to)
{
	unsigned int listed = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		if (r[i].status != status || ++all > LIST_MAX)
			continue;
		sm_buf_str(b, listed++ ? "; " : " (");
		sm_buf_str(b, r[i].job->stressor->name);
		if (status == RESULT_SKIP || status == RESULT_LACKS)
			put_reason(b, &r[i], to);
	}
	if (all > LIST_MAX)
		sm_buf_printf(b, "; and %u more", all - LIST_MAX);
	if (listed)
		sm_buf_chr(b, ')');
}

/* Reports a CPU limit of the cgroup that is below the requirement of the instances. */
static void put_limit(struct sm_buf *b, const struct facts *f)
{
	if (!(f->cpu_limit > 0) || f->cpu_asked <= f->cpu_limit)
		return;
	sm_buf_str(b, "stressors: the cgroup may use only ");
	sm_buf_double(b, f->cpu_limit, 2);
	sm_buf_str(b, " CPUs, less than the instances require: ");
	sm_buf_double(b, f->cpu_asked, 2);
	sm_buf_chr(b, '\n');
}

static void put_closing(struct sm_buf *b, const struct result *r, size_t n,
	const struct facts *f, const struct report_to *to)
{
	struct facts_counts counts;

	facts_count(r, n, &counts);
	sm_buf_str(b, "stressors:");
	for (unsigned int i = 0; i < SM_ARRAY_SIZE(words); i++) {
		if (!counts.n[i] && i > RESULT_SKIP)
			continue;
		sm_buf_str(b, i ? ", " : " ");
		sm_buf_printf(b, "%s %u", words[i].word, counts.n[i]);
		if (i != RESULT_PASS)
			put_list(b, r, n, (enum result_status)i, to);
	}
	sm_buf_str(b, ", in ");
	put_seconds(b, f->wall_s);
	sm_buf_chr(b, '\n');
}

void report_put(const struct result *r, size_t n, const struct config *c,
	const struct facts *f, const struct report_to *to, struct sm_buf *out)
{
	bool table = c->metrics || c->metrics_brief;
	struct sm_buf b = {0};
	size_t before;

	if (table)
		report_results(r, n, !c->metrics, to, &b);
	put_lines(&b, r, n, !table, c->verbose, to);
	if (c->metrics) {
		report_metrics(r, n, to, &b);
		report_cpus(r, n, to, &b);
	}
	before = b.len;
	report_histograms(r, n, &b);
	table = table || b.len > before;
	if (c->perf || c->rapl || c->tz)
		report_figures(r, n, to, &b);
	if (c->times)
		put_times(&b, r, n, f);
	if (f->coverage)
		report_coverage(f->coverage, to, &b);
	if (table || c->times || c->perf || c->rapl || c->tz || f->coverage)
		sm_buf_chr(&b, '\n');
	put_limit(&b, f);
	put_closing(&b, r, n, f, to);
	if (sm_buf_error(&b))
		sm_buf_fail(out, sm_buf_error(&b));
	else
		sm_buf_add(out, b.p, b.len);
	sm_buf_fini(&b);
}
