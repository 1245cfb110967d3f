// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attr.h"
#include "file.h"
#include "parse.h"

#define DIRENTS_CAP 4096u
#define NUMBER_CAP  64u

/* ---- directories ---- */

/* struct linux_dirent64 of getdents64(2). */
struct dirent_head {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
};
#define DIRENT_NAME_OFFSET (offsetof(struct dirent_head, type) + 1)

static int each_of_block(
	const char *p, const char *end, int (*fn)(void *ctx, const char *name), void *ctx)
{
	while (p < end) {
		const char *name = p + DIRENT_NAME_OFFSET;
		struct dirent_head head;
		int ret = *name == '.' ? 0 : fn(ctx, name);

		if (ret)
			return ret;
		memcpy(&head, p, sizeof(head));
		p += head.reclen;
	}
	return 0;
}

int sm_attr_each(
	int dirfd, const char *path, int (*fn)(void *ctx, const char *name), void *ctx)
{
	_Alignas(8) char buf[DIRENTS_CAP];
	SM_CLOSE_FD int fd = -1;

	if (dirfd == -1)
		return -ENOENT;
	fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		long n = syscall(SYS_getdents64, fd, buf, sizeof(buf));
		int ret;

		if (n <= 0)
			return n < 0 ? -errno : 0;
		ret = each_of_block(buf, buf + n, fn, ctx);
		if (ret)
			return ret;
	}
}

bool sm_attr_number(const char *name, const char *prefix, unsigned int *out)
{
	struct sm_str s = {name, strlen(name)};
	uint64_t v;

	if (!sm_str_starts(s, prefix))
		return false;
	s.p += strlen(prefix);
	s.n -= strlen(prefix);
	if (!sm_str_u64(s, &v) || v > UINT_MAX || (*s.p == '0' && s.n > 1))
		return false;
	*out = (unsigned int)v;
	return true;
}

/* ---- values ---- */

/* The text without its newline. */
static int read_line(int fd, char *buf, struct sm_str *out)
{
	ssize_t n;

	if (fd < 0)
		return -ENOENT;
	do
		n = pread(fd, buf, NUMBER_CAP, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == NUMBER_CAP)
		return -EINVAL;
	if (n > 0 && buf[n - 1] == '\n')
		n--;
	*out = (struct sm_str){buf, (size_t)n};
	return n > 0 ? 0 : -ENODATA;
}

int sm_attr_read_i64(int fd, int64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s = {buf, 0};
	int64_t v;
	int err = read_line(fd, buf, &s);

	if (err < 0)
		return err;
	if (!sm_parse_i64(&s.p, buf + s.n, &v) || s.p != buf + s.n)
		return -EINVAL;
	*out = v;
	return 0;
}

int sm_attr_read_u64(int fd, uint64_t *out)
{
	char buf[NUMBER_CAP];
	struct sm_str s = {buf, 0};
	int err = read_line(fd, buf, &s);

	if (err < 0)
		return err;
	return sm_str_u64(s, out) ? 0 : -EINVAL;
}

bool sm_attr_text(int dirfd, const char *path, char *buf, size_t cap)
{
	ssize_t n = sm_file_slurp(dirfd, path, buf, cap);

	if (n > 0)
		buf[strcspn(buf, "\n")] = '\0';
	return n > 0 && buf[0] != '\0';
}

/* ---- labels ---- */

/* Is this text a base of another's, or the label of one before? */
static bool taken(const struct sm_attr_label *l, size_t n, size_t i, const char *text)
{
	for (size_t j = 0; j < n; j++) {
		if (j != i && strcmp(l[j].base, text) == 0)
			return true;
		if (j < i && strcmp(l[j].out, text) == 0)
			return true;
	}
	return false;
}

/* At most 2 n texts are taken, so one of the first 2 n + 1 is free. */
static void make_label(const struct sm_attr_label *l, size_t n, size_t i)
{
	snprintf(l[i].out, l[i].cap, "%s", l[i].base);
	if (!taken(l, n, i, l[i].out))
		return;
	snprintf(l[i].out, l[i].cap, "%s-%u", l[i].base, l[i].number);
	for (size_t k = 1; taken(l, n, i, l[i].out) && k <= 2 * n; k++)
		snprintf(l[i].out, l[i].cap, "%s-%u.%zu", l[i].base, l[i].number, k);
}

void sm_attr_labels(struct sm_attr_label *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		make_label(l, n, i);
}
