// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verifycpu: compares cpustat's JSON lines with the truth of a load (cputruth.h).
 *	verifycpu [--prefix P] [--pid PID] [--tid] TRUTH ROWS
 * Prints NAME=NUMBER lines, P before each name; exit status 0, or 2 on an error.
 *
 * Of task PID (--tid: its thread rows; default: the first task in TRUTH), over the
 * samples that TRUTH covers; mpct is thousandths of a percentage point:
 *	covered shown		samples; those with a row of PID
 *	hidden_us		the most CPU time in a sample without a row of PID
 *	cpu_us truth_us		sums
 *	mean_mpct sd_mpct	of the percentages shown; no row is 0
 *	truth_sd_mpct		standard deviation of the load itself
 *	err_sd_mpct err_max_mpct	shown minus the truth of the same interval
 *
 * Of all samples of the run:
 *	children_us children_truth_us	children of PID: rows; reaped in that time
 *	lost_truth_us		reaped in that time, with no parent charged
 *	tree_us tree_truth_us	every process of the load: rows; records
 *	rows_us root_us busy_us	every process of the machine: rows; records of watch
 *	residual_us		rows of kinds softirq, irq and unaccounted
 *	samples lines bad_lines	bad: not an object of one line
 *	span_us late_max_us	first to last sample; the longest interval
 * An interval is [mono_ns - dt_s, mono_ns].
 */
#include <getopt.h>

#include "cputruth.h"

enum row_kind { R_NONE, R_PROCESS, R_THREAD, R_EXITED, R_RESIDUAL, R_SAMPLE };

struct row {
	enum row_kind kind;
	int pid;
	int64_t cpu_ns, dt_ns, t_ns;
	double pct;
};

struct rows {
	struct row *v;
	size_t n;
	long lines, bad;
};

static struct ct_record *truth;
static size_t n_truth;
static int wanted;
static bool by_thread;

/* Without libm, which helper programs are not linked with. */
static long long rounded(double v)
{
	return (long long)(v < 0 ? v - 0.5 : v + 0.5);
}

static double root(double v)
{
	double x = v > 1 ? v : 1;

	if (v <= 0)
		return 0;
	for (int i = 0; i < 64; i++)
		x = (x + v / x) / 2;
	return x;
}

static void *grow(void *p, size_t n, size_t size)
{
	if (n % 4096)
		return p;
	p = realloc(p, (n + 4096) * size);
	if (!p)
		err(2, "memory");
	return p;
}

/* --- the truth --- */

static void truth_line(const char *line)
{
	struct ct_record r = {.kind = -1};
	long long t, cpu;
	char kind[16];

	if (sscanf(line, "%15s %lld %d %d %lld", kind, &t, &r.pid, &r.ppid, &cpu) != 5)
		errx(2, "truth: %s", line);
	for (int k = 0; k < CT_KINDS; k++)
		if (strcmp(kind, ct_name(k)) == 0)
			r.kind = k;
	r.t_ns = t;
	r.cpu_ns = cpu;
	truth = grow(truth, n_truth, sizeof(*truth));
	truth[n_truth++] = r;
}

static void each_line(const char *path, void (*take)(void *ctx, char *line), void *ctx)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f)
		err(2, "%s", path);
	while ((n = getline(&line, &cap, f)) > 0) {
		line[n - (line[n - 1] == '\n')] = '\0';
		take(ctx, line);
	}
	free(line);
	fclose(f);
}

static void take_truth(void *ctx, char *line)
{
	(void)ctx;
	truth_line(line);
}

static int by_time(const void *a, const void *b)
{
	const struct ct_record *x = a, *y = b;

	return (x->t_ns > y->t_ns) - (x->t_ns < y->t_ns);
}

static bool is_step_of(const struct ct_record *r, int kind, int pid)
{
	return r->kind == kind && r->pid == pid;
}

/* First and last record of the kind and pid; false without any. */
static bool bounds(int kind, int pid, int64_t *from, int64_t *to)
{
	bool any = false;

	for (size_t i = 0; i < n_truth; i++) {
		if (!is_step_of(&truth[i], kind, pid))
			continue;
		if (!any)
			*from = truth[i].t_ns;
		*to = truth[i].t_ns;
		any = true;
	}
	return any;
}

/* Linear between two records, constant outside of them. */
static double truth_at(int kind, int pid, int64_t t_ns)
{
	const struct ct_record *a = NULL;

	for (size_t i = 0; i < n_truth; i++) {
		const struct ct_record *b = &truth[i];

		if (!is_step_of(b, kind, pid))
			continue;
		if (b->t_ns >= t_ns) {
			if (!a || b->t_ns == a->t_ns)
				return (double)(a ? a : b)->cpu_ns;
			return (double)a->cpu_ns + (double)(b->cpu_ns - a->cpu_ns) *
							   (double)(t_ns - a->t_ns) /
							   (double)(b->t_ns - a->t_ns);
		}
		a = b;
	}
	return a ? (double)a->cpu_ns : 0;
}

/* --- the rows --- */

