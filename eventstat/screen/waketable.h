/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waketable: the table of wake-ups on the screen: what ended the sleeps of idle CPUs.
 */
#ifndef EVENTSTAT_SCREEN_WAKETABLE_H
#define EVENTSTAT_SCREEN_WAKETABLE_H

#include "state.h"

int waketable_init(struct screen *s) SM_MUST;
/* -ENOMEM: it has no rows. */
int waketable_arrange(struct screen *s) SM_MUST;
void waketable_draw(struct screen *s, int row, int lines);

#endif
