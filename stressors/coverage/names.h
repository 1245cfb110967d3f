/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: system calls and errors by number, as in the C library's headers when this program was built.
 */
#ifndef STRESSORS_COVERAGE_NAMES_H
#define STRESSORS_COVERAGE_NAMES_H

#include "base/base.h"

#define NAMES_SIZE 32

/* Returns "openat", for example; "462" if the headers lack the number; "others" for KEY_OTHERS. buf is used
 * for numbers only. */
const char *names_call(unsigned int number, char buf[NAMES_SIZE]) SM_MUST;
/* Returns "ENOENT", for example. 512 to 516 are numbers of include/linux/errno.h that programs never receive:
 * a signal has interrupted the call, and it is restarted or returns EINTR. */
const char *names_error(int error, char buf[NAMES_SIZE]) SM_MUST;

#endif
