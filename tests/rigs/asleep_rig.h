/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asleep_rig: waits until a process has left its CPUs, so that its CPU clock stands still.
 *
 * The state in /proc/PID/stat is not enough: a task on a busy CPU that goes to sleep, or ends, can be
 * preempted after its state has changed.  For /proc/PID/syscall the kernel waits until it has left the CPU.
 */
#ifndef ASLEEP_RIG_H
#define ASLEEP_RIG_H

#include "unit.h"

static inline void await_asleep_thread(pid_t pid, const char *tid)
{
	char path[64], text[128];

	snprintf(path, sizeof(path), "/proc/%d/task/%s/syscall", (int)pid, tid);
	while (strncmp(unit_slurp(path, text, sizeof(text)), "running", 7) == 0)
		usleep(1000);
}

/* Waits for all threads of the process, or for the end of its last one. */
static inline void await_asleep(pid_t pid)
{
	char path[64];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	d = opendir(path);
	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			await_asleep_thread(pid, e->d_name);
	closedir(d);
}

#endif
