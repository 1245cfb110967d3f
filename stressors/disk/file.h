/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: a file without a name, which ends with its last descriptor.
 *
 * It is made in the directory of an instance (stress.scratch_fd) by O_TMPFILE.  A file system that does not
 * have this flag gets a file with a name, which is removed at once; the supervisor removes what is left if
 * the instance is killed between the two calls.
 */
#ifndef STRESSORS_DISK_FILE_H
#define STRESSORS_DISK_FILE_H

#include "base/base.h"

/* flags: of open(2) beside O_RDWR.  A descriptor or -errno. */
int disk_file_open(int dir_fd, int flags) SM_MUST;
/* The same on a file system without O_TMPFILE. */
int disk_file_open_named(int dir_fd, int flags) SM_MUST;
/* Makes the file so long, of zero bytes, and allocates its blocks if the file system can do so.  -errno. */
int disk_file_allocate(int fd, uint64_t bytes) SM_MUST;

#endif