/* The value of "key": in a flat object; NULL without it.  Keys in strings are escaped. */
static const char *value_of(const char *line, const char *key)
{
	char quoted[40];
	const char *p;

	snprintf(quoted, sizeof(quoted), "\"%s\":", key);
	p = strstr(line, quoted);
	return p ? p + strlen(quoted) : NULL;
}

static double number_of(const char *line, const char *key)
{
	const char *p = value_of(line, key);

	return p ? strtod(p, NULL) : 0;
}

static int64_t ns_of(const char *line, const char *key)
{
	return (int64_t)rounded(number_of(line, key) * 1e9);
}

static bool text_is(const char *line, const char *key, const char *want)
{
	const char *p = value_of(line, key);
	size_t n = strlen(want);

	return p && *p == '"' && strncmp(p + 1, want, n) == 0 && p[1 + n] == '"';
}

static enum row_kind kind_of(const char *line)
{
	static const char *const residual[] = {"softirq", "irq", "unaccounted"};

	if (text_is(line, "type", "sample"))
		return R_SAMPLE;
	if (!text_is(line, "type", "task"))
		return R_NONE;
	if (text_is(line, "kind", "process"))
		return R_PROCESS;
	if (text_is(line, "kind", "thread"))
		return R_THREAD;
	if (text_is(line, "kind", "exited"))
		return R_EXITED;
	for (int i = 0; i < 3; i++)
		if (text_is(line, "kind", residual[i]))
			return R_RESIDUAL;
	return R_NONE;
}

static void take_row(void *ctx, char *line)
{
	struct rows *rows = ctx;
	size_t n = strlen(line);
	struct row r = {.kind = kind_of(line)};

	rows->lines++;
	rows->bad += line[0] != '{' || line[n - 1] != '}';
	if (r.kind == R_NONE)
		return;
	r.pid = (int)number_of(line, "pid");
	r.cpu_ns = (int64_t)number_of(line, "cpu_ns");
	r.pct = number_of(line, "cpu_pct");
	r.dt_ns = ns_of(line, "dt_s");
	r.t_ns = (int64_t)number_of(line, "mono_ns");
	rows->v = grow(rows->v, rows->n, sizeof(*rows->v));
	rows->v[rows->n++] = r;
}

/* --- figures --- */

static const char *prefix = "";

static void say(const char *name, double v)
{
	printf("%s%s=%lld\n", prefix, name, rounded(v));
}

static const struct row *row_at(const struct rows *rows, const struct row *sample)
{
	enum row_kind kind = by_thread ? R_THREAD : R_PROCESS;

	for (size_t i = 0; i < rows->n; i++) {
		const struct row *r = &rows->v[i];

		if (r->kind == kind && r->pid == wanted &&
			llabs(r->t_ns - sample->t_ns) < sample->dt_ns / 2)
			return r;
	}
	return NULL;
}

struct spread {
	double n, sum, squares, max;
};

static void spread_add(struct spread *s, double v)
{
	s->n++;
	s->sum += v;
	s->squares += v * v;
	v = v < 0 ? -v : v;
	s->max = v > s->max ? v : s->max;
}

static double spread_sd(const struct spread *s)
{
	double mean = s->n > 0 ? s->sum / s->n : 0;

	return s->n > 0 ? root(s->squares / s->n - mean * mean) : 0;
}

static void task_figures(const struct rows *rows)
{
	struct spread shown = {0}, error = {0}, even = {0};
	double cpu = 0, real = 0, hidden = 0;
	int64_t from = 0, to = 0, n = 0;

	if (!bounds(CT_STEP, wanted, &from, &to))
		errx(2, "no task %d in the truth", wanted);
	for (size_t i = 0; i < rows->n; i++) {
		const struct row *s = &rows->v[i], *r;
		int64_t t0 = s->t_ns - s->dt_ns;
		double used, pct;

		if (s->kind != R_SAMPLE || s->dt_ns <= 0 || t0 < from || s->t_ns > to)
			continue;
		r = row_at(rows, s);
		n += r != NULL;
		if (r)
			t0 = r->t_ns - r->dt_ns;
		used = truth_at(CT_STEP, wanted, r ? r->t_ns : s->t_ns) -
		       truth_at(CT_STEP, wanted, t0);
		cpu += r ? (double)r->cpu_ns : 0;
		real += used;
		if (!r && used > hidden)
			hidden = used;
		spread_add(&shown, r ? r->pct : 0);
		pct = 100 * used / (double)(r ? r->dt_ns : s->dt_ns);
		spread_add(&even, pct);
		spread_add(&error, (r ? r->pct : 0) - pct);
	}
	say("covered", shown.n);
	say("shown", (double)n);
	say("hidden_us", hidden / 1e3);
	say("cpu_us", cpu / 1e3);
	say("truth_us", real / 1e3);
	say("mean_mpct", shown.n > 0 ? shown.sum / shown.n * 1e3 : 0);
	say("sd_mpct", spread_sd(&shown) * 1e3);
	say("truth_sd_mpct", spread_sd(&even) * 1e3);
	say("err_sd_mpct", spread_sd(&error) * 1e3);
	say("err_max_mpct", error.max * 1e3);
}

