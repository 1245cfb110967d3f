/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interactive: the screen of a run (--tui), and the actions of its keys. */
#ifndef EVENTSTAT_INTERACTIVE_H
#define EVENTSTAT_INTERACTIVE_H

#include "run.h"

/* Called after privileges are dropped.  Returns 0 or an exit code. */
int interactive_open(struct run *r) SM_MUST;
/* Restores the terminal and prints the rows that fit on it. */
void interactive_end(struct run *r);
/* Callbacks of struct sm_app_tool. */
void interactive_keys(void *ctx, uint64_t now_ns);
void interactive_resized(void *ctx);

#endif
