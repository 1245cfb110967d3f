/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * residual: rows for CPU time in /proc/stat beyond the rows of tasks: interrupts, and time that no
 * task accounts for, which is divided in the ratio (user + nice - rows) : (system - rows).
 *
 * /proc/stat counts whole ticks, so the residual of one sample is wrong by up to about a tick for
 * each CPU.  This error is kept as a balance and reported once it exceeds a tick for each CPU.
 */
#ifndef CPUSTAT_SAMPLER_RESIDUAL_H
#define CPUSTAT_SAMPLER_RESIDUAL_H

#include "state.h"

/* Adds the rows, after all other rows of the sample. */
void residual_add(struct sampler *s);

#endif
