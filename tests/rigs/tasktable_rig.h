/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasktable_rig: the table of tasks under test, on a temporary /proc.
 */
#ifndef PROCNAME_RIG_H
#define PROCNAME_RIG_H

#include <errno.h>

#include "forkstat_rig.h"

static struct rig r;
static struct sm_tasktable *t = &r.procs;

static inline void setup(void)
{
	rig_open(&r, 8u << 20, false);
	rig_task(&r, (struct rig_task){.pid = 1,
			     .comm = "init",
			     RIG_CMD("/sbin/init\0"),
			     .pgrp = 1,
			     .start_ticks = 5});
	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .pgrp = 90,
			     .comm = "bash",
			     RIG_CMD("bash\0-l\0"),
			     .tty = 0x8803,
			     .start_ticks = 500,
			     .uid = 1000,
			     .euid = 1001});
}

static inline void teardown(void)
{
	rig_close(&r);
}

#endif
