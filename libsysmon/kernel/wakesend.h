/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakesend: programs that note who sent an interrupt to another CPU or set its need-resched flag, for
 * wakecause.  Private to wakeprog and wakecause.
 *
 * Since Linux 6.4 ipi:ipi_send_cpu has the CPU.  Before, only tasks that are woken show who sent: by
 * sched:sched_waking, and by sched:sched_wakeup on the waker's CPU or, in the function call, on the
 * other one.
 */
#ifndef SM_WAKESEND_H
#define SM_WAKESEND_H

#include "kernel/root.h"
#include "kernel/wakeasm.h"

/* A sender's event and the other CPU's own may change places by so much. */
#define SM_WAKESEND_EARLY_NS 20000

void sm_wakesend_ipi(struct sm_wake_build *u);
void sm_wakesend_flag(struct sm_wake_build *u);

/* The map and the offsets for the two that follow.  -ENOENT: the kernel has no BTF. */
int sm_wakesend_open(struct sm_wakeprog *w, const struct sm_root *root) SM_MUST;
void sm_wakesend_waking(struct sm_wake_build *u);
void sm_wakesend_woken(struct sm_wake_build *u);

#endif
