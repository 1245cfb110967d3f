/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the stream of process events in the order in which they happened.
 *
 * A drain empties the socket (batched), takes over the argument rings, and sorts by stamp:
 * the kernel does not order events of different CPUs.  At high rates wake-ups dominate the cost,
 * so source_pace() makes the loop drain every few milliseconds instead of at every event (as
 * rarely as the argument rings allow); then the newest events of a drain are held back for the
 * next one, which keeps the order across drains.  At low rates all events are returned at once.
 * A lazy source does so only below 200 events per second, and otherwise returns them at most
 * 10 ms late: for rows that nobody watches as they come.  A busy source takes the events from a
 * BPF ring, where that is possible; the socket then has only what the ring had no room for.
 * Failed execs (execfail.h) are sorted in.
 */
#ifndef FORKSTAT_SOURCE_H
#define FORKSTAT_SOURCE_H

#include "capture.h"
#include "execfail.h"
#include "exitbpf.h"
#include "kernel/cnring.h"

#define SOURCE_BATCH 1024 /* of the socket */
#define SOURCE_SIZE  (2 * SOURCE_BATCH)

struct source {
	struct sm_cnproc cn;
	struct sm_cnring ring;     /* while busy, if it is open */
	bool diverted;             /* events go to the ring */
	bool queued;               /* the socket was readable; set by the loop */
	bool socket_read;          /* it had events since the drop counter was read */
	uint64_t settle_ns;        /* not diverted any more: the ring may get events until then */
	struct capture *capture;   /* NULL: no argument rings */
	struct execfail *failed;   /* NULL: failed execs are not wanted */
	struct exitbpf *exits;     /* NULL: no records of exits */
	struct sm_proc_event ev[SOURCE_SIZE];
	size_t n;                  /* events read */
	size_t ready;              /* of these, in final order; the rest is held back */
	uint64_t bucket;           /* leaky bucket of events: above its brim the source is busy */
	uint64_t leaked_ns;        /* when it last leaked */
	uint64_t last_ns;          /* of the last drain that left events to hand out */
	bool marked;               /* followed[] is about this batch */
	bool followed[SOURCE_SIZE]; /* exec that another exec of its pid follows */
	pid_t set[2 * SOURCE_BATCH]; /* of mark_followed() */
	bool stopped;              /* nothing is held back any more */
	bool more;                 /* the batch was full: drain again at once */
	uint64_t pace_ns;          /* between two drains while busy */
	uint64_t leak_ns;          /* of the bucket, per event */
};

void source_init(struct source *s, struct capture *capture, bool lazy);
/* Reads what there is; the number of events in s->ev[0 .. s->ready), or -errno. */
ssize_t source_drain(struct source *s, uint64_t now_ns) SM_MUST;
/* Removes the ready events, keeps those that were held back. */
void source_consume(struct source *s);
/* CLOCK_MONOTONIC time of the next drain, 0: now, SM_LOOP_FOREVER: wait for the socket. */
uint64_t source_pace(const struct source *s, uint64_t now_ns);
/* Does the socket wake the loop before that? */
bool source_wakes(const struct source *s);
/* From now on nothing is held back or diverted: the next drain is complete. */
void source_stop(struct source *s);
/* Event i is an exec whose program was just read from /proc: has its process executed another one
 * since?  True also when that cannot be known. */
bool source_exec_overtaken(struct source *s, size_t i);
/* Event i is an exec: does another one of the same pid follow it? */
bool source_exec_follows(struct source *s, size_t i);

#endif
