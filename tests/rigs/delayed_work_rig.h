/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delayed_work_rig: a delayed work of the kernel that the calling task schedules: closing the last perf
 * event of a task schedules perf_sched_delayed (kernel/events/core.c) for a second later.  perf events of
 * other tasks prevent it.
 */
#ifndef DELAYED_WORK_RIG_H
#define DELAYED_WORK_RIG_H

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "proc/ksyms.h"
#include "timers/timerowner.h"

#define DELAYED_WORK "perf_sched_delayed"

static inline bool schedule_delayed_work(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	return fd >= 0 && close(fd) == 0;
}

/* True if this is the name of the function with that address. */
static inline bool is_function(const struct sm_root *root, uint64_t address, const char *name)
{
	struct sm_ksyms k;
	bool is;

	if (sm_ksyms_open(&k, root) || sm_ksyms_add(&k, address) || sm_ksyms_read(&k))
		return false;
	is = strcmp(sm_ksyms_name(&k, address), name) == 0;
	sm_ksyms_close(&k);
	return is;
}

#endif
