// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "timers/timerperf.h"

#define RING_MIN_BYTES 16384u

/* --- records ----------------------------------------------------------------------- */

/* Fields that sample_type adds to a record: before the raw bytes of a sample, and at the
 * end of other records. */
struct stamp {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, reserved;
};

struct sample {
	struct stamp at;
	uint32_t raw_bytes;
	unsigned char raw[];
};

#define SAMPLE_BYTES offsetof(struct sample, raw)

struct fork_record { /* PERF_RECORD_FORK, PERF_RECORD_EXIT */
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

/* The tracepoint contains the TID of the initial PID namespace, the records of perf the
 * TID of this process's namespace. */
static int decode_sample(const struct sm_timerperf *t, const void *body, size_t len,
	struct sm_timer_event *e)
{
	const struct sample *s = body;
	int err;

	if (len < SAMPLE_BYTES || s->raw_bytes > len - SAMPLE_BYTES)
		return -EBADMSG;
	err = sm_timerformat_decode(&t->formats, s->raw, s->raw_bytes, e);
	if (err)
		return err;
	e->time_ns = s->at.time_ns;
	e->cpu = s->at.cpu;
	if (t->own_pids && s->at.tid == (uint32_t)e->tid)
		e->tgid = (pid_t)s->at.pid;
	return 0;
}

static int decode_comm(const void *body, size_t len, struct sm_timer_event *e)
{
	const unsigned char *b = body;
	struct stamp at;
	size_t n;

	if (len < 2 * sizeof(uint32_t) + sizeof(at))
		return -EBADMSG;
	memcpy(&at, b + len - sizeof(at), sizeof(at));
	n = len - 2 * sizeof(uint32_t) - sizeof(at);
	*e = (struct sm_timer_event){
		.type = SM_TIMER_TASK_NAME, .time_ns = at.time_ns, .cpu = at.cpu};
	memcpy(&e->tid, b + sizeof(uint32_t), sizeof(e->tid));
	memcpy(e->comm, b + 2 * sizeof(uint32_t),
		n < sizeof(e->comm) ? n : sizeof(e->comm));
	return 0;
}

static int decode_fork(const void *body, size_t len, enum sm_timer_event_type type,
	struct sm_timer_event *e)
{
	const struct fork_record *f = body;

	if (len < sizeof(*f))
		return -EBADMSG;
	*e = (struct sm_timer_event){.type = type,
		.time_ns = f->time_ns,
		.tid = (pid_t)f->tid,
		.tgid = (pid_t)f->pid,
		.parent = (pid_t)f->ptid};
	return 0;
}

static int decode(const struct sm_timerperf *t, const struct perf_event_header *h,
	const void *body, struct sm_timer_event *e)
{
	size_t len = h->size - sizeof(*h);

	if (h->type == PERF_RECORD_SAMPLE)
		return decode_sample(t, body, len, e);
	if (!t->own_pids)
		return -ENOENT;
	switch (h->type) {
	case PERF_RECORD_COMM:
		return decode_comm(body, len, e);
	case PERF_RECORD_FORK:
		return decode_fork(body, len, SM_TIMER_TASK_NEW, e);
	case PERF_RECORD_EXIT:
		return decode_fork(body, len, SM_TIMER_TASK_EXIT, e);
	default:
		return -ENOENT;
	}
}

static bool next_event(void *ctx, unsigned int source, struct sm_timer_event *e)
{
	struct sm_timerperf *t = ctx;
	struct perf_event_header h;
	const void *body;
	int got, err;

	while ((got = sm_perf_ring_next(&t->ring[source], &h, &body)) > 0) {
		err = decode(t, &h, body, e);
		if (!err)
			return true;
		t->corrupt += err == -EBADMSG;
	}
	t->corrupt += got < 0;
	return false;
}

void sm_timerperf_read(struct sm_timerperf *t)
{
	uint64_t now = sm_clock_mono_ns();

	for (unsigned int i = 0; i < t->n; i++)
		sm_perf_ring_begin(&t->ring[i]);
	sm_timerfeed_run(&t->feed, next_event, t, now);
	for (unsigned int i = 0; i < t->n; i++)
		sm_perf_ring_end(&t->ring[i]);
}

struct sm_timer_losses sm_timerperf_lost(const struct sm_timerperf *t)
{
	struct sm_timer_losses lost = t->feed.model.lost;

	lost.events += t->corrupt;
	for (unsigned int i = 0; i < t->n; i++)
		lost.events += t->ring[i].lost;
	return lost;
}

int sm_timerperf_fd(const struct sm_timerperf *t, unsigned int ring)
{
	return t->ring[ring].fd;
}

/* --- opening ----------------------------------------------------------------------- */

static struct perf_event_attr attributes(void)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	a.use_clockid = 1;
	a.clockid = CLOCK_MONOTONIC;
	return a;
}

