/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: reads the small text files of procfs and sysfs; writes a whole buffer.
 *
 * A struct sm_file keeps its descriptor open and reads with pread(2) from offset 0 into a buffer that
 * only grows: one system call per reading in steady state.  sysfs attributes and procfs files return
 * current values for each such pread.  The one-shot readers are for files that are read once.  Content
 * is bytes: it may contain NUL, may lack a final newline and may be empty.  Buffers get a NUL after the
 * last byte for convenience only.
 */
#ifndef SM_FILE_H
#define SM_FILE_H

#include "base/at.h"

struct sm_file {
	int fd;
	char *buf;
	size_t len, cap; /* len: bytes of the last reading, excluding the NUL */
};

#define SM_FILE_INIT { .fd = -1 }

int sm_file_open(struct sm_file *f, struct sm_at at, const char *path) SM_MUST;
/* Reads the whole content into f->buf.  Returns the number of bytes or -errno (f->len is then 0).  A
 * procfs file of many records returns as many whole records per read as fit into a page.  A first read
 * of at most half a page is therefore the whole content, provided that no record is longer than that;
 * after a longer first read, reading continues to the end of the file.  Files with records of more than
 * 2 KiB (maps, mountinfo: a record contains a path) need sm_file_slurp(). */
ssize_t sm_file_read(struct sm_file *f) SM_MUST;
void sm_file_close(struct sm_file *f);
/* Returns true for a file of a real procfs, false for one of lxcfs or of a recorded tree. */
bool sm_file_is_procfs(int fd);

/* Reads up to cap - 1 bytes and appends a NUL.  Short reads are continued (procfs returns at most a
 * page at a time).  Returns the length; if it is cap - 1, the file may be longer. */
ssize_t sm_file_slurp(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;
/* Reads up to cap bytes, without a NUL.  Returns the length; if it is cap, the file may be longer. */
ssize_t sm_file_slurp_bytes(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;
/* Reads the rest of an open file, up to cap bytes, without a NUL. */
ssize_t sm_file_slurp_fd(int fd, char *buf, size_t cap) SM_MUST;
/* Read a file that contains one number and a newline; -EINVAL for any other content. */
int sm_file_read_u64(struct sm_at at, const char *path, uint64_t *out) SM_MUST;
int sm_file_read_i64(struct sm_at at, const char *path, int64_t *out) SM_MUST;

/* Returns 1/n of the process's limit of descriptors, for modules that keep a file per CPU open. */
unsigned int sm_file_share(unsigned int n);

/* Writes all n bytes to a file, pipe or terminal; may block.  0 or -errno. */
int sm_file_write(int fd, const char *p, size_t n) SM_MUST;

#endif
