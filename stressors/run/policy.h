/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy: scheduling policies: that of all instances (--sched), and that under which a stressor measures.
 */
#ifndef STRESSORS_RUN_POLICY_H
#define STRESSORS_RUN_POLICY_H

#include "base/base.h"

struct stress;

enum policy {
	POLICY_OTHER, POLICY_FIFO, POLICY_RR, POLICY_DEADLINE, POLICY_BATCH, POLICY_IDLE,
};
extern const char *const policy_names[]; /* NULL ends it */

#define POLICY_PRIO     50 /* of fifo and rr, if none is given */
#define POLICY_PRIO_MAX 98 /* the supervisor has more */
#define POLICY_PRIO_KERNEL 99 /* the highest one */
#define POLICY_PRIO_STRESS_NG 100 /* which it takes */

/* Sets the policy of this process and its children; not deadline.  prio: with fifo and rr.  0 or -errno. */
int policy_set(enum policy policy, unsigned int prio) SM_MUST;
/* Raises the supervisor above instances with fifo or rr, so that it can end them.  0 or -errno. */
int policy_lead(void) SM_MUST;

/* Under fifo and rr a process that never sleeps is returned to SCHED_OTHER by a guard. */
bool policy_realtime(enum policy policy);
/* For a stressor that sleeps.  prio: of fifo and rr; period_ns: of deadline; other changes nothing.  0, or
 * what stress_skip() and stress_lacks() return. */
int policy_enter(struct stress *s, enum policy policy, unsigned int prio,
	uint64_t period_ns) SM_MUST;
/* Back to SCHED_OTHER. */
void policy_leave(void);
/* Has the guard acted? */
bool policy_lost(enum policy policy);

#endif
