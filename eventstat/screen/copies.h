/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies: copies of a sample's rows, of timers or of wake-ups.  The sampler's rows are valid only until
 * its next sample, but the screen is drawn at any time and keys rearrange its rows.
 *
 * comm, the callback's name and the sums of CPUs are copied; cmd and cgroup hold a reference in the pool that
 * they come from.  Names of devices stay.
 */
#ifndef EVENTSTAT_SCREEN_COPIES_H
#define EVENTSTAT_SCREEN_COPIES_H

#include "../event.h"
#include "base/buf.h"

struct copies {
	struct event *rows;        /* n of them */
	size_t n, cap;
	struct wake_cpu *cpu;      /* the sums of each CPU */
	size_t cpu_cap;
	struct sm_buf text;        /* of each row: comm, then the callback's name and a NUL */
	struct sm_strpool *names;  /* the caller's */
};

/* Replaces the previous copies.  -ENOMEM: there are none. */
int copies_take(struct copies *c, const struct event *rows, size_t n) SM_MUST;
/* Copies the sums of each CPU, to which s then points.  -ENOMEM: there are none. */
int copies_take_cpus(struct copies *c, struct wake_sums *s) SM_MUST;
void copies_fini(struct copies *c);

#endif
