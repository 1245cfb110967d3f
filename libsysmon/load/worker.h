/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker: what a worker process does, and the memory that it shares with its parent.  Private to
 * workers.
 *
 * A slot has two cache lines, one written by the worker, one by the parent.  A value in it is a pair: the
 * writer fills the half that is not in use and then counts `turn` up, so that a reader gets a whole
 * value, without waiting, even if the writer loses the CPU or dies in the middle.  The turn of the
 * commands is also the futex on which the worker sleeps.
 */
#ifndef SM_WORKER_H
#define SM_WORKER_H

#include "load/ops.h"

struct sm_worker_report {
	uint64_t ops;       /* since the start, of all kernels */
	uint64_t cpu_ns;    /* CPU time of the worker (CLOCK_THREAD_CPUTIME_ID) */
	uint64_t until_ns;  /* CLOCK_MONOTONIC: both were true then; a sleeper says when it wakes */
};

struct sm_worker_command {
	uint64_t from_ns;   /* CLOCK_MONOTONIC: the first period begins */
	uint64_t period_ns;
	uint32_t ppm;
	uint16_t op;        /* in sm_ops_table */
	uint16_t stop;
};

enum sm_worker_state {
	SM_WORKER_STARTING,
	SM_WORKER_READY,
	SM_WORKER_AWAY,     /* not on its CPU any more, and asleep; err: the CPU where it is */
	SM_WORKER_NO_CPU,   /* ended: the rest of the states; err: -errno */
	SM_WORKER_NO_SETUP,
	SM_WORKER_WRONG,    /* err: the kernel whose check failed */
	SM_WORKER_ORPHAN,
};

struct sm_worker_slot {
	struct sm_worker_report report[2]; /* by the worker */
	uint32_t report_turn;
	uint32_t follows;                  /* the turn of the command that it obeys */
	uint32_t state;
	int32_t err;
	struct sm_worker_command command[2] __attribute__((aligned(64))); /* by the parent */
	uint32_t command_turn;
} __attribute__((aligned(64)));

struct sm_worker_plan {
	struct sm_worker_slot *slot;
	uint32_t *arrivals;  /* futex: how many workers are ready or have failed */
	unsigned int cpu;
	pid_t parent;
	int life_fd;         /* the only descriptor that a worker keeps */
	size_t mem_bytes;    /* 0: it will not be given the kernel mem */
	int (*prepare)(void *ctx);
	void *prepare_ctx;
};

/* The life of a worker, all signals blocked at first.  Does not return. */
void sm_worker_live(const struct sm_worker_plan *p) __attribute__((noreturn));

void sm_worker_put(void *pair, uint32_t *turn, const void *value, size_t size);
/* Returns the turn of the value. */
uint32_t sm_worker_get(const void *pair, const uint32_t *turn, void *value, size_t size);

/* Sleeps while *word is value, until a wake-up or until_ns of CLOCK_MONOTONIC (UINT64_MAX: for ever). */
void sm_worker_wait(uint32_t *word, uint32_t value, uint64_t until_ns);
void sm_worker_wake(uint32_t *word);

#endif
