// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "account.h"
#include "base/array.h"
#include "base/parse.h"
#include "children.h"
#include "names.h"
#include "pass.h"
#include "thread_rows.h"
#include "walk.h"

#define CHUNK 64u /* processes between two readings of the time */

static void add_moved(struct sampler *s, size_t i, uint64_t ns, uint64_t dt_ns)
{
	int err = sm_array_reserve(
		&s->moved, &s->moved_cap, s->nmoved + 1, sizeof(*s->moved));

	if (err)
		s->err = err;
	else
		s->moved[s->nmoved++] = (struct sampler_moved){i, ns, dt_ns};
}

/* Stamps a chunk and returns the time since it was last read, in ns. */
static uint64_t stamp_chunk(struct sampler *s, size_t chunk, uint64_t now)
{
	uint64_t before;
	int err = sm_array_reserve(
		&s->stamps, &s->stamps_cap, chunk + 1, sizeof(*s->stamps));

	if (err) {
		s->err = err;
		return s->now.dt_ns;
	}
	/* The processes of a new chunk were in the last one, or did not exist. */
	before = chunk < s->nstamps ? s->stamps[chunk] : s->last_stamp;
	s->stamps[chunk] = now;
	return now > before ? now - before : 0;
}

/* Forgets the stamps of chunks that this pass did not have. */
static void end_stamps(struct sampler *s)
{
	size_t chunks = (s->pids.n + CHUNK - 1) / CHUNK;

	/* stamps_cap is smaller after a failed allocation. */
	s->nstamps = chunks < s->stamps_cap ? chunks : s->stamps_cap;
	s->last_stamp = s->nstamps ? s->stamps[s->nstamps - 1] : s->now.t_ns;
	if (s->clocks && s->nstamps)
		state_stamp(s, s->stamps[0]);
}

/* Returns whether a walk shows newly reaped children. */
static bool has_reaped(const struct sampler *s, size_t i)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	return r && r->cutime_ns + r->cstime_ns != s->pids.child_ns[i];
}

static void clock_range(struct sampler *s, size_t from, size_t end, uint64_t dt)
{
	struct pidlist *l = &s->pids;
	uint64_t ns;

	for (size_t i = from; i < end; i++) {
		if (l->pid[i] <= 0)
			continue;
		if (walk_ns(s, i, &ns) < 0) {
			children_exited(s, i);
			continue;
		}
		/* A smaller clock belongs to a new process, as its stat will show. */
		if (ns != l->ns[i] || has_reaped(s, i))
			add_moved(s, i, ns, dt);
	}
}

static void clock_pass(struct sampler *s)
{
	for (size_t from = 0; from < s->pids.n; from += CHUNK) {
		size_t chunk = from / CHUNK, moved = s->nmoved;
		size_t n = s->pids.n - from < CHUNK ? s->pids.n - from : CHUNK;
		uint64_t begun = state_now_ns(s), took;
		uint64_t dt = stamp_chunk(s, chunk, begun);

		clock_range(s, from, from + n, dt);
		took = state_now_ns(s) - begun;
		if (!state_interrupted(s, n, took) || chunk >= s->stamps_cap)
			continue;
		s->nmoved = moved;
		s->stamps[chunk] = begun + took;
		clock_range(s, from, from + n, dt + took);
	}
	end_stamps(s);
}

static void read_moved(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t k = 0; k < s->nmoved; k++) {
		struct sampler_moved *m = &s->moved[k];

		if (walk_stat(s, m->i, &st) < 0)
			account_unread(s, m);
		else
			account_process(s, m->i, &st, m->ns, m->dt_ns);
	}
}

static uint64_t stat_ns(const struct sampler *s, const struct sm_pidstat *st)
{
	return (st->utime_ticks + st->stime_ticks) * s->tick_ns;
}

/* Returns whether a process has neither run nor reaped.  A parent that only reaped may
 * lack ticks of its own, and a new zombie must be recorded (account_zombie()). */
static bool is_idle(const struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	if (st->state == 'Z' && !s->pids.task[i])
		return false;
	return stat_ns(s, st) == s->pids.ns[i] &&
	       children_time(s, i, st).ns == s->pids.child_ns[i] && state_same(s, i, st);
}

/* Updates an idle process, whose parent or state can still have changed. */
static void take_idle(struct sampler *s, size_t i, const struct sm_pidstat *st)
{
	struct task *t = state_task(s, i);

	s->pids.ppid[i] = st->ppid;
	if (!t)
		return;
	account_state(s, t, st);
	t->seen = s->number;
	account_zombie(s, t, st);
}

static void one_stat(struct sampler *s, size_t i, uint64_t dt)
{
	struct pidlist *l = &s->pids;
	struct sm_pidstat st;
	int err = sm_procpid_read_stat(s->root, l->pid[i], &st);

	if (err == -ENOENT && s->number == 1)
		pidlist_exited(l, i);
	else if (err == -ENOENT)
		children_exited(s, i);
	else if (err < 0)
		s->now.unreadable++;
	else if (l->ppid[i] == PIDLIST_UNREAD)
		account_base(s, i, &st, stat_ns(s, &st));
	else if (is_idle(s, i, &st))
		take_idle(s, i, &st);
	else
		account_process(s, i, &st, stat_ns(s, &st), dt);
}

