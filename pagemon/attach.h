/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attach: prepares reading an opened process, and explains why a process is not monitored. */
#ifndef PAGEMON_ATTACH_H
#define PAGEMON_ATTACH_H

#include "run.h"

/* Prepares reading a process that was just opened or executed another program.  Returns 0 or -errno. */
int run_attach(struct run *r, struct snapshot *s) SM_MUST;
/* Prints why a process is not, or no longer, monitored. */
void run_explain(const struct target *t);

#endif
