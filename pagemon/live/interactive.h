/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interactive: the screen of a run, and its requests.
 *
 * A refresh reads the visible cells and the data of open windows.  Every `ticks` refreshes, the mappings are
 * read and the totals are counted again.  Keys are handled immediately.  A walk that exceeds its CPU time
 * budget continues at the next refresh, and the screen marks cells that it has not reached yet.
 */
#ifndef PAGEMON_INTERACTIVE_H
#define PAGEMON_INTERACTIVE_H

#include "../run.h"
#include "screen/screen.h"

/* Opens a screen.  Returns 0 or an exit code. */
int interactive_open(const struct run *r, struct screen **screen, const struct screen_settings *set) SM_MUST;

/* Opens the screen after the drop.  Returns 0 or an exit code. */
int interactive_begin(struct run *r) SM_MUST;
/* Restores the terminal; if the process has ended, prints the last map as text. */
void interactive_end(struct run *r);
void interactive_close(struct run *r);
uint64_t interactive_next(const struct run *r);
void interactive_iterate(struct run *r, uint64_t now_ns);
void interactive_resized(struct run *r);

#endif
