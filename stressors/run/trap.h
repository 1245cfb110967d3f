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
 * may use up its stack.  Only one trap is open at a time in a process, and only the thread that opened it may
 * run functions in it.
 */
#ifndef STRESSORS_RUN_TRAP_H
#define STRESSORS_RUN_TRAP_H

#include <signal.h>

#include "base/base.h"

/* SIGSEGV and SIGBUS. */
#define TRAP_SIGNALS 2

struct trap {
	void *stack;               /* of the handler; NULL: the trap is not open */
	size_t stack_bytes;
	stack_t old_stack;
	struct sigaction old[TRAP_SIGNALS];
};

struct trap_fault {
	int signo;
	int code;                  /* SEGV_MAPERR: nothing is mapped there; SEGV_ACCERR: it is protected */
	uintptr_t address;
};

/* -errno: for lack of memory. */
int trap_open(struct trap *t) SM_MUST;
void trap_close(struct trap *t);
/* True: the function ended by the fault *f in the range of these bytes.  False: it returned. */
bool trap_run(const void *begin, size_t bytes, void (*function)(void *arg), void *arg,
	struct trap_fault *f) SM_MUST;
/* The same of a read or a write of the byte at p, which keeps its value. */
bool trap_read(const void *p, struct trap_fault *f) SM_MUST;
bool trap_write(void *p, struct trap_fault *f) SM_MUST;

#endif
