/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dir: reads directory entries with getdents64(2) through a buffer of the caller: without memory
 * allocation, and with as few system calls as the buffer allows.
 *
 * Entries are in directory order and include "." and "..".
 */
#ifndef SM_DIR_H
#define SM_DIR_H

#include "base/at.h"

struct sm_dir {
	int fd;
	char *buf;         /* aligned to 8 */
	size_t cap;
	const char *p, *end; /* unread rest of the last block */
	uint64_t inode;      /* of the last returned entry; for a mount point, of the directory below it */
	unsigned char type;  /* of the last returned entry: DT_DIR ... of dirent.h; DT_UNKNOWN if unknown */
	int err;           /* 0, or -errno of the read that ended the walk */
};

int sm_dir_open(struct sm_dir *d, struct sm_at at, const char *path, void *buf, size_t cap) SM_MUST;
/* Returns the next name, valid until the next call; NULL at the end or on an error (d->err). */
const char *sm_dir_next(struct sm_dir *d);
void sm_dir_close(struct sm_dir *d);

#endif
