/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * only: the system calls that a child of box.h may make from now on.
 *
 * A seccomp filter (seccomp(2)) ends the child by SIGSYS if it makes another one: whatever a wrong argument
 * has done to its memory, it harms nobody.  Also permitted is what the end of a process, the return from a
 * signal handler and a reading of the clock need.
 */
#ifndef STRESSORS_REFUSED_ONLY_H
#define STRESSORS_REFUSED_ONLY_H

#include "base/base.h"

#define ONLY_MAX 120u

/* False: this kernel has no filters.  n: ONLY_MAX at most. */
bool only_calls(const short *numbers, unsigned int n);

#endif
