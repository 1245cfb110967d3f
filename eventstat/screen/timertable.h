/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timertable: the table of timers on the screen: a selection of the columns in columns.h, and one of
 * its own, the history.
 */
#ifndef EVENTSTAT_SCREEN_TIMERTABLE_H
#define EVENTSTAT_SCREEN_TIMERTABLE_H

#include "state.h"

int timertable_init(struct screen *s) SM_MUST;
/* -ENOMEM: it has no rows. */
int timertable_arrange(struct screen *s) SM_MUST;
void timertable_draw(struct screen *s, int row, int lines);

#endif
