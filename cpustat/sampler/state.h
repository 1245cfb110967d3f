/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * state: the data that the sampler keeps between samples, and the sample that is being made.
 *
 * pids lists every process; those that have used CPU since the first sample have a record in
 * tasks, whose number is in pids.task.  exited has the records of processes that exited
 * since the last sample.  Rows borrow their names from tasks and are valid until the next sample.
 */
#ifndef CPUSTAT_SAMPLER_STATE_H
#define CPUSTAT_SAMPLER_STATE_H

#include "exited.h"
#include "exited_names.h"
#include "proc/taskwalk.h"
#include "pidlist.h"
#include "../opts.h"
#include "rows/sample.h"
#include "task.h"
#include "turnover.h"

struct sampler_moved { /* a process whose CPU time changed */
	size_t i;              /* in pids */
	uint64_t ns, dt_ns;
};

struct sampler {
	const struct opts *opts;
	const struct sm_root *root;
	struct pidlist pids;
	struct tasks tasks;
	struct exited exited;
	struct exited_names exited_names;
	struct turnover turnover;
	struct sm_strpool *names;
	size_t names_budget;   /* bytes (names.h) */
	uint64_t names_lost;   /* names lost for lack of memory, counted once per task and sample */
	struct sm_procstat_file stat_file;
	struct sm_procstat stat[2]; /* sample n uses [n & 1] */
	bool have_stat;
	bool clocks, machine, recorded;
	bool walks;            /* the walk is used (walk.h) */
	struct sm_taskwalk walk;
	bool own_time;         /* time is the uptime of a recorded tree */
	bool want_cmd, want_uid, want_cgroup;
	pid_t self;
	pid_t tree;            /* only COMMAND and its descendants; 0 = all */
	uint64_t tick_ns;
	uint32_t number;       /* number of the sample, starting with 1 */
	uint32_t new_zombies;  /* the last sample that found a new zombie */
	uint64_t t_ns;         /* time of the last sample */
	uint64_t t_ticks;      /* time of the last sample since boot, in ticks */
	uint64_t *stamps;      /* when each chunk of pids was read */
	size_t nstamps, stamps_cap;
	uint64_t last_stamp;   /* when the last chunk of the previous pass was read */
	uint64_t fastest_ns;   /* time per process of the fastest chunk or walk; 0: unknown yet */
	struct sampler_moved *moved;
	size_t nmoved, moved_cap;
	struct row *rows;
	size_t nrows, rows_cap;
	bool read_again;       /* the stat of some reapers must be read again (children.h) */
	/* The options can change during the run: readings of threads and waiting times before these samples
	 * are not comparable. */
	bool with_threads, with_wait;
	uint32_t threads_since, wait_since;
	/* Residual that was held back as noise of the ticks, and times that can explain it. */
	int64_t balance_ns;
	uint32_t rescan_at;    /* the residual causes no scan of /proc before this sample */
	uint64_t held_softirq_ns, held_irq_ns;
	int64_t held_usr_ns, held_sys_ns; /* beyond the rows */
	unsigned int online;
	double capacity_cpus;
	char *scratch;
	struct sample now;     /* being made */
	int err;
};

/* Returns the record of entry i of pids, or NULL if it has not used CPU. */
static inline struct task *state_task(const struct sampler *s, size_t i)
{
	uint32_t id = s->pids.task[i];

	return id ? task_at(&s->tasks, id) : NULL;
}

/* Returns whether the task gets rows.  With a COMMAND, only its process tree does. */
static inline bool state_wanted(const struct sampler *s, const struct task *t)
{
	return !s->tree || (t->flags & TASK_TREE);
}

/* Returns whether st belongs to the process of entry i, not to a new process with its PID. */
bool state_same(const struct sampler *s, size_t i, const struct sm_pidstat *st);
/* Returns CLOCK_MONOTONIC, or the uptime of a recorded tree (if unreadable, its last time). */
uint64_t state_now_ns(const struct sampler *s);
/* Sets the time of the sample. */
void state_stamp(struct sampler *s, uint64_t t_ns);
/* Returns whether a reading of n processes that took took_ns was interrupted: it must be repeated, because
 * they do not have one time. */
bool state_interrupted(struct sampler *s, size_t n, uint64_t took_ns);
/* Returns a - b, bounded, because a recorded machine can report any numbers. */
int64_t state_difference(uint64_t a, uint64_t b);
/* Adds a row of this kind with identity, names and state of t (may be NULL).  It is valid until the next one
 * is added, which can move the array.  Returns NULL if memory is short (s->err is set). */
struct row *state_add_row(struct sampler *s, enum row_kind kind, const struct task *t);

#endif
