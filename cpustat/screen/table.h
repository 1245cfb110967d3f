/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: the table on the screen: a selection of the columns in columns.h, and two of its own, the
 * user's name and the history.
 */
#ifndef CPUSTAT_SCREEN_TABLE_H
#define CPUSTAT_SCREEN_TABLE_H

#include "state.h"

int table_init(struct screen *s) SM_MUST;
void table_draw(struct screen *s, int row, int lines);
/* column_sort of struct sm_screen. */
int table_sort(const void *screen, unsigned int column);
/* Returns the text in column Time, valid until s->text changes. */
const char *table_cpu_time(struct screen *s, uint64_t ns);

#endif
