// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "cli/app_rows.h"
#include "cli/err.h"
#include "cli/start.h"
#include "../run.h"
#include "children.h"

#define STEP_NS		(10 * SM_NSEC_PER_MSEC)
#define EXEC_POLL_NS	SM_NSEC_PER_MSEC /* until COMMAND has executed its program */
#define REST		9		 /* pause, in CPU times of the snapshot */
#define TRIES		3	   /* attempts if a process changes while it is read */
#define QUEUE_MAX_BYTES (8u << 20) /* rows that wait for a slow reader */

/* --- the start ------------------------------------------------------------------ */

void series_init(struct run *r)
{
	const struct sm_app_opts *o = &r->opts.app;
	bool endless = r->app.command || o->asked_interval_ns || o->duration_ns;

	r->series = (struct series){
		.exits_fd = -1, .view = {.opts = &r->opts, .app = &r->app}};
	r->series.max = o->have_count ? o->count : endless ? 0 : 1;
}

static void on_exits(void *ctx, short revents);

static int watch_exit(const struct series *s, const struct target *t)
{
	struct epoll_event e = {.events = EPOLLIN};

	if (t->pid_fd < 0 || epoll_ctl(s->exits_fd, EPOLL_CTL_ADD, t->pid_fd, &e) == 0)
		return 0;
	return -errno;
}

/* Registers the pidfds, so that exits are reported immediately. */
static int watch_exits(struct run *r)
{
	struct series *s = &r->series;
	int err = 0;

	s->exits_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->exits_fd < 0)
		return -errno;
	for (size_t i = 0; !err && i < r->nprocs; i++)
		err = watch_exit(s, &r->procs[i].target);
	if (!err)
		err = sm_loop_add(&r->app.loop, s->exits_fd, POLLIN, on_exits, r);
	return err < 0 ? err : 0;
}

static void on_opener(void *ctx, short revents);

int series_open(struct run *r)
{
	int err = 0;

	r->series.alive = r->nprocs;
	if (!r->batch)
		return 0;
	if (r->series.max != 1)
		err = watch_exits(r);
	if (!err)
		err = run_watch_opener(r, on_opener);
	return err ? sm_app_refuse("start", err) : 0;
}

void series_close(struct run *r)
{
	struct series *s = &r->series;

	if (s->stage == STAGE_FILL)
		peek_fill_end(&s->fill);
	sm_buf_fini(&s->view.text);
	sm_proctree_fini(&s->tree);
	if (s->exits_fd >= 0)
		close(s->exits_fd);
}

/* --- processes that end, or execute other programs ------------------------------ */

static void gone(struct run *r, struct snapshot *p)
{
	struct series *s = &r->series;
	enum target_state state = p->target.state;
	bool lost = state != TARGET_ZOMBIE && state != TARGET_EXITED;

	if (children_has(r, p) && !p->target.execs)
		return; /* it has never been read */
	if (s->exits_fd >= 0 && p->target.pid_fd >= 0)
		epoll_ctl(s->exits_fd, EPOLL_CTL_DEL, p->target.pid_fd, NULL);
	if (lost || !(p == r->command || children_has(r, p)))
		run_explain(&p->target);
	if (lost || p != r->command)
		view_event(&s->view, p, lost ? "lost" : "exited");
	if (--s->alive == 0)
		r->app.stop = true;
}

static void new_program(struct run *r, struct snapshot *p)
{
	bool first = children_has(r, p) && p->target.execs == 1;
	int err = first ? run_attach_child(r, p) : run_attach(r, p);

	if (first && !err)
		r->series.alive++;
	else if (!first && err)
		sm_app_fail(&r->app, "--method=scan", err);
	if (p == r->command && r->series.starting)
		r->series.starting = false;
	else if (!first)
		view_event(&r->series.view, p, "exec");
}

/* Checks whether a monitored process has exited or executed another program. */
static enum target_state check(struct run *r, struct snapshot *p)
{
	enum target_state state = target_check(&p->target);

	if (target_over(state))
		gone(r, p);
	else if (state == TARGET_EXECED)
		new_program(r, p);
	return state;
}

static void check_all(struct run *r)
{
	for (size_t i = 0; i < r->nprocs; i++)
		if (!target_over(r->procs[i].target.state))
			(void)check(r, &r->procs[i]);
}

static void on_exits(void *ctx, short revents)
{
	(void)revents;
	check_all(ctx);
}

