// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/parse.h"

/* Size of a read that the kernel's seq_file returns, unless a single record is larger. */
#define SEQ_PAGE   4096u
#define FIRST_CAP  SEQ_PAGE
#define NUMBER_CAP 64u
/* More than the largest file of procfs: an endless file in a prepared root must not
 * exhaust memory. */
#define FILE_MAX_BYTES (64u << 20)

static ssize_t pread_retry(int fd, char *buf, size_t n, size_t offset)
{
	ssize_t got;

	do
		got = pread(fd, buf, n, (off_t)offset);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

int sm_file_open(struct sm_file *f, struct sm_at at, const char *path)
{
	int fd = sm_at_open(at, path, 0);

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

	if (cap > FILE_MAX_BYTES)
		return -EFBIG;
	p = realloc(f->buf, cap);
	if (!p)
		return -ENOMEM;
	f->buf = p;
	f->cap = cap;
	return 0;
}

/* Reads once after the bytes read so far; one byte stays free for the NUL. */
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

bool sm_file_is_procfs(int fd)
{
	struct statfs st;

	return fd >= 0 && fstatfs(fd, &st) == 0 && st.f_type == PROC_SUPER_MAGIC;
}

void sm_file_close(struct sm_file *f)
{
	sm_base_close_fd(&f->fd);
	free(f->buf);
	*f = (struct sm_file)SM_FILE_INIT;
}

ssize_t sm_file_slurp_fd(int fd, char *buf, size_t cap)
{
	size_t len = 0;

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

ssize_t sm_file_slurp_bytes(struct sm_at at, const char *path, char *buf, size_t cap)
{
	SM_CLOSE_FD int fd = sm_at_open(at, path, 0);

	return fd < 0 ? fd : sm_file_slurp_fd(fd, buf, cap);
}

ssize_t sm_file_slurp(struct sm_at at, const char *path, char *buf, size_t cap)
{
	ssize_t n;

	if (cap == 0)
		return -EINVAL;
	n = sm_file_slurp_bytes(at, path, buf, cap - 1);
	buf[n < 0 ? 0 : n] = '\0';
	return n;
}

/* Reads the text up to an optional final newline; a text too long for a number is an
 * error. */
static int read_number(struct sm_at at, const char *path, char *buf, struct sm_str *out)
{
	ssize_t n = sm_file_slurp(at, path, buf, NUMBER_CAP);

	if (n < 0)
		return (int)n;
	if (n == NUMBER_CAP - 1)
		return -EINVAL;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	*out = (struct sm_str){buf, (size_t)n};
	return 0;
}

int sm_file_read_u64(struct sm_at at, const char *path, uint64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s;
	int err = read_number(at, path, buf, &s);

	if (err < 0)
		return err;
	return sm_parse_whole_u64(s, out) ? 0 : -EINVAL;
}

int sm_file_read_i64(struct sm_at at, const char *path, int64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s;
	int err = read_number(at, path, buf, &s);

	if (err < 0)
		return err;
	return sm_parse_whole_i64(s, out) ? 0 : -EINVAL;
}

int sm_file_write(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t did = write(fd, p, n);

		if (did < 0 && errno == EINTR)
			continue;
		if (did < 0)
			return -errno;
		p += did;
		n -= (size_t)did;
	}
	return 0;
}

unsigned int sm_file_share(unsigned int n)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	return limit.rlim_cur / n < INT_MAX ? (unsigned int)(limit.rlim_cur / n)
					    : INT_MAX;
}
