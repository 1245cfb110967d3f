/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only: restricts a child of box.h to some system calls.
 *
 * A seccomp filter (seccomp(2)) kills the child with SIGSYS if it makes any other call: whatever a wrong
 * argument has done to its memory, it cannot harm other processes.  The calls for the end of a process, the
 * return from a signal handler and a reading of the clock are also permitted.
 */
#ifndef STRESSORS_REFUSED_ONLY_H
#define STRESSORS_REFUSED_ONLY_H

#include "base/base.h"

#define ONLY_MAX 120u

/* Permits only these calls from now on; n: ONLY_MAX at most.  False: this kernel does not support filters. */
bool only_calls(const short *numbers, unsigned int n);

#endif
