/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tool: the steps of a tool's start and end that are the same in each.  cli layer.
 *
 * Each says itself what went wrong and gives 0 or the exit code.  Their order is that of priv.h.
 */
#ifndef SM_TOOL_H
#define SM_TOOL_H

#include "outlet.h"
#include "root.h"

/* Opens --root's trees (NULL: the live machine's); refused to a set-capability binary. */
int sm_tool_root(struct sm_root *r, const char *prefix) SM_MUST;
/* Is there a standard output to write to?  closed: what sm_priv_fds() gave. */
int sm_tool_stdout(unsigned int closed) SM_MUST;
/* Real-time scheduling; where it is refused the tool goes on without. */
void sm_tool_realtime(int priority);
/* sm_priv_drop().  writes_later: files will be replaced; root's own can be by root only. */
int sm_tool_drop(unsigned int flags, bool writes_later) SM_MUST;

/* sm_outlet_finish(), and tells what an impatient user has lost.  False: nothing more can be
 * written; why is in the outlet. */
bool sm_tool_finish(struct sm_outlet *o) SM_MUST;
/* At the very end: says what went wrong with the output. */
int sm_tool_output_code(const struct sm_outlet *o) SM_MUST;

#endif
