// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes each batch of events: source -> track -> filter -> view. */
#include "cli/app_rows.h"
#include "run.h"

/* Longest wait for exit events of the tree of COMMAND after its exit. */
#define SETTLE_NS (200 * SM_NSEC_PER_MSEC)

/* --- losses ------------------------------------------------------------------------ */

static void show_lost(struct run *r, enum lost_source source, uint64_t n)
{
	struct row row = {.kind = EVENT_LOST,
		.time_ns = sm_clock_mono_ns(),
		.lost = n,
		.lost_source = source};

	summary_lost(&r->summary, source, n);
	view_row(&r->view, &row);
}

static void check_kernel_loss(struct run *r)
{
	int64_t n = 0;
	uint64_t failed = r->source.failed ? execfail_lost(&r->failed) : 0;

	if (r->source.socket_read) /* a full queue is not empty */
		n = sm_cnproc_update_lost(&r->source.cn);
	r->source.socket_read = false;
	n += (int64_t)(failed - r->failed_lost);
	r->failed_lost = failed;
	if (n <= 0)
		return;
	show_lost(r, LOST_KERNEL, (uint64_t)n);
	sm_tasktable_suspect(&r->procs);
}

/* Prints losses at most once per second; the rows concerned are shown anyway. */
static void check_names_loss(struct run *r, uint64_t now_ns, bool last)
{
	const uint64_t *shown = r->summary.lost;
	bool due = last || now_ns - r->names_shown_ns >= SM_NSEC_PER_SEC;

	r->found[LOST_NAMES] += r->procs.names_lost;
	r->procs.names_lost = 0;
	for (enum lost_source i = LOST_ARGUMENTS; due && i < LOST_SOURCES; i++) {
		if (r->found[i] == shown[i])
			continue;
		r->names_shown_ns = now_ns;
		show_lost(r, i, r->found[i] - shown[i]);
	}
}

void run_rows_lost(void *ctx, uint64_t rows)
{
	show_lost(ctx, LOST_OUTPUT, rows);
}

/* --- events to rows ----------------------------------------------------------------- */

/* Counts a shown name that is incomplete.  Unknown arguments are counted in the exec row,
 * and in other rows only if exec rows are not selected. */
static void count_name(struct run *r, const struct sm_task *p)
{
	uint32_t tag = p->cmd ? p->cmd->tag : 0;
	enum sm_name_source source = sm_tasktable_source(p);

	if (tag & SM_NAME_TRUNCATED)
		r->found[LOST_TRUNCATED]++;
	else if (source == SM_NAME_NONE)
		r->found[LOST_NAMES]++;
	else if (source == SM_NAME_FILE && !(tag & SM_NAME_EMPTY) &&
		 !(r->opts.events & EVENT_BIT(EVENT_EXEC)))
		r->found[LOST_ARGUMENTS]++;
}

/* Counts the incomplete data of a row that is shown. */
static void count_shown(struct run *r, const struct row *row)
{
	r->found[LOST_STATUS] += row_lacks_status(row);
	r->found[LOST_FACTS] += row->lacks_facts;
	r->found[LOST_ARGUMENTS] += row->lacks_arguments;
	if (row->kind == EVENT_EXEC)
		return;
	count_name(r, row->p);
	if (row->kind == EVENT_PTRCE && row->parent)
		count_name(r, row->parent);
}

static void show(struct run *r, const struct row *row)
{
	count_shown(r, row);
	view_row(&r->view, row);
	summary_add(&r->summary, row);
	sm_app_rows_count(&r->app, r->view.rows);
}

/* Counts a row that is excluded because a filter could not decide. */
static void count_excluded(struct run *r, enum filter_answer answer)
{
	r->found[LOST_STATUS] += answer == FILTER_LACKS_STATUS;
	r->found[LOST_FACTS] += answer == FILTER_LACKS_FACTS;
	r->found[LOST_ARGUMENTS] += answer == FILTER_LACKS_ARGUMENTS;
}

/* If a move was lost, later rows of the task show the previous cgroup. */
static void check_moves_loss(struct run *r)
{
	uint64_t lost = r->have_capture ? capture_moves_lost(&r->capture) : 0;

	r->found[LOST_FACTS] += lost - r->moves_lost;
	r->moves_lost = lost;
}

static void done(struct run *r, bool known, struct row *row)
{
	if (known && row->kind == EVENT_EXIT)
		run_selected_exit(r, row);
	if (known)
		track_done(&r->track, row);
}

