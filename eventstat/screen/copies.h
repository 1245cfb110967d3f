/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copies: copies of the rows of a sample, of timers or of wakeups.  The sampler's rows are valid only until
 * its next sample, but the screen is drawn at any time and keys rearrange its rows.
 *
 * comm, the name of the callback and the sums of CPUs are copied; cmd and cgroup hold references in their
 * pool.  Names of devices are not copied, because they remain valid.
 */
#ifndef EVENTSTAT_SCREEN_COPIES_H
#define EVENTSTAT_SCREEN_COPIES_H

#include "../event.h"
#include "base/buf.h"

struct copies {
	struct event *rows;        /* n rows */
	size_t n, cap;
	struct wake_cpu *cpu;      /* sums of each CPU */
	size_t cpu_cap;
	struct sm_buf text;        /* for each row: comm, process, name of the callback and a NUL */
	struct sm_strpool *names;  /* pool of cmd and cgroup, owned by the caller */
};

/* Replaces the copies.  Returns 0, or -ENOMEM with c->n 0. */
int copies_take(struct copies *c, const struct event *rows, size_t n) SM_MUST;
/* Copies the sums of each CPU and makes s point to them.  Returns 0, or -ENOMEM with s->cpus 0. */
int copies_take_cpus(struct copies *c, struct wake_sums *s) SM_MUST;
void copies_fini(struct copies *c);

#endif
