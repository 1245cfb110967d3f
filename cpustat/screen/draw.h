/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw: draws the whole screen: the load of the machine, the parts of the CPU time, a bar for each
 * CPU, the table (table.h), details and history of the selected task, and the line of keys.
 *
 * The screen fits 40 columns by 10 rows.  A larger one shows more; on a lower one the table remains.
 */
#ifndef CPUSTAT_SCREEN_DRAW_H
#define CPUSTAT_SCREEN_DRAW_H

#include "state.h"

/* Functions for struct sm_screen. */
void draw_screen(void *screen);
void draw_details(void *screen, size_t i, int row, int lines);

#endif
