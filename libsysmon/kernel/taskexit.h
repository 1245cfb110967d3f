/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskexit: the name, the parent, the user and the exact CPU time of processes that end.
 *
 * A BPF program on the raw tracepoint sched_process_free writes a record of 80 bytes for a process
 * (thread group) into a ring buffer: when the process was reaped and has run for the last time.  For
 * a few processes, in a VM up to 13 in 1,000, the kernel does not call the program: they are neither recorded
 * nor counted as lost.  The time is that of all threads, what the parent's cutime received.  The record
 * comes late: a zombie's not before its parent waits for it, and then after an RCU grace period,
 * 10 to 50 ms on a busy machine, up to a second on an idle one.
 * At sched_process_exit, before the proc connector's event, no program can see the time: what a
 * thread took since the last tick is not in sum_exec_runtime yet, nor are other threads that end at
 * that instant in the group's sum.  Of processes that took 1 ms, 90 % would be missing.
 *
 * Needs what bpf_stream needs, and CONFIG_DEBUG_INFO_BTF.  Pids are those of the initial namespace.
 */
#ifndef SM_TASKEXIT_H
#define SM_TASKEXIT_H

#include "kernel/bpf_stream.h"
#include "kernel/root.h"
#include "kernel/taskexit_raw.h"

struct sm_taskexit {
	struct sm_bpf_stream stream; /* .ring_fd: wakes poll(2) when it is half full */
};

struct sm_taskexit_record {
	uint64_t time_ns;            /* CLOCK_MONOTONIC, of the tracepoint */
	uint64_t start_ns;           /* CLOCK_BOOTTIME: field 22 of /proc/PID/stat */
	uint64_t cpu_ns;             /* sum_exec_runtime of all threads; not of children */
	uint64_t user_ns, system_ns; /* cpu_ns, divided by ticks as in /proc/PID/stat */
	pid_t pid, ppid;             /* thread groups */
	uid_t uid;                   /* real, of the initial user namespace */
	char comm[SM_TASK_COMM_LEN]; /* NUL-terminated; hostile bytes */
};

/* ring_bytes: a power of two of pages.  -EPERM: not allowed; -ENOSYS: not with a 32-bit tool;
 * -ENOENT: the kernel has no BTF; others: not with this kernel, and *log may have the verifier's
 * reason.  After a failure only sm_taskexit_close() may follow. */
int sm_taskexit_open(struct sm_taskexit *t, const struct sm_root *root, size_t ring_bytes,
	struct sm_bpf_log *log) SM_MUST;
void sm_taskexit_close(struct sm_taskexit *t);

typedef void (*sm_taskexit_fn)(void *ctx, const struct sm_taskexit_record *r);
/* Hands out what is in the ring; how many, or -EBADMSG. */
ssize_t sm_taskexit_drain(struct sm_taskexit *t, sm_taskexit_fn fn, void *ctx) SM_MUST;
/* Processes whose record did not fit in the ring. */
uint64_t sm_taskexit_lost(const struct sm_taskexit *t);

/* One record of the ring; -EBADMSG when it is malformed. */
int sm_taskexit_parse(const void *record, size_t len, struct sm_taskexit_record *out) SM_MUST;

#endif
