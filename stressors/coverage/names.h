/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: system calls and errors by number, as the C library's headers had them when this was built.
 */
#ifndef STRESSORS_COVERAGE_NAMES_H
#define STRESSORS_COVERAGE_NAMES_H

#include "base/base.h"

#define NAMES_SIZE 32

/* "openat"; "462" if the headers have no such number; "others": KEY_OTHERS.  buf is used for numbers only. */
const char *names_call(unsigned int number, char buf[NAMES_SIZE]) SM_MUST;
/* "ENOENT".  512 to 516 are those of include/linux/errno.h, which programs never see: a signal has
 * interrupted the call, and it is restarted or returns EINTR. */
const char *names_error(int error, char buf[NAMES_SIZE]) SM_MUST;

#endif
