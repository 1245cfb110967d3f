/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget: the CPU time that the screen may use to read pages: a small fraction of elapsed time, of which a
 * little can be saved up, and a larger amount at the start.
 *
 * Times are CLOCK_MONOTONIC, amounts are CPU time of this process, both in nanoseconds.
 */
#ifndef PAGEMON_BUDGET_H
#define PAGEMON_BUDGET_H

#include "base/base.h"

#define BUDGET_PER_MILLE 50                       /* fraction of a CPU */
#define BUDGET_START_NS	 (500 * SM_NSEC_PER_MSEC) /* for the first screen and the first totals */
#define BUDGET_SAVED_NS	 (20 * SM_NSEC_PER_MSEC)  /* maximum that can be saved up */
#define BUDGET_SLICE_NS	 (10 * SM_NSEC_PER_MSEC)  /* maximum between two checks for keys */
#define BUDGET_LEAST_NS	 (2 * SM_NSEC_PER_MSEC)   /* minimum that is worth a wakeup */

struct budget {
	uint64_t left_ns;
	uint64_t at_ns;  /* time of the last budget_earn() */
};

void budget_init(struct budget *b, uint64_t now_ns);
/* Adds the CPU time earned since the last call. */
void budget_earn(struct budget *b, uint64_t now_ns);
void budget_spend(struct budget *b, uint64_t cpu_ns);
/* Returns the CPU time for the next step: at most BUDGET_SLICE_NS, and never 0. */
uint64_t budget_slice(const struct budget *b);
/* Returns the time when there will be enough CPU time for a step. */
uint64_t budget_next_ns(const struct budget *b);

#endif
