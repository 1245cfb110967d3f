/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * piddir: the files of one process, below a descriptor of its directory /proc/PID.
 *
 * The descriptor belongs to the process and not to the number: when the process has been reaped, opening
 * and reading below it return -ESRCH or -ENOENT, even if another process has the number.  dir_fd is the
 * descriptor returned by sm_piddir_open(); all calls use one root.
 */
#ifndef SM_PIDDIR_H
#define SM_PIDDIR_H

#include "proc/procpid.h"

/* Opens the directory of a process, or of a thread's process; -ENOENT: there is no such process. */
int sm_piddir_open(const struct sm_root *root, pid_t pid) SM_MUST;
/* Opens a pidfd (pidfd_open(2)), which is readable for poll(2) after the process has exited.  -ENOSYS: before
 * Linux 5.3, or the PIDs of root belong to another PID namespace than this process's. */
int sm_piddir_pidfd(const struct sm_root *root, pid_t pid) SM_MUST;
/* Opens a file of the process, or of its thread tid if tid > 0.  flags: O_RDONLY or O_WRONLY. */
int sm_piddir_file(const struct sm_root *root, int dir_fd, pid_t tid, const char *name, int flags) SM_MUST;
/* Read stat or status of the process.  -ESRCH: the process no longer exists. */
int sm_piddir_stat(const struct sm_root *root, int dir_fd, struct sm_pidstat *out) SM_MUST;
int sm_piddir_cred(const struct sm_root *root, int dir_fd, struct sm_pidcred *out) SM_MUST;
/* Returns the TID of a thread that has not exited, other than the leader, or 0. */
pid_t sm_piddir_other_thread(const struct sm_root *root, int dir_fd, pid_t leader);

#endif
