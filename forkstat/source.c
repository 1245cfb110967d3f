// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/loop.h"
#include "source.h"

/* Wakeups are half of the cost of a fork storm on a small VM.  Therefore the source
 * drains as rarely as possible, but before a ring overflows.  One CPU executes about 20
 * programs per millisecond. */
#define PACE_MIN_NS  SM_NSEC_PER_MSEC
#define PACE_MAX_NS  (4 * SM_NSEC_PER_MSEC)
#define PACE_LAZY_NS (9 * SM_NSEC_PER_MSEC)
#define EXECS_PER_MS 32
/* Above this rate the socket is drained at intervals. */
#define LEAK_NS	     UINT64_C(500000) /* one event per 0.5 ms: 2,000/s */
#define LEAK_LAZY_NS (5 * SM_NSEC_PER_MSEC)
#define BUCKET_BRIM  24
#define BUCKET_MAX   64
/* An event is queued microseconds after its time stamp, so an event with an older stamp
 * may still arrive after a newer one. */
#define SET_SIZE     (2 * SOURCE_BATCH)
#define HOLD_BACK_NS UINT64_C(100000)
/* Longest wait for the record of a birth, which interrupts or other tasks can delay. */
#define BIRTH_WAIT_NS (20 * SM_NSEC_PER_MSEC)

void source_init(struct source *s, struct capture *capture, bool lazy)
{
	uint64_t longest = lazy ? PACE_LAZY_NS : PACE_MAX_NS;

	memset(s, 0, sizeof(*s));
	s->cn = (struct sm_cnproc)SM_CNPROC_INIT;
	s->capture = capture;
	s->leak_ns = lazy ? LEAK_LAZY_NS : LEAK_NS;
	s->pace_ns = longest;
	if (capture)
		s->pace_ns = capture_room(capture) / EXECS_PER_MS * SM_NSEC_PER_MSEC;
	if (s->pace_ns > longest)
		s->pace_ns = longest;
	if (s->pace_ns < PACE_MIN_NS)
		s->pace_ns = PACE_MIN_NS;
}

/* An insertion sort, because the events are nearly sorted: two or more sorted streams,
 * interleaved. */
static void sort_events(struct sm_proc_event *ev, size_t n)
{
	struct sm_proc_event moved;
	size_t j;

	for (size_t i = 1; i < n; i++) {
		if (SM_LIKELY(ev[i - 1].time_ns <= ev[i].time_ns))
			continue;
		moved = ev[i];
		for (j = i; j > 0 && ev[j - 1].time_ns > moved.time_ns; j--)
			ev[j] = ev[j - 1];
		ev[j] = moved;
	}
}

static void account(struct source *s, size_t n, uint64_t now_ns)
{
	uint64_t leak = (now_ns - s->leaked_ns) / s->leak_ns;

	if (leak) {
		s->bucket -= leak < s->bucket ? leak : s->bucket;
		s->leaked_ns = now_ns;
	}
	s->bucket += n;
	if (s->bucket > BUCKET_MAX)
		s->bucket = BUCKET_MAX;
	if (s->n)
		s->last_ns = now_ns;
	/* No event in a whole interval: let the next event wake the loop. */
	else if (now_ns - s->last_ns >= s->pace_ns && s->bucket > BUCKET_BRIM)
		s->bucket = BUCKET_BRIM;
}

static bool busy(const struct source *s)
{
	return s->bucket > BUCKET_BRIM;
}

/* Returns the number of events that need not wait for a birth.  The cgroup of a new task
 * is recorded after its event is sent, so the event and all later ones wait for it. */
static size_t count_born(const struct source *s, size_t n, uint64_t now_ns)
{
	if (!s->capture || !s->capture->groups.followed || s->more || s->stopped)
		return n;
	for (size_t i = 0; i < n; i++)
		if (s->ev[i].what == SM_PROC_FORK &&
			s->ev[i].time_ns + BIRTH_WAIT_NS > now_ns &&
			!groups_has_born(
				&s->capture->groups, s->ev[i].pid, s->ev[i].time_ns))
			return i;
	return n;
}

static size_t count_ready(const struct source *s, uint64_t now_ns)
{
	size_t n = s->n;

	/* A pending failed exec comes before the events that are newer. */
	if (s->failed && execfail_waits(s->failed))
		while (n && s->ev[n - 1].time_ns > execfail_first_ns(s->failed))
			n--;
	if (!s->more && busy(s))
		while (n && s->ev[n - 1].time_ns + HOLD_BACK_NS > now_ns)
			n--;
	return count_born(s, n, now_ns);
}

