// SPDX-License-Identifier: GPL-2.0-or-later
#include "scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/priv.h"
#include "limit.h"
#include "stress.h"

#define PREFIX	   "stressors-scratch-"
#define LETTERS	   6
#define NAME_TRIES 100
/* A file system may omit entries of a directory that is read while others are removed. */
#define EMPTY_TRIES 10

/* --- removing ----------------------------------------------------------------------- */

static int remove_dir(int above, const char *name, dev_t dev);

/* Opens a directory on this file system, and makes sure that its files can be removed. */
static int open_dir(int above, const char *name, dev_t dev)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(above, name, flags);
	struct stat st;

	if (fd < 0 && errno == EACCES && fchmodat(above, name, 0700, 0) == 0)
		fd = openat(above, name, flags);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && st.st_dev == dev) {
		(void)fchmod(fd, 0700);
		return fd;
	}
	close(fd);
	return -EXDEV;
}

static int remove_entry(int dir, const char *name, dev_t dev)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	return errno == EISDIR ? remove_dir(dir, name, dev) : -errno;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes the contents of a directory and closes the descriptor. */
static int empty_dir(int fd, dev_t dev)
{
	const struct dirent *e;
	DIR *d = fdopendir(fd);
	int err = 0, one;

	if (!d) {
		close(fd);
		return -ENOMEM;
	}
	while ((e = readdir(d)) != NULL) {
		one = is_dots(e->d_name) ? 0 : remove_entry(dirfd(d), e->d_name, dev);
		err = err ? err : one;
	}
	closedir(d);
	return err;
}

