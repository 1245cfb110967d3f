/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exits: which exit ends a process, and with which status.
 *
 * A process ends with its last thread; the exit of any other one, the main thread too, is that of a
 * thread.  Its status is the one that its parent sees (exitbpf.h).  Without a record it is known
 *  - if the leader exits last: it is the leader's exit code;
 *  - if the last thread was ended by a signal: that ends all threads, except the SIGSYS of a seccomp filter,
 *    which can end one;
 *  - if all threads that exit from the leader on have the same exit code.
 * Otherwise it is not known.  In old kernels (5.10) the system call exit of the last thread leaves the
 * leader's code, and exit_group(2) does not.  In later ones the code of the last thread is the status either
 * way (synchronize_group_exit() of kernel/exit.c), but of two that exit at once the events do not tell
 * which one was the last.
 *
 * What is known of a process so far is in the exit_ fields of its leader's entry (kernel/tasktable.h).
 */
#ifndef FORKSTAT_EXITS_H
#define FORKSTAT_EXITS_H

#include "exitbpf.h"
#include "kernel/cnproc.h"
#include "kernel/tasktable.h"

struct exits_status {
	bool process_end;
	bool known;    /* always, of a thread's own code */
	uint32_t code; /* a wait status */
};

/* An exit event of p.  b may be NULL. */
struct exits_status exits_apply(struct exitbpf *b, struct sm_tasktable *procs,
	struct sm_task *p, const struct sm_proc_event *ev);

#endif
