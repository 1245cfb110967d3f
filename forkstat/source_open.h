/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_open: opens the sources of events and arguments, which needs privileges, and prints a message for
 * each one that is not available.
 */
#ifndef FORKSTAT_SOURCE_OPEN_H
#define FORKSTAT_SOURCE_OPEN_H

#include "run.h"

/* Returns 0, or an exit code after printing a message. */
int source_open(struct run *r) SM_MUST;

#endif
