/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * select: which rows of a sample count and are shown: -p -C -u -k -i and the threshold -t.
 */
#ifndef CPUSTAT_SELECT_H
#define CPUSTAT_SELECT_H

#include "../opts.h"
#include "sample.h"

/* Returns whether a row passes -p, -C, -u, -k and -i.  The first four select tasks: rows that belong to no
 * task (ROW_SOFTIRQ, ROW_IRQ, ROW_UNACCOUNTED, ROW_OTHERS) pass only without them, and a row of exited
 * children passes if its parent does. */
bool select_match(const struct opts *o, const struct row *row);
/* Returns whether a row passes -t, which applies after the merge of sub-samples and before grouping. */
bool select_over_threshold(const struct opts *o, const struct row *row);
/* Moves the rows that pass both to the front and returns their number.  All n stay in the array, so
 * that they can be selected again after a change of opts. */
size_t select_rows(const struct opts *o, struct row *rows, size_t n) SM_MUST;

#endif
