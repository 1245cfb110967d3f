// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fcntl/fcntl.h"

/* Values of linux/fcntl.h, which cannot be included together with fcntl.h. */
#define DUPFD_QUERY   1027
#define CREATED_QUERY 1028

#define NEW_FILE "new"

int fcntl_get(int fd, int command)
{
	return (int)parts_result(fcntl(fd, command));
}

int fcntl_set(int fd, int command, int value)
{
	return (int)parts_result(fcntl(fd, command, value));
}

/* --- copies ------------------------------------------------------------------------- */

/* Checks that a copy shares the offset of the original, and has the flag of its
 * command. */
static int check_copy(struct parts *p, int copy, int flag)
{
	struct fcntl_state *t = fcntl_state(p);
	off_t at = (off_t)(stress_random(&t->random) % FCNTL_BYTES);
	int got;

	if (copy <= t->b)
		return parts_wrong(p, "descriptor %d, which is not above %d", copy, t->b);
	if (lseek(t->a, at, SEEK_SET) < 0)
		return -errno;
	if (lseek(copy, 0, SEEK_CUR) != at)
		return parts_wrong(p, "the copy has another offset");
	got = fcntl_get(copy, F_GETFD);
	if (got < 0)
		return got;
	return got == flag ? 0 : parts_wrong(p, "flags %d instead of %d", got, flag);
}

static int copy_with(struct parts *p, int command, int flag)
{
	const struct fcntl_state *t = fcntl_state(p);
	int copy = fcntl_set(t->a, command, t->b), r;

	if (copy < 0)
		return copy;
	r = check_copy(p, copy, flag);
	close(copy);
	if (r)
		return r;
	return parts_refused(p, fcntl(t->a, command, -1), EINVAL, "a negative minimum");
}

int fcntl_dupfd(struct parts *p)
{
	return copy_with(p, F_DUPFD, 0);
}

int fcntl_dupfd_cloexec(struct parts *p)
{
	return copy_with(p, F_DUPFD_CLOEXEC, FD_CLOEXEC);
}

int fcntl_dupfd_query(struct parts *p)
{
	const struct fcntl_state *t = fcntl_state(p);
	int copy = fcntl_set(t->a, F_DUPFD_CLOEXEC, 0), same, other;

	if (copy < 0)
		return copy;
	same = fcntl_set(t->a, DUPFD_QUERY, copy);
	other = fcntl_set(t->a, DUPFD_QUERY, t->b);
	close(copy);
	if (same < 0 || other < 0)
		return same < 0 ? same : other;
	if (same != 1 || other != 0)
		return parts_wrong(p,
			"%d for a copy, %d for another open file; should be 1 and 0",
			same, other);
	return 0;
}

/* --- creation ----------------------------------------------------------------------- */

/* Opens the file and returns the result of CREATED_QUERY. */
static int created(struct parts *p)
{
	int fd = openat(p->s->scratch_fd, NEW_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return -errno;
	r = fcntl_get(fd, CREATED_QUERY);
	close(fd);
	return r;
}

int fcntl_created_query(struct parts *p)
{
	int first = created(p), second = created(p);

	if (unlinkat(p->s->scratch_fd, NEW_FILE, 0) < 0)
		return -errno;
	if (first < 0 || second < 0)
		return first < 0 ? first : second;
	if (first != 1 || second != 0)
		return parts_wrong(p, "%d, then %d; should be 1, then 0", first, second);
	return 0;
}

/* --- flags -------------------------------------------------------------------------- */

static int set_fd_flags(struct parts *p, int fd, int flags)
{
	int r = fcntl_set(fd, F_SETFD, flags), got;

	if (r < 0)
		return r;
	if (flags && parts_spoil(p))
		(void)fcntl(fd, F_SETFD, 0);
	got = fcntl_get(fd, F_GETFD);
	if (got < 0)
		return got;
	return got == flags ? 0 : parts_wrong(p, "flags %d instead of %d", got, flags);
}

int fcntl_setfd(struct parts *p)
{
	const struct fcntl_state *t = fcntl_state(p);
	int r = set_fd_flags(p, t->a, 0);

	return r ? r : set_fd_flags(p, t->a, FD_CLOEXEC);
}

/* Sets or clears a status flag, and checks it. */
static int set_status(struct parts *p, int fd, int flag, bool on)
{
	int before = fcntl_get(fd, F_GETFL), want, r, got;

	if (before < 0)
		return before;
	want = on ? before | flag : before & ~flag;
	r = fcntl_set(fd, F_SETFL, want);
	if (r < 0)
		return r;
	got = fcntl_get(fd, F_GETFL);
	if (got < 0)
		return got;
	return got == want ? 0 : parts_wrong(p, "flags %#x instead of %#x", got, want);
}

/* Checks that a byte is appended although the offset is 0. */
static int append(struct parts *p)
{
	const struct fcntl_state *t = fcntl_state(p);
	int other = fcntl_get(t->b, F_GETFL);

	if (other < 0)
		return other;
	if (other & O_APPEND)
		return parts_wrong(p, "the flag is also set for another open file");
	if (lseek(t->a, 0, SEEK_SET) < 0 || write(t->a, t->page, 1) < 0)
		return -errno;
	if (lseek(t->a, 0, SEEK_CUR) != FCNTL_BYTES + 1)
		return parts_wrong(p, "O_APPEND: a write is not at the end");
	return ftruncate(t->a, FCNTL_BYTES) < 0 ? -errno : 0;
}

int fcntl_append(struct parts *p)
{
	int a = fcntl_state(p)->a, r = set_status(p, a, O_APPEND, true);

	if (!r)
		r = append(p);
	return r ? r : set_status(p, a, O_APPEND, false);
}

/* The pipe is read only if the flag is set, because the read would wait otherwise. */
int fcntl_nonblock(struct parts *p)
{
	int fd = fcntl_state(p)->pipe[0], r = set_status(p, fd, O_NONBLOCK, true);
	char byte;

	if (!r)
		r = parts_refused(p, read(fd, &byte, 1), EAGAIN, "read");
	return r ? r : set_status(p, fd, O_NONBLOCK, false);
}
