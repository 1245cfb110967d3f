/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: the table on the screen: a selection of the columns in columns.h, and one of its own, the
 * history.
 */
#ifndef EVENTSTAT_SCREEN_TABLE_H
#define EVENTSTAT_SCREEN_TABLE_H

#include "state.h"

int table_init(struct screen *s) SM_MUST;
void table_draw(struct screen *s, int row, int lines);

#endif
