/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskexit: the name, the parent, the user and the exact CPU time of processes that exit.
 *
 * A BPF program on the raw tracepoint sched_process_free writes a record of 88 bytes for a process (thread
 * group) into a ring buffer, after the process was reaped and has run for the last time.  For a few
 * processes, in a VM up to 13 in 1,000, the kernel does not call the program; these are neither recorded
 * nor counted as lost.  The CPU time includes all threads and equals the addition to the parent's cutime.
 * The record is late: it is written only after the parent has reaped the process and an RCU grace period (10
 * to 50 ms on a busy machine, up to a second on an idle one) has passed.
 *
 * At sched_process_exit, before the proc connector's event, a program cannot read the exact time: the time
 * of a thread since its last tick is not yet included in sum_exec_runtime, and neither is the time of other
 * threads that exit at that moment in the group's sum.  For processes that use 1 ms, 90 % of it would be
 * missing.
 *
 * No process uses more CPU time than its lifetime on each possible CPU.  A larger time is unknown.  CPUs can
 * have gone offline during its life, so the number of online CPUs is no bound.
 *
 * Has the requirements of bpf_stream and needs CONFIG_DEBUG_INFO_BTF.  PIDs belong to the initial PID
 * namespace.
 */
#ifndef SM_TASKEXIT_H
#define SM_TASKEXIT_H

#include "base/root.h"
#include "bpf/bpf_stream.h"
#include "events/taskexit_raw.h"

struct sm_taskexit {
	struct sm_bpf_stream stream; /* .ring_fd wakes poll(2) when the ring is half full */
	unsigned int cpus;           /* possible CPUs; 0: unknown, and CPU times are not bounded */
};

struct sm_taskexit_record {
	uint64_t time_ns;            /* time of the tracepoint, CLOCK_MONOTONIC */
	uint64_t start_ns;           /* start time, CLOCK_BOOTTIME: field 22 of /proc/PID/stat */
	uint64_t cpu_ns;             /* sum_exec_runtime of all threads, without children */
	uint64_t user_ns, system_ns; /* cpu_ns, divided in the ratio of ticks as in /proc/PID/stat */
	pid_t pid, ppid;             /* thread groups */
	bool cpu_unknown;            /* the CPU time is impossible: cpu_ns, user_ns and system_ns are 0 */
	uid_t uid;                   /* real user ID in the initial user namespace */
	char comm[SM_TASK_COMM_LEN]; /* NUL-terminated; hostile bytes */
};

/* Starts recording.  ring_bytes is a power of two of pages.  -EPERM: not allowed; -ENOSYS: not with a
 * 32-bit tool; -ENOENT: the kernel lacks BTF; other errors: this kernel does not support it, and *log may
 * contain the verifier's reason.  After an error the caller may only call sm_taskexit_close(). */
int sm_taskexit_open(struct sm_taskexit *t, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
void sm_taskexit_close(struct sm_taskexit *t);

typedef void (*sm_taskexit_fn)(void *ctx, const struct sm_taskexit_record *r);
/* Calls fn for each record in the ring; returns their number, or -EBADMSG. */
ssize_t sm_taskexit_drain(struct sm_taskexit *t, sm_taskexit_fn fn, void *ctx) SM_MUST;
/* Returns the number of processes whose record did not fit in the ring. */
uint64_t sm_taskexit_lost(const struct sm_taskexit *t);

/* Parses a record of the ring; cpus is the number of possible CPUs, or 0.  -EBADMSG: malformed. */
int sm_taskexit_parse(const void *record, size_t len, unsigned int cpus, struct sm_taskexit_record *out)
	SM_MUST;

#endif
