/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks: the names, user, cgroup, priority and CPU time of the tasks that arm timers, from /proc.
 *
 * A row first has the names that the kernel recorded; /proc is read with tasks_look(), only for rows that
 * are filtered by such data, or shown.  Names, cgroup and priority are read again after some seconds.  In
 * between, for an exited task, and if
 * /proc belongs to another PID namespace (sm_procpid_foreign()), the comm is the one that the kernel recorded
 * when the task last armed a timer.
 */
#ifndef EVENTSTAT_TASKS_H
#define EVENTSTAT_TASKS_H

#include "base/map.h"
#include "rows/event.h"
#include "proc/procpid.h"

struct counter;

struct task {
	struct sm_timer_owner owner;
	uint8_t flags;         /* EVENT_KTHREAD, EVENT_HAS_UID, EVENT_HAS_PRIO */
	int16_t nice;
	uint8_t rtprio;
	bool gone;             /* it has exited, or cannot be found in /proc */
	char comm[SM_TASK_COMM_LEN];
	char process[SM_TASK_COMM_LEN]; /* comm of the main thread; "": unknown */
	uid_t uid;
	uint64_t named_ns;     /* time when it had this comm, CLOCK_MONOTONIC */
	uint32_t read_s;       /* time when names were last read, s; 0: never */
	uint32_t number, looked; /* numbers of the last samples that used it, and that read /proc for it */
	uint64_t run_ns, run_t_ns; /* CPU time, and when it was read; 0: unknown */
	float cpu_pct;         /* between the last two readings */
	struct sm_poolstr *cmd, *cgroup;
};

struct tasks {
	const struct sm_root *root;
	struct sm_strpool *names;
	struct sm_map map;     /* hash of the owner -> struct task */
	bool want_cmd, want_uid, want_cgroup;
	bool want_use;         /* CPU time and priority */
	bool follow_cgroup;    /* read cgroups in each sample, because rows are grouped by them */
	bool own_pids;         /* system calls use the same thread IDs */
	bool foreign;          /* /proc has other PIDs, so nothing is read there */
	char *scratch;
	uint32_t number;
	uint64_t now_ns;       /* time of the sample */
};

int tasks_init(struct tasks *t, const struct sm_root *root, struct sm_strpool *names) SM_MUST;
void tasks_fini(struct tasks *t);
/* Begins a sample; deletes tasks that the last samples did not use. */
void tasks_begin(struct tasks *t, uint64_t now_ns);
/* Updates the owner of a counter with the name that the counter has recorded. */
void tasks_learn(struct tasks *t, const struct counter *k);
/* Returns the owner of a counter with the data that the kernel recorded, or NULL if memory is exhausted. */
struct task *tasks_get(struct tasks *t, const struct counter *k);
/* Returns the task of an owner, or NULL.  comm: its name if it is unknown, SM_TASK_COMM_LEN bytes, or "". */
struct task *tasks_of(struct tasks *t, struct sm_timer_owner owner, const char *comm);
/* Reads the data of a task from /proc, once per sample. */
void tasks_refresh(struct tasks *t, struct task *k);
/* Adds the data of /proc to the rows of tasks that do not have them yet.  t NULL: does nothing. */
void tasks_look(struct tasks *t, struct event *rows, size_t n);
/* Reads /proc/PID/task/TID/stat of a task.  -ENOENT: it has exited, even if another task has its thread ID
 * now. */
int tasks_read_stat(const struct sm_root *root, struct sm_timer_owner owner, struct sm_pidstat *st) SM_MUST;
/* Copies the data of a task into one of its rows. */
void tasks_describe(const struct task *k, struct event *e);

#endif
