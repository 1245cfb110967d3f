/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reap: rows of exited children, once a sample has read all processes (exited.h).
 *
 * A parent can reap a child between the sampler's readings of the two.  The children of each process that
 * has reaped, and of each exited process, are therefore read again.  If one has exited since, the cutime
 * of the reapers is read again, until both sides agree.
 */
#ifndef CPUSTAT_SAMPLER_REAP_H
#define CPUSTAT_SAMPLER_REAP_H

#include "state.h"

/* Adds the rows, removes exited processes from the list and finds the new parents of orphans. */
void reap_settle(struct sampler *s);

#endif
