/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * at: opens files and directories below a directory for reading.  With --root, no path leads out of
 * that directory.
 *
 * In a tree given with --root, symbolic links are followed as after a chroot(2) into it: an absolute
 * link starts at the top, and `..` does not lead above the top, even if directories are renamed during
 * the walk.  Only directories and regular files are opened, because opening a device may have effects
 * and reading a FIFO may never end.  This implements RESOLVE_IN_ROOT of openat2(2) step by step: the
 * filter of cli/sandbox cannot inspect the flags of that system call and therefore rejects it.
 */
#ifndef SM_AT_H
#define SM_AT_H

#include "base/base.h"

struct sm_at {
	int fd;  /* the directory, or AT_FDCWD; -1: no directory, and each open returns -ENOENT */
	int top; /* the top directory of the tree; -1: links may lead anywhere */
};

#define SM_AT_NONE { -1, -1 }

static inline struct sm_at sm_at_fd(int fd)
{
	return (struct sm_at){fd, -1};
}

/* Returns directory fd, which is in that tree. */
static inline struct sm_at sm_at_in(struct sm_at tree, int fd)
{
	return (struct sm_at){fd, tree.top};
}

/* Returns a descriptor (close-on-exec, opened without waiting) or -errno.  -EBADMSG: a device, FIFO or
 * socket in a tree given with --root.  flags: O_PATH, O_DIRECTORY or 0. */
int sm_at_open(struct sm_at at, const char *path, int flags) SM_MUST;

#endif