/* The opener has returned files, or has ended. */
static void on_opener(void *ctx, short revents)
{
	struct run *r = ctx;

	(void)revents;
	if (!run_hear_opener(r))
		sm_err("%s", OPENER_LOST);
	for (size_t i = 0; i < r->nprocs; i++)
		if (r->procs[i].target.state == TARGET_WAITING)
			(void)check(r, &r->procs[i]);
}

/* --- a snapshot ----------------------------------------------------------------- */

/* A single snapshot does not wait for room on a disk. */
static bool reader_is_slow(const struct run *r)
{
	const struct sm_outputs *o = &r->app.outputs;

	for (unsigned int i = 0; i < o->n; i++)
		if (o->sink[i].queued_bytes > QUEUE_MAX_BYTES && o->sink[i].blocked &&
			!(o->sink[i].full && r->series.max == 1))
			return true;
	return false;
}

/* Chooses the next process to read.  Those that wait for their new program come last:
 * s->late counts them. */
static void choose(struct run *r)
{
	struct series *s = &r->series;

	s->late = 0;
	for (s->at = 0; s->at < r->nprocs; s->at++) {
		const struct snapshot *p = &r->procs[s->at];

		if (!p->unread || target_over(p->target.state))
			continue;
		if (p->target.state != TARGET_WAITING)
			break;
		s->late++;
	}
	s->row = 0;
	s->tries = 0;
	s->stage = STAGE_MAPPINGS;
}

/* Goes to the next process.  After the last one, the series pauses. */
static void next_process(struct run *r)
{
	struct series *s = &r->series;

	r->procs[s->at].unread = false;
	choose(r);
	if (s->at == r->nprocs)
		s->not_before_ns =
			sm_clock_mono_ns() + REST * (run_cpu_ns() - s->cpu_begin_ns);
}

static void start_sample(struct run *r)
{
	struct series *s = &r->series;

	s->reading = true;
	s->sample.processes = 0;
	s->cpu_begin_ns = run_cpu_ns();
	if (!s->starting)
		children_add(r);
	for (size_t i = 0; i < r->nprocs; i++)
		r->procs[i].unread = true;
	choose(r);
	s->view.shown = s->view.matched = 0;
}

static uint64_t names_cut(const struct run *r)
{
	uint64_t n = 0;

	for (size_t i = 0; i < r->nprocs; i++)
		n += r->procs[i].space.names_cut;
	return n;
}

static void end_sample(struct run *r)
{
	struct series *s = &r->series;

	s->reading = false;
	if (!s->sample.processes)
		return;
	s->sample.cpu_ns = run_cpu_ns() - s->cpu_begin_ns;
	s->sample.names_cut = names_cut(r);
	s->sample.left_out += children_denied(r);
	s->sample.number++;
	s->sample.t_ns = sm_clock_mono_ns();
	view_sample(&s->view, &s->sample);
	if (!s->max || s->sample.number < s->max)
		return;
	r->app.writers.patient = !r->app.stop;
	r->app.stop = true;
}

/* Leaves out a process that could not be read.  If no other snapshot follows, that is its
 * end. */
static void leave_out(struct run *r, struct snapshot *p)
{
	if (r->series.max != 1) {
		view_event(&r->series.view, p, "waiting");
		return;
	}
	if (p->target.state == TARGET_ALIVE)
		p->target.state = TARGET_EMPTY;
	gone(r, p);
	p->target.state = TARGET_EMPTY;
}

/* Ends a snapshot without the processes that still wait for their new program. */
static void end_without_late(struct run *r)
{
	for (size_t i = 0; i < r->nprocs; i++)
		if (r->procs[i].unread && r->procs[i].target.state == TARGET_WAITING)
			leave_out(r, &r->procs[i]);
	end_sample(r);
}

/* Handles an error of reading: after exec or exit, the process is read again or left out.
 */
static void failed(struct run *r, struct snapshot *p, int err)
{
	struct series *s = &r->series;
	enum target_state state;

	if (s->stage == STAGE_FILL)
		peek_fill_end(&s->fill);
	s->stage = STAGE_MAPPINGS;
	if (err != -ESRCH) {
		sm_app_fail(&r->app, "/proc", err);
		return;
	}
	state = check(r, p);
	if (state == TARGET_WAITING) {
		choose(r);
		return;
	}
	if (!target_over(state) && ++s->tries < TRIES)
		return;
	if (!target_over(state))
		leave_out(r, p);
	next_process(r);
}

static bool on_run(void *ctx, const struct snapshot *p, const struct page_run *run)
{
	struct run *r = ctx;

	view_run(&r->series.view, p, run);
	return !reader_is_slow(r);
}

