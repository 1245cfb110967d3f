// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The signals stay blocked and are accepted with sigtimedwait(2).  They are pending when
 * the call that sends them returns, so a part never waits.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fcntl/fcntl.h"

#define GETOWNER_UIDS 17 /* of asm-generic/fcntl.h, which conflicts with fcntl.h */

#define NO_SIGNAL 1000
#define LEASED	  "leased"
#define NOTICED	  "noticed"

/* The kernel sends SIGIO if it lacks memory to queue another signal. */
static void set_of_both(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGRTMIN);
	sigaddset(set, SIGIO);
}

int fcntl_block_signals(void)
{
	sigset_t set;

	set_of_both(&set);
	return (int)parts_result(sigprocmask(SIG_BLOCK, &set, NULL));
}

/* Takes the signal that must be pending now, for this descriptor. */
static int take(struct parts *p, int fd, long band)
{
	static const struct timespec now;
	sigset_t set;
	siginfo_t info;
	int signo;

	set_of_both(&set);
	signo = sigtimedwait(&set, &info, &now);
	if (signo == SIGIO)
		return -ENOBUFS;
	if (signo < 0)
		return errno == EAGAIN ? parts_wrong(p, "no signal was sent") : -errno;
	if (info.si_fd != fd || (info.si_band & band) != band)
		return parts_wrong(p,
			"a signal for descriptor %d, band %#lx; should be %d, %#lx",
			info.si_fd, (unsigned long)info.si_band, fd, (unsigned long)band);
	return 0;
}

static int is_pending(struct parts *p)
{
	sigset_t set;

	if (sigpending(&set) < 0)
		return -errno;
	if (sigismember(&set, SIGRTMIN) || sigismember(&set, SIGIO))
		return parts_wrong(p, "an unexpected signal was sent");
	return 0;
}

/* --- owners ------------------------------------------------------------------------- */

static int set_owner(struct parts *p, int fd, int owner)
{
	int r = fcntl_set(fd, F_SETOWN, owner), got;

	if (r < 0)
		return r;
	/* A process group is negative, as is an error. */
	errno = 0;
	got = fcntl(fd, F_GETOWN);
	if (got == -1 && errno)
		return -errno;
	return got == owner ? 0 : parts_wrong(p, "owner %d instead of %d", got, owner);
}

/* In a pid namespace the process group may lack a number; getpgrp() then returns 0. */
int fcntl_setown(struct parts *p)
{
	int fd = fcntl_state(p)->pipe[0], r = set_owner(p, fd, getpid());

	if (!r)
		r = set_owner(p, fd, -getpgrp());
	return r ? r : set_owner(p, fd, 0);
}

static int set_owner_ex(struct parts *p, int type, pid_t pid)
{
	int fd = fcntl_state(p)->pipe[0];
	struct f_owner_ex owner = {.type = type, .pid = pid}, got = {.pid = -1};

	if (fcntl(fd, F_SETOWN_EX, &owner) < 0 || fcntl(fd, F_GETOWN_EX, &got) < 0)
		return -errno;
	if ((int)got.type != type || got.pid != pid)
		return parts_wrong(p, "owner %d of type %d instead of %d of type %d",
			(int)got.pid, (int)got.type, (int)pid, type);
	return 0;
}

int fcntl_setown_ex(struct parts *p)
{
	struct f_owner_ex bad = {.type = -1};
	int r = set_owner_ex(p, F_OWNER_TID, (pid_t)syscall(SYS_gettid));

	if (!r)
		r = set_owner_ex(p, F_OWNER_PID, getpid());
	if (!r && getpgrp() > 0)
		r = set_owner_ex(p, F_OWNER_PGRP, getpgrp());
	if (!r)
		r = set_owner(p, fcntl_state(p)->pipe[0], 0);
	if (!r)
		r = parts_refused(p, fcntl(fcntl_state(p)->pipe[0], F_SETOWN_EX, &bad),
			EINVAL, "an unknown type");
	return r;
}

int fcntl_owner_uids(struct parts *p)
{
	int fd = fcntl_state(p)->pipe[0], r = set_owner(p, fd, getpid());
	uid_t uids[2];

	if (r)
		return r;
	if (fcntl(fd, GETOWNER_UIDS, uids) < 0)
		r = -errno;
	else if (uids[0] != getuid() || uids[1] != geteuid())
		r = parts_wrong(p, "user ids %u and %u instead of %u and %u", uids[0],
			uids[1], getuid(), geteuid());
	return r ? r : set_owner(p, fd, 0);
}

/* --- signals of a pipe -------------------------------------------------------------- */

