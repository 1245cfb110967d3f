/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: the table on the screen: a selection of the columns in columns.h, and two of its own, the
 * user's name and the history.
 */
#ifndef CPUSTAT_SCREEN_TABLE_H
#define CPUSTAT_SCREEN_TABLE_H

#include "state.h"

int table_init(struct screen *s) SM_MUST;
/* draw_table of struct sm_screen. */
void table_draw(void *screen, int row, int lines);
/* Returns the text in column Time, valid until s->text changes. */
const char *table_cpu_time(struct screen *s, uint64_t ns);

#endif
