// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/err.h"
#include "cli/priv.h"
#include "base/text.h"

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

static void become_invoker_or_exit(void)
{
	int err = sm_priv_become_invoker();

	if (!err)
		return;
	sm_err_at("cannot change to the user of the command", err);
	_exit(EXIT_NOT_RUN);
}

int sm_child_prepare(struct sm_child *c, char **argv, unsigned int flags,
	const struct sm_loop *loop, const struct sm_relay *relay)
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
		if (!(flags & SM_CHILD_AS_ROOT))
			become_invoker_or_exit();
		if (flags & SM_CHILD_APART)
			(void)!dup2(STDERR_FILENO, STDOUT_FILENO);
		if (relay)
			sm_relay_take(relay);
		exec_or_exit(argv);
	}
	close(go[0]);
	*c = (struct sm_child){.pid = pid, .go = go[1]};
	return 0;
}

int sm_child_go(struct sm_child *c)
{
	int err;

	if (!c->pid)
		return 0;
	err = write(c->go, "", 1) == 1 ? 0 : -errno;
	close(c->go);
	c->go = -1;
	return err;
}

void sm_child_reap(struct sm_child *c)
{
	struct rusage used;

	if (!c->pid || c->reaped || wait4(c->pid, &c->status, WNOHANG, &used) != c->pid)
		return;
	c->ended = c->reaped = true;
	c->peak_kb = (uint64_t)used.ru_maxrss;
}

void sm_child_look(struct sm_child *c, bool keep)
{
	siginfo_t si;

	for (;;) {
		si.si_pid = 0;
		if (waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT) < 0 || !si.si_pid)
			return;
		if (si.si_pid != c->pid) {
			(void)waitpid(si.si_pid, NULL, WNOHANG);
			continue;
		}
		c->ended = true;
		if (keep)
			return;
		sm_child_reap(c);
	}
}

void sm_child_abandon(struct sm_child *c)
{
	if (!c->pid || c->go < 0)
		return;
	close(c->go);
	c->go = -1;
}

bool sm_child_stops(struct sm_child *c, uint64_t signals, uint64_t typed)
{
	if (!signals)
		return false;
	if (!c->pid || c->ended || c->go >= 0) /* not yet executed */
		return true;
	if (!c->typed && !(signals & ~typed)) {
		c->typed = true;
		return false;
	}
	c->stopped_by = __builtin_ctzll(signals) + 1;
	return true;
}

int sm_child_exit_code(const struct sm_child *c)
{
	if (!c->reaped)
		return c->stopped_by ? 128 + c->stopped_by : 0;
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status)
				      : WEXITSTATUS(c->status);
}
