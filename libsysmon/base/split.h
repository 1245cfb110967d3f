/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split: divides CPU time into user and system time.
 *
 * The kernel counts CPU time in nanoseconds but its user and system parts in ticks (utime and stime
 * of /proc/PID/stat).  In one sample a task often receives at most one tick, so the share is measured over
 * at least four ticks and kept until there are four more; before the first four, it is the share over
 * the task's whole life.
 */
#ifndef SM_SPLIT_H
#define SM_SPLIT_H

#include "base/base.h"

struct sm_split {
	uint64_t usr, sys;     /* ticks at the last measurement of the share */
	double share;
	bool known;
};

/* Excludes these ticks from the share: the task existed before the first sample. */
void sm_split_begin(struct sm_split *p, uint64_t usr, uint64_t sys);
/* Returns the user share, 0..1, of a task with these ticks. kernel: the task is a kernel thread. */
double sm_split_share(struct sm_split *p, uint64_t usr, uint64_t sys, bool kernel);
/* Divides used_ns, so that *usr_ns + *sys_ns = used_ns. */
void sm_split_time(uint64_t used_ns, double share, uint64_t *usr_ns, uint64_t *sys_ns);
/* Returns the user share of these ticks.  Without ticks, all time is user time. */
static inline double sm_split_ratio(uint64_t usr, uint64_t sys)
{
	return usr || sys ? (double)usr / ((double)usr + (double)sys) : 1;
}

#endif
