// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/priv.h"
#include "proc/cpulist.h"
#include "source.h"

/* Total size of all ring buffers, which count as resident memory of the tool. */
#define RINGS_BYTES ((size_t)4 << 20)
#define RING_MIN    ((size_t)16 << 10)

#define DESCRIPTORS_MORE 64u /* in addition to the events */

/* --- BPF ------------------------------------------------------------------ */

static int open_bpf(struct source *s)
{
	int err = sm_timercount_open(&s->bpf, s->root, s->by_timer, &s->log);

	if (!err)
		s->owners = &s->bpf.owners;
	return err;
}

static int read_bpf(struct source *s)
{
	int err = sm_timercount_read(&s->bpf);

	s->key = s->bpf.key;
	s->counts = s->bpf.counts;
	s->n = s->bpf.n;
	return err;
}

static int delete_bpf(
	struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest)
{
	return sm_timercount_delete(&s->bpf, key, rest);
}

static struct sm_timer_losses lost_bpf(const struct source *s)
{
	return sm_timercount_lost(&s->bpf);
}

static void close_bpf(struct source *s)
{
	sm_timercount_close(&s->bpf);
}

/* --- perf ----------------------------------------------------------------- */

static size_t ring_bytes(unsigned int cpus)
{
	size_t n = RINGS_BYTES / cpus;

	if (n > SM_TIMERPERF_RING_BYTES)
		return SM_TIMERPERF_RING_BYTES;
	return n > RING_MIN ? n : RING_MIN;
}

static unsigned int count_cpus(const struct source *s)
{
	int n = sm_cpulist_online(s->root);

	return n > 0 ? (unsigned int)n : 1;
}

/* Raises both limits; cli/start.h has already raised the soft limit to the hard limit. */
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

static int watch_fd(struct source *s, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(s->wait_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

/* Combines the ring buffers in one epoll descriptor, because the loop has few entries. */
static int watch_rings(struct source *s)
{
	int err = 0;

	s->wait_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->wait_fd < 0)
		return -errno;
	for (unsigned int i = 0; i < s->perf.n && !err; i++)
		err = watch_fd(s, sm_timerperf_fd(&s->perf, i));
	return err;
}

static void close_perf(struct source *s)
{
	sm_timerperf_close(&s->perf);
	sm_base_close_fd(&s->wait_fd);
}

static int open_perf(struct source *s)
{
	unsigned int cpus = count_cpus(s);
	int err;

	raise_descriptors(cpus);
	err = sm_timerperf_open(&s->perf, s->root, ring_bytes(cpus));
	if (!err)
		err = watch_rings(s);
	if (err)
		close_perf(s);
	s->perf.feed.model.by_timer = s->by_timer;
	return err;
}

/* Removes the descriptors of CPUs that went offline, which would be ready forever. */
static void forget_ended(struct source *s)
{
	struct epoll_event e[64];
	int n = epoll_wait(s->wait_fd, e, SM_ARRAY_SIZE(e), 0);

	for (int i = 0; i < n; i++)
		if (e[i].events & (EPOLLHUP | EPOLLERR))
			(void)epoll_ctl(s->wait_fd, EPOLL_CTL_DEL, e[i].data.fd, NULL);
}

static void on_half_full(void *ctx, short revents)
{
	struct source *s = ctx;

	(void)revents;
	forget_ended(s);
	sm_timerperf_read(&s->perf);
}

static int read_perf(struct source *s)
{
	const struct sm_timermodel *m = &s->perf.feed.model;

	sm_timerperf_read(&s->perf);
	(void)!sm_cpuwatch_look(&s->perf.cpus);
	s->key = m->key;
	s->counts = m->counts;
	s->n = m->n;
	return 0;
}

static int delete_perf(
	struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest)
{
	return sm_timermodel_delete(&s->perf.feed.model, key, rest);
}

static struct sm_timer_losses lost_perf(const struct source *s)
{
	return sm_timerperf_lost(&s->perf);
}

/* --- all methods ---------------------------------------------------------- */

static const struct {
	int (*open)(struct source *s);
	int (*read)(struct source *s);
	int (*remove)(struct source *s, const struct sm_timer_key *key,
		struct sm_timer_counts *rest);
	struct sm_timer_losses (*lost)(const struct source *s);
	void (*close)(struct source *s);
	unsigned int drop_flags;
} methods[METHODS] = {
	[METHOD_BPF] = {open_bpf, read_bpf, delete_bpf, lost_bpf, close_bpf,
		SM_DROP_READ_MAPS},
	[METHOD_PERF] = {open_perf, read_perf, delete_perf, lost_perf, close_perf, 0},
};

int source_open(
	struct source *s, const struct sm_root *root, enum method method, bool by_timer)
{
	int err = -ENOSYS;

	*s = (struct source){.root = root, .by_timer = by_timer, .wait_fd = -1};
	for (enum method m = METHOD_BPF; m < METHODS; m++) {
		if (method != METHOD_AUTO && method != m)
			continue;
		s->method = m;
		err = methods[m].open(s);
		s->refused[m] = err;
		if (!err)
			return 0;
	}
	s->method = METHOD_AUTO;
	return err;
}

int source_watch(struct source *s, struct sm_loop *loop)
{
	int handle = s->wait_fd < 0
			     ? 0
			     : sm_loop_add(loop, s->wait_fd, POLLIN, on_half_full, s);

	return handle < 0 ? handle : 0;
}

unsigned int source_drop_flags(const struct source *s)
{
	return methods[s->method].drop_flags;
}

int source_read(struct source *s)
{
	return methods[s->method].read(s);
}

int source_delete(
	struct source *s, const struct sm_timer_key *key, struct sm_timer_counts *rest)
{
	return methods[s->method].remove(s, key, rest);
}

struct sm_timer_losses source_lost(const struct source *s)
{
	return methods[s->method].lost(s);
}

const struct sm_cpuwatch *source_cpus(const struct source *s)
{
	return s->method == METHOD_PERF ? &s->perf.cpus : NULL;
}

void source_close(struct source *s)
{
	if (s->method != METHOD_AUTO)
		methods[s->method].close(s);
	s->method = METHOD_AUTO;
}
