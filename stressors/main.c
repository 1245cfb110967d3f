// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stressors: loads the machine, checks the results, and measures the rates.
 *
 *	opts: options and job file -> plan
 *	run/supervisor: stages of the plan, one after the other
 *	run/outcome: results of their jobs
 *	result: report, CSV, JSON, YAML;  live: rates while a stage runs;  metrics: --prom
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/app_rows.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "cli/start.h"
#include "cli/tty.h"
#include "proc/cgroup.h"
#include "result/report.h"
#include "result/yaml.h"
#include "run.h"
#include "run/image.h"
#include "run/limit.h"
#include "run/outcome.h"

static struct run run;

/* --- outputs ------------------------------------------------------------------------ */

static void table(
	void *ctx, struct sm_table *out, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;
	size_t i = (size_t)(out - r->app.outputs.out);

	(void)sink;
	r->format[i] = format;
	rows_init(&r->rows[i], format, &r->c->app);
}

bool run_is_machine(const struct run *r, unsigned int i)
{
	return r->format[i] != SM_FORMAT_TABLE;
}

/* Returns true if YAML goes to standard output, and is the only text there. */
static bool yaml_is_all(const struct config *c)
{
	return c->yaml && strcmp(c->yaml, "-") == 0;
}

bool run_has_report(const struct config *c)
{
	return !c->app.quiet && !yaml_is_all(c);
}

void run_put(struct run *r, unsigned int i)
{
	unsigned int rows = 0;

	for (size_t k = 0; k < r->text.len; k++)
		rows += r->text.p[k] == '\n';
	(void)sm_sink_put_buf(&r->app.outputs.sink[i], &r->text, rows);
	sm_buf_reset(&r->text);
}

/* Opens an output file; does nothing if name is NULL.  Opening a FIFO waits for a reader;
 * a signal ends the wait. */
static int open_file(struct run *r, struct sm_endfile *file, const char *name)
{
	int err;

	if (!name)
		return 0;
	if (sm_outputs_waits(name))
		sm_loop_release(&r->app.loop);
	err = sm_endfile_open(file, name, sm_priv_open_as_invoker);
	sm_loop_catch(&r->app.loop);
	if (err)
		sm_err_at(name, err);
	return err ? STRESSORS_USAGE : 0;
}

/* --- the start ---------------------------------------------------------------------- */

/* Prints a list or the dry run, after which the program exits. */
static int show(const struct sm_buf *text)
{
	int err =
		text->err ? text->err : sm_file_write(STDOUT_FILENO, text->p, text->len);

	if (!err)
		return SM_APP_DONE;
	sm_err("cannot write to standard output: %s", strerror(-err));
	return STRESSORS_USAGE;
}

/* Applies --taskset to the supervisor, and so to the instances, which inherit it. */
static int place(const struct plan *p)
{
	if (p->has_cpus && sched_setaffinity(0, sizeof(p->cpus), &p->cpus) < 0)
		return sm_app_refuse("--taskset", -errno);
	/* If this fails for lack of privileges, the instances cannot set their policy
	 * either, and report it. */
	if (p->has_sched && policy_realtime(p->sched))
		(void)!policy_lead();
	return inherit_take(&p->inherit) < 0 ? STRESSORS_USAGE : 0;
}

static int prepare(void *ctx)
{
	struct run *r = ctx;
	SM_CLEANUP(sm_buf_fini) struct sm_buf text = {0};
	int err = opts_plan(r->c, &r->app.root, &text);

	sm_buf_chr(&text, '\0');
	if (err)
		return text.err ? sm_app_refuse("plan", -ENOMEM)
				: sm_app_usage(&r->app, text.p);
	sm_buf_reset(&text);
	return opts_show(r->c, &r->app.root, &text) ? show(&text) : place(&r->c->plan);
}

static int find_perf(struct run *r)
{
	const char *why;
	int err = r->c->perf ? perf_find(&r->perf, &r->app.root, &why) : -ENOENT;

	if (!r->c->perf || err == -ENOMEM)
		return r->c->perf ? err : 0;
	if (err)
		sm_err("--perf: %s",
			err == -EACCES
				? "needs root, or a lower kernel.perf_event_paranoid"
				: "this kernel cannot count events");
	else if (*why)
		sm_err("--perf: %s", why);
	r->v.perf = err ? NULL : &r->perf;
	return 0;
}

