/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskcomm: comm and process of each thread by its tid, kept true by events (a thread is made, is named,
 * exits) in the order of their time; of a thread that was there before, from /proc by sm_taskcomm_seed(),
 * or when it is first asked for.
 *
 * A thread that has exited is remembered until SM_TASKCOMM_EXITED others have: its last switch of tasks
 * may still arm a timer of the scheduler.  Names are bytes.  Memory is bounded: the names of more than
 * SM_TASKCOMM_MAX threads are not kept.
 */
#ifndef SM_TASKCOMM_H
#define SM_TASKCOMM_H

#include "base/map.h"
#include "kernel/root.h"

#define SM_TASKCOMM_MAX    65536u
#define SM_TASKCOMM_EXITED 256u

struct sm_taskcomm_entry {
	pid_t tid;
	pid_t tgid;                  /* tid if not known */
	uint64_t birth;              /* as in timers.h: when it was made, or found, if it was there before */
	char comm[SM_TASK_COMM_LEN]; /* "": not known */
	bool exited;
};

struct sm_taskcomm {
	const struct sm_root *root;
	bool foreign; /* the pids of /proc are others (sm_procpid_foreign()): nothing is read there */
	struct sm_map map; /* tid -> entry */
	struct sm_taskcomm_entry *entry;
	uint32_t n, unused; /* n in use or once used; unused: list of the latter, index + 1 */
	pid_t exited[SM_TASKCOMM_EXITED];
	uint32_t n_exited; /* ever */
};

/* root lives longer.  0 or -ENOMEM; then only sm_taskcomm_fini() may follow. */
int sm_taskcomm_init(struct sm_taskcomm *t, const struct sm_root *root) SM_MUST;
void sm_taskcomm_fini(struct sm_taskcomm *t);

/* All threads that exist: after events began, so that none is missed, and before the first one is handed
 * over. */
void sm_taskcomm_seed(struct sm_taskcomm *t);
struct sm_taskcomm_entry sm_taskcomm_get(struct sm_taskcomm *t, pid_t tid);
/* tgid 0: that of the parent; comm "": that of the parent, who is the task that made it. */
void sm_taskcomm_made(struct sm_taskcomm *t, const struct sm_taskcomm_entry *task, pid_t parent);
void sm_taskcomm_named(struct sm_taskcomm *t, pid_t tid, const char comm[SM_TASK_COMM_LEN]);
void sm_taskcomm_exited(struct sm_taskcomm *t, pid_t tid);

#endif
