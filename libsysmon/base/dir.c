// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/dir.h"

/* struct linux_dirent64 of getdents64(2). */
struct dirent_head {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
};
#define NAME_OFFSET (offsetof(struct dirent_head, type) + 1)

int sm_dir_open(
	struct sm_dir *d, struct sm_at at, const char *path, void *buf, size_t cap)
{
	int fd = sm_at_open(at, path, O_DIRECTORY);

	*d = (struct sm_dir){.fd = fd < 0 ? -1 : fd, .buf = buf, .cap = cap};
	return fd < 0 ? fd : 0;
}

static bool read_block(struct sm_dir *d)
{
	long n = syscall(SYS_getdents64, d->fd, d->buf, d->cap);

	if (n < 0)
		d->err = -errno;
	d->p = d->buf;
	d->end = d->buf + (n > 0 ? n : 0);
	return n > 0;
}

const char *sm_dir_next(struct sm_dir *d)
{
	const char *entry = d->p;
	struct dirent_head head;

	if (entry == d->end) {
		if (!read_block(d))
			return NULL;
		entry = d->p;
	}
	memcpy(&head, entry, sizeof(head));
	d->p += head.reclen;
	d->inode = head.ino;
	d->type = head.type;
	return entry + NAME_OFFSET;
}

void sm_dir_close(struct sm_dir *d)
{
	sm_base_close_fd(&d->fd);
}