static int open_meters(struct run *r)
{
	struct sm_buf why = {0};
	int err = meters_open(&r->meters, &r->app.root, r->c->rapl, r->c->tz, &why);

	sm_buf_chr(&why, '\0');
	if (!err && why.err)
		err = why.err;
	for (char *line = err ? NULL : strtok(why.p, "\n"); line;
		line = strtok(NULL, "\n"))
		sm_err("%s", line);
	sm_buf_fini(&why);
	return err;
}

/* An error ends the program, because the purpose of the run is its coverage. */
static int open_coverage(struct run *r)
{
	struct sm_bpf_log log = {0};
	int err = r->c->coverage ? coverage_open(&r->coverage, &log) : 0;

	if (!err)
		return 0;
	if (err == -EPERM || err == -EACCES)
		sm_err("--coverage: needs root, or CAP_BPF and CAP_PERFMON");
	else if (err == -ENOTSUP || err == -ENOSYS || err == -EINVAL)
		sm_err("--coverage: needs Linux 5.10 or newer, with BPF");
	else
		sm_err("--coverage: %s", strerror(-err));
	return STRESSORS_USAGE;
}

static int open_run(void *ctx)
{
	struct run *r = ctx;
	size_t n = r->c->plan.n;
	int code, err = supervisor_open(&r->v, &r->app.loop);

	if (!err)
		err = find_perf(r);
	if (!err)
		err = open_meters(r);
	r->stage = calloc(n, sizeof(*r->stage));
	r->result = calloc(n, sizeof(*r->result));
	r->seen = calloc(n, sizeof(*r->seen));
	r->so_far = calloc(n, sizeof(*r->so_far));
	if (!err && (!r->stage || !r->result || !r->seen || !r->so_far))
		err = -ENOMEM;
	if (err) {
		sm_err("cannot run: %s", strerror(-err));
		return STRESSORS_USAGE;
	}
	r->progress = r->c->progress && isatty(STDERR_FILENO);
	live_watch(r);
	code = open_coverage(r);
	if (!code)
		code = open_file(r, &r->yaml, yaml_is_all(r->c) ? NULL : r->c->yaml);
	return code ? code : open_file(r, &r->log, r->c->log_file);
}

/* Reads facts about the machine if an output contains them.  The table does not, so a
 * short run does not wait for them. */
static void see_machine(struct run *r)
{
	bool wanted = r->c->yaml || r->c->times;

	for (unsigned int i = 0; i < r->app.outputs.n; i++)
		wanted = wanted || run_is_machine(r, i);
	if (!wanted)
		return;
	facts_machine(&r->facts);
	sm_root_boot_id(&r->app.root, r->boot_id);
	r->facts.boot_id = r->boot_id;
}

static void see_limit(struct run *r)
{
	uint64_t milli;

	if (sm_cgroup_limit_milli(&r->app.root, &milli) < 0)
		return;
	r->facts.cpu_limit = (double)milli / 1000;
	r->facts.cpu_asked = limit_cpus(&r->c->plan);
}

/* --- stages ------------------------------------------------------------------------- */

static void fail(struct run *r, int err)
{
	sm_app_fail(&r->app, "cannot run", err);
}

static void remove_scratch(struct run *r)
{
	int err = scratch_remove(&r->scratch);

	r->v.scratch_fd = -1;
	if (err)
		sm_err("cannot remove %s/%s: %s", scratch_path(&r->c->plan),
			r->scratch.name, strerror(-err));
}

static void start_stage(struct run *r)
{
	struct plan *p = &r->c->plan;
	struct job *j = &p->job[r->n_results];
	size_t n = p->sequential ? 1 : p->n;
	int err = limit_apply(p, j, n, &r->app.root);

	if (!err)
		err = scratch_make_for(&r->scratch, p, j, n);
	r->v.scratch_fd = r->scratch.fd;
	if (!err)
		err = supervisor_start(&r->v, &r->stage[r->n_stages++], j, n);
	if (err)
		fail(r, err);
}

static int begin(void *ctx)
{
	struct run *r = ctx;

	facts_begin(&r->facts);
	see_limit(r);
	see_machine(r);
	for (unsigned int i = 0; i < r->app.outputs.n; i++) {
		if (!run_is_machine(r, i))
			continue;
		rows_begin(&r->rows[i], r->c, &r->facts, &r->text);
		run_put(r, i);
	}
	start_stage(r);
	return 0;
}

