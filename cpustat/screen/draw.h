/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: draws the whole screen: the machine's load, where the CPU time was spent, a bar for each
 * CPU, the table (table.h), details and history of the selected task, the line of keys.
 *
 * All of it fits 40 columns by 10 rows.  A larger screen shows more; on a lower one the table
 * remains.
 */
#ifndef CPUSTAT_SCREEN_DRAW_H
#define CPUSTAT_SCREEN_DRAW_H

#include "state.h"

void draw_screen(struct screen *s);

#endif
