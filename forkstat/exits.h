/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits: decides which exit ends a process, and with which status.
 *
 * A process ends with its last thread.  The exit of any other thread, including the main thread, ends only
 * that thread.  The status of a process is the one that its parent receives (exitbpf.h).  Without a record
 * it is known
 *  - if the leader exits last: it is the exit code of the leader;
 *  - if a signal killed the last thread: a signal kills all threads, except the SIGSYS of a seccomp filter,
 *    which can kill one;
 *  - if the exit codes of the leader and of all threads that exit later are equal.
 * Otherwise it is unknown.  In old kernels (5.10) the system call exit of the last thread keeps the
 * leader's code, and exit_group(2) replaces it.  In later kernels the status is always the code of the last
 * thread (synchronize_group_exit() of kernel/exit.c), but if two threads exit at the same time, the events do
 * not show which one was the last.
 *
 * The exit_ fields of the leader's entry (proc/tasktable.h) store the state of a process so far.
 */
#ifndef FORKSTAT_EXITS_H
#define FORKSTAT_EXITS_H

#include "events/cnproc.h"
#include "exitbpf.h"
#include "proc/tasktable.h"

struct exits_status {
	bool process_end;
	bool known;    /* always true for the exit of a thread */
	uint32_t code; /* a wait status */
};

/* Applies an exit event of p and returns its meaning.  b may be NULL. */
struct exits_status exits_apply(struct exitbpf *b, struct sm_tasktable *procs,
	struct sm_task *p, const struct sm_proc_event *ev);

#endif
