// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "cli/start.h"
#include "run/limit.h"
#include "run/outcome.h"
#include "kernel/cgroup.h"
#include "result/report.h"
#include "result/yaml.h"
#include "run.h"
#include "run_state.h"

/* --- outputs ------------------------------------------------------------------------ */

static void set_up(
	void *ctx, struct sm_table *out, enum sm_format format, struct sm_sink *sink)
{
	struct run *r = ctx;
	size_t i = (size_t)(out - r->outputs.out);

	(void)sink;
	r->format[i] = format;
	rows_init(&r->rows[i], format);
}

bool run_is_machine(const struct run *r, unsigned int i)
{
	return r->format[i] != SM_FORMAT_TABLE;
}

/* On standard output, where nothing else is to be. */
static bool yaml_is_all(const struct config *c)
{
	return c->yaml && strcmp(c->yaml, "-") == 0;
}

/* Of the table, with its intervals. */
bool run_has_report(const struct config *c)
{
	return !c->quiet && !yaml_is_all(c);
}

/* name: NULL: none. */
static int open_file(struct sm_endfile *file, const char *name)
{
	int err = name ? sm_endfile_open(file, name, sm_priv_open_as_invoker) : 0;

	if (err)
		sm_err_at(name, err);
	return err ? STRESSORS_USAGE : 0;
}

static int open_files(struct run *r)
{
	int status = open_file(&r->yaml, yaml_is_all(r->c) ? NULL : r->c->yaml);

	return status ? status : open_file(&r->log, r->c->log_file);
}

static int open_outputs(struct run *r)
{
	struct sm_outputs_want want = {.json = r->c->json,
		.csv = r->c->csv,
		.queue_bytes = SM_SINK_DEFAULT_MAX,
		.set_up = set_up,
		.ctx = r};
	const char *what;
	int err, status;

	sm_writers_init(&r->writers, &r->v.loop);
	/* The opening of a FIFO waits for its reader: a signal ends the wait. */
	if (sm_outputs_may_wait(&want) || sm_outputs_waits(r->c->yaml) ||
		sm_outputs_waits(r->c->log_file))
		sm_loop_release(&r->v.loop);
	err = sm_outputs_open(&r->outputs, &want, &what);
	status = err ? STRESSORS_USAGE : open_files(r);
	sm_loop_catch(&r->v.loop);
	if (!err)
		err = sm_outputs_writers(&r->outputs, &r->writers);
	if (!err)
		return status;
	sm_err_at(what, err);
	return STRESSORS_USAGE;
}

/* What r->text has, to an output. */
void run_put(struct run *r, unsigned int i)
{
	unsigned int rows = 0;

	for (size_t k = 0; k < r->text.len; k++)
		rows += r->text.p[k] == '\n';
	(void)sm_sink_put_buf(&r->outputs.sink[i], &r->text, rows);
	sm_buf_reset(&r->text);
}

/* No reader any more, or no disk: the run ends. */
void run_flush(struct run *r)
{
	if (!sm_writers_flush(&r->writers))
		r->v.cancel = true;
}

/* --- stages ------------------------------------------------------------------------- */

/* They were to come after the end that a signal or a failure set. */
static void not_started(struct run *r, size_t from)
{
	for (size_t i = from; i < r->c->plan.n; i++)
		r->result[i] = (struct result){.job = &r->c->plan.job[i],
			.status = RESULT_INTERRUPTED,
			.reason = strdup("not started")};
}

static void put_results(struct run *r, const struct result *from, size_t n)
{
	for (unsigned int i = 0; i < r->outputs.n; i++) {
		if (!run_is_machine(r, i))
			continue;
		rows_results(&r->rows[i], from, n, &r->text);
		run_put(r, i);
	}
	run_flush(r);
}

static bool has_failure(const struct result *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (r[i].status == RESULT_FAIL)
			return true;
	return false;
}

static int run_stage(struct run *r, struct job *j, size_t n)
{
	struct stage *g = &r->stage[r->n_stages];
	struct result *to = &r->result[j - r->c->plan.job];
	int err = limit_apply(&r->c->plan, j, n, &r->root);

	if (!err)
		err = supervisor_run(&r->v, g, j, n);
	r->n_stages++;
	run_erase_progress(r);
	if (!err)
		err = outcome_results(&r->v, g, to);
	if (err)
		return err;
	if (g->go_ns)
		meters_end(&r->meters, (double)(g->stop_ns - g->go_ns) / 1e9, to, n);
	put_results(r, to, n);
	return 0;
}

