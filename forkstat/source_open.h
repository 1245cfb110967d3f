/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_open: opens what a run reads events and arguments from, which needs privilege, and explains
 * what this machine or user does not have.
 */
#ifndef FORKSTAT_SOURCE_OPEN_H
#define FORKSTAT_SOURCE_OPEN_H

#include "run.h"

/* 0, or an exit code after the message. */
int source_open(struct run *r) SM_MUST;

#endif
