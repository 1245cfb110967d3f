// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "events/perf.h"
#include "events/perfthreads.h"
#include "proc/procpid.h"

/* inherit_thread of struct perf_event_attr (Linux 5.13), which older headers lack: the
 * 36th one-bit field */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define INHERIT_THREAD (UINT64_C(1) << (63 - 35))
#else
#define INHERIT_THREAD (UINT64_C(1) << 35)
#endif

/* ---- the threads ---- */

struct tids {
	pid_t *tid; /* ascending */
	size_t n, cap;
};

static int add_tid(void *ctx, pid_t tid)
{
	struct tids *t = ctx;

	if (sm_array_reserve(&t->tid, &t->cap, t->n + 1, sizeof(*t->tid)) < 0)
		return -ENOMEM;
	t->tid[t->n++] = tid;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static int list_tids(struct tids *t, const struct sm_root *root, pid_t pid)
{
	int err;

	t->n = 0;
	err = sm_procpid_scan_threads(root, pid, add_tid, t);
	if (err == -ENOENT || (!err && !t->n))
		return -ESRCH;
	if (!err)
		qsort(t->tid, t->n, sizeof(*t->tid), by_number);
	return err;
}

/* Returns whether `now` contains a thread that is not in `before`. */
static bool has_new(const struct tids *before, const struct tids *now)
{
	for (size_t i = 0; i < now->n; i++)
		if (!bsearch(&now->tid[i], before->tid, before->n, sizeof(pid_t),
			    by_number))
			return true;
	return false;
}

/* ---- the event ---- */

struct opening {
	struct sm_perfthreads *to;
	const struct sm_root *root;
	pid_t pid;
	struct perf_event_attr attr;
	struct tids before, now;
};

/* Opens a disabled event, so that other events of this kind open quickly: see the header.
 */
static int open_guard(const struct opening *o)
{
	struct perf_event_attr a = o->attr;

	a.inherit = 0;
	a.disabled = 1;
	return sm_perf_event_open(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The flags of an attr are the 64-bit word after read_format. */
static void set_inherit_thread(struct perf_event_attr *a)
{
	char *word = (char *)&a->read_format + sizeof(a->read_format);
	uint64_t flags;

	memcpy(&flags, word, sizeof(flags));
	flags |= INHERIT_THREAD;
	memcpy(word, &flags, sizeof(flags));
}

/* Sets inherit_thread if the kernel knows it; tested with an event on this thread. */
static void inherit_threads_only(struct opening *o)
{
	struct perf_event_attr a = o->attr;
	int fd;

	set_inherit_thread(&a);
	fd = sm_perf_event_open(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return;
	close(fd);
	o->attr = a;
}

static void close_threads(struct sm_perfthreads *p)
{
	while (p->n)
		close(p->fd[--p->n]);
}

/* Opens the event on the threads of o->before.  A thread that has exited is left out. */
static int open_threads(struct opening *o)
{
	struct sm_perfthreads *p = o->to;

	close_threads(p);
	if (sm_array_reserve(&p->fd, &p->cap, o->before.n, sizeof(int)) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < o->before.n; i++) {
		int fd = sm_perf_event_open(
			&o->attr, o->before.tid[i], -1, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd >= 0)
			p->fd[p->n++] = fd;
		else if (fd != -ESRCH)
			return fd;
	}
	return 0;
}

/* Opens the event on all threads.  Returns 1 if new threads have started. */
static int try_threads(struct opening *o)
{
	struct tids list;
	int err = open_threads(o);

	if (!err)
		err = list_tids(&o->now, o->root, o->pid);
	if (err || !has_new(&o->before, &o->now))
		return err;
	list = o->before;
	o->before = o->now;
	o->now = list;
	return 1;
}

static int open_event(struct opening *o)
{
	uint64_t begin = sm_clock_mono_ns();
	int r = open_guard(o);

	if (r < 0)
		return r;
	o->to->guard = r;
	inherit_threads_only(o);
	r = list_tids(&o->before, o->root, o->pid);
	if (r)
		return r;
	do
		r = try_threads(o);
	while (r == 1 && sm_clock_mono_ns() - begin < SM_PERFTHREADS_NS);
	return r < 0 ? r : 0;
}

int sm_perfthreads_open(struct sm_perfthreads *p, const struct sm_root *root, pid_t pid,
	const struct perf_event_attr *a)
{
	struct opening o = {.to = p, .root = root, .pid = pid, .attr = *a};
	int err;

	*p = (struct sm_perfthreads)SM_PERFTHREADS_INIT;
	o.attr.size = sizeof(o.attr);
	o.attr.inherit = 1;
	err = open_event(&o);
	free(o.before.tid);
	free(o.now.tid);
	if (err)
		sm_perfthreads_close(p);
	p->err = err;
	return err;
}

int sm_perfthreads_read(const struct sm_perfthreads *p, uint64_t *out)
{
	uint64_t sum = 0, one;

	if (p->err)
		return p->err;
	for (size_t i = 0; i < p->n; i++) {
		ssize_t n;

		do
			n = read(p->fd[i], &one, sizeof(one));
		while (n < 0 && errno == EINTR);
		if (n != sizeof(one))
			return n < 0 ? -errno : -EIO;
		sum += one;
	}
	*out = sum;
	return 0;
}

void sm_perfthreads_close(struct sm_perfthreads *p)
{
	close_threads(p);
	free(p->fd);
	sm_base_close_fd(&p->guard);
	*p = (struct sm_perfthreads)SM_PERFTHREADS_INIT;
}