/* A process of the load; child: it was reaped. */
static bool in_truth(int pid, int parent, bool child)
{
	for (size_t i = 0; i < n_truth; i++) {
		const struct ct_record *r = &truth[i];

		if (r->pid == pid && (!parent || r->ppid == parent) &&
			(r->kind == CT_CHILD || (!child && r->kind == CT_STEP)))
			return true;
	}
	return false;
}

static double sum_rows(const struct rows *rows, bool (*wants)(const struct row *r))
{
	double sum = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (wants(&rows->v[i]))
			sum += (double)rows->v[i].cpu_ns / 1e3;
	return sum;
}

static bool of_children(const struct row *r)
{
	return (r->kind == R_EXITED && r->pid == wanted) ||
	       (r->kind == R_PROCESS && in_truth(r->pid, wanted, true));
}

static bool of_tree(const struct row *r)
{
	return (r->kind == R_EXITED || r->kind == R_PROCESS) &&
	       in_truth(r->pid, 0, false);
}

static bool of_tasks(const struct row *r)
{
	return r->kind == R_EXITED || r->kind == R_PROCESS;
}

static bool of_residual(const struct row *r)
{
	return r->kind == R_RESIDUAL;
}

static double reaped_us(enum ct_kind kind, int parent, int64_t from, int64_t to)
{
	double sum = 0;

	for (size_t i = 0; i < n_truth; i++) {
		const struct ct_record *r = &truth[i];

		if (r->kind == (int)kind && (!parent || r->ppid == parent) &&
			r->t_ns > from && r->t_ns <= to)
			sum += (double)r->cpu_ns / 1e3;
	}
	return sum;
}

/* CPU time of the tasks that exist at the end: processes with steps, but no threads. */
static double living_us(int64_t from, int64_t to)
{
	double sum = 0;

	for (size_t i = 0; i < n_truth; i++) {
		int pid = truth[i].pid;
		bool first = truth[i].kind == CT_STEP && truth[i].ppid == 0;

		for (size_t j = 0; j < i && first; j++)
			first = !is_step_of(&truth[j], CT_STEP, pid);
		if (first && !in_truth(pid, 0, true))
			sum += (truth_at(CT_STEP, pid, to) -
				       truth_at(CT_STEP, pid, from)) /
			       1e3;
	}
	return sum;
}

static void run_figures(const struct rows *rows)
{
	int64_t from = INT64_MAX, to = INT64_MIN, longest = 0;
	long samples = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct row *s = &rows->v[i];

		if (s->kind != R_SAMPLE)
			continue;
		samples++;
		from = s->t_ns - s->dt_ns < from ? s->t_ns - s->dt_ns : from;
		to = s->t_ns > to ? s->t_ns : to;
		longest = s->dt_ns > longest ? s->dt_ns : longest;
	}
	say("samples", (double)samples);
	say("lines", (double)rows->lines);
	say("bad_lines", (double)rows->bad);
	say("span_us", samples ? (double)(to - from) / 1e3 : 0);
	say("late_max_us", (double)longest / 1e3);
	say("children_us", sum_rows(rows, of_children));
	say("children_truth_us", reaped_us(CT_CHILD, wanted, from, to));
	say("tree_us", sum_rows(rows, of_tree));
	say("tree_truth_us", reaped_us(CT_CHILD, 0, from, to) + living_us(from, to));
	say("lost_truth_us", reaped_us(CT_LOST, 0, from, to));
	say("rows_us", sum_rows(rows, of_tasks));
	say("residual_us", sum_rows(rows, of_residual));
	say("root_us", (truth_at(CT_ROOT, 0, to) - truth_at(CT_ROOT, 0, from)) / 1e3);
	say("busy_us", (truth_at(CT_BUSY, 0, to) - truth_at(CT_BUSY, 0, from)) / 1e3);
}

static void take_options(int argc, char **argv)
{
	static const struct option options[] = {{"prefix", 1, NULL, 'f'},
		{"pid", 1, NULL, 'p'}, {"tid", 0, NULL, 't'}, {0}};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'f')
			prefix = optarg;
		else if (c == 'p')
			wanted = atoi(optarg);
		else if (c == 't')
			by_thread = true;
		else
			exit(2);
	}
	if (optind + 2 != argc)
		errx(2, "usage: verifycpu [--prefix P] [--pid PID] [--tid] TRUTH ROWS");
}

int main(int argc, char **argv)
{
	struct rows rows = {0};

	take_options(argc, argv);
	each_line(argv[optind], take_truth, NULL);
	if (n_truth == 0)
		errx(2, "%s: no truth in it", argv[optind]);
	qsort(truth, n_truth, sizeof(*truth), by_time);
	each_line(argv[optind + 1], take_row, &rows);
	for (size_t i = 0; i < n_truth && !wanted; i++)
		if (truth[i].kind == CT_STEP)
			wanted = truth[i].pid;
	if (wanted)
		task_figures(&rows);
	run_figures(&rows);
	return 0;
}
