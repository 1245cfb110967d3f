/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exitbpf: the state of a process in the kernel at the exit of each of its threads.
 *
 * The exit event of the proc connector has the exit code of one thread.  It does not show which of these
 * codes the parent receives: wait_task_zombie() of kernel/exit.c returns the group exit code after
 * exit_group(2) or a fatal signal (in later kernels also the code of the thread that exits last), otherwise
 * the code of the leader.  If the process has other threads, or its status differs from the code in the
 * event, a BPF program on the tracepoint sched_process_exit records that status and the number of live
 * threads.  Other exits leave no record.  The record is written before the event is sent, so a reader that
 * drains the socket first and the ring second has it.  Two threads that exit at the same time can both find
 * no live thread; the number of events decides which one is the last (proc/tasktable.h).
 *
 * Records are kept by thread until their event.  Opening has the requirements of bpf_stream.h, and needs
 * BTF.  Pids are in the initial namespace.
 */
#ifndef FORKSTAT_EXITBPF_H
#define FORKSTAT_EXITBPF_H

#include <sys/types.h>

#include "base/map.h"
#include "base/root.h"
#include "bpf/bpf_stream.h"
#include "exit_raw.h"

struct exitbpf {
	struct sm_bpf_stream stream;
	int64_t clock_offset_ns; /* see struct sm_cnproc */
	struct sm_map waiting;	 /* thread -> struct exitbpf_raw */
	uint64_t event_ns; /* time of the newest exit event so far */
};

/* Returns 0, or an error as execbpf_open(). */
int exitbpf_open(
	struct exitbpf *b, const struct sm_root *root, struct sm_bpf_log *log) SM_MUST;
void exitbpf_close(struct exitbpf *b);
void exitbpf_drain(struct exitbpf *b);
/* Stores the record of the thread's exit, whose event has the time time_ns (CLOCK_MONOTONIC), in *out.
 * Returns false if there is none. */
bool exitbpf_take(struct exitbpf *b, pid_t tid, pid_t tgid, uint64_t time_ns,
	struct exitbpf_raw *out);

/* Steps of exitbpf_open() and exitbpf_drain(), declared for tests: prepare the memory for records, and add
 * one record. */
int exitbpf_init(struct exitbpf *b) SM_MUST;
void exitbpf_record(void *exitbpf, const void *record, size_t len);

#endif
