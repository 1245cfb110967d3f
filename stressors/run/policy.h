/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy: scheduling policies: the policy of all instances (--sched), and the policy in which a stressor
 * measures latency.
 */
#ifndef STRESSORS_RUN_POLICY_H
#define STRESSORS_RUN_POLICY_H

#include "base/base.h"

struct stress;

enum policy {
	POLICY_OTHER, POLICY_FIFO, POLICY_RR, POLICY_DEADLINE, POLICY_BATCH, POLICY_IDLE,
};
extern const char *const policy_names[]; /* NULL ends it */

#define POLICY_PRIO     50 /* default for fifo and rr */
#define POLICY_PRIO_MAX 98 /* the supervisor's priority is one above */
#define POLICY_PRIO_KERNEL 99 /* the highest one of the kernel */
#define POLICY_PRIO_STRESS_NG 100 /* the highest one that it accepts */

/* Sets the policy of this process and its children, except deadline.  prio: for fifo and rr.  0 or -errno. */
int policy_set(enum policy policy, unsigned int prio) SM_MUST;
/* Raises the supervisor above instances with fifo or rr, so that it can stop them.  0 or -errno. */
int policy_lead(void) SM_MUST;

/* Returns true for fifo and rr, where a guard returns a process that never sleeps to SCHED_OTHER. */
bool policy_realtime(enum policy policy);
/* Sets the policy of a stressor that sleeps; other changes nothing.  prio: for fifo and rr; period_ns: for
 * deadline.  Returns 0, or the value of stress_skip() or stress_lacks(). */
int policy_enter(struct stress *s, enum policy policy, unsigned int prio,
	uint64_t period_ns) SM_MUST;
/* Returns to SCHED_OTHER. */
void policy_leave(void);
/* Returns true if the guard has acted. */
bool policy_lost(enum policy policy);

#endif
