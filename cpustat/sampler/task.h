/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task: the record of a process that has used CPU during the run.
 *
 * Records come from a pool with a free list and are identified by a number (0 = no record), so that pidlist
 * needs four bytes for each.  A process is identified by pid and start time: one that reuses a pid
 * gets a new record.
 */
#ifndef CPUSTAT_TASK_H
#define CPUSTAT_TASK_H

#include "base/split.h"
#include "base/strpool.h"
#include "proc/procpid.h"
#include "proc/threads.h"

enum {
	TASK_NAMED = 2,     /* cmd belongs to this comm */
	TASK_CREDS = 4,     /* uid is known */
	TASK_TREE = 8,      /* COMMAND or one of its descendants */
	TASK_KTHREAD = 16,
};

struct sm_threads;

struct task {
	pid_t pid;
	pid_t living;          /* a living thread, if the leader has exited; otherwise 0 */
	uint8_t flags;         /* TASK_* */
	char state;
	uint8_t comm_len;
	char comm[SM_PIDSTAT_COMM_MAX + 1];
	int cpu;
	pid_t ppid;
	uid_t uid;
	uint64_t start_ticks;
	uint64_t ns;           /* CPU time at the last reading */
	uint64_t utime_ticks, stime_ticks;
	struct sm_split split;
	uint64_t cutime_ns;
	int64_t num_threads;
	int64_t exited_balance_ns; /* <= 0: time reported before the ticks of cutime included it */
	uint64_t exited_ns;    /* time reported as exited children so far */
	uint64_t dt_ns;        /* between the last two readings */
	uint64_t reaped_ns, reaped_since_ns; /* when cutime was read, now and before this sample */
	uint32_t seen;         /* number of the last sample that read its stat; 0: not read yet */
	uint32_t zombie_since; /* number of the first sample as a zombie; 0 = not a zombie */
	uint32_t waited;       /* number of the last sample that read wait */
	uint32_t threaded;     /* number of the last sample that read threads */
	uint32_t named_s;      /* when its names were read, seconds */
	uint32_t next;         /* in the free or the retired list */
	struct sm_thread_wait wait;
	struct sm_poolstr *cmd, *cgroup; /* with a reference each */
	struct sm_threads *threads;
};

#define TASKS_BLOCK 128u

struct tasks {
	struct task **block;   /* blocks of TASKS_BLOCK records, which never move */
	size_t nblocks, blocks_cap;
	size_t top;            /* [0] is never used */
	uint32_t free;         /* list through next */
	uint32_t retired;      /* list of records for tasks_reclaim() */
	struct sm_strpool *names;
};

void tasks_init(struct tasks *t, struct sm_strpool *names);
void tasks_fini(struct tasks *t);
/* Returns the number of a new record, or 0 if memory is short. */
uint32_t tasks_new(struct tasks *t, pid_t pid);
/* Retires a record.  Its names stay until tasks_reclaim(), because rows of this sample can point to them. */
void tasks_retire(struct tasks *t, uint32_t id);
void tasks_reclaim(struct tasks *t);
/* Returns a record. id is not 0. */
static inline struct task *task_at(const struct tasks *t, uint32_t id)
{
	return &t->block[id / TASKS_BLOCK][id % TASKS_BLOCK];
}
/* Copies the fields of /proc/PID/stat, except the time of children. */
void task_update(struct task *t, const struct sm_pidstat *st);

#endif
