/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampler: takes samples of who used the CPU.
 *
 * One pass reads the CPU clock of every process (one system call each); only of those that moved
 * is /proc/PID/stat read.  What was born since the last pass counts whole.  Then the time of
 * children that came and went is found through their parents (exited.h), and what /proc/stat
 * has beyond all that is the residual.
 *
 * Proc mode (a foreign /proc, --root, no clocks): stat of every process, in ticks.  A recorded
 * tree that is no procfs brings its own time, /proc/uptime.
 */
#ifndef CS_SAMPLER_H
#define CS_SAMPLER_H

#include "exited.h"
#include "live.h"
#include "opts.h"
#include "sample.h"
#include "task.h"

struct sampler_moved { /* a process whose CPU time changed */
	size_t i;              /* in live */
	uint64_t ns, dt_ns;
};

struct sampler_used { /* by one process in one sample */
	uint64_t ns;
	bool born;             /* since the sample before */
	bool whole;            /* nothing of it was counted before: its threads count whole */
};

struct sampler {
	const struct cs_opts *opts;
	const struct sm_root *root;
	struct live live;
	struct tasks tasks;
	struct exited exited;
	struct sm_intern *names;
	struct sm_procstat_file stat_file;
	struct sm_procstat stat[2]; /* now and before, in turn */
	bool have_stat;
	bool clocks, machine, recorded;
	bool own_time;         /* a recorded tree that has an uptime */
	bool want_cmd, want_uid, want_cgroup;
	pid_t self;
	pid_t tree;            /* only COMMAND and its descendants; 0 = all */
	uint64_t tick_ns;
	uint32_t number;       /* of the sample, from 1 */
	uint64_t t_ns;         /* of the last sample */
	uint64_t t_ticks;      /* the same since boot, in ticks */
	uint64_t *stamps;      /* when each chunk of live was read */
	size_t nstamps, stamps_cap;
	uint64_t last_stamp;   /* when the last chunk of the pass before was read */
	struct sampler_moved *moved;
	size_t nmoved, moved_cap;
	struct cs_row *rows;
	size_t nrows, rows_cap;
	size_t learn_at;       /* where the slow look at idle processes goes on */
	bool read_again;       /* a parent's stat was read too early to have a child's time */
	/* Which readings of threads and of waiting times are those of the sample before: the
	 * options can change while we run. */
	bool with_threads, with_wait;
	uint32_t threads_since, wait_since;
	/* Residual that was held back as noise of the ticks, and what can explain it. */
	int64_t balance_ns;
	uint32_t rescan_at;    /* not before this sample for the residual's sake */
	uint64_t held_softirq_ns, held_irq_ns;
	unsigned int online;
	double capacity_cpus;
	char *scratch;
	struct cs_sample now;  /* being made */
	int err;
};

/* want_cmd, want_uid, want_cgroup are what faces and filters need.  -errno. */
int sampler_open(struct sampler *s, const struct sm_root *root, const struct cs_opts *o,
	struct sm_intern *names) SM_MUST;
/* The first call gives no rows (dt_ns 0), or with since_birth each process's average since its
 * birth.  So does a call when no time has passed (a recorded tree): it takes nothing.  out->rows
 * hold until the next call. */
int sampler_take(struct sampler *s, bool since_birth, struct cs_sample *out) SM_MUST;
/* Once, soon after the first sample: those that have reaped must be known before they do it. */
void sampler_early(struct sampler *s);
/* Options that decide what is read have changed (the screen's keys). */
void sampler_options(struct sampler *s);
void sampler_close(struct sampler *s);

/* Of live.child_ticks: what it had reaped when we came is not known. */
#define SAMPLER_UNKNOWN_TICKS UINT32_MAX
/* The longest command line that is kept. */
#define SAMPLER_NAME_BYTES (16u << 10)

/* a - b; nonsense of a recorded machine stays within bounds. */
static inline int64_t sampler_difference(uint64_t a, uint64_t b)
{
	const int64_t most = INT64_MAX / 4;
	int64_t d = (int64_t)(a - b);

	if (d > most)
		return most;
	return d < -most ? -most : d;
}

/* NULL: it has not been active. */
static inline struct task *sampler_task(const struct sampler *s, size_t i)
{
	uint32_t id = s->live.task[i];

	return id ? task_at(&s->tasks, id) : NULL;
}

/* account.c */
/* A row to fill, zeroed; NULL without memory (s->err is set). */
struct cs_row *sampler_row(struct sampler *s);
/* Identity, names and state of a task into a row. */
void sampler_describe(const struct sampler *s, const struct task *t, struct cs_row *row);
/* usr_ns and sys_ns of a row, by the user's share. */
void sampler_split(uint64_t used, double share, struct cs_row *row);
/* Is it the process that entry i of live is about? */
bool sampler_same(const struct sampler *s, size_t i, const struct sm_pidstat *st);
bool sampler_wanted(const struct sampler *s, const struct task *t);
/* cutime and cstime, modulo 2^32, never SAMPLER_UNKNOWN_TICKS. */
uint32_t sampler_child_ticks(const struct sm_pidstat *st);
/* Takes over the time of reaped children; entry i has a record. */
void sampler_take_children(struct sampler *s, size_t i, const struct sm_pidstat *st);
/* How a process stands that was there before us; from here on it counts. */
void sampler_take_base(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns);
/* A process that used CPU: counted always, a row if it is asked for. */
void sampler_account(struct sampler *s, size_t i, const struct sm_pidstat *st, uint64_t ns,
	uint64_t dt_ns);
void sampler_account_unread(struct sampler *s, const struct sampler_moved *m);

/* reap.c */
/* Entry i has gone: its time will be in its parent's cutime. */
void sampler_bury(struct sampler *s, size_t i);
/* Entry i is another process now. */
void sampler_reborn(struct sampler *s, size_t i);
/* Rows of exited children, once all was read; sweeps live. */
void sampler_settle(struct sampler *s);

/* task_names.c: command line, user and cgroup, when they are wanted and not fresh. */
void sampler_names(struct sampler *s, struct task *t);
/* residual.c: rows for what /proc/stat has beyond the other rows. */
void sampler_residual(struct sampler *s);
/* thread_rows.c: rows for the threads in place of the process's, and its waiting time. */
void sampler_threads(struct sampler *s, uint32_t task, const struct cs_row *process, bool whole);

#endif
