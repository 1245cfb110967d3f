// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/priv.h"
#include "kernel/cpulist.h"
#include "source.h"

/* Of all CPUs; perf's rings are in the tool's resident memory, tracefs' buffers are not.
 */
#define RINGS_BYTES   ((size_t)4 << 20)
#define BUFFERS_BYTES ((size_t)32 << 20)
#define BUFFER_MIN    ((size_t)16 << 10)

#define DESCRIPTORS_MORE 64u /* than the events need */

/* --- waiting -------------------------------------------------------------------------
 */

static int watch_fd(struct source *s, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(s->wait_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

/* One descriptor for the loop, whose set is small. */
static int watch_all(struct source *s)
{
	int err = 0;

	s->wait_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->wait_fd < 0)
		return -errno;
	for (unsigned int i = 0; s->method == METHOD_PERF && i < s->perf.n && !err; i++)
		err = watch_fd(s, sm_timerperf_fd(&s->perf, i));
	for (unsigned int i = 0; s->method == METHOD_TRACEFS && i < s->trace.n && !err;
		i++)
		err = watch_fd(s, sm_timertrace_fd(&s->trace, i));
	return err;
}

/* A CPU that went offline would be ready for ever. */
static void forget_ended(struct source *s)
{
	struct epoll_event e[64];
	int n = epoll_wait(s->wait_fd, e, SM_ARRAY_SIZE(e), 0);

	for (int i = 0; i < n; i++)
		if (e[i].events & (EPOLLHUP | EPOLLERR))
			(void)epoll_ctl(s->wait_fd, EPOLL_CTL_DEL, e[i].data.fd, NULL);
}

static void empty_buffers(struct source *s)
{
	if (s->method == METHOD_PERF)
		sm_timerperf_read(&s->perf);
	else if (s->method == METHOD_TRACEFS)
		sm_timertrace_read(&s->trace);
}

static void on_half_full(void *ctx, short revents)
{
	(void)revents;
	forget_ended(ctx);
	empty_buffers(ctx);
}

int source_watch(struct source *s, struct sm_loop *loop)
{
	int handle = s->wait_fd < 0
			     ? 0
			     : sm_loop_add(loop, s->wait_fd, POLLIN, on_half_full, s);

	return handle < 0 ? handle : 0;
}

/* --- opening -------------------------------------------------------------------------
 */

static size_t of_each_cpu(size_t all, size_t max, unsigned int cpus)
{
	size_t n = all / cpus;

	if (n > max)
		return max;
	return n > BUFFER_MIN ? n : BUFFER_MIN;
}

static unsigned int count_cpus(const struct source *s)
{
	int n = sm_cpulist_online(s->root);

	return n > 0 ? (unsigned int)n : 1;
}

/* The limit of the user has been used already (cli/start.h). */
static void raise_descriptors(unsigned int cpus)
{
	rlim_t need = (rlim_t)cpus * (SM_TIMER_EVENTS + 1) + DESCRIPTORS_MORE;
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0 || l.rlim_cur >= need)
		return;
	l.rlim_cur = need;
	if (l.rlim_max < need)
		l.rlim_max = need;
	(void)!setrlimit(RLIMIT_NOFILE, &l);
}

static void close_perf(struct source *s)
{
	sm_timerperf_close(&s->perf);
	sm_base_close_fd(&s->wait_fd);
}

/* The instance is the keeper's to remove, who waits until nobody has it open. */
static void close_trace(struct source *s)
{
	(void)!sm_timertrace_close(&s->trace);
	sm_base_close_fd(&s->wait_fd);
	sm_keeper_end(&s->keeper);
}

static int open_bpf(struct source *s)
{
	return sm_timercount_open(&s->bpf, s->root, s->by_timer, &s->log);
}

