/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powerstat_summary_rig: the report of powerstat at the end of a run.
 */
#ifndef POWERSTAT_SUMMARY_RIG_H
#define POWERSTAT_SUMMARY_RIG_H

#include "powerstat_view_rig.h"

static struct sm_cpuidle idle;

static inline void begin_run(void)
{
	memset(&idle, 0, sizeof(idle));
	begin();
}

static inline bool printed(const char *what)
{
	return has(human_path, what);
}

#endif
