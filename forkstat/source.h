/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the stream of process events in the order in which they happened.
 *
 * A drain reads the socket in batches, then the argument rings, and sorts events by their stamps,
 * because the kernel does not order events of different CPUs.  At high rates wakeups dominate the
 * cost.  Therefore source_pace() makes the loop drain every few milliseconds instead of at every
 * event, as rarely as the argument rings permit.  The newest events of such a drain are held back
 * for the next one, so that order is preserved across drains.  At low rates all events are returned
 * immediately.  A lazy source, for rows that are not watched as they appear, does this only below
 * 200 events per second, and otherwise returns events with a delay of up to 10 ms.  A busy source
 * reads the events from a BPF ring if possible; the socket then has only the events that did not
 * fit into the ring.  Failed execs (execfail.h) are merged by time.
 */
#ifndef FORKSTAT_SOURCE_H
#define FORKSTAT_SOURCE_H

#include "capture.h"
#include "events/cnring.h"
#include "execfail.h"
#include "exitbpf.h"

#define SOURCE_BATCH 1024 /* events per read of ring and socket */
#define SOURCE_SIZE  (2 * SOURCE_BATCH)

struct source {
	struct sm_cnproc cn;
	struct sm_cnring ring;     /* used while busy, if it is open */
	bool diverted;             /* events go to the ring */
	bool queued;               /* the socket was readable; set by the loop */
	bool socket_read;          /* the socket had events since the drop counter was read */
	uint64_t settle_ns;        /* diversion has ended: the ring may receive events until then */
	struct capture *capture;   /* argument rings, or NULL */
	struct execfail *failed;   /* failed execs, or NULL */
	struct exitbpf *exits;     /* records of exits, or NULL */
	struct sm_proc_event ev[SOURCE_SIZE];
	size_t n;                  /* events read */
	size_t ready;              /* number of them in final order; the rest is held back */
	uint64_t bucket;           /* leaky bucket of events: above its brim the source is busy */
	uint64_t leaked_ns;        /* time when it last leaked */
	uint64_t last_ns;          /* time of the last drain that left events to return */
	bool marked;               /* followed[] is about this batch */
	bool followed[SOURCE_SIZE]; /* the event is an exec and a later exec has its pid */
	pid_t set[2 * SOURCE_BATCH]; /* used by mark_followed() */
	bool stopped;              /* events are no longer held back */
	bool more;                 /* the batch was full: drain again immediately */
	uint64_t pace_ns;          /* interval between two drains while busy */
	uint64_t leak_ns;          /* time in which one event leaks from the bucket */
};

void source_init(struct source *s, struct capture *capture, bool lazy);
/* Reads the available events.  Returns the number of events in s->ev[0 .. s->ready), or -errno. */
ssize_t source_drain(struct source *s, uint64_t now_ns) SM_MUST;
/* Removes the ready events and keeps the others. */
void source_consume(struct source *s);
/* Returns the CLOCK_MONOTONIC time of the next drain: 0 is now, SM_LOOP_FOREVER waits for the socket. */
uint64_t source_pace(const struct source *s, uint64_t now_ns);
/* Does the socket wake the loop before that time? */
bool source_wakes(const struct source *s);
/* Stops holding back and diverting events, so that the next drain is complete. */
void source_stop(struct source *s);
/* Event i is an exec whose program was just read from /proc.  Has the process executed another program
 * since then?  Also returns true if this cannot be determined. */
bool source_exec_overtaken(struct source *s, size_t i);
/* Event i is an exec.  Does another exec of its pid follow? */
bool source_exec_follows(struct source *s, size_t i);

#endif
