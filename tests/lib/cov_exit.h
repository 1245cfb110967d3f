/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cov_exit: included before everything in the coverage build.  The child of a test ends with
 * _exit(), which would throw away what it has counted.
 */
#ifndef COV_EXIT_H
#define COV_EXIT_H

#include <unistd.h>

void __gcov_dump(void);
#define _exit(code) __extension__({ int code_ = (code); __gcov_dump(); _exit(code_); })

#endif
