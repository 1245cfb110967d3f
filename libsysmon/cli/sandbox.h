/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: the seccomp filter of a tool after the drop.  cli layer.
 *
 * The filter is a list of the calls that the tools, the C library, ncurses and the name services make
 * after the start.  Any other call gives EPERM, or ENOSYS if its number is newer than the list, so that
 * a newer C library falls back to an older call.  No call kills the process.  What arguments decide:
 * a file is opened for reading; a signal goes to this process only; a socket is AF_UNIX, which names of
 * users need; memory is executable only if it is mapped so from a file and not writable; an ioctl is one of
 * a terminal or of pagemap; fcntl sets flags and copies descriptors.
 *
 * One list serves every tool.  The NSS modules files, compat, systemd, mymachines, sss, winbind and ldap
 * (by nslcd) read files and ask a daemon at an AF_UNIX socket, so none of them needs a wider one.
 */
#ifndef SM_SANDBOX_H
#define SM_SANDBOX_H

#include "base/base.h"

enum {
	SM_SANDBOX_WRITE = 1,     /* files may be opened for writing, replaced and removed */
	SM_SANDBOX_READ_MAPS = 2, /* elements of BPF maps may be read and deleted */
	/* a process that keeps its rights may open perf events, and files that exist for writing, and
	 * change its fsuid and its capabilities */
	SM_SANDBOX_OPEN_TARGETS = 4,
};

/* may: SM_SANDBOX_*.  The process has no_new_privs or CAP_SYS_ADMIN.  The filter stays to its end and
 * knows its pid: a child cannot signal itself.  A kernel without seccomp filters gives 0. */
int sm_sandbox_enter(unsigned int may) SM_MUST;

#endif
