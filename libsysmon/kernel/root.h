/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * root: where /proc and /sys are.
 *
 * Every reader of the library takes a struct sm_root, so that a container that mounts the
 * host's root, or a test's recorded machine, can stand in for the live kernel
 * (--root DIR), out of which no link leads (base/at).  Holds O_PATH directory fds; that of proc or
 * sys is -1 when that tree is missing, and opening in it gives -ENOENT.
 */
#ifndef SM_ROOT_H
#define SM_ROOT_H

#include "base/at.h"

struct sm_root {
	struct sm_at proc, sys;
	int top;        /* the directory of --root, or -1 */
	bool live;      /* opened without a prefix */
	bool real_proc; /* proc is on a procfs (statfs PROC_SUPER_MAGIC) */
};

#define SM_ROOT_INIT { .proc = SM_AT_NONE, .sys = SM_AT_NONE, .top = -1 }

static inline bool sm_root_has_proc(const struct sm_root *r)
{
	return r->proc.fd >= 0;
}

/* prefix NULL or "" is the live machine.  -ENOENT when neither tree is there. */
int sm_root_open(struct sm_root *r, const char *prefix) SM_MUST;
/* Opens a file or directory of proc that no module reads, for a program whose subject is procfs itself; flags
 * as those of sm_at_open().  The descriptor or -errno. */
int sm_root_open_proc(const struct sm_root *r, const char *path, int flags) SM_MUST;
/* The same in sys. */
int sm_root_open_sys(const struct sm_root *r, const char *path, int flags) SM_MUST;
/* Is root's /proc mounted with hidepid=1 or more, so that others' processes cannot be read?
 * (/proc/self/mountinfo, Documentation/filesystems/proc.rst) */
bool sm_root_hidepid(const struct sm_root *r);
/* Is this process in the initial pid namespace?  (inode number of /proc/self/ns/pid) */
bool sm_root_initial_pidns(const struct sm_root *r);
/* Does the kernel refuse what could read its memory, for root too?  (/sys/kernel/security/lockdown,
 * man 7 kernel_lockdown) */
bool sm_root_confidential(const struct sm_root *r);
/* Identifies the boot that CLOCK_MONOTONIC stamps belong to; "" if unavailable.
 * (/proc/sys/kernel/random/boot_id, random(4)) */
#define SM_BOOT_ID_SIZE 40
void sm_root_boot_id(const struct sm_root *r, char id[SM_BOOT_ID_SIZE]);
/* For a process that closes all but what it needs: is fd one of the root, and the highest of them;
 * -1: it has none. */
bool sm_root_has_fd(const struct sm_root *r, int fd);
int sm_root_highest_fd(const struct sm_root *r);
void sm_root_close(struct sm_root *r);

#endif
