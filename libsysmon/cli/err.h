/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err: messages and exit codes.  cli layer: only this module and opt write to stderr or end a program.
 */
#ifndef SM_ERR_H
#define SM_ERR_H

#include "base/buf.h"

enum sm_exit {
	SM_EXIT_OK = 0,
	SM_EXIT_RUNTIME = 1,
	SM_EXIT_USAGE = 2,
	SM_EXIT_FEATURE = 3,    /* a kernel feature is missing, or not available in this namespace */
	SM_EXIT_PERMISSION = 4,
	SM_EXIT_LOST = 5,       /* data was lost, with --strict */
};

void sm_err_init(const char *tool); /* sets the prefix of every message */
/* Prints "tool: message\n" to stderr with one write, unless the reader of stderr has stopped.  The
 * caller sanitises strings of other origin. */
void sm_err(const char *fmt, ...) SM_PRINTF(1, 2);
/* Prints sanitised text with sm_err(), without its last newline, and frees it.  Empty text prints
 * nothing. */
void sm_err_text(struct sm_buf *b);
/* Prints "tool: WHAT: reason" for a negative errno; what (such as a path) is sanitised here. */
void sm_err_at(const char *what, int err);
/* Returns the exit code for a failed privileged or kernel step: for EPERM and EACCES 4; for ENOSYS,
 * ENODEV, ENOENT, ENOPROTOOPT, EPROTONOSUPPORT and ECONNREFUSED 3; otherwise 1. */
enum sm_exit sm_err_exit(int err);

#endif
