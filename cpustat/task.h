/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task: what is kept about a process that has used CPU while we watched.
 *
 * Records come from a pool with a free list and are named by a number (0 = none), so that the
 * list of live processes needs four bytes for each.  A pid that was given to another process
 * gets a fresh record: pid and start time are the identity.
 */
#ifndef CS_TASK_H
#define CS_TASK_H

#include "intern.h"
#include "procpid.h"

enum {
	TASK_NAMED = 2,     /* cmd belongs to this comm */
	TASK_CREDS = 4,     /* uid is known */
	TASK_TREE = 8,      /* COMMAND or one of its descendants */
	TASK_KTHREAD = 16,
};

/*
 * The user's part of CPU time.  It is told by the kernel's ticks as soon as there are enough of
 * them since it was told last; a task that uses little keeps it meanwhile.  Before the first time
 * it is that of the whole life.
 */
struct split {
	uint64_t usr, sys;     /* ticks, when it was told last */
	double share;
	bool known;
};

void split_begin(struct split *p, uint64_t usr, uint64_t sys);
double split_share(struct split *p, uint64_t usr, uint64_t sys, bool kernel);
/* All is the user's if there is nothing to go by. */
static inline double split_ratio(uint64_t usr, uint64_t sys)
{
	return usr || sys ? (double)usr / ((double)usr + (double)sys) : 1;
}

struct threads;

struct task {
	pid_t pid;
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
	struct split split;
	uint64_t cutime_ticks, cstime_ticks;
	int64_t num_threads;
	int64_t exited_carry_ns; /* below 0: shown before the ticks of cutime told it */
	uint64_t exited_ns;    /* shown as exited children so far */
	uint64_t dt_ns;        /* between its last two readings */
	uint32_t seen;         /* number of the sample that read its stat */
	uint32_t based;        /* that saw its cutime first, of a process older than we */
	uint32_t waited;       /* that read wait_ns */
	uint32_t threaded;     /* that read threads */
	uint32_t named_s;      /* when its names were read, seconds */
	uint32_t next;         /* in the free or the retired list */
	uint64_t wait_ns;
	struct sm_istr *cmd, *cgroup; /* our references */
	struct threads *threads;
};

#define TASKS_BLOCK 128u

struct tasks {
	struct task **block;   /* of TASKS_BLOCK records: they never move */
	size_t nblocks, blocks_cap;
	size_t top;            /* [0] is never used */
	uint32_t free;         /* list through next */
	uint32_t retired;      /* the same: freed by tasks_reclaim() */
	struct sm_intern *names;
};

void tasks_init(struct tasks *t, struct sm_intern *names);
void tasks_fini(struct tasks *t);
/* A fresh record, or 0 without memory. */
uint32_t tasks_new(struct tasks *t, pid_t pid);
/* Its names stay until tasks_reclaim(): rows of this sample may point to them. */
void tasks_retire(struct tasks *t, uint32_t id);
void tasks_reclaim(struct tasks *t);
/* id is not 0. */
static inline struct task *task_at(const struct tasks *t, uint32_t id)
{
	return &t->block[id / TASKS_BLOCK][id % TASKS_BLOCK];
}
/* Takes over what /proc/PID/stat says now, but for the time of its children. */
void task_update(struct task *t, const struct sm_pidstat *st);

#endif
