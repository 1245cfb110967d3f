// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "proc/threads.h"
#include "thread_rows.h"

/* Threads are read after the clock of their process, at most this much later. */
#define LATE_NS (50 * SM_NSEC_PER_MSEC)

static void thread_row(struct sampler *s, const struct task *t, struct sm_thread *k,
	const struct row *process)
{
	struct row *row;

	if (!k->used_ns)
		return;
	row = state_add_row(s, ROW_THREAD, NULL);
	if (!row)
		return;
	*row = *process;
	row->kind = ROW_THREAD;
	row->pid = k->tid;
	row->state = k->state;
	row->cpu = k->cpu;
	row->start_ticks = k->start_ticks;
	row->comm = (struct sm_str){k->comm, k->comm_len};
	row->used_ns = k->used_ns;
	row->total_ns = k->ns;
	row->wait_ns = k->waited_ns;
	row->flags &= (uint8_t)~ROW_HAS_WAIT;
	if (s->opts->wait && k->have_wait)
		row->flags |= ROW_HAS_WAIT;
	if (k->tid != t->pid)
		row->cmd = NULL;
	sm_split_time(k->used_ns,
		sm_split_share(&k->split, k->utime_ticks, k->stime_ticks,
			t->flags & TASK_KTHREAD),
		&row->usr_ns, &row->sys_ns);
}

/* Returns the largest difference that gets no row: the clocks of a process and of its
 * threads are read one after the other, and the clock of a running thread can be a tick
 * old. */
static int64_t noise_ns(const struct sampler *s, const struct sm_threads *th)
{
	uint64_t ticks = th->n < s->online ? th->n : s->online;

	return (int64_t)(ticks * s->tick_ns);
}

void thread_rows_unknown(struct row *row)
{
	row->kind = ROW_THREAD;
	row->pid = 0;
	row->state = 0;
	row->cpu = -1;
	row->total_ns = row->used_ns;
	row->flags &= (uint8_t)~ROW_HAS_WAIT;
}

/* Adds a row for the time that the process used beyond its threads.  Threads that have
 * exited used it. */
static void rest_row(struct sampler *s, struct sm_threads *th, const struct row *process,
	uint64_t rows_ns)
{
	int64_t max = state_difference(process->dt_ns * s->online, 0);
	int64_t rest = state_difference(process->used_ns, rows_ns) + th->carry_ns;
	struct row *row;

	th->carry_ns = rest < -max ? -max : rest;
	if (rest <= noise_ns(s, th))
		return;
	th->carry_ns = 0;
	row = state_add_row(s, ROW_THREAD, NULL);
	if (!row)
		return;
	*row = *process;
	row->used_ns = (uint64_t)rest;
	thread_rows_unknown(row);
	sm_split_time(row->used_ns, sm_split_ratio(process->usr_ns, process->sys_ns),
		&row->usr_ns, &row->sys_ns);
}

static void wait_of_single(struct sampler *s, struct task *t, struct row *row, bool whole)
{
	bool known = whole || (t->waited && t->waited >= s->wait_since);
	uint64_t run, wait;

	if (sm_procpid_read_schedstat(s->root, t->pid, 0, &run, &wait) < 0)
		return;
	if (sm_threads_wait(
		    &t->wait, wait, known, s->now.t_ns, row->dt_ns, &row->wait_ns))
		row->flags |= ROW_HAS_WAIT;
	t->waited = s->number;
}

static void wait_of_threads(const struct sm_threads *th, struct row *row)
{
	row->wait_ns = 0;
	for (size_t i = 0; i < th->n; i++)
		if (th->v[i].have_wait) {
			row->wait_ns += th->v[i].waited_ns;
			row->flags |= ROW_HAS_WAIT;
		}
}

static int read_threads(
	struct sampler *s, struct task *t, const struct row *row, bool whole)
{
	struct sm_threads_look look = {
		.root = s->root,
		.pid = t->pid,
		.whole = whole,
		.want_stat = s->opts->threads,
		.since_ticks = s->t_ticks,
		.tick_ns = s->tick_ns,
		.max_ns = row->used_ns + row->dt_ns / 4 + LATE_NS,
		.now_ns = s->now.t_ns,
		.dt_ns = row->dt_ns,
	};
	int err;

	/* The last reading is not comparable, or is not to be subtracted. */
	if (whole || t->threaded < s->threads_since)
		sm_threads_forget(t->threads);
	err = sm_threads_read(&t->threads, &look);
	if (!err)
		t->threaded = s->number;
	return err;
}

void thread_rows_base(struct sampler *s, size_t i)
{
	struct sm_threads_look look = {.root = s->root,
		.pid = s->pids.pid[i],
		.want_stat = s->opts->threads,
		.since_ticks = UINT64_MAX,
		.tick_ns = s->tick_ns};
	struct task *t;

	if (!s->pids.task[i])
		s->pids.task[i] = tasks_new(&s->tasks, s->pids.pid[i]);
	t = state_task(s, i);
	if (!t) {
		s->err = -ENOMEM;
		return;
	}
	sm_threads_forget(t->threads);
	if (sm_threads_read(&t->threads, &look) == 0)
		t->threaded = s->number;
}

/* Replaces the last row, which belongs to the process, with the rows of its threads. */
static void replace_row(
	struct sampler *s, const struct task *t, const struct row *process)
{
	struct sm_threads *th = t->threads;
	uint64_t rows_ns = 0;

	s->nrows--;
	for (size_t i = 0; i < th->n; i++) {
		rows_ns += th->v[i].used_ns;
		thread_row(s, t, &th->v[i], process);
	}
	rest_row(s, th, process, rows_ns);
}

/* Returns whether the list of threads is not needed: for a kernel thread, which is its
 * only thread, and without -H for a single thread. */
static bool is_single(const struct sampler *s, const struct task *t)
{
	if (s->opts->threads)
		return t->flags & TASK_KTHREAD;
	return t->num_threads <= 1 && !t->threads;
}

static void single_row(struct sampler *s, struct task *t, struct row *row, bool whole)
{
	if (s->opts->wait)
		wait_of_single(s, t, row, whole);
	if (s->opts->threads)
		row->kind = ROW_THREAD;
}

void thread_rows_add(struct sampler *s, uint32_t id, const struct row *row, bool whole)
{
	struct task *t = task_at(&s->tasks, id);
	bool known = whole || (t->threaded && t->threaded >= s->threads_since);
	struct row *process = &s->rows[row - s->rows], copy;

	if (is_single(s, t)) {
		single_row(s, t, process, whole);
		return;
	}
	if (read_threads(s, t, row, whole) < 0)
		known = false;
	else if (s->opts->wait)
		wait_of_threads(t->threads, process);
	copy = *process; /* rows can move */
	if (s->opts->threads && known)
		replace_row(s, t, &copy);
	else if (s->opts->threads)
		thread_rows_unknown(process);
}
