// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "loop.h"
#include "source.h"

/* Half of what a small VM spends on a storm is being woken: the fewer looks the better,
 * but a ring must not run over in between.  One CPU does some 20 execs per millisecond.
 */
#define PACE_MIN_NS  SM_NSEC_PER_MSEC
#define PACE_MAX_NS  (4 * SM_NSEC_PER_MSEC)
#define EXECS_PER_MS 32
/* The rate above which looking at intervals is cheaper than waking for each event. */
#define LEAK_NS	    UINT64_C(500000) /* one event per 0.5 ms: 2,000/s */
#define BUCKET_BRIM 24
#define BUCKET_MAX  64
/* Stamp to socket takes a few microseconds; this much of a drain may still be overtaken.
 */
#define SET_SIZE     (2 * SOURCE_BATCH)
#define HOLD_BACK_NS UINT64_C(100000)

void source_init(struct source *s, struct capture *capture)
{
	memset(s, 0, sizeof(*s));
	s->cn = (struct sm_cnproc)SM_CNPROC_INIT;
	s->capture = capture;
	s->pace_ns = PACE_MAX_NS;
	if (capture)
		s->pace_ns = capture_room(capture) / EXECS_PER_MS * SM_NSEC_PER_MSEC;
	if (s->pace_ns > PACE_MAX_NS)
		s->pace_ns = PACE_MAX_NS;
	if (s->pace_ns < PACE_MIN_NS)
		s->pace_ns = PACE_MIN_NS;
}

/* Nearly sorted: two or more sorted streams, interleaved. */
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
	uint64_t leak = (now_ns - s->leaked_ns) / LEAK_NS;

	if (leak) {
		s->bucket -= leak < s->bucket ? leak : s->bucket;
		s->leaked_ns = now_ns;
	}
	s->bucket += n;
	if (s->bucket > BUCKET_MAX)
		s->bucket = BUCKET_MAX;
}

static bool busy(const struct source *s)
{
	return s->bucket > BUCKET_BRIM;
}

static size_t count_ready(const struct source *s, uint64_t now_ns)
{
	size_t n = s->n;

	if (!busy(s) || s->more)
		return n;
	while (n && s->ev[n - 1].time_ns + HOLD_BACK_NS > now_ns)
		n--;
	return n;
}

ssize_t source_drain(struct source *s, uint64_t now_ns)
{
	ssize_t got = sm_cnproc_read(&s->cn, s->ev + s->n, SOURCE_BATCH - s->n);

	if (got < 0)
		return got;
	s->n += (size_t)got;
	s->marked = false;
	s->more = s->n == SOURCE_BATCH;
	account(s, (size_t)got, now_ns);
	/* The socket first, then the rings: so no exec event is without its record. */
	if (s->capture)
		capture_drain(s->capture);
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
	if (s->more)
		return 0;
	if (busy(s) || s->n)
		return now_ns + s->pace_ns;
	return SM_LOOP_FOREVER;
}

/*
 * One pass from the last event to the first marks each exec that another of the same pid
 * follows.  The set of pids is open-addressed, twice the size of a batch.
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
