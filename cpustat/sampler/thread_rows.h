/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread_rows: rows of the threads of a process that ran (-H), which replace the row of the process,
 * and its waiting time (-W).
 */
#ifndef CPUSTAT_SAMPLER_THREAD_ROWS_H
#define CPUSTAT_SAMPLER_THREAD_ROWS_H

#include "state.h"

/* process: the newest row.  whole: no time of the process was counted before. */
void thread_rows_add(
	struct sampler *s, uint32_t task, const struct row *process, bool whole);

#endif
