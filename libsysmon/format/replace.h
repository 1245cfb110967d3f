/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replace: replaces the content of a file atomically.  FILE.tmp.XXXXXXXX (random) is written in its
 * directory and renamed to FILE; of a name of more than 100 bytes, the last 13 are left out, so every name
 * that a file may have can be replaced.  A reader sees the old content or the new; an error leaves the old
 * content.  No other file is touched: if several processes replace FILE at once, even in different pid
 * namespaces, the last one wins.
 *
 * FILE must be a regular file, or not exist.  An existing file is first opened for writing without
 * changing it, as by any program that writes to it.  Symbolic links are therefore followed, as far as
 * the kernel allows (protected_symlinks), and remain links; and a file without write permission is not
 * replaced, although rename(2) needs only the permission of the directory.  The new file has the mode
 * and, as far as permitted, the owner of the old one.
 */
#ifndef SM_REPLACE_H
#define SM_REPLACE_H

#include "base/base.h"

/* fill() writes the new content to fd.  mode: of a new FILE, minus the umask.  Returns 0 or -errno; on
 * an error FILE is unchanged.  -EOPNOTSUPP: FILE is not a regular file. */
int sm_replace_file(const char *path, mode_t mode, int (*fill)(void *ctx, int fd), void *ctx) SM_MUST;
/* Returns true for an error of sm_replace_file() after which FILE itself may still be writable. */
bool sm_replace_forbidden(int err);

#endif
