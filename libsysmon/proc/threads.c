// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "proc/procstat.h"
#include "proc/threads.h"

struct reading {
	struct sm_threads *t;
	const struct sm_threads_look *look;
};

struct times { /* current times of one thread */
	uint64_t run_ns, wait_ns, utime_ticks, stime_ticks;
	bool have_wait;
};

void sm_threads_free(struct sm_threads *t)
{
	if (!t)
		return;
	free(t->v);
	free(t);
}

void sm_threads_forget(struct sm_threads *t)
{
	if (t)
		t->n = 0;
}

static struct sm_thread *find_or_add(struct sm_threads *t, pid_t tid)
{
	size_t low = 0, high = t->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->v[mid].tid < tid)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < t->n && t->v[low].tid == tid)
		return &t->v[low];
	if (sm_array_reserve(&t->v, &t->cap, t->n + 1, sizeof(*t->v)))
		return NULL;
	memmove(t->v + low + 1, t->v + low, (t->n - low) * sizeof(*t->v));
	t->n++;
	t->v[low] = (struct sm_thread){.tid = tid, .fresh = true, .cpu = -1};
	return &t->v[low];
}

static void take_stat(struct sm_thread *k, const struct sm_pidstat *st)
{
	/* The tid was reused. */
	if (k->start_ticks != st->start_ticks && !k->fresh)
		*k = (struct sm_thread){.tid = k->tid, .fresh = true};
	k->state = st->state;
	k->cpu = st->processor;
	k->start_ticks = st->start_ticks;
	memcpy(k->comm, st->comm, st->comm_len + 1);
	k->comm_len = (uint8_t)st->comm_len;
}

/* The kernel adds a wait when it ends.  The wait began after the thread last ran, which
 * was in the sample that read the previous wait, or at most at the boot. */
bool sm_threads_wait(struct sm_thread_wait *w, uint64_t ns, bool counts, uint64_t now_ns,
	uint64_t dt_ns, uint64_t *waited_ns)
{
	bool possible = counts && ns >= w->ns &&
			ns - w->ns <= sm_procstat_most_ns(1, now_ns - w->since_ns);

	*waited_ns = possible ? ns - w->ns : 0;
	if (!counts)
		w->since_ns = 0;
	else if (ns != w->ns)
		w->since_ns = now_ns - dt_ns;
	w->ns = ns;
	return possible;
}

static void take_times(
	struct sm_thread *k, const struct sm_threads_look *look, const struct times *now)
{
	bool counts = !k->fresh || look->whole || k->start_ticks >= look->since_ticks;

	k->used_ns = now->run_ns > k->ns ? now->run_ns - k->ns : 0;
	if (k->used_ns > look->max_ns)
		counts = false;
	if (!counts)
		k->used_ns = 0;
	k->have_wait = sm_threads_wait(&k->wait, now->wait_ns, counts, look->now_ns,
			       look->dt_ns, &k->waited_ns) &&
		       now->have_wait;
	if (k->fresh && !counts)
		sm_split_begin(&k->split, now->utime_ticks, now->stime_ticks);
	k->ns = now->run_ns;
	k->utime_ticks = now->utime_ticks;
	k->stime_ticks = now->stime_ticks;
	k->seen = true;
	k->fresh = false;
}

static int one_thread(void *ctx, pid_t tid)
{
	struct reading *r = ctx;
	const struct sm_threads_look *look = r->look;
	struct sm_thread *k = find_or_add(r->t, tid);
	struct sm_pidstat st;
	struct times now;
	uint64_t run_ns, wait_ns;

	if (!k)
		return -ENOMEM;
	now = (struct times){k->ns, k->wait.ns, k->utime_ticks, k->stime_ticks, false};
	if (look->want_stat || k->fresh) {
		/* It has exited since the directory was read. */
		if (sm_procpid_read_thread_stat(look->root, look->pid, tid, &st) < 0)
			return 0;
		take_stat(k, &st);
		now.utime_ticks = st.utime_ticks;
		now.stime_ticks = st.stime_ticks;
		now.run_ns = (st.utime_ticks + st.stime_ticks) * look->tick_ns;
	}
	if (sm_procpid_read_schedstat(look->root, look->pid, tid, &run_ns, &wait_ns) ==
		0) {
		now.run_ns = run_ns;
		now.wait_ns = wait_ns;
		now.have_wait = true;
	}
	take_times(k, look, &now);
	return 0;
}

static void sweep(struct sm_threads *t)
{
	size_t to = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!t->v[i].seen)
			continue;
		if (to != i)
			t->v[to] = t->v[i];
		t->v[to++].seen = false;
	}
	t->n = to;
}

int sm_threads_read(struct sm_threads **at, const struct sm_threads_look *look)
{
	struct reading r = {.look = look};
	int err;

	if (!*at)
		*at = calloc(1, sizeof(**at));
	if (!*at)
		return -ENOMEM;
	r.t = *at;
	err = sm_procpid_scan_threads(look->root, look->pid, one_thread, &r);
	sweep(r.t);
	return err;
}
