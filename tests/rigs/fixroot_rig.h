/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixroot_rig: a /proc and /sys made for one test, in a temporary directory; and the number
 * of reads of this process.
 */
#ifndef FIXROOT_RIG_H
#define FIXROOT_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/root.h"
#include "unit.h"

static char fix_dir[UNIT_DIR];
static struct sm_root fix;

static inline const char *fix_path(const char *name)
{
	static char path[PATH_MAX];

	ck_assert_int_lt(snprintf(path, sizeof(path), "%s/%s", fix_dir, name), PATH_MAX);
	return path;
}

/* A directory with all above it. */
static inline void fix_mkdir(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s", fix_path(name));
	for (char *p = path + strlen(fix_dir) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
	}
	ck_assert(mkdir(path, 0755) == 0 || errno == EEXIST);
}

/* Writes a file's content; an existing file keeps its inode. */
static inline void fix_put_bytes(const char *name, const char *s, size_t n)
{
	char above[PATH_MAX];
	int fd;

	snprintf(above, sizeof(above), "%s", name);
	ck_assert_ptr_nonnull(strrchr(above, '/'));
	*strrchr(above, '/') = '\0';
	fix_mkdir(above);
	fd = open(fix_path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, s, n), (long)n);
	close(fd);
}

static inline void fix_put(const char *name, const char *s)
{
	fix_put_bytes(name, s, strlen(s));
}

static inline void fix_link(const char *name, const char *to)
{
	ck_assert_int_eq(symlink(to, fix_path(name)), 0);
}

static inline void fix_open(void)
{
	unit_mkdtemp(fix_dir);
	fix_mkdir("proc/self/ns");
	fix_mkdir("sys/devices/system/cpu");
	ck_assert_int_eq(sm_root_open(&fix, fix_dir), 0);
}

static inline void fix_close(void)
{
	sm_root_close(&fix);
	ck_assert_int_eq(unit_remove(fix_dir), 0);
}

/* read(2)s and pread(2)s so far, those of this function too: see fix_reads_between(). */
static inline uint64_t fix_reads(void)
{
	char text[512], *line;
	int fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	line = strstr(text, "syscr:");
	ck_assert_ptr_nonnull(line);
	return strtoull(line + strlen("syscr:"), NULL, 10);
}

static inline uint64_t fix_reads_between(uint64_t before, uint64_t after)
{
	return after - before - 1; /* the one of /proc/self/io */
}

/* Not by kernels without CONFIG_TASK_IO_ACCOUNTING; and valgrind makes reads of its own. */
static inline bool fix_reads_counted(void)
{
	uint64_t before, after;
	char c;
	int fd;

	if (access("/proc/self/io", R_OK) != 0)
		return false;
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	before = fix_reads();
	for (int i = 0; i < 10; i++)
		ck_assert_int_eq(pread(fd, &c, 1, 0), 0);
	after = fix_reads();
	close(fd);
	return fix_reads_between(before, after) == 10;
}

#endif
