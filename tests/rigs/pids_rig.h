/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pids_rig: whether getpid() and fork() give the pids that the kernel's events have.
 */
#ifndef PIDS_RIG_H
#define PIDS_RIG_H

#include <sys/stat.h>

#include "unit.h"

#define PIDNS_INITIAL 0xEFFFFFFCu /* PROC_PID_INIT_INO of the kernel */

/* False, and the test is skipped, in a pid namespace other than the initial one. */
static inline bool own_pids(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) == 0 && st.st_ino == PIDNS_INITIAL)
		return true;
	unit_skip("this pid namespace hides the pids that the kernel's events have");
	return false;
}

#endif