static int run_stages(struct run *r)
{
	const struct plan *p = &r->c->plan;
	size_t step = p->sequential ? 1 : p->n, i = 0;
	int err = 0;

	for (; i < p->n && !err && !r->v.signal && !r->v.cancel; i += step) {
		err = run_stage(r, &p->job[i], step);
		if (!err && p->abort && has_failure(&r->result[i], step)) {
			i += step;
			break;
		}
	}
	if (!err)
		not_started(r, i);
	return err;
}

/* --- the end ------------------------------------------------------------------------ */

static int status_of(const struct run *r)
{
	struct facts_counts counts;

	facts_count(r->result, r->c->plan.n, &counts);
	if (counts.n[RESULT_FAIL])
		return STRESSORS_FAILED;
	if (r->v.signal)
		return 128 + r->v.signal;
	if (counts.n[RESULT_LACKS])
		return STRESSORS_LACKS;
	if (counts.n[RESULT_SKIP] && (r->c->strict || !counts.n[RESULT_PASS]))
		return STRESSORS_CANNOT;
	return STRESSORS_OK;
}

static void report(struct run *r)
{
	struct report_to to = {.text_flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0};
	unsigned int lines;

	if (sm_tty_size(STDOUT_FILENO, &to.columns, &lines) < 0)
		to.columns = 0;
	else if (!r->c->color_never)
		to.color = sm_outputs_color(&r->outputs, SM_COLOR_AUTO);
	for (unsigned int i = 0; i < r->outputs.n; i++) {
		if (run_is_machine(r, i))
			rows_end(&r->rows[i], r->result, r->c->plan.n, &r->facts,
				&r->text);
		else if (run_has_report(r->c))
			report_put(
				r->result, r->c->plan.n, r->c, &r->facts, &to, &r->text);
		run_put(r, i);
	}
	if (!yaml_is_all(r->c))
		return;
	yaml_put(r->result, r->c->plan.n, r->c, &r->facts, &r->text);
	run_put(r, 0);
}

/* A file that gets the run's text at the end. */
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

/* After the rows: the reader of a FIFO may let it wait, and a signal ends that. */
static int write_file(struct run *r, struct sm_endfile *file, const char *name)
{
	struct replacing w = {file, &r->text};
	int err = sm_buf_error(&r->text);

	if (file->straight)
		sm_loop_release(&r->v.loop);
	if (!err)
		err = sm_priv_as_invoker(replace_file, &w);
	sm_loop_catch(&r->v.loop);
	if (err)
		sm_err_at(name, err);
	sm_buf_reset(&r->text);
	return err ? STRESSORS_USAGE : 0;
}

static int write_yaml(struct run *r)
{
	if (r->yaml.fd < 0)
		return 0;
	yaml_put(r->result, r->c->plan.n, r->c, &r->facts, &r->text);
	return write_file(r, &r->yaml, r->c->yaml);
}

/* The report as text, whatever standard output has. */
static int write_log(struct run *r)
{
	struct report_to to = {.text_flags = sm_tty_utf8() ? SM_TEXT_UTF8 : 0};

	if (r->log.fd < 0)
		return 0;
	report_put(r->result, r->c->plan.n, r->c, &r->facts, &to, &r->text);
	return write_file(r, &r->log, r->c->log_file);
}

static int finish(struct run *r)
{
	int status, code;
	bool written;

	facts_end(&r->facts);
	r->facts.signal = r->v.signal;
	status = status_of(r);
	r->facts.lost_rows = sm_outputs_dropped(&r->outputs);
	r->facts.exit = status || !r->facts.lost_rows ? status : STRESSORS_USAGE;
	report(r);
	written = sm_start_finish(&r->writers);
	code = write_yaml(r);
	if (!code)
		code = write_log(r);
	if (!written)
		code = r->writers.no_reader ? 0 : sm_start_output_code(&r->writers);
	if (r->writers.no_reader)
		return 128 + SIGPIPE;
	(void)sm_outputs_report_lost(&r->outputs, &r->writers, false);
	if (sm_outputs_dropped(&r->outputs))
		code = STRESSORS_USAGE;
	return status ? status : code;
}

/* --- the beginning ------------------------------------------------------------------ */

