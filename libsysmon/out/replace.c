// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "out/replace.h"

#define NAMES_MAX 16 /* random names to try */

struct target {
	char *path; /* path without links */
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
	err = t->exists ? open_old(path, mode, t) : 0;
	if (err)
		return err;
	t->path = t->exists ? realpath(path, NULL) : strdup(path);
	return t->path ? 0 : -errno;
}

static int keep_mode(int fd, const struct target *t)
{
	if (!t->exists)
		return 0;
	(void)!fchown(fd, t->st.st_uid, t->st.st_gid);
	return fchmod(fd, t->st.st_mode & 0777) < 0 ? -errno : 0;
}

/* Creates a file in the directory of path and sets *name.  An existing file is left
 * alone: its writer may be alive in another pid namespace, where PIDs identify
 * nothing. */
static int open_new(const char *path, mode_t mode, char **name)
{
	int fd = -EEXIST;

	for (int i = 0; i < NAMES_MAX && fd == -EEXIST; i++) {
		free(*name);
		if (asprintf(name, "%s.tmp.%08x", path,
			    (unsigned int)sm_map_hash_seed()) < 0) {
			*name = NULL;
			return -ENOMEM;
		}
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			mode);
		if (fd < 0)
			fd = -errno;
	}
	return fd;
}

bool sm_replace_forbidden(int err)
{
	return err == -EACCES || err == -EPERM || err == -EROFS || err == -ENAMETOOLONG;
}

static int write_new(
	const struct target *t, mode_t mode, int (*fill)(void *ctx, int fd), void *ctx)
{
	char *name = NULL;
	int fd = open_new(t->path, t->exists ? 0600 : mode, &name), err;

	if (fd < 0) {
		free(name);
		return fd;
	}
	err = keep_mode(fd, t);
	if (!err)
		err = fill(ctx, fd);
	if (close(fd) < 0 && !err)
		err = -errno;
	if (!err && rename(name, t->path) < 0)
		err = -errno;
	if (err)
		unlink(name);
	free(name);
	return err;
}

int sm_replace_file(
	const char *path, mode_t mode, int (*fill)(void *ctx, int fd), void *ctx)
{
	struct target t = {0};
	int err = find_target(path, mode, &t);

	if (!err)
		err = write_new(&t, mode, fill, ctx);
	free(t.path);
	return err;
}
