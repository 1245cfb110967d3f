// SPDX-License-Identifier: GPL-2.0-or-later
#include "box.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/team.h"

#define LOOK_NS (5 * SM_NSEC_PER_MSEC)
/* Number of looks without a call that ended, after which the child is killed: with a
 * limit, and at the end of the run. */
#define LOOKS	     200u
#define LAST_LOOKS   5u
#define FIRST_CLOSED 3
#define MOST_CLOSED  65536L

void *box_memory(struct stress *s, size_t bytes)
{
	void *p = mmap(
		NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		return p;
	stress_lacks(s, "%zu bytes of memory: %s", bytes, strerror(errno));
	return NULL;
}

/* --- the child ---------------------------------------------------------------------- */

static void interrupted(int signo)
{
	(void)signo;
}

static void close_inherited(void)
{
	long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, FIRST_CLOSED, ~0U, 0) == 0)
		return;
#endif
	if (most < 0 || most > MOST_CLOSED)
		most = MOST_CLOSED;
	for (int fd = FIRST_CLOSED; fd < most; fd++)
		close(fd);
}

static int enter(struct stress *s)
{
	const struct rlimit size = {BOX_FILE_BYTES, BOX_FILE_BYTES};
	const struct sigaction action = {.sa_handler = interrupted};
	sigset_t one;

	close_inherited();
	sigemptyset(&one);
	sigaddset(&one, TEAM_SIGNAL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
		setrlimit(RLIMIT_FSIZE, &size) < 0 ||
		sigaction(TEAM_SIGNAL, &action, NULL) < 0 ||
		sigprocmask(SIG_UNBLOCK, &one, NULL) < 0)
		return stress_error(s, STRESS_FAIL, errno,
			"cannot set the limits of a child process");
	return 0;
}

static _Noreturn void live(struct stress *s, const struct box *b)
{
	int r = enter(s);

	if (r == 0)
		r = b->work(s, b->data);
	_exit(r ? STRESS_FAIL : STRESS_PASS);
}

/* --- the instance ------------------------------------------------------------------- */

struct watch {
	pid_t pid;
	uint64_t calls;	    /* at the last look */
	unsigned int quiet; /* looks since then */
	bool killed;	    /* by the instance */
};

static void look(const struct stress *s, const struct box *b, struct watch *w)
{
	uint64_t calls = atomic_load(b->calls);

	w->quiet = calls == w->calls ? w->quiet + 1 : 0;
	w->calls = calls;
	if (w->quiet == 0)
		return;
	if ((b->limit && w->quiet > LOOKS) ||
		(stress_stopped(s) && w->quiet > LAST_LOOKS)) {
		w->killed = true;
		(void)kill(w->pid, SIGKILL);
		return;
	}
	(void)kill(w->pid, TEAM_SIGNAL);
}

/* SIGCHLD is blocked, and ends the wait before its time is over. */
static void wait_for_child(const sigset_t *child)
{
	const struct timespec time = {.tv_nsec = LOOK_NS};

	(void)sigtimedwait(child, NULL, &time);
}

static int judge(struct stress *s, const struct watch *w, int status)
{
	if (WIFEXITED(status)) {
		if (WEXITSTATUS(status) == STRESS_PASS)
			return 0;
		return s->slot->outcome == STRESS_PASS
			       ? stress_fail(s, "a child exited with status %d",
					 WEXITSTATUS(status))
			       : -1;
	}
	if (WTERMSIG(status) != SIGKILL)
		return WTERMSIG(status);
	if (!w->killed)
		(void)raise(SIGKILL);
	return stress_stopped(s) ? 0 : SIGKILL;
}

static int reap(
	struct stress *s, const struct box *b, struct watch *w, const sigset_t *child)
{
	int status = 0;
	pid_t pid;

	while ((pid = waitpid(w->pid, &status, WNOHANG)) == 0) {
		wait_for_child(child);
		look(s, b, w);
	}
	return pid == w->pid ? judge(s, w, status)
			     : stress_fail(s, "waitpid: %s", strerror(errno));
}

int box_run(struct stress *s, const struct box *b)
{
	struct watch w = {.calls = atomic_load(b->calls)};
	sigset_t child, before;
	int r;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	w.pid = stress_partner(s);
	if (w.pid == 0)
		live(s, b);
	r = w.pid < 0 ? -1 : reap(s, b, &w, &child);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}
