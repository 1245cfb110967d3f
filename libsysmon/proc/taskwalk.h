/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskwalk: identity, state and CPU time of every process of the machine, with one system call.
 *
 * A BPF program, which sm_taskwalk_run() starts in this thread, walks the kernel's list of tasks and writes a
 * record for each process into an array that the reader has mapped.  This costs 20 to 100 ns per process: a
 * tenth of its CPU clock (cpuclock.h).
 *
 * A record is rewritten only if the parent, a CPU time or the number of threads differs.  Its other fields
 * are thus from a time when the process last ran.
 *
 * The records are in the order of creation, so a child follows its parent.  A child whose record is missing
 * has been reaped, but its parent's record can be from before; the next walk has its time.  A child that has
 * a record is not in the time of reaped children of this walk.  A zombie has a record with its final time
 * until it is reaped.  The CPU time equals the CPU clock of the process, the time of reaped children the sum
 * of their clocks; user and system time are divided in the ratio of ticks, as in /proc/PID/stat.
 *
 * A sum over several threads would take several milliseconds to load: the CPU clock has their time.
 *
 * Opening requires Linux 6.7 with CONFIG_DEBUG_INFO_BTF, CAP_BPF and CAP_PERFMON; a walk requires no
 * privileges.  PIDs belong to the initial PID namespace and start times to the initial time namespace.
 * Kernels of some vendors leave out PID 1.  The walk does not yield the CPU, so beyond SM_TASKWALK_MAX
 * processes it would delay other tasks for more than 2 ms.
 */
#ifndef SM_TASKWALK_H
#define SM_TASKWALK_H

#include "base/root.h"
#include "bpf/bpf.h"
#include "proc/procpid.h"
#include "proc/taskwalk_raw.h"

#define SM_TASKWALK_MAX 16384u

struct sm_taskwalk {
	int prog_fd;
	struct sm_bpf_array head, records;
};

/* Loads the program, with room for this many processes, at most SM_TASKWALK_MAX.  -EPERM: not allowed;
 * -ENOENT: the kernel lacks BTF or an iterator of tasks; other errors: this kernel does not support it, and
 * *log (may be NULL) may contain the verifier's reason.  After an error the caller may only call
 * sm_taskwalk_close(). */
int sm_taskwalk_open(struct sm_taskwalk *w, const struct sm_root *root, uint32_t room,
	struct sm_bpf_log *log) SM_MUST;
/* Walks all processes.  -ENOBUFS: there are more than there is room for. */
int sm_taskwalk_run(struct sm_taskwalk *w) SM_MUST;
/* Returns the number and the time of the records of the last walk. */
static inline const struct sm_taskwalk_head *sm_taskwalk_head(const struct sm_taskwalk *w)
{
	return (const struct sm_taskwalk_head *)w->head.values;
}
static inline const struct sm_taskwalk_raw *sm_taskwalk_records(const struct sm_taskwalk *w)
{
	return (const struct sm_taskwalk_raw *)w->records.values;
}
void sm_taskwalk_close(struct sm_taskwalk *w);

/* Returns whether a record has the CPU time of the process: it has one thread. */
static inline bool sm_taskwalk_has_ns(const struct sm_taskwalk_raw *r)
{
	return r->threads == 1;
}
/* Fills the fields of /proc/PID/stat that records have, the others with 0.  Returns false if only /proc has
 * the CPU time, the state of a living thread or the whole name, which is longer for some kernel threads. */
bool sm_taskwalk_stat(const struct sm_taskwalk_raw *r, struct sm_pidstat *st);

#endif