static int find_perf(struct run *r)
{
	const char *why;
	int err;

	if (!r->c->perf)
		return 0;
	err = perf_find(&r->perf, &r->root, &why);
	if (err == -ENOMEM)
		return err;
	if (err)
		sm_err("--perf: %s",
			err == -EACCES
				? "events are for root only (kernel.perf_event_paranoid)"
				: "this kernel counts no events");
	else if (*why)
		sm_err("--perf: %s", why);
	r->v.perf = err ? NULL : &r->perf;
	return 0;
}

static int open_meters(struct run *r)
{
	struct sm_buf why = {0};
	int err = meters_open(&r->meters, &r->root, r->c->rapl, r->c->tz, &why);

	sm_buf_chr(&why, '\0');
	if (!err && why.err)
		err = why.err;
	for (char *line = err ? NULL : strtok(why.p, "\n"); line;
		line = strtok(NULL, "\n"))
		sm_err("%s", line);
	sm_buf_fini(&why);
	return err;
}

/* --taskset is for all that run, and for the supervisor. */
static int place(const struct plan *p)
{
	if (p->has_cpus && sched_setaffinity(0, sizeof(p->cpus), &p->cpus) < 0)
		return -errno;
	/* Without the right to it the instances cannot have their policy either, and say
	 * so. */
	if (p->has_sched && policy_realtime(p->sched))
		(void)!policy_lead();
	return 0;
}

static int begin(struct run *r)
{
	size_t n = r->c->plan.n;
	int err = supervisor_open(&r->v);

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
	if (err)
		return err;
	run_watch(r);
	return 0;
}

/* The table says nothing of the machine: a short run is not to wait for it. */
static void see_machine(struct run *r)
{
	bool wanted = r->c->yaml || r->c->times;

	for (unsigned int i = 0; i < r->outputs.n; i++)
		wanted = wanted || run_is_machine(r, i);
	if (!wanted)
		return;
	facts_machine(&r->facts);
	sm_root_boot_id(&r->root, r->boot_id);
	r->facts.boot_id = r->boot_id;
}

static void see_limit(struct run *r)
{
	uint64_t milli;

	if (sm_cgroup_limit_milli(&r->root, &milli) < 0)
		return;
	r->facts.cpu_limit = (double)milli / 1000;
	r->facts.cpu_asked = limit_cpus(&r->c->plan);
}

static void put_begin(struct run *r)
{
	facts_begin(&r->facts);
	see_limit(r);
	see_machine(r);
	for (unsigned int i = 0; i < r->outputs.n; i++)
		if (run_is_machine(r, i)) {
			rows_begin(&r->rows[i], r->c, &r->facts, &r->text);
			run_put(r, i);
		}
	run_flush(r);
}

static void end(struct run *r)
{
	for (size_t i = 0; r->result && i < r->c->plan.n; i++)
		outcome_free(&r->result[i]);
	for (size_t i = 0; i < r->n_stages; i++)
		supervisor_free(&r->stage[i]);
	free(r->stage);
	free(r->result);
	free(r->seen);
	free(r->so_far);
	for (unsigned int i = 0; i < r->outputs.n; i++)
		rows_fini(&r->rows[i]);
	sm_buf_fini(&r->text);
	meters_close(&r->meters);
	sm_outputs_close(&r->outputs);
	sm_endfile_close(&r->yaml);
	sm_endfile_close(&r->log);
	supervisor_close(&r->v);
	perf_close(&r->perf);
	sm_root_close(&r->root);
}

static int refuse(int err)
{
	sm_err("cannot run: %s", strerror(-err));
	return STRESSORS_USAGE;
}

static int run_opened(struct run *r)
{
	int err, status = open_outputs(r);

	if (status)
		return status;
	put_begin(r);
	err = run_stages(r);
	return err ? refuse(err) : finish(r);
}

int run_all(struct config *c)
{
	struct run r = {.c = c,
		.v = {.plan = &c->plan, .loop = SM_LOOP_INIT, .ready_fd = -1},
		.yaml = SM_ENDFILE_INIT,
		.log = SM_ENDFILE_INIT};
	int status, err;

	if (inherit_take(&c->plan.inherit) < 0)
		return STRESSORS_USAGE;
	err = place(&c->plan);
	if (!err)
		err = sm_root_open(&r.root, NULL);
	if (err)
		return refuse(err);
	r.v.root = &r.root;
	r.v.watch = &r.watch;
	r.progress = c->progress && isatty(STDERR_FILENO);
	err = begin(&r);
	status = err ? refuse(err) : run_opened(&r);
	end(&r);
	return status;
}
