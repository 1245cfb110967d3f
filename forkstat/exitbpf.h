/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exitbpf: what the kernel knows of a process at the exit of each of its threads.
 *
 * The exit event of the proc connector has the exit code of one thread.  It does not tell which of them is
 * the status that the parent sees: wait_task_zombie() of kernel/exit.c gives the group exit code after
 * exit_group(2) or a fatal signal (in later kernels also that of the thread which ends last), otherwise the
 * code of the leader.  A BPF program on the tracepoint sched_process_exit notes that, and how many threads
 * live on, where the process has other threads or its status is another one than the event's; the exit of a
 * process with one thread leaves no record.  The record is written before the event is sent, so a reader
 * that drains first the socket and then the ring has it.  Two threads that exit at once can both see that
 * none lives on: the number of events decides which is the last one (kernel/tasktable.h).
 *
 * Records wait by thread for their event.  Needs what bpf_stream.h needs, and BTF.  Pids are those of the
 * initial namespace.
 */
#ifndef FORKSTAT_EXITBPF_H
#define FORKSTAT_EXITBPF_H

#include <sys/types.h>

#include "base/map.h"
#include "exit_raw.h"
#include "kernel/bpf_stream.h"
#include "kernel/root.h"

struct exitbpf {
	struct sm_bpf_stream stream;
	int64_t clock_offset_ns; /* as in struct sm_cnproc */
	struct sm_map waiting;	 /* thread -> struct exitbpf_wait */
	struct exitbpf_wait *free;
	uint64_t event_ns; /* of the newest exit event so far */
};

/* Errors as execbpf_open(). */
int exitbpf_open(
	struct exitbpf *b, const struct sm_root *root, struct sm_bpf_log *log) SM_MUST;
void exitbpf_close(struct exitbpf *b);
void exitbpf_drain(struct exitbpf *b);
/* The record of the thread's exit, whose event has that time (CLOCK_MONOTONIC); false:
 * there is none. */
bool exitbpf_take(struct exitbpf *b, pid_t tid, pid_t tgid, uint64_t time_ns,
	struct exitbpf_raw *out);

/* Memory for records; one record of the ring. */
int exitbpf_init(struct exitbpf *b) SM_MUST;
void exitbpf_record(struct exitbpf *b, const void *record, size_t len);

#endif