static int set_signal(struct parts *p, int fd, int signo)
{
	int r = fcntl_set(fd, F_SETSIG, signo), got;

	if (r < 0)
		return r;
	got = fcntl_get(fd, F_GETSIG);
	if (got < 0)
		return got;
	return got == signo ? 0 : parts_wrong(p, "signal %d instead of %d", got, signo);
}

static int set_async(int fd, bool on)
{
	int flags = fcntl_get(fd, F_GETFL);

	if (flags < 0)
		return flags;
	return fcntl_set(fd, F_SETFL, on ? flags | O_ASYNC : flags & ~O_ASYNC);
}

/* Checks that a write to the pipe sends a signal, and reads the byte again. */
static int send_by_pipe(struct parts *p)
{
	const struct fcntl_state *t = fcntl_state(p);
	char byte = 0;
	int r;

	if (write(t->pipe[1], &byte, 1) < 0)
		return -errno;
	r = take(p, t->pipe[0], POLLIN);
	if (!r && read(t->pipe[0], &byte, 1) < 0)
		r = -errno;
	return r;
}

int fcntl_setsig(struct parts *p)
{
	int fd = fcntl_state(p)->pipe[0], r = set_signal(p, fd, SIGRTMIN);

	if (!r)
		r = set_owner(p, fd, getpid());
	if (!r)
		r = set_async(fd, true);
	if (!r)
		r = send_by_pipe(p);
	if (!r)
		r = set_async(fd, false);
	if (!r)
		r = set_owner(p, fd, 0);
	if (!r)
		r = set_signal(p, fd, 0);
	return r ? r
		 : parts_refused(
			   p, fcntl(fd, F_SETSIG, NO_SIGNAL), EINVAL, "a bad signal");
}

/* --- leases ------------------------------------------------------------------------- */

static int has_lease(struct parts *p, int fd, int lease)
{
	int got = fcntl_get(fd, F_GETLEASE);

	if (got < 0)
		return got;
	return got == lease ? 0 : parts_wrong(p, "lease %d instead of %d", got, lease);
}

static int set_lease(struct parts *p, int fd, int lease)
{
	int r = fcntl_set(fd, F_SETLEASE, lease);

	return r < 0 ? r : has_lease(p, fd, lease);
}

/* Checks that a leased file cannot be opened for writing without waiting, and that the
 * holder receives a signal. */
static int break_lease(struct parts *p, int fd)
{
	int writer = openat(p->s->scratch_fd, LEASED, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	int r = parts_refused(p, writer, EWOULDBLOCK, "open of a leased file");

	if (writer >= 0)
		close(writer);
	if (!r)
		r = take(p, fd, 0);
	return r ? r : has_lease(p, fd, F_UNLCK);
}

static int lease(struct parts *p, int fd)
{
	int r = set_lease(p, fd, F_WRLCK);

	if (!r)
		r = set_lease(p, fd, F_UNLCK);
	/* The end of a lease resets the signal. */
	if (!r)
		r = set_signal(p, fd, SIGRTMIN);
	if (!r)
		r = set_lease(p, fd, F_RDLCK);
	if (!r)
		r = break_lease(p, fd);
	return r ? r : set_lease(p, fd, F_UNLCK);
}

/* Uses a separate file, because a lease requires that the file is not open for
 * writing. */
int fcntl_lease(struct parts *p)
{
	int dir = p->s->scratch_fd;
	int fd = openat(dir, LEASED, O_RDONLY | O_CREAT | O_CLOEXEC, 0600), r;

	if (fd < 0)
		return -errno;
	r = lease(p, fd);
	close(fd);
	if (unlinkat(dir, LEASED, 0) < 0 && !r)
		r = -errno;
	return r;
}

/* --- changes of a directory --------------------------------------------------------- */

static int change(struct parts *p)
{
	int dir = p->s->scratch_fd;
	int fd = openat(dir, NOTICED, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int change_back(struct parts *p)
{
	return (int)parts_result(unlinkat(p->s->scratch_fd, NOTICED, 0));
}

static int notify(struct parts *p, int fd)
{
	int r = set_signal(p, fd, SIGRTMIN);

	if (!r)
		r = fcntl_set(fd, F_NOTIFY, (int)(DN_CREATE | DN_DELETE | DN_MULTISHOT));
	if (!r)
		r = change(p);
	if (!r)
		r = take(p, fd, 0);
	if (!r)
		r = change_back(p);
	if (!r)
		r = take(p, fd, 0);
	if (!r)
		r = fcntl_set(fd, F_NOTIFY, 0);
	if (!r)
		r = change(p);
	if (!r)
		r = change_back(p);
	return r ? r : is_pending(p);
}

int fcntl_notify(struct parts *p)
{
	int fd = openat(p->s->scratch_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r;

	if (fd < 0)
		return -errno;
	r = notify(p, fd);
	close(fd);
	return r;
}
