/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timertick: functions of timers by their address, also where the kernel hides its symbols
 * (/proc/kallsyms): a BPF program that runs once has the kernel look them up by their type information.
 *
 * From Linux 6.4 on that finds all of them.  Before, those of the tick are read in variables that the
 * kernel has for each CPU, which needs CONFIG_KALLSYMS_ALL and their types in BTF.
 */
#ifndef SM_TIMERTICK_H
#define SM_TIMERTICK_H

#include "base/base.h"

struct sm_root;

/* Addresses are 0 if they are not known. */
struct sm_timertick {
	uint64_t tick;    /* callback of the tick of a CPU, an hrtimer */
	uint64_t balance; /* what a tick calls on an idle CPU that is to balance the load */
	uint64_t hrtimer_wakeup, process_timeout; /* callbacks that end a sleep: timers.h */
	uint64_t ids;     /* of this thread in the initial pid namespace: tgid << 32 | tid */
};

/* Needs a 64-bit Linux 5.10 with BTF, CAP_BPF and CAP_PERFMON.  -errno: *t is then 0. */
int sm_timertick_read(struct sm_timertick *t, const struct sm_root *root) SM_MUST;

#endif
