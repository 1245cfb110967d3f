// SPDX-License-Identifier: GPL-2.0-or-later
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

const char *const disk_io_options[] = {
	[DISK_IO_ALL] = "all",
	[DISK_IO_DIRECT] = "direct",
	[DISK_IO_DSYNC] = "dsync",
	[DISK_IO_FADV_DONTNEED] = "fadv-dontneed",
	[DISK_IO_FADV_NOREUSE] = "fadv-noreuse",
	[DISK_IO_FADV_NORMAL] = "fadv-normal",
	[DISK_IO_FADV_RND] = "fadv-rnd",
	[DISK_IO_FADV_SEQ] = "fadv-seq",
	[DISK_IO_FADV_WILLNEED] = "fadv-willneed",
	[DISK_IO_FDATASYNC] = "fdatasync",
	[DISK_IO_FSYNC] = "fsync",
	[DISK_IO_IOVEC] = "iovec",
	[DISK_IO_NOATIME] = "noatime",
	[DISK_IO_RD_RND] = "rd-rnd",
	[DISK_IO_RD_SEQ] = "rd-seq",
	[DISK_IO_SYNC] = "sync",
	[DISK_IO_SYNCFS] = "syncfs",
	[DISK_IO_UTIMES] = "utimes",
	[DISK_IO_WR_RND] = "wr-rnd",
	[DISK_IO_WR_SEQ] = "wr-seq",
	[DISK_IO_OPTIONS] = NULL,
};

#define NORMAL DISK_IO_BIT(DISK_IO_FADV_NORMAL)

/* stress-ng also rejects these combinations. */
const uint64_t disk_io_exclusive[] = {
	DISK_IO_BIT(DISK_IO_RD_RND) | DISK_IO_BIT(DISK_IO_RD_SEQ),
	DISK_IO_BIT(DISK_IO_WR_RND) | DISK_IO_BIT(DISK_IO_WR_SEQ),
	NORMAL | DISK_IO_BIT(DISK_IO_FADV_RND) | DISK_IO_BIT(DISK_IO_FADV_SEQ),
	NORMAL | DISK_IO_BIT(DISK_IO_FADV_DONTNEED) | DISK_IO_BIT(DISK_IO_FADV_WILLNEED),
	NORMAL | DISK_IO_BIT(DISK_IO_FADV_NOREUSE),
	0,
};

static bool has(uint64_t set, enum disk_io_option option)
{
	return set & DISK_IO_BIT(option);
}

int disk_io_flags(uint64_t set)
{
	static const struct {
		enum disk_io_option option;
		int flag;
	} flags[] = {
		{DISK_IO_DIRECT, O_DIRECT},
		{DISK_IO_DSYNC, O_DSYNC},
		{DISK_IO_NOATIME, O_NOATIME},
		{DISK_IO_SYNC, O_SYNC},
	};
	int all = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(flags); i++)
		all |= has(set, flags[i].option) ? flags[i].flag : 0;
	return all;
}

size_t disk_io_unit(uint64_t set)
{
	return (has(set, DISK_IO_DIRECT) ? DISK_IO_DIRECT_BYTES : 1) *
	       (has(set, DISK_IO_IOVEC) ? DISK_IO_PARTS : 1);
}

int disk_io_advise(int fd, uint64_t set)
{
	static const struct {
		enum disk_io_option option;
		int advice;
	} advices[] = {
		{DISK_IO_FADV_NORMAL, POSIX_FADV_NORMAL},
		{DISK_IO_FADV_RND, POSIX_FADV_RANDOM},
		{DISK_IO_FADV_SEQ, POSIX_FADV_SEQUENTIAL},
		{DISK_IO_FADV_NOREUSE, POSIX_FADV_NOREUSE},
		{DISK_IO_FADV_WILLNEED, POSIX_FADV_WILLNEED},
		{DISK_IO_FADV_DONTNEED, POSIX_FADV_DONTNEED},
	};
	int err = 0;

	for (size_t i = 0; i < SM_ARRAY_SIZE(advices) && !err; i++)
		if (has(set, advices[i].option))
			err = posix_fadvise(fd, 0, 0, advices[i].advice);
	return -err;
}

static int touch(int fd)
{
	return futimens(fd, NULL);
}

int disk_io_commit(int fd, uint64_t set)
{
	static const struct {
		enum disk_io_option option;
		int (*call)(int fd);
	} calls[] = {
		{DISK_IO_UTIMES, touch},
		{DISK_IO_FDATASYNC, fdatasync},
		{DISK_IO_FSYNC, fsync},
		{DISK_IO_SYNCFS, syncfs},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(calls); i++)
		if (has(set, calls[i].option) && calls[i].call(fd) < 0)
			return -errno;
	return 0;
}

/* Divides a block into equal parts. */
static void divide(struct iovec *part, void *p, size_t bytes)
{
	size_t each = bytes / DISK_IO_PARTS;

	for (size_t i = 0; i < DISK_IO_PARTS; i++)
		part[i] = (struct iovec){(char *)p + i * each, each};
}

/* Each returns the number of bytes that the call transferred, or -1 and errno. */
typedef ssize_t whole_function(int fd, void *p, size_t bytes, off_t offset);
typedef ssize_t parts_function(int fd, const struct iovec *v, int n, off_t offset);

/* Transfers all bytes.  A call transfers less if the disk is full or the file ends; the
 * next one returns the error. */
static int transfer(int fd, bool in_parts, whole_function *whole, parts_function *parts,
	struct iovec to, uint64_t offset)
{
	struct iovec part[DISK_IO_PARTS];
	size_t done = 0;

	if (in_parts)
		divide(part, to.iov_base, to.iov_len);
	while (done < to.iov_len) {
		off_t at = (off_t)(offset + done);
		ssize_t n = in_parts && !done ? parts(fd, part, DISK_IO_PARTS, at)
					      : whole(fd, (char *)to.iov_base + done,
							to.iov_len - done, at);

		if (n == 0)
			return -ENODATA;
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static ssize_t write_whole(int fd, void *p, size_t bytes, off_t offset)
{
	return pwrite(fd, p, bytes, offset);
}

int disk_io_write(int fd, uint64_t set, void *p, size_t bytes, uint64_t offset)
{
	return transfer(fd, has(set, DISK_IO_IOVEC), write_whole, pwritev,
		(struct iovec){p, bytes}, offset);
}

int disk_io_read(int fd, uint64_t set, void *p, size_t bytes, uint64_t offset)
{
	return transfer(fd, has(set, DISK_IO_IOVEC), pread, preadv,
		(struct iovec){p, bytes}, offset);
}
