/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox: the seccomp filter of a tool after the drop.  Private to priv.
 *
 * A tool that only reads is refused (EPERM) what it never does: to execute, trace, mount, load,
 * change ids; to open for writing or change files; to signal other processes; sockets but AF_UNIX,
 * which names of users need; memory that is or becomes executable, but from files.
 */
#ifndef SM_SANDBOX_H
#define SM_SANDBOX_H

#include "base/base.h"

enum {
	SM_SANDBOX_WRITE = 1,     /* files may be opened for writing, replaced and removed */
	SM_SANDBOX_READ_MAPS = 2, /* elements of BPF maps may be read and deleted */
};

/* may: SM_SANDBOX_*.  A kernel without seccomp filters gives 0. */
int sm_sandbox_enter(unsigned int may) SM_MUST;

#endif
