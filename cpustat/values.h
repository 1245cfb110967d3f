/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values: converts a row to the values of the columns, for the formats and the screen.
 *
 * val[] has C_N values; unknown values are not changed (SM_VALUE_NONE).  A value borrows from the
 * row.
 */
#ifndef CPUSTAT_VALUES_H
#define CPUSTAT_VALUES_H

#include "columns.h"
#include "rows/sample.h"

/* Sets %CPU, %USR, %SYS, %WAIT, %MIN and %MAX: percent of one CPU, multiplied by scale. */
void values_percent(const struct row *row, double scale, struct sm_value *val);
/* Sets PID, process, state, CPU, Tasks and Time. */
void values_task(const struct row *row, struct sm_value *val);

#endif
