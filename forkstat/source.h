/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: the stream of process events in the order in which they happened.
 *
 * A drain empties the socket (batched), takes over the argument rings, and sorts by stamp:
 * the kernel does not order events of different CPUs.  While events come fast the wake-ups
 * are the cost, so source_pace() tells the loop to look every few milliseconds instead of at
 * every event (as seldom as the argument rings allow); then the last instants of a drain are held back for the next one, so that the
 * order holds across drains too.  When it is quiet, everything is handed out at once.
 */
#ifndef FS_SOURCE_H
#define FS_SOURCE_H

#include "capture.h"
#include "cnproc.h"

#define SOURCE_BATCH 1024

struct source {
	struct sm_cnproc cn;
	struct capture *capture;   /* NULL: no argument rings */
	struct sm_proc_event ev[SOURCE_BATCH];
	size_t n;                  /* events at hand */
	size_t ready;              /* of these, in final order; the rest is held back */
	uint64_t bucket;           /* leaky bucket of events: above its brim we are busy */
	uint64_t leaked_ns;        /* when it last leaked */
	bool marked;               /* followed[] is about this batch */
	bool followed[SOURCE_BATCH]; /* exec that another exec of its pid follows */
	pid_t set[2 * SOURCE_BATCH]; /* of mark_followed() */
	bool more;                 /* the batch was full: drain again at once */
	uint64_t pace_ns;          /* between two looks while busy */
};

void source_init(struct source *s, struct capture *capture);
/* Reads what there is; the number of events in s->ev[0 .. s->ready), or -errno. */
ssize_t source_drain(struct source *s, uint64_t now_ns) SM_MUST;
/* Forgets the ready ones, keeps those that were held back. */
void source_consume(struct source *s);
/* CLOCK_MONOTONIC time of the next look, 0: look now, SM_LOOP_FOREVER: wait for the socket. */
uint64_t source_pace(const struct source *s, uint64_t now_ns);
/* Event i is an exec: does another one of the same pid follow it? */
bool source_exec_follows(struct source *s, size_t i);

#endif
