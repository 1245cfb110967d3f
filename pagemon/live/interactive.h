/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interactive: the screen of a run, and what it asks for.
 *
 * A refresh reads the cells that are on the screen, and what the open windows show; every `ticks`
 * refreshes the mappings are read, too, and the totals are counted anew. Keys are taken at once. Walks
 * that take longer than their share of the budget go on at the next refresh, and the screen shows what
 * they have not reached yet.
 */
#ifndef PAGEMON_INTERACTIVE_H
#define PAGEMON_INTERACTIVE_H

#include "../run.h"

/* 0 or an exit code; after the drop. */
int interactive_begin(struct run *r) SM_MUST;
/* Restores the terminal; if the process has ended the last map stays there as text. */
void interactive_end(struct run *r);
void interactive_close(struct run *r);
uint64_t interactive_next(const struct run *r);
void interactive_iterate(struct run *r, uint64_t now_ns);
void interactive_resized(struct run *r);

#endif
