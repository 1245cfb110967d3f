/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * children: keeps the records of exited.h up to date: the time that each process has reaped, from
 * cutime and cstime of its stat (proc(5), fields 16 and 17), and the processes that have exited.
 *
 * pids.child_ns holds the sum of both at the last reading.  The records of a walk have nanoseconds, which are
 * also used for a process whose stat was read.
 */
#ifndef CPUSTAT_SAMPLER_CHILDREN_H
#define CPUSTAT_SAMPLER_CHILDREN_H

#include "state.h"

struct children_time {
	uint64_t usr_ns, ns;
};
struct children_time children_time(const struct sampler *s, size_t i, const struct sm_pidstat *st);
/* Adds the time that entry i has reaped since its last reading to the records.  A process without a struct
 * task has used no CPU time and so has reaped nothing. */
void children_reaped(struct sampler *s, size_t i, const struct sm_pidstat *st);
/* Marks a process whose stat was (was_read) or was not read in this sample: its stat is read again
 * before the sample ends, because a child of it has exited. */
void children_read_parent(struct sampler *s, pid_t ppid, bool was_read);
/* Records that the process of entry i has exited, with the time that rows have reported for it and that is in
 * the cutime of its reaper.  The entry keeps its place until pidlist_sweep(). */
void children_exited(struct sampler *s, size_t i);
/* Records that the process of entry i has exited and that entry i now is a new process with this PID. */
void children_pid_reused(struct sampler *s, size_t i);

#endif