static void put_results(struct run *r, const struct result *from, size_t n)
{
	for (unsigned int i = 0; i < r->app.outputs.n; i++) {
		if (!run_is_machine(r, i))
			continue;
		rows_results(&r->rows[i], from, n,
			sm_app_rows_wall_ns(sm_clock_mono_ns()), &r->text);
		run_put(r, i);
	}
}

static bool has_failure(const struct result *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].status == RESULT_FAIL)
			return true;
	return false;
}

static void end_stage(struct run *r)
{
	const struct stage *g = &r->stage[r->n_stages - 1];
	const struct plan *p = &r->c->plan;
	struct result *to = &r->result[r->n_results];
	size_t n = g->n_jobs;
	int err;

	remove_scratch(r);
	live_erase(r);
	err = outcome_results(&r->v, g, to);
	if (err) {
		fail(r, err);
		return;
	}
	r->n_results += n;
	if (g->go_ns)
		meters_end(&r->meters, (double)(g->stop_ns - g->go_ns) / 1e9, to, n);
	put_results(r, to, n);
	if (r->v.cut || r->n_results == p->n || (p->abort && has_failure(to, n)))
		r->app.stop = true;
	else
		start_stage(r);
}

/* A stage that is over is ended only in the next iteration, so that a signal that arrived
 * with the last SIGCHLD is handled first. */
static void iterate(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	if (r->v.phase == SUPERVISOR_IS_OVER)
		end_stage(r);
	else
		supervisor_step(&r->v, now_ns);
}

static uint64_t next(void *ctx)
{
	const struct run *r = ctx;

	return r->v.phase == SUPERVISOR_IS_OVER ? 0 : supervisor_next(&r->v);
}

/* A second signal kills the instances immediately. */
static void stopping(void *ctx, int signal, uint64_t now_ns)
{
	struct run *r = ctx;

	supervisor_stop(&r->v, signal && r->v.cut, now_ns);
}

static void interim(void *ctx)
{
	live_interim(ctx);
}

/* --- the end ------------------------------------------------------------------------ */

static int status_of(const struct run *r)
{
	struct facts_counts counts;

	facts_count(r->result, r->n_results, &counts);
	if (counts.n[RESULT_FAIL])
		return STRESSORS_FAILED;
	if (r->app.stopped_by)
		return 128 + r->app.stopped_by;
	if (counts.n[RESULT_LACKS])
		return STRESSORS_LACKS;
	if (counts.n[RESULT_SKIP] && (r->c->app.strict || !counts.n[RESULT_PASS]))
		return STRESSORS_CANNOT;
	return STRESSORS_OK;
}

static int verdict(void *ctx)
{
	return status_of(ctx);
}

static void read_coverage(struct run *r)
{
	int err = r->c->coverage ? coverage_read(&r->coverage, &r->covered) : -ENOENT;

	if (!err)
		r->facts.coverage = &r->covered;
	else if (r->c->coverage)
		fail(r, err);
}

/* Adds the results of jobs that did not start because a signal or a failure ended the
 * run. */
static void last(void *ctx)
{
	struct run *r = ctx;

	for (; r->n_results < r->c->plan.n; r->n_results++)
		r->result[r->n_results] =
			(struct result){.job = &r->c->plan.job[r->n_results],
				.status = RESULT_INTERRUPTED,
				.reason = strdup("not started")};
	read_coverage(r);
	facts_end(&r->facts);
	r->facts.signal = r->app.stopped_by;
	r->facts.exit = status_of(r);
}

static struct report_to report_to(const struct run *r)
{
	return (struct report_to){.text_flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0,
		.no_header = r->c->app.no_header};
}

static void summary(void *ctx)
{
	struct run *r = ctx;
	const struct sm_outputs *f = &r->app.outputs;
	struct report_to to = report_to(r);
	unsigned int lines;

	if (f->file[0] >= 0 || sm_tty_size(STDOUT_FILENO, &to.columns, &lines) < 0)
		to.columns = 0;
	r->facts.lost_rows = sm_outputs_dropped(f);
	if (!r->facts.exit && r->facts.lost_rows && r->c->app.strict)
		r->facts.exit = STRESSORS_LOST;
	to.color = sm_outputs_color(f, (enum sm_color)r->c->app.color);
	for (unsigned int i = 0; i < f->n; i++) {
		if (run_is_machine(r, i))
			rows_end(&r->rows[i], r->result, r->n_results, &r->facts,
				&r->text);
		else if (run_has_report(r->c))
			report_put(
				r->result, r->n_results, r->c, &r->facts, &to, &r->text);
		run_put(r, i);
	}
	if (!yaml_is_all(r->c))
		return;
	yaml_put(r->result, r->n_results, r->c, &r->facts, &r->text);
	run_put(r, 0);
}

