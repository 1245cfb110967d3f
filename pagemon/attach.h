/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attach: prepares reading an opened process, hears the opener, and explains why a process is not
 * monitored. */
#ifndef PAGEMON_ATTACH_H
#define PAGEMON_ATTACH_H

#include "run.h"

/* Prepares reading a process that was just opened or executed another program.  Returns 0 or -errno. */
int run_attach(struct run *r, struct snapshot *s) SM_MUST;
/* Adds the opener to the loop, if it was started.  Returns 0 or -errno. */
int run_watch_opener(struct run *r, sm_loop_fn fn) SM_MUST;
/* Receives the replies of the opener.  Returns false, once, if it has ended. */
bool run_hear_opener(struct run *r);
#define OPENER_LOST "the process that keeps the privileges has ended"
/* Prints why a process is not, or no longer, monitored. */
void run_explain(const struct target *t);

#endif