static int open_perf(struct source *s)
{
	unsigned int cpus = count_cpus(s);
	int err;

	raise_descriptors(cpus);
	err = sm_timerperf_open(&s->perf, s->root,
		of_each_cpu(RINGS_BYTES, SM_TIMERPERF_RING_BYTES, cpus));
	if (!err)
		err = watch_all(s);
	if (err)
		close_perf(s);
	s->perf.feed.model.by_timer = s->by_timer;
	return err;
}

static void remove_instance(const void *trace)
{
	sm_timertrace_remove(trace);
}

static int open_trace(struct source *s)
{
	int err = sm_timertrace_open(&s->trace, s->root,
		of_each_cpu(BUFFERS_BYTES, SM_TIMERTRACE_BUFFER_BYTES, count_cpus(s)));

	if (!err)
		err = sm_keeper_start(
			&s->keeper, s->trace.tracefs_fd, remove_instance, &s->trace);
	if (!err)
		err = watch_all(s);
	if (err)
		close_trace(s);
	s->trace.feed.model.by_timer = s->by_timer;
	return err;
}

int source_open(
	struct source *s, const struct sm_root *root, enum method method, bool by_timer)
{
	static int (*const open[METHODS])(struct source *) = {
		[METHOD_BPF] = open_bpf,
		[METHOD_PERF] = open_perf,
		[METHOD_TRACEFS] = open_trace,
	};
	int err = -ENOSYS;

	*s = (struct source){.root = root,
		.by_timer = by_timer,
		.keeper = SM_KEEPER_INIT,
		.wait_fd = -1};
	sm_timertrace_clean(root);
	for (enum method m = METHOD_BPF; m < METHODS; m++) {
		if (method != METHOD_AUTO && method != m)
			continue;
		s->method = m;
		err = open[m](s);
		s->refused[m] = err;
		if (!err)
			return 0;
	}
	s->method = METHOD_AUTO;
	return err;
}

void source_close(struct source *s)
{
	if (s->method == METHOD_BPF)
		sm_timercount_close(&s->bpf);
	else if (s->method == METHOD_PERF)
		close_perf(s);
	else if (s->method == METHOD_TRACEFS)
		close_trace(s);
	s->method = METHOD_AUTO;
}

unsigned int source_drop_flags(const struct source *s)
{
	return s->method == METHOD_BPF ? SM_DROP_READ_MAPS : 0;
}

const struct sm_timer_owners *source_owners(const struct source *s)
{
	return s->method == METHOD_BPF ? &s->bpf.owners : NULL;
}

/* --- reading -------------------------------------------------------------------------
 */

static void take_model(struct source *s, const struct sm_timermodel *m)
{
	s->key = m->key;
	s->counts = m->counts;
	s->n = m->n;
}

int source_read(struct source *s)
{
	int err = 0;

	empty_buffers(s);
	if (s->method == METHOD_BPF) {
		err = sm_timercount_read(&s->bpf);
		s->key = s->bpf.key;
		s->counts = s->bpf.counts;
		s->n = s->bpf.n;
	} else if (s->method == METHOD_PERF) {
		take_model(s, &s->perf.feed.model);
	} else {
		take_model(s, &s->trace.feed.model);
	}
	return err;
}

int source_delete(
	struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest)
{
	if (s->method == METHOD_BPF)
		return sm_timercount_delete(&s->bpf, key, rest);
	return sm_timermodel_delete(
		s->method == METHOD_PERF ? &s->perf.feed.model : &s->trace.feed.model,
		key, rest);
}

void source_sleeper(struct source *s, enum sm_timer_kind kind, uint64_t func)
{
	if (s->method == METHOD_BPF)
		sm_timerowner_sleeper(&s->bpf.owners, kind, func);
}

struct sm_timer_losses source_lost(const struct source *s)
{
	if (s->method == METHOD_BPF)
		return sm_timercount_lost(&s->bpf);
	if (s->method == METHOD_PERF)
		return sm_timerperf_lost(&s->perf);
	return sm_timertrace_lost(&s->trace);
}
