/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start: the steps of start and end that all tools share.  cli layer.
 *
 * Each prints its own error message and returns 0 or the exit code.  priv.h has their order.
 */
#ifndef SM_START_H
#define SM_START_H

#include "cli/writers.h"
#include "kernel/root.h"

/* Opens --root's trees (NULL: the live machine's); refused to a set-capability binary.  needs_proc: the live
 * /proc has to be mounted. */
int sm_start_root(struct sm_root *r, const char *prefix, bool needs_proc) SM_MUST;
/* Is standard output open?  closed: the result of sm_priv_fds(). */
int sm_start_stdout(unsigned int closed) SM_MUST;
/* As many descriptors as the process may have: for a file of each CPU.  After COMMAND is forked,
 * which keeps its limit: programs that use select(2) need a low one. */
void sm_start_descriptors(void);
/* Real-time scheduling; if the kernel refuses it, a message, and normal scheduling.  Refused to a
 * set-capability binary. */
int sm_start_realtime(int priority) SM_MUST;
/* sm_priv_drop() to this user (NULL: the invoker).  writes_later: files are replaced later, which
 * for root's files needs root. */
int sm_start_drop(unsigned int flags, bool writes_later, const char *user) SM_MUST;

/* sm_writers_finish(), and a message about rows that it lost.  False: nothing more can be written; o
 * has the error. */
bool sm_start_finish(struct sm_writers *o) SM_MUST;
/* The exit code for the outputs; prints the write error, if any. */
int sm_start_output_code(const struct sm_writers *o) SM_MUST;

#endif
