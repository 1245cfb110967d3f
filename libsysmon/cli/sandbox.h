/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: the seccomp filter of a tool after the drop of privileges.  cli layer.
 *
 * The filter lists the system calls that the tools, the C library, ncurses and the name services make
 * after startup.  Any other call returns EPERM, or ENOSYS if its number is newer than the list, so that
 * a newer C library falls back to an older call.  No call kills the process.  Some calls are allowed
 * only with certain arguments: files are opened for reading; signals are sent to this process only;
 * sockets are AF_UNIX, which user name lookups need; memory is executable only if it is mapped so from
 * a file and not writable; ioctl(2) is limited to requests of terminals and of pagemap; fcntl(2) sets
 * flags and copies descriptors.
 *
 * One list serves every tool.  The NSS modules files, compat, systemd, mymachines, sss, winbind and
 * ldap (with nslcd) read files and query a daemon through an AF_UNIX socket, so none of them needs
 * more.
 */
#ifndef SM_SANDBOX_H
#define SM_SANDBOX_H

#include "base/base.h"

enum {
	SM_SANDBOX_WRITE = 1,     /* files may be opened for writing, replaced and removed */
	SM_SANDBOX_READ_MAPS = 2, /* elements of BPF maps may be read and deleted */
	SM_SANDBOX_RUN_PROGRAMS = 8, /* BPF programs may be run (BPF_PROG_TEST_RUN) */
	/* a process that keeps its privileges may open perf events and files for writing that exist,
	 * change its fsuid and its capabilities, and fork */
	SM_SANDBOX_OPEN_TARGETS = 4,
};

/* Installs the filter.  may: SM_SANDBOX_*.  The process must have no_new_privs or CAP_SYS_ADMIN.  The
 * filter stays until the process exits and contains its PID, so a child cannot signal itself.  Returns
 * 0 or -errno; 0 also on a kernel without seccomp filters. */
int sm_sandbox_enter(unsigned int may) SM_MUST;

#endif
