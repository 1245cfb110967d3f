/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * at: opening for reading below a directory, and for a tree that is not the machine's own (--root)
 * inside that tree only.
 *
 * In such a tree links are followed as after a chroot(2) into it: an absolute one begins at the top,
 * and `..` ends there, whatever is renamed meanwhile.  Only directories and regular files are opened:
 * opening a device may do something, and a FIFO may never end.  This is RESOLVE_IN_ROOT of openat2(2),
 * step by step: the filter of cli/sandbox cannot see the flags of that call and refuses it.
 */
#ifndef SM_AT_H
#define SM_AT_H

#include "base/base.h"

struct sm_at {
	int fd;  /* the directory, or AT_FDCWD; -1: there is none, and each open gives -ENOENT */
	int top; /* the directory that holds the tree; -1: links may lead anywhere */
};

#define SM_AT_NONE { -1, -1 }

static inline struct sm_at sm_at_fd(int fd)
{
	return (struct sm_at){fd, -1};
}

/* A directory in the same tree. */
static inline struct sm_at sm_at_in(struct sm_at tree, int fd)
{
	return (struct sm_at){fd, tree.top};
}

/* The descriptor (close-on-exec, never waiting) or -errno; -EBADMSG: a device, FIFO or socket in a
 * tree that is not the machine's own.  Flags: O_PATH, O_DIRECTORY or none. */
int sm_at_open(struct sm_at at, const char *path, int flags) SM_MUST;

#endif