static void one_event(struct run *r, size_t i)
{
	const struct sm_proc_event *ev = &r->source.ev[i];
	bool later = track_asks_proc(&r->track, ev) && source_exec_follows(&r->source, i);
	enum filter_answer answer = FILTER_NO;
	struct row row;
	bool known;

	if (ev->what == SM_PROC_EXEC)
		run_selected_exec(r, ev);
	known = track_apply(&r->track, ev, later, &row);
	if (ev->time_ns < r->start_ns) {
		done(r, known, &row);
		return;
	}
	r->summary.received++;
	if (known && !r->app.stop && !r->all_ended)
		answer = filter_match(&r->opts, &row);
	if (!known) /* no memory */
		show_lost(r, LOST_OUTPUT, 1);
	else if (answer == FILTER_YES)
		show(r, &row);
	else
		r->summary.filtered++;
	count_excluded(r, answer);
	done(r, known, &row);
}

bool run_overtaken(void *ctx, const struct sm_proc_event *ev)
{
	struct run *r = ctx;

	return source_exec_overtaken(&r->source, (size_t)(ev - r->source.ev));
}

static int drain(struct run *r, uint64_t now_ns)
{
	ssize_t n;

	sm_tasktable_recount(&r->procs, now_ns);
	if (sm_tasktable_resumed(&r->procs, now_ns))
		r->view.offset_read_ns = 0; /* the wall clock has moved as well */
	if (!r->source.more)
		exitcpu_read(&r->exitcpu);
	do {
		n = source_drain(&r->source, now_ns);
		if (n < 0)
			return (int)n;
		for (size_t i = 0; i < (size_t)n; i++)
			one_event(r, i);
		source_consume(&r->source);
		if (r->source.more && !sm_writers_flush(&r->app.writers))
			break;
	} while (r->source.more);
	if (!r->source.more)
		exitcpu_settle(&r->exitcpu);
	check_kernel_loss(r);
	check_moves_loss(r);
	check_names_loss(r, now_ns, false);
	return 0;
}

/* --- the loop ----------------------------------------------------------------------- */

/* Has a task of the tree exited before its exit event was received? */
static bool exit_outstanding(const struct run *r)
{
	const struct sm_task *p;

	for (size_t i = 0; (p = sm_map_next(&r->procs.map, &i));)
		if ((p->user & TASK_IN_TREE) && !(p->flags & SM_TASK_DEAD) &&
			sm_procpid_is_gone(p->pid))
			return true;
	return false;
}

void run_child_ended(void *ctx, uint64_t now_ns)
{
	((struct run *)ctx)->settle_ns = now_ns + SETTLE_NS;
}

/* wait(2) can return before the exit event is sent, because the kernel wakes the parent
 * first. */
static void settle(struct run *r, uint64_t now_ns)
{
	if (r->app.child.ended && (now_ns >= r->settle_ns || !exit_outstanding(r)))
		r->app.stop = true;
}

uint64_t run_next(void *ctx)
{
	struct run *r = ctx;
	uint64_t now = sm_clock_mono_ns(), look = source_pace(&r->source, now);
	uint64_t rates = rates_next(&r->rates);

	if (r->app.child.ended && look > now + SM_NSEC_PER_MSEC)
		look = now + SM_NSEC_PER_MSEC;
	sm_loop_events(&r->app.loop, r->socket, source_wakes(&r->source) ? POLLIN : -1);
	if (r->source.failed)
		sm_loop_events(&r->app.loop, r->failed_socket,
			look == SM_LOOP_FOREVER ? POLLIN : -1);
	if (rates < look)
		look = rates;
	return r->source.cn.check_ns < look ? r->source.cn.check_ns : look;
}

static void drain_events(struct run *r, uint64_t now_ns)
{
	int err = drain(r, now_ns);

	if (err < 0)
		sm_app_fail(&r->app, "process events", err);
}

/* The lost event is the one that forkstat has generated itself. */
static void check_events(struct run *r, uint64_t now_ns)
{
	if (r->app.stop || sm_cnproc_check(&r->source.cn, now_ns) == 0)
		return;
	show_lost(r, LOST_KERNEL, 1);
	r->app.stop = r->deaf = true;
}

void run_iterate(void *ctx, uint64_t now_ns)
{
	struct run *r = ctx;

	drain_events(r, now_ns);
	check_events(r, now_ns);
	rates_iterate(&r->rates, &r->summary, now_ns);
	settle(r, now_ns);
	if (!r->app.child.pid && run_selected_ended(r))
		r->app.stop = true;
}

void run_last(void *ctx)
{
	struct run *r = ctx;
	uint64_t now = sm_clock_mono_ns();

	r->app.stop = false;
	sm_app_rows_count(&r->app, r->view.rows);
	source_stop(&r->source);
	if (!r->app.error)
		drain_events(r, now);
	check_names_loss(r, now, true);
	rates_last(&r->rates, &r->summary, &r->app, now);
}
