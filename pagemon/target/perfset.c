// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "kernel/perf.h"
#include "kernel/procpid.h"
#include "kernel/tracefs.h"
#include "target/perfset.h"

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
		if (!before->n || !bsearch(&now->tid[i], before->tid, before->n,
					  sizeof(pid_t), by_number))
			return true;
	return false;
}

/* ---- the events ---- */

struct opening {
	struct perf_event_attr attr[PERF_COUNTERS];
	const struct sm_root *root;
	int tracefs_fd;
	pid_t pid;
	struct perfset *set;
	struct tids before, now;
};

static void software(struct perf_event_attr *a, bool user)
{
	a->type = PERF_TYPE_SOFTWARE;
	a->config = PERF_COUNT_SW_PAGE_FAULTS;
	a->exclude_kernel = user;
	a->exclude_user = !user;
	a->exclude_hv = 1;
}

static int tracepoint(
	struct perf_event_attr *a, const struct opening *o, const char *event)
{
	uint32_t id = 0;
	int dir = o->tracefs_fd;
	int err = dir < 0 ? dir : sm_tracefs_event_id(o->root, dir, "kmem", event, &id);

	a->type = PERF_TYPE_TRACEPOINT;
	a->config = id;
	return err;
}

/* The flags of an attr are the 64-bit word after read_format. */
static void set_inherit_thread(struct perf_event_attr *a, bool on)
{
	char *word = (char *)&a->read_format + sizeof(a->read_format);
	uint64_t flags;

	memcpy(&flags, word, sizeof(flags));
	flags = on ? flags | INHERIT_THREAD : flags & ~INHERIT_THREAD;
	memcpy(word, &flags, sizeof(flags));
}

/* Returns whether the kernel knows inherit_thread; tested with an event on this thread.
 */
static bool inherits_threads_only(void)
{
	struct perf_event_attr a = {.size = sizeof(a), .inherit = 1, .disabled = 1};
	int fd;

	software(&a, true);
	set_inherit_thread(&a, true);
	fd = sm_perf_event_open(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void prepare(struct opening *o)
{
	bool threads_only = inherits_threads_only();
	int *err = o->set->err;

	memset(o->attr, 0, sizeof(o->attr));
	for (size_t i = 0; i < PERF_COUNTERS; i++) {
		o->attr[i].size = sizeof(o->attr[i]);
		o->attr[i].inherit = 1;
		set_inherit_thread(&o->attr[i], threads_only);
		err[i] = 0;
	}
	software(&o->attr[PERF_FAULTS_USER], true);
	software(&o->attr[PERF_FAULTS_KERNEL], false);
	err[PERF_PAGE_ALLOC] = tracepoint(&o->attr[PERF_PAGE_ALLOC], o, "mm_page_alloc");
	err[PERF_PAGE_FREE] = tracepoint(&o->attr[PERF_PAGE_FREE], o, "mm_page_free");
}

void perfset_drop(struct perfset *s, enum perf_counter c, int err)
{
	for (size_t i = 0; i < s->n[c]; i++)
		close(s->fd[c][i]);
	s->n[c] = 0;
	s->err[c] = err;
}

/* Opens the event on a thread.  A thread that has exited is left out. */
static void open_event(struct opening *o, enum perf_counter c, pid_t tid)
{
	struct perfset *s = o->set;
	int fd;

	if (s->err[c])
		return;
	if (sm_array_reserve(&s->fd[c], &s->cap[c], s->n[c] + 1, sizeof(int)) < 0) {
		perfset_drop(s, c, -ENOMEM);
		return;
	}
	fd = sm_perf_event_open(&o->attr[c], tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		s->fd[c][s->n[c]++] = fd;
	else if (fd != -ESRCH)
		perfset_drop(s, c, fd);
}

/* Opens a disabled event, so that other events of this kind open quickly: see the header.
 */
static void open_guard(struct opening *o, enum perf_counter c)
{
	struct perf_event_attr a = o->attr[c];
	int fd;

	if (o->set->err[c])
		return;
	a.inherit = 0;
	set_inherit_thread(&a, false);
	a.disabled = 1;
	fd = sm_perf_event_open(&a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	o->set->guard[c] = fd < 0 ? -1 : fd;
	o->set->err[c] = fd < 0 ? fd : 0;
}

/* Opens events on the threads of o->before.  Returns 1 if new threads have started. */
static int try_counter(struct opening *o, enum perf_counter c)
{
	struct tids list;
	int err;

	perfset_drop(o->set, c, o->set->err[c]);
	for (size_t i = 0; i < o->before.n; i++)
		open_event(o, c, o->before.tid[i]);
	err = list_tids(&o->now, o->root, o->pid);
	if (err || !has_new(&o->before, &o->now))
		return err;
	list = o->before;
	o->before = o->now;
	o->now = list;
	return 1;
}

static int open_counter(struct opening *o, enum perf_counter c)
{
	uint64_t begin = sm_clock_mono_ns();
	int r = list_tids(&o->before, o->root, o->pid);

	if (r)
		return r;
	do
		r = try_counter(o, c);
	while (r == 1 && !o->set->err[c] && sm_clock_mono_ns() - begin < PERFSET_NS);
	return r < 0 ? r : 0;
}

static int open_counters(struct opening *o)
{
	int err = 0;

	prepare(o);
	for (enum perf_counter c = 0; c < PERF_COUNTERS; c++)
		open_guard(o, c);
	for (enum perf_counter c = 0; !err && c < PERF_COUNTERS; c++)
		if (!o->set->err[c])
			err = open_counter(o, c);
	return err;
}

int perfset_open(struct perfset *s, const struct sm_root *root, int tracefs_fd, pid_t pid)
{
	struct opening o = {.set = s, .root = root, .tracefs_fd = tracefs_fd, .pid = pid};
	int err;

	*s = (struct perfset)PERFSET_INIT;
	err = open_counters(&o);
	free(o.before.tid);
	free(o.now.tid);
	if (err)
		perfset_close(s);
	return err;
}

int perfset_read(const struct perfset *s, enum perf_counter c, uint64_t *out)
{
	uint64_t sum = 0, one;

	if (s->err[c])
		return s->err[c];
	for (size_t i = 0; i < s->n[c]; i++) {
		ssize_t n;

		do
			n = read(s->fd[c][i], &one, sizeof(one));
		while (n < 0 && errno == EINTR);
		if (n != sizeof(one))
			return n < 0 ? -errno : -EIO;
		sum += one;
	}
	*out = sum;
	return 0;
}

void perfset_close(struct perfset *s)
{
	for (enum perf_counter i = 0; i < PERF_COUNTERS; i++) {
		perfset_drop(s, i, s->err[i]);
		free(s->fd[i]);
		sm_base_close_fd(&s->guard[i]);
	}
	*s = (struct perfset)PERFSET_INIT;
}
