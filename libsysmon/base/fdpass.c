// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fdpass.h"

union control {
	struct cmsghdr first;
	char room[CMSG_SPACE(SM_FDPASS_MAX * sizeof(int))];
};

int sm_fdpass_send(
	int sock, const void *p, size_t n, const int *fd, size_t nfds, int flags)
{
	union control c = {.room = {0}};
	struct iovec io = {.iov_base = (void *)(uintptr_t)p, .iov_len = n};
	struct msghdr m = {.msg_iov = &io, .msg_iovlen = 1};
	struct cmsghdr *h;
	ssize_t sent;

	if (nfds) {
		m.msg_control = &c;
		m.msg_controllen = (socklen_t)CMSG_SPACE(nfds * sizeof(int));
		h = &c.first;
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = (socklen_t)CMSG_LEN(nfds * sizeof(int));
		memcpy(CMSG_DATA(h), fd, nfds * sizeof(int));
	}
	do
		sent = sendmsg(sock, &m, MSG_NOSIGNAL | flags);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

/* Takes the descriptors of a message, of which some are missing after MSG_CTRUNC. */
static ssize_t take_fds(struct msghdr *m, int *fd)
{
	struct cmsghdr *h = CMSG_FIRSTHDR(m);
	size_t n = 0;

	if (h && h->cmsg_level == SOL_SOCKET && h->cmsg_type == SCM_RIGHTS) {
		n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fd, CMSG_DATA(h), n * sizeof(int));
	}
	if (!(m->msg_flags & MSG_CTRUNC))
		return (ssize_t)n;
	while (n)
		close(fd[--n]);
	return -EMFILE;
}

ssize_t sm_fdpass_receive(int sock, void *p, size_t n, int fd[SM_FDPASS_MAX], int flags)
{
	union control c;
	struct iovec io = {.iov_base = p, .iov_len = n};
	struct msghdr m = {.msg_iov = &io,
		.msg_iovlen = 1,
		.msg_control = &c,
		.msg_controllen = sizeof(c)};
	ssize_t got;

	do
		got = recvmsg(sock, &m, MSG_CMSG_CLOEXEC | flags);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if ((size_t)got == n)
		return take_fds(&m, fd);
	for (ssize_t i = take_fds(&m, fd); i > 0; i--)
		close(fd[i - 1]);
	return -EPIPE;
}
