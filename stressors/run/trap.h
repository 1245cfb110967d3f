/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trap: memory faults that a stressor expects.
 *
 * A function runs until it returns, or until an access faults (SIGSEGV, SIGBUS) at an address in a range that
 * was given before.  A fault at any other address or outside trap_run(), and such a signal that a process has
 * sent, kills the process, as without a trap.
 *
 * The function is left by siglongjmp(3): it must not hold resources that need to be freed, and its stores to
 * its caller's variables are valid only if they are volatile.  The handler has its own stack, so the function
 * may exhaust its stack.  Only the thread that called trap_open() may call trap_run().
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

/* Installs the handler until the end of the process; called once in a process.  -errno: for lack of
 * memory. */
int trap_open(void) SM_MUST;
/* Returns true if the function was ended by a fault in the range, which is then in *f; false if it
 * returned. */
bool trap_run(const void *begin, size_t bytes, void (*function)(void *arg), void *arg,
	struct trap_fault *f) SM_MUST;
/* Read or write the byte at p, which keeps its value.  Both return true if the access faulted. */
bool trap_read(const void *p, struct trap_fault *f) SM_MUST;
bool trap_write(void *p, struct trap_fault *f) SM_MUST;

#endif
