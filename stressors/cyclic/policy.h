/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: the scheduling policy under which wake-ups are measured. */
#ifndef STRESSORS_CYCLIC_POLICY_H
#define STRESSORS_CYCLIC_POLICY_H

#include "../stressor.h"

enum cyclic_policy {
	CYCLIC_OTHER, CYCLIC_FIFO, CYCLIC_RR, CYCLIC_DEADLINE, CYCLIC_BATCH, CYCLIC_IDLE,
};
extern const char *const cyclic_policy_names[]; /* NULL ends it */

/* Under fifo and rr a process that never sleeps is returned to SCHED_OTHER by a guard. */
bool cyclic_policy_realtime(enum cyclic_policy policy);
/* prio: of fifo and rr; period_ns: of deadline.  0, or what stress_skip() and stress_lacks() return. */
int cyclic_policy_enter(struct stress *s, enum cyclic_policy policy, unsigned int prio,
	uint64_t period_ns) SM_MUST;
/* Back to SCHED_OTHER. */
void cyclic_policy_leave(void);
/* Has the guard acted? */
bool cyclic_policy_lost(enum cyclic_policy policy);

#endif
