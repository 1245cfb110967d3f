/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start: the steps at startup and at the end that all tools share.  cli layer.
 *
 * Each function prints its own error message and returns 0 or the exit code.  priv.h describes their
 * order.
 */
#ifndef SM_START_H
#define SM_START_H

#include "base/root.h"
#include "cli/priv.h"
#include "cli/writers.h"

/* Opens the trees of --root (prefix NULL: the live machine's trees); not allowed for a program with
 * file capabilities.  needs_proc: the live /proc must be mounted. */
int sm_start_root(struct sm_root *r, const char *prefix, bool needs_proc) SM_MUST;
/* Checks that standard output is open.  closed: the result of sm_priv_fds(). */
int sm_start_stdout(unsigned int closed) SM_MUST;
/* ncurses has three buffers of 32 KiB on the stack while it reads the description of a terminal. */
#define SM_START_STACK_BYTES (192u << 10)
/* Raises limits as far as permitted: of descriptors, for sources with one file per CPU, and for a screen of
 * the stack to SM_START_STACK_BYTES.  Call it after COMMAND is forked, which keeps its limits: programs that
 * use select(2) need a low one. */
void sm_start_limits(bool screen);
/* Enables real-time scheduling; if the kernel refuses, prints a message and continues with normal
 * scheduling.  Not allowed for a program with file capabilities. */
int sm_start_realtime(int priority) SM_MUST;
/* Looks up the user of --drop-to; prints a message if it does not exist. */
int sm_start_user(const char *name, struct sm_priv_user *u) SM_MUST;
/* sm_priv_drop() to this user (NULL: the calling user).  writes_later: files will be replaced later,
 * which requires root for root's files. */
int sm_start_drop(unsigned int flags, bool writes_later, const char *user) SM_MUST;

/* Calls sm_writers_finish() and reports rows that were not written.  Returns false if nothing further
 * can be written; o contains the error. */
bool sm_start_finish(struct sm_writers *o) SM_MUST;
/* Returns the exit code for the outputs; prints the write error, if any. */
int sm_start_output_code(const struct sm_writers *o) SM_MUST;

#endif
