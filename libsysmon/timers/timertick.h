/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timertick: addresses of timer functions, even if the kernel hides its symbols (/proc/kallsyms).
 *
 * The kernel resolves the addresses from its type information for a BPF program that runs once.  Since
 * Linux 6.4 this finds all functions.  Before, the functions of the tick are read from per-CPU variables of
 * the kernel, which requires CONFIG_KALLSYMS_ALL and the types of the variables in BTF.
 */
#ifndef SM_TIMERTICK_H
#define SM_TIMERTICK_H

#include "base/base.h"

struct sm_root;

/* Addresses are 0 if unknown. */
struct sm_timertick {
	uint64_t tick;    /* callback of the tick, an hrtimer */
	uint64_t balance; /* function that a tick calls on an idle CPU to balance the load */
	uint64_t hrtimer_wakeup, process_timeout; /* callbacks that end a sleep: timers.h */
	uint64_t ids;     /* this thread in the initial PID namespace: tgid << 32 | tid */
};

/* Requires 64-bit Linux 5.10 with BTF, CAP_BPF and CAP_PERFMON.  After an error, *t is 0. */
int sm_timertick_read(struct sm_timertick *t, const struct sm_root *root) SM_MUST;

#endif
