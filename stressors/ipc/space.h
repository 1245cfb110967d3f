/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space: an IPC namespace of an instance's own (ipc_namespaces(7)).
 *
 * Semaphores and message queues outlive the processes that make them, and cannot be marked for removal while
 * they are used as shared memory can (run/sysv.h).  In a namespace the kernel removes them when the last
 * process of the instance has ended, in whatever way.  Without CAP_SYS_ADMIN the kernel permits such a
 * namespace in a new user namespace only.
 */
#ifndef STRESSORS_IPC_SPACE_H
#define STRESSORS_IPC_SPACE_H

#include <linux/capability.h>

#include "../run/stress.h"

/* The stressor's caps: it keeps them until it has the namespace. */
#define IPC_SPACE_CAPS	STRESSOR_CAP(CAP_SYS_ADMIN)
#define IPC_SPACE_NEEDS "an IPC namespace of its own (unshare(2))"

/* Moves the instance into an IPC namespace of its own; called in setup, before it starts a thread or a
 * process.  0, or the value of stress_skip(). */
int ipc_space_enter(struct stress *s) SM_MUST;

#endif
