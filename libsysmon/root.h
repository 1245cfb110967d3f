/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * root: where /proc and /sys are.
 *
 * Every reader of the library takes a struct sm_root, so that a container that mounts the
 * host's root, or a test's recorded machine, can stand in for the live kernel
 * (--root DIR).  Holds two O_PATH directory fds.  proc_fd or sys_fd is -1 when that tree
 * is missing (a fixture with only one of them); the other calls then give -ENOENT.
 */
#ifndef SM_ROOT_H
#define SM_ROOT_H

#include "base.h"

struct sm_root {
	int proc_fd, sys_fd;
	bool live;      /* opened without a prefix */
	bool real_proc; /* proc_fd is on a procfs (statfs PROC_SUPER_MAGIC) */
};

#define SM_ROOT_INIT { .proc_fd = -1, .sys_fd = -1 }

/* prefix NULL or "" is the live machine.  -ENOENT when neither tree is there. */
int sm_root_open(struct sm_root *r, const char *prefix) SM_MUST;
/* Is root's /proc mounted with hidepid=1 or more, so that others' processes cannot be read?
 * (/proc/self/mountinfo, Documentation/filesystems/proc.rst) */
bool sm_root_hidepid(const struct sm_root *r);
/* Names the boot that stamps of CLOCK_MONOTONIC belong to; "" where it is not told.
 * (/proc/sys/kernel/random/boot_id, random(4)) */
#define SM_BOOT_ID_SIZE 40
void sm_root_boot_id(const struct sm_root *r, char id[SM_BOOT_ID_SIZE]);
void sm_root_close(struct sm_root *r);

#endif