static void stat_pass(struct sampler *s)
{
	uint64_t dt = 0;

	for (size_t i = 0; i < s->pids.n; i++) {
		if (i % CHUNK == 0)
			dt = stamp_chunk(s, i / CHUNK, state_now_ns(s));
		if (s->pids.pid[i] > 0)
			one_stat(s, i, dt);
	}
	end_stamps(s);
}

/* Marks kernel threads as unread.  They hardly ever reap, so their stat is not read at
 * the start: on an idle machine most processes are kernel threads. */
static void leave_kthreads(struct sampler *s)
{
	ssize_t i, n = sm_procpid_read_kthreads(s->root, s->scratch, NAMES_BYTES);
	const char *p = s->scratch, *end;
	uint64_t pid;

	/* A number that is not followed by a space is truncated. */
	for (end = p + (n > 0 ? n : 0); sm_parse_u64(&p, end, &pid) && p < end; p++) {
		i = pidlist_find(&s->pids, (pid_t)pid);
		if (i >= 0)
			s->pids.ppid[i] = PIDLIST_UNREAD;
	}
}

/* Reads stat once before the clocks, because later reapers must be known with parent and
 * cutime.  A process that exits between the two readings is charged like any other, by
 * the ticks of its stat. */
static void first_stat(struct sampler *s, size_t i)
{
	struct pidlist *l = &s->pids;
	struct sm_pidstat st;

	if (walk_times(s, i, &st) < 0) {
		l->ppid[i] = PIDLIST_UNREAD;
		return;
	}
	l->ppid[i] = st.ppid;
	l->child_ns[i] = children_time(s, i, &st).ns;
	l->had_children[i] = l->child_ns[i] > 0 && !walk_record(s, i);
	l->ns[i] = stat_ns(s, &st);
}

/* Reads threads before the pass over the clocks, which must be short; first_clock() reads
 * them again if the clock has advanced since.  A kernel thread is its only thread. */
static bool has_threads(const struct sampler *s, size_t i)
{
	const struct sm_taskwalk_raw *r = walk_record(s, i);

	return s->opts->threads && s->pids.ppid[i] != PIDLIST_UNREAD &&
	       !(r && r->flags & SM_PF_KTHREAD);
}

static void base_of_threads(struct sampler *s)
{
	struct pidlist *l = &s->pids;

	for (size_t i = 0; i < l->n; i++)
		if (has_threads(s, i) && walk_ns(s, i, &l->ns[i]) == 0)
			thread_rows_base(s, i);
}

void pass_parents(struct sampler *s)
{
	struct pidlist *l = &s->pids;

	if (!s->clocks)
		return;
	if (!s->walks)
		leave_kthreads(s);
	for (size_t i = 0; i < l->n; i++)
		if (l->ppid[i] != PIDLIST_UNREAD)
			first_stat(s, i);
	base_of_threads(s);
}

static void first_clock(struct sampler *s, size_t i)
{
	struct pidlist *l = &s->pids;
	uint64_t before = l->ns[i];

	if (walk_ns(s, i, &l->ns[i]) < 0)
		children_exited(s, i);
	else if (l->ns[i] != before && has_threads(s, i))
		thread_rows_base(s, i);
}

static void first_clocks(struct sampler *s)
{
	for (size_t i = 0; i < s->pids.n; i++) {
		if (i % CHUNK == 0)
			(void)stamp_chunk(s, i / CHUNK, state_now_ns(s));
		first_clock(s, i);
	}
	if (!s->walks)
		end_stamps(s);
}

static void first_stats(struct sampler *s)
{
	for (size_t i = 0; i < s->pids.n; i++)
		s->pids.ppid[i] = PIDLIST_UNREAD;
	stat_pass(s);
}

void pass_first(struct sampler *s)
{
	if (s->clocks)
		first_clocks(s);
	else
		first_stats(s);
	pidlist_sweep(&s->pids);
	s->now.exited = 0;
}

void pass_later(struct sampler *s)
{
	if (s->walks)
		clock_range(s, 0, s->pids.n, s->now.dt_ns);
	else if (s->clocks)
		clock_pass(s);
	else
		stat_pass(s);
	read_moved(s);
}

void pass_since_start(struct sampler *s)
{
	struct sm_pidstat st;

	for (size_t i = 0; i < s->pids.n; i++) {
		uint64_t age, ns = s->pids.ns[i];

		if (!ns || walk_stat(s, i, &st) < 0)
			continue;
		age = s->t_ticks > st.start_ticks ? s->t_ticks - st.start_ticks : 1;
		s->pids.ns[i] = 0; /* counts whole, once */
		account_process(s, i, &st, ns, age * s->tick_ns);
	}
	s->now.tasks_ns = s->now.self_ns = 0;
}
