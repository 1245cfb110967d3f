// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

#define FIRST_CAP 4u

struct reading {
	struct threads *t;
	const struct sm_root *root;
	pid_t pid;
	bool whole, want_stat;
	uint64_t since_ticks, tick_ns;
};

void threads_free(struct threads *t)
{
	if (!t)
		return;
	free(t->v);
	free(t);
}

static struct thread *find_or_add(struct threads *t, pid_t tid)
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
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : FIRST_CAP;
		struct thread *v = reallocarray(t->v, cap, sizeof(*v));

		if (!v)
			return NULL;
		t->v = v;
		t->cap = cap;
	}
	memmove(t->v + low + 1, t->v + low, (t->n - low) * sizeof(*t->v));
	t->n++;
	t->v[low] = (struct thread){.tid = tid, .fresh = true, .cpu = -1};
	return &t->v[low];
}

static void take_stat(struct thread *k, const struct sm_pidstat *st)
{
	/* The same number, another thread. */
	if (k->start_ticks != st->start_ticks && !k->fresh)
		*k = (struct thread){.tid = k->tid, .fresh = true};
	k->state = st->state;
	k->cpu = st->processor;
	k->start_ticks = st->start_ticks;
	memcpy(k->comm, st->comm, st->comm_len + 1);
	k->comm_len = (uint8_t)st->comm_len;
}

static uint64_t ahead(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static int one_thread(void *ctx, pid_t tid)
{
	struct reading *r = ctx;
	struct thread *k = find_or_add(r->t, tid);
	uint64_t run = 0, wait = 0;
	struct sm_pidstat st = {0};
	bool have_sched, counts;

	if (!k)
		return -ENOMEM;
	/* Gone since the directory was read: left unseen. */
	if ((r->want_stat || k->fresh) && sm_tidstat_read(r->root, r->pid, tid, &st) < 0)
		return 0;
	if (r->want_stat || k->fresh)
		take_stat(k, &st);
	have_sched = sm_schedstat_read(r->root, r->pid, tid, &run, &wait) == 0;
	if (!have_sched)
		run = (st.utime_ticks + st.stime_ticks) * r->tick_ns;
	counts = !k->fresh || r->whole || k->start_ticks >= r->since_ticks;
	k->used_ns = counts ? ahead(run, k->ns) : 0;
	k->waited_ns = counts ? ahead(wait, k->wait_ns) : 0;
	k->usr_ticks = counts ? ahead(st.utime_ticks, k->utime_ticks) : 0;
	k->sys_ticks = counts ? ahead(st.stime_ticks, k->stime_ticks) : 0;
	k->ns = run;
	k->wait_ns = wait;
	k->have_wait = have_sched && counts;
	k->utime_ticks = st.utime_ticks;
	k->stime_ticks = st.stime_ticks;
	k->seen = true;
	k->fresh = false;
	return 0;
}

static void sweep(struct threads *t)
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

int threads_read(struct threads **at, const struct sm_root *root, pid_t pid, bool whole,
	uint64_t since_ticks, uint64_t tick_ns, bool want_stat)
{
	struct reading r = {.root = root,
		.pid = pid,
		.whole = whole,
		.want_stat = want_stat,
		.since_ticks = since_ticks,
		.tick_ns = tick_ns};
	int err;

	if (!*at)
		*at = calloc(1, sizeof(**at));
	if (!*at)
		return -ENOMEM;
	r.t = *at;
	err = sm_tid_scan(root, pid, one_thread, &r);
	sweep(r.t);
	return err;
}
