/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interactive: the screen of a run (--tui), and what its keys ask for. */
#ifndef EVENTSTAT_INTERACTIVE_H
#define EVENTSTAT_INTERACTIVE_H

#include "run.h"

/* After the drop.  0 or an exit code. */
int interactive_open(struct run *r) SM_MUST;
/* Restores the terminal; the rows that fit on it stay there. */
void interactive_end(struct run *r);
/* For struct sm_app_tool. */
void interactive_keys(void *ctx, uint64_t now_ns);
void interactive_resized(void *ctx);

#endif
