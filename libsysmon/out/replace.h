/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replace: replaces the content of a file atomically: FILE.tmp.XXXXXXXX (random) is written beside it and
 * renamed.  A reader sees the old content or the new, and a failure leaves the old.  No other file is
 * touched: if several processes replace FILE at once, in whatever pid namespaces, the last one wins.
 *
 * FILE must be a regular file, or not exist.  An existing file is first opened for writing without
 * change, as by any program that writes to it.  So symbolic links are followed, as far as the
 * kernel allows (protected_symlinks), and stay links; and a file without write permission is not
 * replaced, although rename(2) needs only that of the directory.  The new file has the mode and,
 * as far as permitted, the owner of the old one.
 */
#ifndef SM_REPLACE_H
#define SM_REPLACE_H

#include "base/base.h"

/*
 * fill() writes the new content to fd; 0 or -errno.  mode: of a new FILE, less the umask.
 * On -errno nothing has changed; -EOPNOTSUPP: FILE is no regular file.
 */
int sm_replace_file(const char *path, mode_t mode, int (*fill)(void *ctx, int fd), void *ctx) SM_MUST;
/* Is it an error of sm_replace_file() after which FILE itself may still be writable? */
bool sm_replace_forbidden(int err);

#endif