static int begin_process(struct run *r, struct snapshot *p)
{
	struct series *s = &r->series;
	int err = snapshot_begin(p, on_run, r);

	if (err)
		return err;
	s->stage = STAGE_PAGES;
	if (!r->opts.read_all || p->last.t_ns)
		return 0;
	err = peek_fill_begin(
		&s->fill, &r->peek, &p->target, &p->reader, &p->space, 0, p->space.pages);
	if (!err)
		s->stage = STAGE_FILL;
	return err;
}

/* Reads in swapped-out pages; at the end, the snapshot begins again. */
static int fill(struct run *r, struct snapshot *p)
{
	struct series *s = &r->series;
	int more = peek_fill_step(&s->fill, STEP_NS);

	if (more)
		return more;
	peek_fill_end(&s->fill);
	s->stage = STAGE_PAGES;
	return snapshot_begin(p, on_run, r);
}

static int read_pages(struct run *r, struct snapshot *p)
{
	int err = snapshot_step(p, STEP_NS);

	if (err)
		return err;
	r->series.stage = STAGE_ROWS;
	err = r->opts.dirty ? target_clear_dirty(&p->target) : 0;
	if (err && err != -ESRCH)
		sm_app_fail(&r->app, "/proc", err);
	return 0;
}

/* Prints rows until all are printed or the reader is slow. */
static int put_rows(struct run *r, struct snapshot *p)
{
	struct series *s = &r->series;
	size_t n = view_rows(p);

	while (s->row < n) {
		if (reader_is_slow(r))
			return 1;
		view_row(&s->view, p, s->row++);
	}
	s->sample.processes++;
	next_process(r);
	return 0;
}

static void step(struct run *r)
{
	struct series *s = &r->series;
	struct snapshot *p = &r->procs[s->at];
	int err;

	if (s->stage != STAGE_ROWS &&
		(target_over(p->target.state) || p->target.state == TARGET_WAITING)) {
		choose(r);
		return;
	}
	if (s->stage == STAGE_ROWS)
		err = put_rows(r, p);
	else if (s->stage == STAGE_MAPPINGS)
		err = begin_process(r, p);
	else
		err = s->stage == STAGE_FILL ? fill(r, p) : read_pages(r, p);
	if (err < 0)
		failed(r, p, err);
}

/* --- the loop ------------------------------------------------------------------- */

static bool waits_for_late(const struct run *r)
{
	return r->series.reading && r->series.late && r->series.at == r->nprocs;
}

void series_begin(struct run *r)
{
	uint64_t now_ns = sm_clock_mono_ns();

	sm_app_rows_begin(&r->app);
	sm_app_go(&r->app, now_ns, r->opts.app.interval_ns);
	start_sample(r);
}

uint64_t series_next(const struct run *r)
{
	const struct series *s = &r->series;

	if (!s->reading || reader_is_slow(r) || waits_for_late(r))
		return SM_LOOP_FOREVER;
	return s->starting ? sm_clock_mono_ns() + EXEC_POLL_NS : 0;
}

void series_iterate(struct run *r)
{
	struct series *s = &r->series;

	if (s->starting)
		check_all(r);
	if (s->starting || !s->reading || reader_is_slow(r) || r->app.stop)
		return;
	if (waits_for_late(r))
		choose(r);
	if (s->at < r->nprocs)
		step(r);
	if (s->at == r->nprocs && !s->late)
		end_sample(r);
}

void series_sample(struct run *r)
{
	struct series *s = &r->series;
	uint64_t now_ns = sm_clock_mono_ns();

	if (s->starting)
		return;
	if (waits_for_late(r))
		end_without_late(r);
	if (s->max == 1)
		return;
	if (s->reading || now_ns < s->not_before_ns)
		s->sample.missed++;
	else
		start_sample(r);
}

/* --- the end -------------------------------------------------------------------- */

void series_last(struct run *r)
{
	struct series *s = &r->series;
	struct sm_child *c = &r->app.child;

	while (s->stage == STAGE_ROWS && put_rows(r, &r->procs[s->at]))
		if (!sm_start_finish(&r->app.writers) || r->app.writers.gave_up)
			break;
	if (s->reading && s->at == r->nprocs)
		end_without_late(r);
	if (!c->ended)
		return;
	check_all(r);
	sm_child_reap(c);
	if (!(r->command->target.stat.flags & SM_PF_FORKNOEXEC))
		view_command_exited(&s->view, r->command, c->peak_kb);
}

int series_verdict(const struct run *r)
{
	bool nothing = !r->series.sample.number && !r->series.alive;

	return nothing && !r->command ? SM_EXIT_RUNTIME : SM_EXIT_OK;
}
