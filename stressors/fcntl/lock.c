// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks of the process (F_SETLK) and of an open file description (F_OFD_SETLK) conflict
 * with each other, so that one process can check through b the locks that it has set
 * through a.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fcntl/fcntl.h"

#define MAX_THIRD 1000 /* bytes */

/* l_pid of a lock of an open file description. */
#define NO_PROCESS ((pid_t)-1)

struct range {
	off_t start, bytes;
};

static struct range thirds(struct fcntl_state *t)
{
	uint64_t random = stress_random(&t->random);
	off_t third = (off_t)(random % MAX_THIRD) + 1;

	return (struct range){(off_t)(random >> 33), 3 * third};
}

/* Returns the i-th third of a range. */
static struct range third_of(struct range r, unsigned int i)
{
	return (struct range){r.start + (off_t)i * (r.bytes / 3), r.bytes / 3};
}

static int set(int fd, int command, short type, struct range r)
{
	struct flock l = {.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = r.start,
		.l_len = r.bytes};

	return (int)parts_result(fcntl(fd, command, &l));
}

static int refused(struct parts *p, int fd, int command, short type, struct range r)
{
	struct flock l = {.l_type = type,
		.l_whence = SEEK_SET,
		.l_start = r.start,
		.l_len = r.bytes};

	return parts_refused(p, fcntl(fd, command, &l), EAGAIN, "a lock that conflicts");
}

/* Finds the lock that prevents fd from locking the range for writing. */
static int find(int fd, int command, struct range r, struct flock *l)
{
	*l = (struct flock){.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = r.start,
		.l_len = r.bytes};
	return (int)parts_result(fcntl(fd, command, l));
}

static int finds_none(struct parts *p, int fd, int command, struct range r)
{
	struct flock l;
	int err = find(fd, command, r, &l);

	if (err)
		return err;
	return l.l_type == F_UNLCK ? 0
				   : parts_wrong(p, "a lock is reported that is not set");
}

static int finds(struct parts *p, int fd, int command, struct range r,
	struct range locked, pid_t pid)
{
	struct flock l;
	int err = find(fd, command, r, &l);

	if (err)
		return err;
	if (l.l_type == F_UNLCK)
		return parts_wrong(p, "a lock that is set is not reported");
	if (l.l_type != F_WRLCK || l.l_pid != pid || l.l_start != locked.start ||
		l.l_len != locked.bytes)
		return parts_wrong(p,
			"a lock of type %d, process %d, bytes %lld+%lld is reported as "
			"%d, %d, %lld+%lld",
			F_WRLCK, (int)pid, (long long)locked.start,
			(long long)locked.bytes, l.l_type, (int)l.l_pid,
			(long long)l.l_start, (long long)l.l_len);
	return 0;
}

/* Checks that unlocking the middle of a range leaves two locks. */
static int split(struct parts *p, int command, struct range all, pid_t pid)
{
	const struct fcntl_state *t = fcntl_state(p);
	int r = set(t->a, command, F_UNLCK, third_of(all, 1));

	if (!r)
		r = finds_none(p, t->b, F_OFD_GETLK, third_of(all, 1));
	if (!r)
		r = finds(p, t->b, F_OFD_GETLK, all, third_of(all, 0), pid);
	if (!r)
		r = finds(p, t->b, F_OFD_GETLK, third_of(all, 2), third_of(all, 2), pid);
	return r;
}

/* Checks a command that sets locks; pid: l_pid of its locks. */
static int lock_with(struct parts *p, int command, pid_t pid)
{
	struct fcntl_state *t = fcntl_state(p);
	struct range all = thirds(t);
	int r = set(t->a, command, F_WRLCK, all);

	if (!r)
		r = finds(p, t->b, F_OFD_GETLK, third_of(all, 1), all, pid);
	if (!r)
		r = refused(p, t->b, F_OFD_SETLK, F_RDLCK, third_of(all, 2));
	if (!r)
		r = split(p, command, all, pid);
	if (!r)
		r = set(t->a, command, F_UNLCK, all);
	return r ? r : finds_none(p, t->b, F_OFD_GETLK, all);
}

int fcntl_setlk(struct parts *p)
{
	return lock_with(p, F_SETLK, getpid());
}

int fcntl_setlkw(struct parts *p)
{
	return lock_with(p, F_SETLKW, getpid());
}

int fcntl_ofd_setlk(struct parts *p)
{
	return lock_with(p, F_OFD_SETLK, NO_PROCESS);
}

int fcntl_ofd_setlkw(struct parts *p)
{
	return lock_with(p, F_OFD_SETLKW, NO_PROCESS);
}

/* Checks that F_GETLK reports a lock of an open file description, but not the process's
 * own locks. */
int fcntl_getlk(struct parts *p)
{
	struct fcntl_state *t = fcntl_state(p);
	struct range all = thirds(t);
	int r = set(t->b, F_OFD_SETLK, F_WRLCK, third_of(all, 0));

	if (!r)
		r = set(t->a, F_SETLK, F_WRLCK, third_of(all, 2));
	if (!r)
		r = finds(p, t->a, F_GETLK, all, third_of(all, 0), NO_PROCESS);
	if (!r)
		r = finds_none(p, t->a, F_GETLK, third_of(all, 2));
	if (!r)
		r = set(t->a, F_SETLK, F_UNLCK, all);
	return r ? r : set(t->b, F_OFD_SETLK, F_UNLCK, all);
}

/* Checks that read locks do not conflict, and that a write lock is possible only after
 * the others are gone. */
int fcntl_ofd_shared(struct parts *p)
{
	struct fcntl_state *t = fcntl_state(p);
	struct range all = thirds(t);
	int r = set(t->a, F_OFD_SETLK, F_RDLCK, all);

	if (!r)
		r = set(t->b, F_OFD_SETLK, F_RDLCK, third_of(all, 1));
	if (!r)
		r = refused(p, t->a, F_OFD_SETLK, F_WRLCK, all);
	if (!r)
		r = set(t->b, F_OFD_SETLK, F_UNLCK, all);
	if (!r)
		r = set(t->a, F_OFD_SETLK, F_WRLCK, all);
	if (!r)
		r = finds(p, t->b, F_OFD_GETLK, all, all, NO_PROCESS);
	return r ? r : set(t->a, F_OFD_SETLK, F_UNLCK, all);
}
