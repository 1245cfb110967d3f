// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "err.h"
#include "text.h"

#define EXIT_NOT_RUN   126
#define EXIT_NOT_FOUND 127

static void exec_or_exit(char **argv)
{
	struct sm_buf name = {0};
	int err;

	execvp(argv[0], argv);
	err = errno;
	sm_text_human(&name, argv[0], strlen(argv[0]), SM_TEXT_UTF8);
	sm_buf_chr(&name, '\0');
	sm_err("cannot run '%s': %s", name.p ? name.p : "", strerror(err));
	_exit(err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

int sm_command_prepare(struct sm_command *c, char **argv, const struct sm_loop *loop)
{
	int go[2], err;
	char byte;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid < 0) {
		err = -errno;
		close(go[0]);
		close(go[1]);
		return err;
	}
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(EXIT_NOT_RUN);
		sm_loop_release(loop);
		exec_or_exit(argv);
	}
	close(go[0]);
	*c = (struct sm_command){.pid = pid, .go = go[1]};
	return 0;
}

int sm_command_go(struct sm_command *c)
{
	int err;

	if (!c->pid)
		return 0;
	err = write(c->go, "", 1) == 1 ? 0 : -errno;
	close(c->go);
	c->go = -1;
	return err;
}

void sm_command_reap(struct sm_command *c)
{
	if (c->pid && !c->ended && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->ended = true;
}

void sm_command_abandon(struct sm_command *c)
{
	if (!c->pid || c->go < 0)
		return;
	close(c->go);
	c->go = -1;
}

bool sm_command_stops(struct sm_command *c, uint64_t came, uint64_t typed)
{
	if (!came)
		return false;
	if (!c->pid || c->ended || c->go >= 0) /* it has not begun */
		return true;
	if (!c->typed && !(came & ~typed)) {
		c->typed = true;
		return false;
	}
	c->stopped_by = __builtin_ctzll(came) + 1;
	return true;
}

int sm_command_exit_code(const struct sm_command *c)
{
	if (!c->ended)
		return c->stopped_by ? 128 + c->stopped_by : 0;
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status)
				      : WEXITSTATUS(c->status);
}
