/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker: the code of a worker process, and the memory that it shares with its parent.  Private to
 * workers.
 *
 * A slot has two cache lines, one written by the worker, one by the parent.  A value in it is a pair:
 * the writer fills the half that is not in use and then increments `turn`.  A reader therefore gets a
 * complete value without waiting, even if the writer loses the CPU or dies in the middle.  The turn of
 * the commands is also the futex on which the worker sleeps.
 */
#ifndef SM_WORKER_H
#define SM_WORKER_H

#include "load/ops.h"

struct sm_worker_report {
	uint64_t ops;       /* since the start, over all kernels */
	uint64_t cpu_ns;    /* CPU time of the worker (CLOCK_THREAD_CPUTIME_ID) */
	uint64_t until_ns;  /* CLOCK_MONOTONIC: time of both values; of a sleeper, its wakeup time */
};

struct sm_worker_command {
	uint64_t from_ns;   /* CLOCK_MONOTONIC: start of the first period */
	uint64_t period_ns;
	uint32_t ppm;
	uint16_t op;        /* index in sm_ops_table */
	uint16_t stop;
};

enum sm_worker_state {
	SM_WORKER_STARTING,
	SM_WORKER_READY,
	SM_WORKER_AWAY,     /* no longer on its CPU, and asleep; err: its current CPU */
	SM_WORKER_NO_CPU,   /* from here on: the worker has exited; err: -errno */
	SM_WORKER_NO_SETUP,
	SM_WORKER_WRONG,    /* err: the kernel whose check failed */
	SM_WORKER_ORPHAN,
};

struct sm_worker_slot {
	struct sm_worker_report report[2]; /* written by the worker */
	uint32_t report_turn;
	uint32_t follows;                  /* turn of the command that it has read */
	uint32_t state;
	int32_t err;
	struct sm_worker_command command[2] __attribute__((aligned(64))); /* written by the parent */
	uint32_t command_turn;
} __attribute__((aligned(64)));

struct sm_worker_plan {
	struct sm_worker_slot *slot;
	uint32_t *arrivals;  /* futex: number of workers that are ready or have failed */
	unsigned int cpu;
	pid_t parent;
	int life_fd;         /* the only descriptor that a worker keeps open */
	size_t mem_bytes;    /* 0: the kernel mem will not be used */
	int (*prepare)(void *ctx);
	void *prepare_ctx;
};

/* Runs a worker, initially with all signals blocked.  Does not return. */
void sm_worker_live(const struct sm_worker_plan *p) __attribute__((noreturn));

void sm_worker_put(void *pair, uint32_t *turn, const void *value, size_t size);
/* Reads a value and returns its turn. */
uint32_t sm_worker_get(const void *pair, const uint32_t *turn, void *value, size_t size);

/* Sleeps while *word is value, until a wakeup or until_ns of CLOCK_MONOTONIC (UINT64_MAX: no limit). */
void sm_worker_wait(uint32_t *word, uint32_t value, uint64_t until_ns);
void sm_worker_wake(uint32_t *word);

#endif
