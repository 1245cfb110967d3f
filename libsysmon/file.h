/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: reading the small text files of procfs and sysfs.
 *
 * sm_file keeps the fd open and preads from offset 0 into a buffer that only grows: one
 * system call per reading in steady state.  sysfs attributes and procfs files answer such
 * a pread afresh.  The one-shot readers are for what is read once.
 * Content is bytes: it may hold NUL, may be unterminated, may be empty; buffers get a NUL
 * after the last byte for convenience only.
 */
#ifndef SM_FILE_H
#define SM_FILE_H

#include "base.h"

struct sm_file {
	int fd;
	char *buf;
	size_t len, cap; /* len: bytes of the last reading, without the NUL */
};

#define SM_FILE_INIT { .fd = -1 }

int sm_file_open(struct sm_file *f, int dirfd, const char *path) SM_MUST;
/* Whole content into f->buf; the number of bytes or -errno (buf is then unchanged). */
ssize_t sm_file_read(struct sm_file *f) SM_MUST;
void sm_file_close(struct sm_file *f);

/*
 * One shot, up to cap - 1 bytes, NUL added.  Short reads are continued (procfs gives at
 * most a page at a time).  Returns the length; == cap - 1 means there may be more.
 */
ssize_t sm_file_slurp(int dirfd, const char *path, char *buf, size_t cap) SM_MUST;
/* A file that holds one number and a newline.  -EINVAL when it holds anything else. */
int sm_file_read_u64(int dirfd, const char *path, uint64_t *out) SM_MUST;
int sm_file_read_i64(int dirfd, const char *path, int64_t *out) SM_MUST;

#endif
