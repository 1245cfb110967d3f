// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/keeper.h"

struct task {
	int wait_fd, keep_fd;
	void (*fn)(const void *ctx);
	const void *ctx;
};

static void close_all_but(int one, int other)
{
	unsigned int low = (unsigned int)(one < other ? one : other);
	unsigned int high = (unsigned int)(one < other ? other : one);

	if (low > 0)
		sm_base_close_range(0, low - 1);
	sm_base_close_range(low + 1, high - 1);
	sm_base_close_range(high + 1, ~0u);
}

static void wait_for_end(int fd)
{
	ssize_t n;
	char c;

	do
		n = read(fd, &c, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
}

static void keep(const struct task *t)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	close_all_but(t->wait_fd, t->keep_fd);
	(void)!chdir("/");
	wait_for_end(t->wait_fd);
	t->fn(t->ctx);
	_exit(0);
}

/* The keeper is nobody's child: nothing of this process waits for it. */
static void leave_keeper(const struct task *t)
{
	pid_t pid;

	setsid();
	pid = fork();
	if (pid == 0)
		keep(t);
	_exit(pid < 0 ? errno : 0);
}

static int start(const struct task *t)
{
	pid_t pid = fork();
	int status = 0;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		leave_keeper(t);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

int sm_keeper_start(
	struct sm_keeper *k, int keep_fd, void (*fn)(const void *ctx), const void *ctx)
{
	struct task t = {.keep_fd = keep_fd, .fn = fn, .ctx = ctx};
	int s[2], err;

	k->fd = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s) < 0)
		return -errno;
	t.wait_fd = s[1];
	err = start(&t);
	close(s[1]);
	if (err)
		close(s[0]);
	else
		k->fd = s[0];
	return err;
}

void sm_keeper_end(struct sm_keeper *k)
{
	if (k->fd < 0)
		return;
	if (shutdown(k->fd, SHUT_WR) == 0)
		wait_for_end(k->fd);
	close(k->fd);
	k->fd = -1;
}
