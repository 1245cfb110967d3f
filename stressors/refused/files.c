// SPDX-License-Identifier: GPL-2.0-or-later
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "device/mem.h"

#ifndef TIOCGPTPEER
#define TIOCGPTPEER _IO('T', 0x41) /* Linux 4.13 */
#endif

const char *const files_names[FILES_KINDS] = {
	[FILES_PIPE_READ] = "a pipe",
	[FILES_PIPE_WRITE] = "a pipe to be written",
	[FILES_SOCKET] = "a socket",
	[FILES_PEER] = "a socket",
	[FILES_EVENT] = "an eventfd",
	[FILES_TIMER] = "a timerfd",
	[FILES_SIGNAL] = "a signalfd",
	[FILES_EPOLL] = "an epoll instance",
	[FILES_INOTIFY] = "an inotify instance",
	[FILES_MEMORY] = "a regular file",
	[FILES_PTY] = "a pseudoterminal",
	[FILES_TERMINAL] = "a terminal",
	[FILES_NULL] = "/dev/null",
	[FILES_ZERO] = "/dev/zero",
	[FILES_FULL] = "/dev/full",
};

static int open_memory(void)
{
	int fd = memfd_create("stressors", MFD_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, sysconf(_SC_PAGESIZE)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The terminal is opened through the master, whatever is mounted at /dev/pts. */
static int open_terminal(int master)
{
	int unlocked = 0;

	if (master < 0 || ioctl(master, TIOCSPTLCK, &unlocked) < 0)
		return -1;
	return ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

static int open_device(enum mem_device device, const char *path)
{
	return mem_device_lacks(device) ? -1
					: open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static int note(struct files *f, enum files_kind kind, int fd)
{
	f->fd[kind] = fd;
	return fd < 0 && stress_is_lack(errno) ? -errno : 0;
}

static int open_one(struct files *f, enum files_kind kind)
{
	sigset_t none;

	sigemptyset(&none);
	switch (kind) {
	case FILES_PIPE_READ:
		return pipe2(&f->fd[kind], O_NONBLOCK | O_CLOEXEC) < 0 ? -errno : 0;
	case FILES_SOCKET:
		return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
			       &f->fd[kind]) < 0
			       ? -errno
			       : 0;
	case FILES_EVENT:
		return note(f, kind, eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
	case FILES_TIMER:
		return note(f, kind,
			timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
	case FILES_SIGNAL:
		return note(f, kind, signalfd(-1, &none, SFD_NONBLOCK | SFD_CLOEXEC));
	case FILES_EPOLL:
		return note(f, kind, epoll_create1(EPOLL_CLOEXEC));
	/* A user may have 128 inotify instances, and a machine about 4096
	 * pseudoterminals.  If one cannot be opened, the instance continues without
	 * it. */
	case FILES_INOTIFY:
		f->fd[kind] = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		return 0;
	case FILES_PTY:
		f->fd[kind] = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
		return 0;
	case FILES_MEMORY:
		return note(f, kind, open_memory());
	case FILES_TERMINAL:
		return note(f, kind, open_terminal(f->fd[FILES_PTY]));
	case FILES_NULL:
		return note(f, kind, open_device(MEM_NULL, "/dev/null"));
	case FILES_ZERO:
		return note(f, kind, open_device(MEM_ZERO, "/dev/zero"));
	case FILES_FULL:
		return note(f, kind, open_device(MEM_FULL, "/dev/full"));
	default: /* the second of a pair */
		return 0;
	}
}

int files_open(struct stress *s, struct files *f, unsigned int n)
{
	for (unsigned int i = 0; i < FILES_KINDS; i++)
		f->fd[i] = -1;
	for (unsigned int i = 0; i < n; i++) {
		int r = open_one(f, (enum files_kind)i);

		if (r < 0)
			return stress_error(s, STRESS_FAIL, -r, "%s", files_names[i]);
	}
	return 0;
}
