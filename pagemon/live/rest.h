/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rest: the pause between two walks over the pages of a process.
 *
 * The kernel's counters of a process (vm_activity) cost a few microseconds and show nearly all changes.  If
 * they have changed since the last walk began, the next one is due after a pause that depends on its CPU
 * time.  Otherwise it is due after REST_COST times its CPU time and REST_LEAST_NS, at most REST_MOST_NS,
 * because the counters do not show these changes: huge pages that the kernel merges or splits, zero pages
 * and guard regions that appear or vanish without a fault, hugetlb pages that are given back, soft-dirty
 * bits that another program clears, and, before Linux 6.16, a few pages that are given back (counters of
 * each CPU).
 */
#ifndef PAGEMON_REST_H
#define PAGEMON_REST_H

#include "facts/vmfacts.h"

#define REST_SHARE    50
#define REST_COST     1000
#define REST_LEAST_NS SM_NSEC_PER_SEC
#define REST_MOST_NS  (30 * SM_NSEC_PER_SEC)

struct rest {                  /* zeroes: a walk is due */
	bool walking;
	struct vm_activity activity;     /* when the last walk began */
	uint64_t cpu_ns;           /* CPU time of the walk in progress */
	uint64_t changed_ns;       /* time of the next walk if the activity has changed */
	uint64_t unchanged_ns;     /* time of the next walk if they have not */
};

/* Returns whether a walk is due. */
bool rest_over(const struct rest *r, const struct vm_activity *now, uint64_t now_ns);
/* Call this after each step of a walk, with its CPU time; now: the activity before the step.  more: as
 * returned by the step; 0 ends the walk.  If the activity changes, the next walk is due after `cost` times
 * the CPU time of this one, but at most after most_ns or REST_SHARE times this CPU time. */
void rest_step(struct rest *r, const struct vm_activity *now, uint64_t cpu_ns, int more, uint64_t now_ns,
	uint64_t cost, uint64_t most_ns);

#endif
