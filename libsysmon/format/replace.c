// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "format/replace.h"

#define NAMES_MAX 16 /* random names to try */
#define SUFFIX	  13 /* length of ".tmp.XXXXXXXX" */
#define LONG_NAME 100

struct target {
	bool exists;
	struct stat st;
};

/* O_CREAT creates the target of a dangling link. */
static int open_old(const char *path, mode_t mode, struct target *t)
{
	SM_CLOSE_FD int fd = -1;

	if (stat(path, &t->st) == 0 && !S_ISREG(t->st.st_mode))
		return -EOPNOTSUPP;
	fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
	if (fd < 0 || fstat(fd, &t->st) < 0)
		return -errno;
	return S_ISREG(t->st.st_mode) ? 0 : -EOPNOTSUPP;
}

static int find_target(const char *path, mode_t mode, struct target *t)
{
	struct stat link;
	int err = lstat(path, &link) < 0 ? -errno : 0;

	if (err && err != -ENOENT)
		return err;
	t->exists = !err;
	return t->exists ? open_old(path, mode, t) : 0;
}

static int keep_mode(int fd, const struct target *t)
{
	if (!t->exists)
		return 0;
	(void)!fchown(fd, t->st.st_uid, t->st.st_gid);
	return fchmod(fd, t->st.st_mode & 0777) < 0 ? -errno : 0;
}

/* The new file, in the directory of its target. */
struct fresh {
	int dir;
	const char *base; /* name of the target */
	char name[NAME_MAX + 1];
};

/* Opens the directory of path, which is shortened to it. */
static int open_folder(char *path, struct fresh *f)
{
	char *slash = strrchr(path, '/');
	const char *folder = !slash ? "." : slash == path ? "/" : path;

	f->base = slash ? slash + 1 : path;
	if (slash)
		*slash = '\0';
	f->dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return f->dir < 0 ? -errno : 0;
}

/* A long name is cut by the suffix, so the file system that has it permits the new one.
 */
static int name_it(struct fresh *f)
{
	size_t n = strlen(f->base);

	if (n > NAME_MAX)
		return -ENAMETOOLONG;
	if (n > LONG_NAME)
		n -= SUFFIX;
	(void)!snprintf(f->name, sizeof(f->name), "%.*s.tmp.%08x", (int)n, f->base,
		(unsigned int)sm_map_hash_seed());
	return 0;
}

/* Creates the file.  An existing file is left alone: its writer may be alive in another
 * pid namespace, where PIDs identify nothing. */
static int open_new(struct fresh *f, mode_t mode)
{
	int fd = -EEXIST;

	for (int i = 0; i < NAMES_MAX && fd == -EEXIST; i++) {
		int err = name_it(f);

		if (err)
			return err;
		fd = openat(f->dir, f->name,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0)
			fd = -errno;
	}
	return fd;
}

bool sm_replace_forbidden(int err)
{
	return err == -EACCES || err == -EPERM || err == -EROFS || err == -ENAMETOOLONG;
}

static int write_new(const struct target *t, mode_t mode, struct fresh *f,
	int (*fill)(void *ctx, int fd), void *ctx)
{
	int fd = open_new(f, t->exists ? 0600 : mode), err;

	if (fd < 0)
		return fd;
	err = keep_mode(fd, t);
	if (!err)
		err = fill(ctx, fd);
	if (close(fd) < 0 && !err)
		err = -errno;
	if (!err && renameat(f->dir, f->name, f->dir, f->base) < 0)
		err = -errno;
	if (err)
		unlinkat(f->dir, f->name, 0);
	return err;
}

int sm_replace_file(
	const char *path, mode_t mode, int (*fill)(void *ctx, int fd), void *ctx)
{
	struct target t = {0};
	struct fresh f = {.dir = -1};
	int err = find_target(path, mode, &t);
	char *real; /* path without links */

	if (err)
		return err;
	real = t.exists ? realpath(path, NULL) : strdup(path);
	if (!real)
		return -errno;
	err = open_folder(real, &f);
	if (!err)
		err = write_new(&t, mode, &f, fill, ctx);
	if (f.dir >= 0)
		close(f.dir);
	free(real);
	return err;
}
