// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads of a process that ran: rows (-H) and waiting time (-W). */
#include "sampler.h"
#include "threads.h"

/* Threads are read after their process's clock, later by less than this. */
#define LATE_NS (50 * SM_NSEC_PER_MSEC)

static void thread_row(struct sampler *s, const struct task *t, struct thread *k,
	const struct cs_row *process)
{
	struct cs_row *row;

	if (!k->used_ns)
		return;
	row = sampler_row(s);
	if (!row)
		return;
	*row = *process;
	row->kind = CS_THREAD;
	row->pid = k->tid;
	row->state = k->state;
	row->cpu = k->cpu;
	row->start_ticks = k->start_ticks;
	row->comm = (struct sm_str){k->comm, k->comm_len};
	row->used_ns = k->used_ns;
	row->total_ns = k->ns;
	row->wait_ns = k->waited_ns;
	row->flags &= (uint8_t)~CS_HAS_WAIT;
	if (s->opts->wait && k->have_wait)
		row->flags |= CS_HAS_WAIT;
	if (k->tid != t->pid)
		row->cmd = NULL;
	sampler_split(k->used_ns,
		split_share(&k->split, k->utime_ticks, k->stime_ticks,
			t->flags & TASK_KTHREAD),
		row);
}

/* The clocks of a process and of its threads are read one after the other, and each is up
 * to a tick old where the thread runs: less than that is no row of its own. */
static int64_t noise_ns(const struct sampler *s, const struct threads *th)
{
	uint64_t ticks = th->n < s->online ? th->n : s->online;

	return (int64_t)(ticks * s->tick_ns);
}

/* What the process used beyond its threads that live: those that ended. */
static void rest_row(struct sampler *s, struct threads *th, const struct cs_row *process,
	uint64_t shown_ns)
{
	int64_t most = sampler_difference(process->dt_ns * s->online, 0);
	int64_t rest = sampler_difference(process->used_ns, shown_ns) + th->carry_ns;
	struct cs_row *row;

	th->carry_ns = rest < -most ? -most : rest;
	if (rest <= noise_ns(s, th))
		return;
	th->carry_ns = 0;
	row = sampler_row(s);
	if (!row)
		return;
	*row = *process;
	row->kind = CS_THREAD;
	row->pid = 0;
	row->state = 0;
	row->cpu = -1;
	row->flags &= (uint8_t)~CS_HAS_WAIT;
	row->used_ns = row->total_ns = (uint64_t)rest;
	sampler_split(row->used_ns, split_ratio(process->usr_ns, process->sys_ns), row);
}

static void waited_alone(
	struct sampler *s, struct task *t, struct cs_row *row, bool whole)
{
	bool known = whole || (t->waited && t->waited >= s->wait_since);
	uint64_t run, wait;

	if (sm_schedstat_read(s->root, t->pid, 0, &run, &wait) < 0)
		return;
	if (known && wait >= t->wait_ns) {
		row->wait_ns = wait - t->wait_ns;
		row->flags |= CS_HAS_WAIT;
	}
	t->wait_ns = wait;
	t->waited = s->number;
}

static void waited_together(const struct threads *th, struct cs_row *row)
{
	row->wait_ns = 0;
	for (size_t i = 0; i < th->n; i++)
		if (th->v[i].have_wait) {
			row->wait_ns += th->v[i].waited_ns;
			row->flags |= CS_HAS_WAIT;
		}
}

static int read_threads(
	struct sampler *s, struct task *t, const struct cs_row *row, bool whole)
{
	struct threads_look look = {
		.root = s->root,
		.pid = t->pid,
		.whole = whole,
		.want_stat = s->opts->threads,
		.since_ticks = s->t_ticks,
		.tick_ns = s->tick_ns,
		.most_ns = row->used_ns + row->dt_ns / 4 + LATE_NS,
	};
	int err;

	/* Older than the sample before: the options were others then. */
	if (t->threaded < s->threads_since)
		threads_forget(t->threads);
	err = threads_read(&t->threads, &look);
	if (!err)
		t->threaded = s->number;
	return err;
}

void sampler_threads(struct sampler *s, uint32_t id, const struct cs_row *row, bool whole)
{
	struct task *t = task_at(&s->tasks, id);
	bool known = whole || (t->threaded && t->threaded >= s->threads_since);
	size_t at = (size_t)(row - s->rows);
	struct cs_row process = *row;
	uint64_t shown_ns = 0;

	if (t->num_threads <= 1 && !t->threads) {
		if (s->opts->wait)
			waited_alone(s, t, &s->rows[at], whole);
		return;
	}
	if (read_threads(s, t, row, whole) < 0)
		return;
	if (s->opts->wait) {
		waited_together(t->threads, &process);
		s->rows[at] = process;
	}
	/* The first look tells where each thread stands; the process's row is what we
	 * know. */
	if (!s->opts->threads || !known)
		return;
	s->nrows = at;
	for (size_t i = 0; i < t->threads->n; i++) {
		shown_ns += t->threads->v[i].used_ns;
		thread_row(s, t, &t->threads->v[i], &process);
	}
	rest_row(s, t->threads, &process, shown_ns);
}
