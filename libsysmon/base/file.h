/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: reading the small text files of procfs and sysfs; writing all of a buffer.
 *
 * sm_file keeps the fd open and preads from offset 0 into a buffer that only grows: one
 * system call per reading in steady state.  sysfs attributes and procfs files answer such
 * each pread with present values.  The one-shot readers are for files that are read once.
 * Content is bytes: it may hold NUL, may be unterminated, may be empty; buffers get a NUL
 * after the last byte for convenience only.
 */
#ifndef SM_FILE_H
#define SM_FILE_H

#include "base/at.h"

struct sm_file {
	int fd;
	char *buf;
	size_t len, cap; /* len: bytes of the last reading, without the NUL */
};

#define SM_FILE_INIT { .fd = -1 }

int sm_file_open(struct sm_file *f, struct sm_at at, const char *path) SM_MUST;
/*
 * Whole content into f->buf; the number of bytes or -errno (len is then 0).
 * A procfs file of many records gives as many whole ones as fit into a page.  A first read
 * of at most half a page is therefore taken for the whole content when no record is longer
 * than that; larger ones are read on until the end is seen.  Files with records of more than
 * 2 KiB (maps, mountinfo: a record holds a path) are for sm_file_slurp().
 */
ssize_t sm_file_read(struct sm_file *f) SM_MUST;
void sm_file_close(struct sm_file *f);
/* Is it a file of a real procfs (not of lxcfs or a recorded tree)? */
bool sm_file_is_procfs(int fd);

/*
 * One shot, up to cap - 1 bytes, NUL added.  Short reads are continued (procfs gives at
 * most a page at a time).  Returns the length; == cap - 1 means there may be more.
 */
ssize_t sm_file_slurp(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;
/* The same without the NUL: up to cap bytes; == cap means there may be more. */
ssize_t sm_file_slurp_bytes(struct sm_at at, const char *path, char *buf, size_t cap) SM_MUST;
/* The rest of an open file, also without the NUL. */
ssize_t sm_file_slurp_fd(int fd, char *buf, size_t cap) SM_MUST;
/* A file that holds one number and a newline.  -EINVAL when it holds anything else. */
int sm_file_read_u64(struct sm_at at, const char *path, uint64_t *out) SM_MUST;
int sm_file_read_i64(struct sm_at at, const char *path, int64_t *out) SM_MUST;

/* 1/n of the descriptors that the process may have, for those who keep a file of each CPU open. */
unsigned int sm_file_share(unsigned int n);

/* All n bytes to a file, pipe or terminal, which may make the caller wait.  -errno. */
int sm_file_write(int fd, const char *p, size_t n) SM_MUST;

#endif
