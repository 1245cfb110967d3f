/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget: the CPU time that the screen may spend on reading pages: a small part of the time that passes,
 * which can be saved up for a moment, and a larger sum at the start.
 *
 * Times are CLOCK_MONOTONIC, what is spent is CPU time of this process, both in nanoseconds.
 */
#ifndef PAGEMON_BUDGET_H
#define PAGEMON_BUDGET_H

#include "base/base.h"

#define BUDGET_PER_MILLE 50                       /* of a CPU */
#define BUDGET_START_NS	 (500 * SM_NSEC_PER_MSEC) /* for the first screen and the first totals */
#define BUDGET_SAVED_NS	 (20 * SM_NSEC_PER_MSEC)  /* at most saved up */
#define BUDGET_SLICE_NS	 (10 * SM_NSEC_PER_MSEC)  /* at once, between two looks at the keys */
#define BUDGET_LEAST_NS	 (2 * SM_NSEC_PER_MSEC)   /* that is worth a wake-up */

struct budget {
	uint64_t left_ns;
	uint64_t at_ns;  /* of the last budget_earn() */
};

void budget_init(struct budget *b, uint64_t now_ns);
/* What has been earned until now. */
void budget_earn(struct budget *b, uint64_t now_ns);
void budget_spend(struct budget *b, uint64_t cpu_ns);
/* For the next step: at least a little, and at most a slice. */
uint64_t budget_slice(const struct budget *b);
/* When there will be enough for a step. */
uint64_t budget_next_ns(const struct budget *b);

#endif