/* A failed exec is ready when all earlier events are.  The fork of its task has been read
 * from the socket if the exec failed before the socket was read or, if the batch is full,
 * before the last event of the batch. */
static void add_failed(struct source *s, uint64_t now_ns)
{
	if (s->more)
		now_ns = s->ev[s->n - 1].time_ns;
	execfail_drain(s->failed);
	while (s->n < SOURCE_SIZE && execfail_next(s->failed, now_ns, &s->ev[s->n]))
		s->n++;
}

static size_t socket_room(const struct source *s)
{
	return s->n < SOURCE_BATCH ? SOURCE_BATCH - s->n : 0;
}

/* Reads the ring before the socket, because its events are older.  Returns the number of
 * events, or -errno. */
static ssize_t receive(struct source *s)
{
	size_t before = s->n;
	bool queued = s->queued || !s->diverted;
	ssize_t n = sm_cnring_read(&s->ring, &s->cn, s->ev + s->n, socket_room(s));

	if (n < 0)
		return n;
	s->n += (size_t)n;
	if (!queued)
		return n;
	n = sm_cnproc_read(&s->cn, s->ev + s->n, socket_room(s));
	if (n < 0)
		return n;
	s->n += (size_t)n;
	s->queued = !socket_room(s);
	s->socket_read |= n > 0;
	return (ssize_t)(s->n - before);
}

static void divert(struct source *s, bool on, uint64_t now_ns)
{
	if (!s->ring.on.values || s->diverted == on)
		return;
	sm_cnring_divert(&s->ring, on);
	s->diverted = on;
	s->settle_ns = on ? 0 : now_ns + s->pace_ns;
}

ssize_t source_drain(struct source *s, uint64_t now_ns)
{
	ssize_t got = receive(s);

	if (got < 0)
		return got;
	s->marked = false;
	s->more = !socket_room(s);
	account(s, (size_t)got, now_ns);
	divert(s, busy(s), now_ns);
	/* The socket is read before the rings, so that every exec and exit has its
	 * record. */
	if (s->capture)
		capture_drain(s->capture);
	if (s->exits)
		exitbpf_drain(s->exits);
	if (s->failed)
		add_failed(s, now_ns);
	sort_events(s->ev, s->n);
	s->ready = count_ready(s, now_ns);
	return (ssize_t)s->ready;
}

void source_consume(struct source *s)
{
	s->n -= s->ready;
	memmove(s->ev, s->ev + s->ready, s->n * sizeof(s->ev[0]));
	s->ready = 0;
}

uint64_t source_pace(const struct source *s, uint64_t now_ns)
{
	if (s->more || (s->failed && execfail_waits(s->failed)))
		return 0;
	if (busy(s) || s->n)
		return now_ns + s->pace_ns;
	return now_ns < s->settle_ns ? s->settle_ns : SM_LOOP_FOREVER;
}

bool source_wakes(const struct source *s)
{
	return s->ring.on.values || !(busy(s) || s->n);
}

void source_stop(struct source *s)
{
	s->bucket = 0;
	s->stopped = true;
	s->socket_read = true;
	divert(s, false, 0);
}

/*
 * Marks each exec that another exec of its pid follows, in one pass from the last event
 * to the first.  The set of pids is open-addressed, twice the size of a batch.
 */
static void mark_followed(struct source *s)
{
	uint32_t slot;

	memset(s->set, 0, sizeof(s->set));
	memset(s->followed, 0, sizeof(s->followed));
	for (size_t i = s->n; i-- > 0;) {
		if (s->ev[i].what != SM_PROC_EXEC)
			continue;
		slot = ((uint32_t)s->ev[i].pid * UINT32_C(2654435761)) % SET_SIZE;
		while (s->set[slot] && s->set[slot] != s->ev[i].pid)
			slot = (slot + 1) % SET_SIZE;
		s->followed[i] = s->set[slot] != 0;
		s->set[slot] = s->ev[i].pid;
	}
	s->marked = true;
}

bool source_exec_follows(struct source *s, size_t i)
{
	if (!s->marked)
		mark_followed(s);
	return s->followed[i];
}

bool source_exec_overtaken(struct source *s, size_t i)
{
	size_t n = s->n;
	ssize_t got;

	s->queued = true;
	got = receive(s);
	if (got > 0) {
		s->marked = false;
		s->more = true; /* the new events are drained next, in order */
	}
	for (; n < s->n; n++)
		if (s->ev[n].what == SM_PROC_EXEC && s->ev[n].pid == s->ev[i].pid)
			return true;
	return got < 0 || !socket_room(s);
}
