// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "file.h"
#include "parse.h"

/* What seq_file of the kernel hands out at a time, unless a single record is larger. */
#define SEQ_PAGE   4096u
#define FIRST_CAP  SEQ_PAGE
#define NUMBER_CAP 64u

/* O_NONBLOCK: a FIFO planted in a prepared root must not hang us; procfs ignores it. */
static int open_file(int dirfd, const char *path)
{
	int fd;

	if (dirfd == -1)
		return -ENOENT;
	fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static ssize_t pread_retry(int fd, char *buf, size_t n, size_t offset)
{
	ssize_t got;

	do
		got = pread(fd, buf, n, (off_t)offset);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

int sm_file_open(struct sm_file *f, int dirfd, const char *path)
{
	int fd = open_file(dirfd, path);

	*f = (struct sm_file)SM_FILE_INIT;
	if (fd < 0)
		return fd;
	f->fd = fd;
	return 0;
}

static int grow(struct sm_file *f)
{
	size_t cap = f->cap ? f->cap * 2 : FIRST_CAP;
	char *p;

	if (cap > PTRDIFF_MAX)
		return -ENOMEM;
	p = realloc(f->buf, cap);
	if (!p)
		return -ENOMEM;
	f->buf = p;
	f->cap = cap;
	return 0;
}

/* One pread at the end of what we have; a byte stays free for the NUL. */
static ssize_t read_more(struct sm_file *f)
{
	ssize_t got;
	int err;

	if (f->cap - f->len < 2) {
		err = grow(f);
		if (err < 0)
			return err;
	}
	got = pread_retry(f->fd, f->buf + f->len, f->cap - f->len - 1, f->len);
	if (got > 0)
		f->len += (size_t)got;
	return got;
}

ssize_t sm_file_read(struct sm_file *f)
{
	ssize_t got;

	f->len = 0;
	if (!f->cap && grow(f) < 0)
		return -ENOMEM;
	got = read_more(f);
	if (got > (ssize_t)SEQ_PAGE / 2)
		while ((got = read_more(f)) > 0)
			;
	if (got < 0)
		f->len = 0;
	f->buf[f->len] = '\0';
	return got < 0 ? got : (ssize_t)f->len;
}

bool sm_file_is_procfs(const struct sm_file *f)
{
	struct statfs st;

	return f->fd >= 0 && fstatfs(f->fd, &st) == 0 && st.f_type == PROC_SUPER_MAGIC;
}

void sm_file_close(struct sm_file *f)
{
	sm_close_fd(&f->fd);
	free(f->buf);
	*f = (struct sm_file)SM_FILE_INIT;
}

ssize_t sm_file_slurp_bytes(int dirfd, const char *path, char *buf, size_t cap)
{
	SM_CLOSE_FD int fd = open_file(dirfd, path);
	size_t len = 0;

	if (fd < 0)
		return fd;
	while (len < cap) {
		ssize_t got = read(fd, buf + len, cap - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

ssize_t sm_file_slurp(int dirfd, const char *path, char *buf, size_t cap)
{
	ssize_t n;

	if (cap == 0)
		return -EINVAL;
	n = sm_file_slurp_bytes(dirfd, path, buf, cap - 1);
	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

/* The text up to an optional last newline; too long for a number is not a number. */
static int read_number(int dirfd, const char *path, char *buf, struct sm_str *out)
{
	ssize_t n = sm_file_slurp(dirfd, path, buf, NUMBER_CAP);

	if (n < 0)
		return (int)n;
	if (n == NUMBER_CAP - 1)
		return -EINVAL;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	*out = (struct sm_str){buf, (size_t)n};
	return 0;
}

int sm_file_read_u64(int dirfd, const char *path, uint64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s;
	int err = read_number(dirfd, path, buf, &s);

	if (err < 0)
		return err;
	return sm_str_u64(s, out) ? 0 : -EINVAL;
}

int sm_file_read_i64(int dirfd, const char *path, int64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s;
	const char *p;
	int64_t v;
	int err = read_number(dirfd, path, buf, &s);

	if (err < 0)
		return err;
	p = s.p;
	if (!sm_parse_i64(&p, s.p + s.n, &v) || p != s.p + s.n)
		return -EINVAL;
	*out = v;
	return 0;
}
