// SPDX-License-Identifier: GPL-2.0-or-later
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define NAME "file"

int disk_file_open_named(int dir_fd, int flags)
{
	int fd = openat(dir_fd, NAME,
		O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	int err = fd < 0 ? errno : 0;

	/* If O_DIRECT is refused, the file may have been made. */
	if ((fd >= 0 || err != EEXIST) && unlinkat(dir_fd, NAME, 0) < 0 && fd >= 0) {
		err = errno;
		close(fd);
	}
	return err ? -err : fd;
}

int disk_file_open(int dir_fd, int flags)
{
	int fd = openat(dir_fd, ".", O_RDWR | O_TMPFILE | O_CLOEXEC | flags, 0600);

	if (fd >= 0)
		return fd;
	if (errno == EOPNOTSUPP || errno == EISDIR)
		return disk_file_open_named(dir_fd, flags);
	return -errno;
}

int disk_file_allocate(int fd, uint64_t bytes)
{
	int r;

	do {
		r = fallocate(fd, 0, 0, (off_t)bytes);
	} while (r < 0 && errno == EINTR);
	if (r == 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != ENOSYS)
		return -errno;
	return ftruncate(fd, (off_t)bytes) < 0 ? -errno : 0;
}
