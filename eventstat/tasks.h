/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks: what /proc knows of the tasks that arm timers: name, user, control group, priority and CPU
 * time.
 *
 * Names, cgroup and priority are read again after some seconds.  In between, and after its end, a task has
 * the comm that the kernel noted when it last armed a timer; so it has where /proc is that of another pid
 * namespace (sm_procpid_foreign()).
 */
#ifndef EVENTSTAT_TASKS_H
#define EVENTSTAT_TASKS_H

#include "base/map.h"
#include "event.h"
#include "kernel/procpid.h"

struct counter;

struct task {
	struct sm_timer_owner owner;
	uint8_t flags;         /* EVENT_KTHREAD, EVENT_HAS_UID, EVENT_HAS_PRIO */
	int16_t nice;
	uint8_t rtprio;
	bool gone;             /* it had exited at the last look, or cannot be found */
	char comm[SM_TASK_COMM_LEN];
	char process[SM_TASK_COMM_LEN]; /* comm of the main thread; "": not known */
	uid_t uid;
	uint64_t named_ns;     /* when it had this comm */
	uint32_t read_s;       /* when names were read, seconds; 0: never */
	uint32_t number;       /* of the last sample that asked */
	uint64_t run_ns, run_t_ns; /* CPU time, and when it was read; 0: not known */
	float cpu_pct;         /* between the last two readings */
	struct sm_poolstr *cmd, *cgroup;
};

struct tasks {
	const struct sm_root *root;
	struct sm_strpool *names;
	struct sm_map map;     /* hash of the owner -> struct task */
	bool want_cmd, want_uid, want_cgroup;
	bool follow_cgroup;    /* it is read in each sample, because rows are grouped by it */
	bool own_pids;         /* system calls take the same thread ids */
	bool foreign;          /* the pids of /proc are others: nothing is read there */
	char *scratch;
	uint32_t number;
};

int tasks_init(struct tasks *t, const struct sm_root *root, struct sm_strpool *names) SM_MUST;
void tasks_fini(struct tasks *t);
/* A new sample: those that were not asked for in many are forgotten. */
void tasks_begin(struct tasks *t);
/* A counter of a name that is new: what it noted of its owner. */
void tasks_learn(struct tasks *t, const struct counter *k);
/* The owner of a counter, now; NULL: no memory. */
struct task *tasks_get(struct tasks *t, const struct counter *k, uint64_t now_ns);
/* A task by its owner of timers.h; comm: SM_TASK_COMM_LEN bytes, its name if it has exited, or "". */
struct task *tasks_of(struct tasks *t, struct sm_timer_owner owner, const char *comm, uint64_t now_ns);
/* /proc/PID/task/TID/stat of the task.  -ENOENT: it has exited; what another task with its thread id has is
 * not read. */
int tasks_read_stat(const struct sm_root *root, struct sm_timer_owner owner, struct sm_pidstat *st) SM_MUST;
/* What is known of the task, into a row of it. */
void tasks_describe(const struct task *k, struct event *e);

#endif
