/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: a file without a name, which ends with its last descriptor.
 *
 * It is created in the directory of an instance (stress.scratch_fd) with O_TMPFILE.  On a file system without
 * this flag, it is created with a name that is removed at once; if the instance is killed between the two
 * calls, the supervisor removes the file.
 */
#ifndef STRESSORS_DISK_FILE_H
#define STRESSORS_DISK_FILE_H

#include "base/base.h"

/* flags: for open(2), in addition to O_RDWR.  Returns a descriptor or -errno. */
int disk_file_open(int dir_fd, int flags) SM_MUST;
/* Opens the file without O_TMPFILE. */
int disk_file_open_named(int dir_fd, int flags) SM_MUST;
/* Extends the file with zero bytes to this size, and allocates its blocks if the file system can.  0 or
 * -errno. */
int disk_file_allocate(int fd, uint64_t bytes) SM_MUST;

#endif
