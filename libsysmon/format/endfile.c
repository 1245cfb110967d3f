// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/endfile.h"
#include "format/replace.h"

static bool same_file(const struct stat *st, int fd)
{
	struct stat other;

	return fstat(fd, &other) == 0 && st->st_dev == other.st_dev &&
	       st->st_ino == other.st_ino;
}

/* FILE is /dev/stdout and a regular file: sharing the offset protects earlier output from
 * being overwritten. */
static int share_offset(struct sm_endfile *f, int standard)
{
	int fd = fcntl(standard, F_DUPFD_CLOEXEC, 3);

	if (fd < 0)
		return -errno;
	close(f->fd);
	f->fd = fd;
	return 0;
}

int sm_endfile_open(struct sm_endfile *f, const char *path,
	int (*open_it)(const char *path, int flags, mode_t mode))
{
	struct stat st;

	*f = (struct sm_endfile){.path = path, .fd = -1};
	f->fd = open_it(path, O_WRONLY | O_CREAT, 0666);
	if (f->fd < 0)
		return f->fd;
	if (fstat(f->fd, &st) < 0)
		return -errno;
	f->straight = true;
	if (!S_ISREG(st.st_mode))
		return 0;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (same_file(&st, fd))
			return share_offset(f, fd);
	f->straight = false;
	return 0;
}

static int replace(const struct sm_endfile *f, int (*fill)(void *ctx, int fd), void *ctx)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return -errno;
	return sm_replace_file(f->path, st.st_mode & 0777, fill, ctx);
}

int sm_endfile_write(
	const struct sm_endfile *f, int (*fill)(void *ctx, int fd), void *ctx)
{
	int err = f->straight ? -EPERM : replace(f, fill, ctx);

	if (!sm_replace_forbidden(err))
		return err;
	if (!f->straight && ftruncate(f->fd, 0) < 0)
		return -errno;
	return fill(ctx, f->fd);
}

void sm_endfile_close(struct sm_endfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
