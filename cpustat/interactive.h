/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interactive: the screen of a run (--tui), and the requests of its keys. */
#ifndef CPUSTAT_INTERACTIVE_H
#define CPUSTAT_INTERACTIVE_H

#include "run.h"

/* Opens the screen, after the drop of privileges.  Returns 0 or an exit code. */
int interactive_open(struct run *r) SM_MUST;
/* Callbacks of struct sm_app_tool. */
void interactive_keys(void *ctx, uint64_t now_ns);
void interactive_resized(void *ctx);

#endif