/* Opens a dummy event, which has the ring and records the names of tasks. */
static int open_ring(struct sm_perf_ring *r, unsigned int cpu, size_t bytes)
{
	struct perf_event_attr a = attributes();
	int fd, err;

	a.type = PERF_TYPE_SOFTWARE;
	a.config = PERF_COUNT_SW_DUMMY;
	a.comm = 1;
	a.task = 1;
	a.sample_id_all = 1;
	a.watermark = 1;
	a.wakeup_watermark = (uint32_t)bytes / 2;
	fd = sm_perf_event_open(&a, -1, (int)cpu, -1, 0);
	if (fd < 0)
		return fd;
	err = sm_perf_ring_map(r, fd, bytes);
	if (err)
		close(fd);
	return err;
}

static int open_event(
	const struct sm_timerperf *t, unsigned int cpu, unsigned int type, int *event)
{
	struct perf_event_attr a = attributes();

	a.type = PERF_TYPE_TRACEPOINT;
	a.config = t->formats.of[type].id;
	a.sample_type |= PERF_SAMPLE_RAW;
	a.sample_period = 1;
	a.disabled = 1;
	*event = sm_perf_event_open(&a, -1, (int)cpu, -1, 0);
	return *event < 0 ? *event : sm_perf_ring_join(&t->ring[t->n - 1], *event);
}

static int open_cpu(struct sm_timerperf *t, unsigned int cpu, size_t bytes)
{
	int err = open_ring(&t->ring[t->n], cpu, bytes);

	if (err == -ENODEV) { /* it went offline */
		t->cpus.open[cpu] = false;
		return 0;
	}
	if (err)
		return err;
	for (unsigned int i = 0; i < SM_TIMER_EVENTS; i++)
		t->event[t->n][i] = -1;
	t->n++;
	for (unsigned int i = 0; i < SM_TIMER_EVENTS && !err; i++)
		err = open_event(t, cpu, i, &t->event[t->n - 1][i]);
	return err;
}

static void close_rings(struct sm_timerperf *t)
{
	for (unsigned int i = 0; i < t->n; i++) {
		for (unsigned int k = 0; k < SM_TIMER_EVENTS; k++)
			sm_base_close_fd(&t->event[i][k]);
		sm_perf_ring_close(&t->ring[i]);
	}
	t->n = 0;
}

/* RLIMIT_MEMLOCK applies to the sum of the rings, so all of them shrink together. */
static int open_rings(struct sm_timerperf *t)
{
	int err;

	do {
		close_rings(t);
		err = 0;
		for (unsigned int i = 0; i < t->cpus.cpus && !err; i++)
			if (t->cpus.open[i])
				err = open_cpu(t, i, t->ring_bytes);
	} while ((err == -EPERM || err == -ENOMEM) &&
		 (t->ring_bytes /= 2) >= RING_MIN_BYTES);
	return err;
}

static int open_cpus(struct sm_timerperf *t, const struct sm_root *root)
{
	int n = sm_cpuwatch_open(&t->cpus, root);
	int err = n < 0 ? n : sm_timerfeed_init(&t->feed, root, (unsigned int)n);

	if (err)
		return err;
	t->ring = calloc((size_t)n + 1, sizeof(*t->ring));
	t->event = calloc((size_t)n + 1, sizeof(*t->event));
	return t->ring && t->event ? open_rings(t) : -ENOMEM;
}

int sm_timerperf_open(
	struct sm_timerperf *t, const struct sm_root *root, size_t ring_bytes)
{
	SM_CLOSE_FD int dir = sm_tracefs_open(root);
	int err;

	*t = (struct sm_timerperf){.cpus = SM_CPUWATCH_INIT,
		.own_pids = sm_root_initial_pidns(root),
		.ring_bytes = ring_bytes};
	if (dir < 0)
		return dir;
	err = sm_timerformat_read(&t->formats, root, dir);
	if (!err)
		err = open_cpus(t, root);
	if (err)
		return err;
	t->feed.n = t->n;
	sm_taskcomm_seed(&t->feed.tasks);
	return 0;
}

void sm_timerperf_close(struct sm_timerperf *t)
{
	close_rings(t);
	free(t->ring);
	free(t->event);
	sm_timerfeed_fini(&t->feed);
	sm_cpuwatch_close(&t->cpus);
	*t = (struct sm_timerperf){.cpus = SM_CPUWATCH_INIT};
}
