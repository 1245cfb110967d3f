/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trap: faults in memory that a stressor expects.
 *
 * A function runs until it returns or until an access faults (SIGSEGV, SIGBUS) at an address in a range that
 * was named before.  A fault at any other address, or outside of trap_run(), and such a signal that a process
 * has sent end the process by the signal, as without a trap.
 *
 * The function is left by siglongjmp(3): it may not hold what must be freed, and what it has stored in its
 * caller's variables counts only if they are volatile.  The handler has a stack of its own, so the function
 * may use up its stack.  Only the thread that called trap_open() may run functions in it.
 */
#ifndef STRESSORS_RUN_TRAP_H
#define STRESSORS_RUN_TRAP_H

#include <signal.h>

#include "base/base.h"

struct trap_fault {
	int signo;
	int code;                  /* SEGV_MAPERR: nothing is mapped there; SEGV_ACCERR: it is protected */
	uintptr_t address;
};

/* Once in a process, which has the handler until its end.  -errno: for lack of memory. */
int trap_open(void) SM_MUST;
/* True: the function ended by the fault *f in the range of these bytes.  False: it returned. */
bool trap_run(const void *begin, size_t bytes, void (*function)(void *arg), void *arg,
	struct trap_fault *f) SM_MUST;
/* The same of a read or a write of the byte at p, which keeps its value. */
bool trap_read(const void *p, struct trap_fault *f) SM_MUST;
bool trap_write(void *p, struct trap_fault *f) SM_MUST;

#endif
