/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * root: the directories /proc and /sys.
 *
 * Every reader of the library takes a struct sm_root, so that a container that mounts the host's root, or a
 * test's recorded machine, can stand in for the live kernel (--root DIR).  No link leads out of DIR
 * (base/at).  The structure contains O_PATH directory fds.  The fd of proc or sys is -1 if that tree is
 * missing; opening in it then returns -ENOENT.
 */
#ifndef SM_ROOT_H
#define SM_ROOT_H

#include "base/at.h"

struct sm_vmlinux;

struct sm_root {
	struct sm_at proc, sys;
	int top;        /* directory of --root, or -1 */
	bool live;      /* opened without a prefix */
	bool real_proc; /* proc is on a procfs (statfs PROC_SUPER_MAGIC) */
	struct sm_vmlinux *vmlinux; /* set while type information is kept (vmlinux.h), or NULL */
};

#define SM_ROOT_INIT { .proc = SM_AT_NONE, .sys = SM_AT_NONE, .top = -1 }

static inline bool sm_root_has_proc(const struct sm_root *r)
{
	return r->proc.fd >= 0;
}

/* Opens both trees below prefix; NULL or "": the live machine.  -ENOENT: neither tree exists. */
int sm_root_open(struct sm_root *r, const char *prefix) SM_MUST;
/* Open a file or directory of proc or sys that no module reads, for a program whose subject is procfs or
 * sysfs itself; flags as in sm_at_open().  Return the descriptor or -errno. */
int sm_root_open_proc(const struct sm_root *r, const char *path, int flags) SM_MUST;
int sm_root_open_sys(const struct sm_root *r, const char *path, int flags) SM_MUST;
/* True if root's /proc is mounted with hidepid=1 or more, so that other users' processes cannot be read
 * (/proc/self/mountinfo, Documentation/filesystems/proc.rst). */
bool sm_root_hidepid(const struct sm_root *r);
/* True if this process is in the initial PID namespace (inode number of /proc/self/ns/pid). */
bool sm_root_initial_pidns(const struct sm_root *r);
/* True if this process is in the initial time namespace (Linux 5.6) or the kernel lacks them. */
bool sm_root_initial_timens(const struct sm_root *r);
/* True if kernel lockdown is in confidentiality mode, in which even root cannot use interfaces that could
 * read kernel memory (/sys/kernel/security/lockdown, kernel_lockdown(7)). */
bool sm_root_confidential(const struct sm_root *r);
/* Reads the ID of the boot that CLOCK_MONOTONIC stamps belong to; "" if unavailable
 * (/proc/sys/kernel/random/boot_id, random(4)). */
#define SM_BOOT_ID_SIZE 40
void sm_root_boot_id(const struct sm_root *r, char id[SM_BOOT_ID_SIZE]);
/* Used by a process that closes all other descriptors: true if fd belongs to the root; the highest fd of the
 * root, or -1 if the root is closed. */
bool sm_root_has_fd(const struct sm_root *r, int fd);
int sm_root_highest_fd(const struct sm_root *r);
void sm_root_close(struct sm_root *r);

#endif
