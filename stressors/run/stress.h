/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stress: the state of an instance, and the functions that a stressor may call.
 *
 * Counts and results are in memory that the supervisor shares, in the instance's own slot.  The supervisor
 * only reads them; nothing here wakes it up.
 */
#ifndef STRESSORS_RUN_STRESS_H
#define STRESSORS_RUN_STRESS_H

#include <stdatomic.h>
#include <sys/types.h>

#include "../stressor.h"
#include "base/clock.h"
#include "base/loghist.h"
#include "perf.h"
#include "sysv.h"

#define STRESS_METRICS 48
#define STRESS_REASON  224

enum stress_outcome {
	STRESS_PASS = 0,
	STRESS_FAIL = 1,  /* a check failed, or it crashed */
	STRESS_SKIP = 2,  /* the machine cannot run it */
	STRESS_LACKS = 3, /* a lack of memory, processes or files */
};

/* ENDED: run has returned.  DONE: the outcome is known. */
enum stress_phase { PHASE_NONE, PHASE_SETUP, PHASE_READY, PHASE_RUN, PHASE_ENDED, PHASE_DONE };

/* The report of one instance.  ops has its own cache line, because other CPUs rarely read it. */
struct stress_slot {
	_Alignas(64) _Atomic uint64_t ops;
	_Alignas(64) _Atomic uint32_t phase;
	_Atomic uint32_t outcome;
	uint64_t ready_ns;         /* the end of its last setup; CLOCK_MONOTONIC, as all times */
	uint64_t end_ns;           /* the end of run */
	uint64_t user_ns, sys_ns;  /* CPU time of run, including children */
	struct perf_counts perf;   /* counts during run */
	unsigned int pinned;       /* number of its CPU + 1; 0: it is not pinned to one */
	uint32_t has_metric[2];    /* bit sets */
	double metric[STRESS_METRICS]; /* valid if set in has_metric */
	char reason[STRESS_REASON];
	sysv_note sysv;            /* an id that would outlive the instance */
};

/* Memory that all instances of a stage share. */
struct stress_board {
	_Alignas(64) _Atomic uint32_t stop; /* futex: 1 when the run ends */
	_Atomic uint32_t go;       /* futex: 1 when all are set up, or the run ends before that */
	uint64_t go_ns;            /* the common start, from which all rates are measured; set before go */
	struct stress_slot slot[];
};

/* The end of a step of work (stress_step()). */
struct stress_mark {
	uint64_t at_ns, cpu_ns, slept_ns;
};

struct stress {
	const struct stressor *stressor;
	const uint64_t *value;     /* values of its options, in the order of the table */
	unsigned int instance, instances; /* this one's number, 0 to instances - 1 */
	uint64_t ops_max;          /* UINT64_MAX: no limit */
	uint64_t seed;             /* depends only on --seed, the stressor and the number of the instance */
	bool verify;               /* --verify: also make the expensive checks */
	bool spoil;                /* --spoil: damage its own data once, which a check must find */
	struct stress_board *board;
	struct stress_slot *slot;
	struct sm_loghist *histogram; /* NULL: not used by the stressor */
	uint64_t go_ns, begin_ns;  /* the common start; when this instance had its first CPU after it */
	struct stress_mark mark;
	int pagemap_fd;            /* /proc/self/pagemap (physical addresses, for root); -1: not open */
	int scratch_fd;            /* with stressor.scratch a directory of its own, new and empty; else -1 */
	void *data;                /* the stressor's own state */
};

/* Returns false when the time is over or the ops are done.  A stressor calls it at least every 5 ms of
 * work. */
static inline bool stress_goes_on(const struct stress *s)
{
	return !atomic_load_explicit(&s->board->stop, memory_order_relaxed) &&
	       atomic_load_explicit(&s->slot->ops, memory_order_relaxed) < s->ops_max;
}

/* Returns true when the time is over, independent of the limit of ops; for the middle of an op. */
static inline bool stress_stopped(const struct stress *s)
{
	return atomic_load_explicit(&s->board->stop, memory_order_relaxed);
}

static inline void stress_add(struct stress *s, uint64_t ops)
{
	uint64_t n = atomic_load_explicit(&s->slot->ops, memory_order_relaxed);

	atomic_store_explicit(&s->slot->ops, n + ops, memory_order_relaxed);
}

/* Set the result.  Each returns the value that setup or run must return. */
int stress_fail(struct stress *s, const char *fmt, ...) SM_PRINTF(2, 3);
int stress_skip(struct stress *s, const char *fmt, ...) SM_PRINTF(2, 3);
int stress_lacks(struct stress *s, const char *fmt, ...) SM_PRINTF(2, 3);

/* Returns true for an errno that means a lack of memory, descriptors, processes or space. */
bool stress_is_lack(int error) SM_MUST;
/* Sets the result "TEXT: strerror(error)": as stress_lacks() if the error is a lack, else `otherwise`. */
int stress_error(struct stress *s, enum stress_outcome otherwise, int error, const char *fmt, ...)
	SM_PRINTF(4, 5);

/* Adds a remark to a result that is correct nevertheless; a reason takes precedence. */
void stress_note(struct stress *s, const char *fmt, ...) SM_PRINTF(2, 3);

/* Sets metric i of the stressor's table for this instance alone, at the end of run or whenever it is
 * known. */
void stress_metric(struct stress *s, unsigned int i, double value);

/*
 * An instance measures a rate while it works.  The share is the fraction of the time since the common start
 * to which such a rate applies: all of it except the wait for a first CPU, and the wait for a CPU in the step
 * that was cut off by the end of the run.  A metric is the rate times the share, so that the rates of
 * instances that take turns on a CPU add up.  A stressor that does not count the time of a step that is cut
 * off calls stress_step() after each step.  slept_ns: total time that the instance slept voluntarily.
 */
void stress_step(struct stress *s, uint64_t now_ns, uint64_t slept_ns);
double stress_share(const struct stress *s, uint64_t slept_ns) SM_MUST;

/* Maps anonymous private memory, which is zero and not yet touched.  NULL: stress_lacks() was called.
 * advice: for madvise(2), or 0. */
void *stress_map(struct stress *s, size_t bytes, int advice) SM_MUST;
void stress_unmap(void *p, size_t bytes);

/* Pins instance i, and the processes that it starts, to the i-th CPU that it may use (--taskset); after the
 * last CPU, the first one follows.  0, or the value of stress_skip(). */
int stress_pin(struct stress *s) SM_MUST;

/* Forks a process that works with the instance: only SIGKILL ends it, and it ends with the instance.  Returns
 * as fork(2) does; -1: stress_lacks() was called. */
pid_t stress_partner(struct stress *s) SM_MUST;

/* splitmix64: one state, all 2^64 values. */
static inline uint64_t stress_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

#endif