/* An output file and the text that is written to it at the end. */
struct replacing {
	struct sm_endfile *file;
	struct sm_buf *text;
};

static int fill_file(void *ctx, int fd)
{
	const struct sm_buf *text = ctx;

	return sm_file_write(fd, text->p, text->len);
}

static int replace_file(void *ctx)
{
	struct replacing *w = ctx;

	return sm_endfile_write(w->file, fill_file, w->text);
}

/* Called after the rows were written.  Writing to a FIFO may block until its reader
 * reads; a signal ends the wait. */
static void write_file(struct run *r, struct sm_endfile *file, const char *name)
{
	struct replacing w = {file, &r->text};
	int err = sm_buf_error(&r->text);

	if (file->straight)
		sm_loop_release(&r->app.loop);
	if (!err)
		err = sm_priv_as_invoker(replace_file, &w);
	sm_loop_catch(&r->app.loop);
	if (err)
		sm_app_fail(&r->app, name, err);
	sm_buf_reset(&r->text);
}

static void files(void *ctx)
{
	struct run *r = ctx;
	struct report_to to = report_to(r);

	if (r->yaml.fd >= 0) {
		yaml_put(r->result, r->n_results, r->c, &r->facts, &r->text);
		write_file(r, &r->yaml, r->c->yaml);
	}
	/* The log file contains the report as text, independent of the format on standard
	 * output. */
	if (r->log.fd >= 0) {
		report_put(r->result, r->n_results, r->c, &r->facts, &to, &r->text);
		write_file(r, &r->log, r->c->log_file);
	}
}

static void metrics(void *ctx, struct sm_prom *p)
{
	metrics_write(ctx, p);
}

static void close_run(void *ctx)
{
	struct run *r = ctx;

	remove_scratch(r);
	for (size_t i = 0; i < r->n_results; i++)
		outcome_free(&r->result[i]);
	for (size_t i = 0; i < r->n_stages; i++)
		supervisor_free(&r->stage[i]);
	free(r->stage);
	free(r->result);
	free(r->seen);
	free(r->so_far);
	for (unsigned int i = 0; i < SM_OUTPUTS_MAX; i++)
		rows_fini(&r->rows[i]);
	sm_buf_fini(&r->text);
	meters_close(&r->meters);
	coverage_free(&r->covered);
	coverage_close(&r->coverage);
	sm_endfile_close(&r->yaml);
	sm_endfile_close(&r->log);
	supervisor_close(&r->v);
	perf_close(&r->perf);
}

static const struct sm_app_tool tool = {
	.spec = sm_tool_spec,
	.keeps_privileges = true,
	.reaps_children = true,
	.needs_no_proc = true,
	.table = table,
	.prepare = prepare,
	.open = open_run,
	.begin = begin,
	.next = next,
	.iterate = iterate,
	.stopping = stopping,
	.interim = interim,
	.last = last,
	.summary = summary,
	.metrics = metrics,
	.files = files,
	.verdict = verdict,
	.close = close_run,
};

int main(int argc, char **argv)
{
	int status;

	if (image_is_asked(argc, argv))
		return image_main(argv);
	run.v = (struct supervisor){.ready_fd = -1,
		.scratch_fd = -1,
		.root = &run.app.root,
		.watch = &run.watch};
	run.scratch = (struct scratch)SCRATCH_INIT;
	run.coverage = (struct coverage)COVERAGE_INIT;
	run.yaml = run.log = (struct sm_endfile)SM_ENDFILE_INIT;
	run.c = opts_begin();
	if (!run.c) {
		sm_err_init("stressors");
		return sm_app_refuse("options", -ENOMEM);
	}
	run.v.plan = &run.c->plan;
	status = sm_app_main(&run.app, &tool, &run, run.c, argc, argv);
	opts_end();
	return status;
}
