/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * piddir: the files of one process, below a descriptor of its directory /proc/PID.
 *
 * The descriptor belongs to the process and not to the number: after the process has been reaped, opening and
 * reading below it give -ESRCH or -ENOENT, also when another process has the number.  dir_fd is that of
 * sm_piddir_open(), root the same in all calls.
 */
#ifndef SM_PIDDIR_H
#define SM_PIDDIR_H

#include "kernel/procpid.h"

/* The directory of a process, or of the process of a thread; -ENOENT: there is none. */
int sm_piddir_open(const struct sm_root *root, pid_t pid) SM_MUST;
/* A pidfd (pidfd_open(2), Linux 5.3), readable for poll(2) when the process has exited; -ENOSYS
 * before, and where the pids of root are not those of this process's pid namespace. */
int sm_piddir_pidfd(const struct sm_root *root, pid_t pid) SM_MUST;
/* Opens a file of the process, or with tid > 0 of that thread of it.  flags: O_RDONLY or O_WRONLY. */
int sm_piddir_file(const struct sm_root *root, int dir_fd, pid_t tid, const char *name, int flags) SM_MUST;
/* -ESRCH: the process is gone. */
int sm_piddir_stat(const struct sm_root *root, int dir_fd, struct sm_pidstat *out) SM_MUST;
int sm_piddir_cred(const struct sm_root *root, int dir_fd, struct sm_pidcred *out) SM_MUST;
/* A thread of the process that is not its leader; 0: there is none. */
pid_t sm_piddir_other_thread(const struct sm_root *root, int dir_fd, pid_t leader);

#endif
