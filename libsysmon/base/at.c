// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/at.h"

#define DEPTH_MAX 40
#define LINKS_MAX 40 /* MAXSYMLINKS of the kernel */

/* The path from the top: `..` goes back along it, wherever a directory has been moved. */
struct walk {
	struct sm_at at;
	int fd[DEPTH_MAX];
	unsigned int n, links;
	const char *file; /* the last name, if it is a regular file's */
	char *rest;	  /* what remains of the path; it ends with buf */
	char buf[PATH_MAX];
};

static void pop(struct walk *w)
{
	int fd = w->fd[--w->n];

	if (fd != w->at.fd && fd != w->at.top)
		close(fd);
	w->file = NULL;
}

static int prepend(struct walk *w, const char *path, size_t n)
{
	if ((size_t)(w->rest - w->buf) < n)
		return -ENAMETOOLONG;
	w->rest -= n;
	memcpy(w->rest, path, n);
	return 0;
}

static int follow_link(struct walk *w, int link)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(link, "", target, sizeof(target) - 1);

	if (n < 0)
		return -errno;
	if (++w->links > LINKS_MAX)
		return -ELOOP;
	if (target[0] == '/')
		while (w->n > 1)
			pop(w);
	target[n++] = '/';
	return prepend(w, target, (size_t)n);
}

static char *next_name(struct walk *w)
{
	char *name = w->rest + strspn(w->rest, "/");

	w->rest = name + strcspn(name, "/");
	if (*w->rest)
		*w->rest++ = '\0';
	return *name ? name : NULL;
}

/* Makes fd, the file called name, the current place, or closes it. */
static int enter(struct walk *w, const char *name, int fd)
{
	struct stat st;
	int err = -EBADMSG;

	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (S_ISLNK(st.st_mode))
		err = follow_link(w, fd);
	else if (w->n == DEPTH_MAX)
		err = -ELOOP;
	else if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) {
		w->fd[w->n++] = fd;
		w->file = S_ISREG(st.st_mode) ? name : NULL;
		return 0;
	}
	close(fd);
	return err;
}

static int step(struct walk *w, const char *name)
{
	int fd;

	if (strcmp(name, "..") == 0) {
		if (w->n > 1)
			pop(w);
		return 0;
	}
	if (strcmp(name, ".") == 0)
		return 0;
	fd = openat(w->fd[w->n - 1], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : enter(w, name, fd);
}

static int open_inside(struct sm_at at, const char *path, int flags)
{
	struct walk w = {.at = at, .fd = {at.top, at.fd}, .n = 2};
	const char *name;
	int fd = -1, err;

	w.rest = w.buf + sizeof(w.buf);
	err = prepend(&w, path, strlen(path) + 1);
	while (!err && (name = next_name(&w)) != NULL)
		err = step(&w, name);
	if (!err) {
		fd = openat(w.fd[w.n - (w.file ? 2 : 1)], w.file ? w.file : ".",
			flags | O_NOFOLLOW, 0);
		err = fd < 0 ? -errno : 0;
	}
	while (w.n)
		pop(&w);
	return err ? err : fd;
}

int sm_at_open(struct sm_at at, const char *path, int flags)
{
	int fd;

	if (at.fd == -1)
		return -ENOENT;
	flags |= O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	if (at.top != -1)
		return open_inside(at, path, flags);
	fd = openat(at.fd, path, flags, 0);
	return fd < 0 ? -errno : fd;
}
