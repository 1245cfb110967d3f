/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort: the order of rows: tasks by the chosen key, then by CPU use and pid; then merged tasks, then
 * time that belongs to no task.  It is a total order, so that equal samples look equal.
 */
#ifndef CPUSTAT_SORT_H
#define CPUSTAT_SORT_H

#include "../opts.h"
#include "sample.h"

/* Puts the first k of n rows in order; sort is one of opts.h's SORT_*. */
void sort_first(int sort, struct row *rows, size_t n, size_t k);

#endif
