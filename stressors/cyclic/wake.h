/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wake: the ways to sleep for a time, and the latency of the wakeup.
 *
 * clock_ns sleeps until a time on CLOCK_MONOTONIC, on a fixed grid; poll reads that clock until then and does
 * not sleep at all.  The others sleep for a duration that begins when they are called.
 */
#ifndef STRESSORS_CYCLIC_WAKE_H
#define STRESSORS_CYCLIC_WAKE_H

#include "../stressor.h"

enum cyclic_method {
	CYCLIC_CLOCK_NS, CYCLIC_POSIX_NS, CYCLIC_ITIMER, CYCLIC_POLL, CYCLIC_PSELECT, CYCLIC_USLEEP,
};
extern const char *const cyclic_method_names[]; /* NULL ends it */

struct cyclic_wake {
	enum cyclic_method method;
	uint64_t sleep_ns;
	uint64_t next_ns;       /* clock_ns and poll: when the next wakeup is due */
	uint64_t rest_ns;       /* poll: interval after which it sleeps briefly; 0: never */
	uint64_t rested_ns;
	uint64_t missed;        /* times of the grid that had passed before the sleep until then */
};

/* 0 or -errno.  rest_ns is needed because a real-time process that never sleeps would block all others on its
 * CPU. */
int cyclic_wake_begin(struct cyclic_wake *w, enum cyclic_method method, uint64_t sleep_ns,
	uint64_t rest_ns) SM_MUST;
/* Sleeps; *due_ns is the time at which the wakeup was due, *woke_ns the time at which it came.  False: the
 * time of the run is over, or a signal arrived; nothing was measured. */
bool cyclic_wake_next(struct cyclic_wake *w, const struct stress *s, uint64_t *due_ns,
	uint64_t *woke_ns) SM_MUST;
/* Reads the number of missed periods; false: the method does not use a grid, so a period cannot be missed. */
bool cyclic_wake_periods(const struct cyclic_wake *w, uint64_t *missed) SM_MUST;

#endif
