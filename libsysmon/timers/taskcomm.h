/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * taskcomm: comm and process of each thread by its TID.
 *
 * Events (a thread is created, is named, exits) in time order keep the table current.  Threads that existed
 * before are read from /proc, by sm_taskcomm_seed() or at the first lookup.
 *
 * A thread that has exited is remembered until SM_TASKCOMM_EXITED others have exited, because its last task
 * switch may still arm a timer of the scheduler.  Names may contain any bytes.  Memory is bounded: at most
 * SM_TASKCOMM_MAX threads have names.
 */
#ifndef SM_TASKCOMM_H
#define SM_TASKCOMM_H

#include "base/map.h"
#include "base/root.h"

#define SM_TASKCOMM_MAX    65536u
#define SM_TASKCOMM_EXITED 256u

struct sm_taskcomm_entry {
	pid_t tid;
	pid_t tgid;                  /* equals tid if unknown */
	uint64_t birth;              /* see timers.h: time of creation, or at which an older task was found */
	char comm[SM_TASK_COMM_LEN]; /* "": unknown */
	bool exited;
};

struct sm_taskcomm {
	const struct sm_root *root;
	bool foreign; /* /proc has other PIDs (sm_procpid_foreign()) and is not read */
	struct sm_map map; /* tid -> entry */
	struct sm_taskcomm_entry *entry;
	uint32_t n, unused; /* n: entries that are or were in use; unused: list of free ones, index + 1 */
	pid_t exited[SM_TASKCOMM_EXITED];
	uint32_t n_exited; /* exits so far */
};

/* root must outlive t.  0, or -ENOMEM; then the caller may only call sm_taskcomm_fini(). */
int sm_taskcomm_init(struct sm_taskcomm *t, const struct sm_root *root) SM_MUST;
void sm_taskcomm_fini(struct sm_taskcomm *t);

/* Reads all threads that exist.  The caller calls it once events are recorded, so that no thread is missed,
 * and before it passes the first event. */
void sm_taskcomm_seed(struct sm_taskcomm *t);
struct sm_taskcomm_entry sm_taskcomm_get(struct sm_taskcomm *t, pid_t tid);
/* Adds a task that parent has created.  A tgid of 0 and a comm of "" stand for the parent's. */
void sm_taskcomm_made(struct sm_taskcomm *t, const struct sm_taskcomm_entry *task, pid_t parent);
void sm_taskcomm_named(struct sm_taskcomm *t, pid_t tid, const char comm[SM_TASK_COMM_LEN]);
void sm_taskcomm_exited(struct sm_taskcomm *t, pid_t tid);

#endif
