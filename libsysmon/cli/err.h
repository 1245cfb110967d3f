/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err: messages and exit codes.  cli layer: the only code, with opt, that writes to stderr
 * or ends a program.
 */
#ifndef SM_ERR_H
#define SM_ERR_H

#include "base/buf.h"

enum sm_exit {
	SM_EXIT_OK = 0,
	SM_EXIT_RUNTIME = 1,
	SM_EXIT_USAGE = 2,
	SM_EXIT_FEATURE = 3,    /* the kernel lacks a feature, or hides it from this namespace */
	SM_EXIT_PERMISSION = 4,
	SM_EXIT_LOST = 5,       /* --strict and something was lost */
};

void sm_err_init(const char *tool); /* the prefix of every message */
/* "tool: message\n" to stderr in one write, unless its reader has stopped; the caller sanitises
 * foreign strings. */
void sm_err(const char *fmt, ...) SM_PRINTF(1, 2);
/* The same of sanitised text, without its last newline; frees it.  Nothing if it is empty. */
void sm_err_text(struct sm_buf *b);
/* "tool: WHAT: reason" for a negative errno; what (a path, say) is sanitised here. */
void sm_err_at(const char *what, int err);
/* The exit code for a failed privileged or kernel step: EPERM and EACCES 4, ENOSYS, ENODEV,
 * ENOENT, ENOPROTOOPT and EPROTONOSUPPORT 3, else 1. */
enum sm_exit sm_err_exit(int err);

#endif
