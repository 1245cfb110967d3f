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
 * Otherwise it is not known, because _exit(2) of the last thread leaves the leader's status, and
 * exit_group(2) does not.
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
	const struct sm_task *p, const struct sm_proc_event *ev);

#endif