static int remove_dir(int above, const char *name, dev_t dev)
{
	int err = 0;

	for (unsigned int i = 0; i < EMPTY_TRIES && !err; i++) {
		int fd = open_dir(above, name, dev);

		err = fd < 0 ? fd : empty_dir(fd, dev);
		if (unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		err = !err && errno != ENOTEMPTY ? -errno : err;
	}
	return err ? err : -ENOTEMPTY;
}

/* --- directories without an owner --------------------------------------------------- */

static bool is_name(const char *name)
{
	return strncmp(name, PREFIX, sizeof(PREFIX) - 1) == 0 &&
	       strlen(name) == sizeof(PREFIX) - 1 + LETTERS;
}

static bool is_like(const struct stat *st, const struct stat *own)
{
	return S_ISDIR(st->st_mode) && (st->st_mode & 07777) == 0700 &&
	       st->st_uid == own->st_uid && st->st_dev == own->st_dev;
}

/* Removes a directory without an owner.  The run's own directory is locked through
 * another open file, so it is rejected like the directories of other runs. */
static void sweep_one(const struct scratch *x, const char *name, const struct stat *own)
{
	SM_CLOSE_FD int fd = openat(
		x->above_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !is_like(&st, own) ||
		flock(fd, LOCK_EX | LOCK_NB) < 0)
		return;
	/* An error is ignored, because the directory belonged to another run. */
	(void)!remove_dir(x->above_fd, name, st.st_dev);
}

static void sweep(const struct scratch *x)
{
	int fd = openat(x->above_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	struct stat own;

	if (!d) {
		sm_base_close_fd(&fd);
		return;
	}
	while (fstat(x->fd, &own) == 0 && (e = readdir(d)) != NULL)
		if (is_name(e->d_name))
			sweep_one(x, e->d_name, &own);
	closedir(d);
}

/* --- making ------------------------------------------------------------------------- */

static void make_name(char *name, size_t cap)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	unsigned char r[LETTERS] = {0};
	int n = snprintf(name, cap, PREFIX);

	(void)!getrandom(r, sizeof(r), GRND_NONBLOCK);
	for (unsigned int i = 0; i < LETTERS; i++)
		name[n++] = letters[r[i] % (sizeof(letters) - 1)];
	name[n] = '\0';
}

static bool is_still_there(const struct scratch *x)
{
	struct stat open, named;

	return fstat(x->fd, &open) == 0 &&
	       fstatat(x->above_fd, x->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/* Creates and locks the directory.  -EEXIST: another name must be tried, because another
 * process took the directory for one without an owner before it was locked. */
static int make_named(struct scratch *x)
{
	if (mkdirat(x->above_fd, x->name, 0700) < 0)
		return -errno;
	x->fd = openat(
		x->above_fd, x->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (x->fd < 0) {
		int err = errno == ENOENT ? -EEXIST : -errno;

		(void)unlinkat(x->above_fd, x->name, AT_REMOVEDIR);
		return err;
	}
	if ((flock(x->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) ||
		!is_still_there(x)) {
		sm_base_close_fd(&x->fd);
		return -EEXIST;
	}
	return 0;
}

static void close_all(struct scratch *x)
{
	sm_base_close_fd(&x->fd);
	sm_base_close_fd(&x->above_fd);
}

struct making {
	struct scratch *x;
	const char *path;
};

static int make(void *ctx)
{
	const struct making *m = ctx;
	struct scratch *x = m->x;
	int err = -EEXIST;

	x->above_fd = open(m->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (x->above_fd < 0)
		return -errno;
	for (unsigned int i = 0; i < NAME_TRIES && err == -EEXIST; i++) {
		make_name(x->name, sizeof(x->name));
		err = make_named(x);
	}
	if (err)
		close_all(x);
	else
		sweep(x);
	return err;
}

int scratch_make(struct scratch *x, const char *path)
{
	struct making m = {x, path};

	return sm_priv_as_invoker(make, &m);
}

static int remove_it(void *ctx)
{
	const struct scratch *x = ctx;
	struct stat st;

	if (fstat(x->fd, &st) < 0)
		return -errno;
	return remove_dir(x->above_fd, x->name, st.st_dev);
}

int scratch_remove(struct scratch *x)
{
	int err = x->fd < 0 ? 0 : sm_priv_as_invoker(remove_it, x);

	close_all(x);
	return err;
}

/* --- the directory of a stage ------------------------------------------------------- */

const char *scratch_path(const struct plan *p)
{
	return p->temp_path ? p->temp_path : ".";
}

static bool needs_it(const struct job *j)
{
	return j->stressor->scratch && !j->why_not;
}

static int refuse(struct job *j, const char *path, int err)
{
	char why[256];

	snprintf(why, sizeof(why),
		"cannot create a directory for its files in %s (--temp-path): %s", path,
		strerror(-err));
	return limit_refuse(j, stress_is_lack(-err), why);
}

int scratch_make_for(struct scratch *x, const struct plan *p, struct job *j, size_t n)
{
	int err = 0, refused = 0;

	for (size_t i = 0; i < n && !err && x->fd < 0; i++)
		if (needs_it(&j[i]))
			err = scratch_make(x, scratch_path(p));
	for (size_t i = 0; i < n && err && !refused; i++)
		if (needs_it(&j[i]))
			refused = refuse(&j[i], scratch_path(p), err);
	return refused;
}

/* The directory may contain files if the instance was killed and restarted. */
int scratch_enter(int scratch_fd, const char *stressor, unsigned int instance)
{
	char name[64];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "%s-%u", stressor, instance);
	if (fstat(scratch_fd, &st) < 0)
		return -errno;
	if (mkdirat(scratch_fd, name, 0700) < 0) {
		int err = errno == EEXIST ? remove_dir(scratch_fd, name, st.st_dev)
					  : -errno;

		if (!err && mkdirat(scratch_fd, name, 0700) < 0)
			err = -errno;
		if (err)
			return err;
	}
	fd = openat(scratch_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* --- its file system ---------------------------------------------------------------- */

struct measuring {
	const char *path;
	struct statvfs fs;
};

static int measure(void *ctx)
{
	struct measuring *m = ctx;

	return statvfs(m->path, &m->fs) < 0 ? -errno : 0;
}

int scratch_free(const char *path, uint64_t *bytes)
{
	struct measuring m = {.path = path};
	int err = sm_priv_as_invoker(measure, &m);

	*bytes = err ? 0 : (uint64_t)m.fs.f_bavail * m.fs.f_frsize;
	return err;
}
