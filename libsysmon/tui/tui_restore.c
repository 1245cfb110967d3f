// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "tui/tui_restore.h"

#define STACK_CAP 32768

/* This file does not handle SIGWINCH, but restores it: ncurses installs a handler, which
 * the tool's replaces.  All after SIGCONT are deadly. */
static const int signals[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGILL,
	SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE, SIGALRM, SIGTERM,
	SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF};

#define NSIGNALS SM_ARRAY_SIZE(signals)

static struct {
	pid_t owner;
	int fd;
	bool at_exit, own_stack;
	volatile sig_atomic_t taken; /* the terminal is in full-screen mode */
	struct termios before, screen;
	struct sm_tui_string enter, leave;
	struct sigaction old[NSIGNALS];
} guard;

/* Signal stack for a SIGSEGV caused by a stack overflow. */
static char signal_stack[STACK_CAP] __attribute__((aligned(16)));

static void write_all(const struct sm_tui_string *string)
{
	const char *p = string->s;
	size_t n = string->n;

	while (n > 0) {
		ssize_t done = write(guard.fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return;
		p += done;
		n -= (size_t)done;
	}
}

/* tcgetpgrp() fails for a terminal other than the controlling one (tests), which has no
 * other foreground process. */
static bool in_foreground(void)
{
	pid_t pgrp = tcgetpgrp(guard.fd);

	return pgrp < 0 || pgrp == getpgrp();
}

/* Acts only in the foreground: after bg, the modes are the shell's.  Discards typed keys
 * and reports of the mouse, which the shell would take for text. */
static void leave(void)
{
	if (!guard.taken || guard.owner != getpid())
		return;
	guard.taken = 0;
	write_all(&guard.leave);
	if (!in_foreground())
		return;
	(void)tcflush(guard.fd, TCIFLUSH);
	(void)tcsetattr(guard.fd, TCSANOW, &guard.before);
}

/* In the background, tcsetattr() stops the process, as it should. */
static void take_back(void)
{
	if (guard.owner != getpid())
		return;
	while (tcsetattr(guard.fd, TCSANOW, &guard.screen) < 0 && errno == EINTR)
		;
	guard.taken = 1;
	write_all(&guard.enter);
	(void)kill(getpid(), SIGWINCH);
}

/* SA_RESETHAND has restored the default action; because of SA_NODEFER it takes effect
 * here. */
static void on_deadly(int signo)
{
	leave();
	(void)raise(signo);
}

static void set_handler(int signo, void (*fn)(int), int flags)
{
	struct sigaction sa = {.sa_handler = fn, .sa_flags = flags};

	sigemptyset(&sa.sa_mask);
	/* A background process must be able to write even with TOSTOP. */
	if (fn == on_deadly)
		sigaddset(&sa.sa_mask, SIGTTOU);
	(void)sigaction(signo, &sa, NULL);
}

static void on_continue(int signo)
{
	int saved = errno;

	(void)signo;
	take_back();
	errno = saved;
}

static void on_stop(int signo)
{
	int saved = errno;
	sigset_t set, old;

	leave();
	set_handler(signo, SIG_DFL, 0);
	(void)raise(signo);
	sigemptyset(&set);
	sigaddset(&set, signo);
	(void)sigprocmask(SIG_UNBLOCK, &set, &old); /* the process stops here */
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	set_handler(signo, on_stop, SA_RESTART);
	/* The kernel does not stop an orphaned process group. */
	if (!guard.taken)
		take_back();
	errno = saved;
}

static bool is_default(const struct sigaction *sa)
{
	return !(sa->sa_flags & SA_SIGINFO) && sa->sa_handler == SIG_DFL;
}

/* An existing alternate stack (a sanitizer's) is kept. */
static void take_stack(void)
{
	stack_t old, own = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};

	guard.own_stack = sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE) &&
			  sigaltstack(&own, NULL) == 0;
}

static void give_stack(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	if (guard.own_stack)
		(void)sigaltstack(&none, NULL);
	guard.own_stack = false;
}

int sm_tui_restore_begin(int fd)
{
	if (!guard.at_exit && atexit(leave) != 0)
		return -ENOMEM;
	guard.at_exit = true;
	guard.fd = fd;
	guard.owner = getpid();
	guard.taken = 0;
	if (tcgetattr(fd, &guard.before) < 0)
		return -errno;
	guard.enter.n = guard.leave.n = 0;
	for (size_t i = 0; i < NSIGNALS; i++)
		(void)sigaction(signals[i], NULL, &guard.old[i]);
	return 0;
}

static void restore_signals(void)
{
	for (size_t i = 0; i < NSIGNALS; i++)
		(void)sigaction(signals[i], &guard.old[i], NULL);
}

static void guard_signal(int signo)
{
	if (signo == SIGTSTP)
		set_handler(signo, on_stop, SA_RESTART);
	else if (signo == SIGCONT)
		set_handler(signo, on_continue, SA_RESTART);
	else if (signo != SIGWINCH)
		set_handler(signo, on_deadly, SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
}

int sm_tui_restore_arm(
	const struct sm_tui_string *enter, const struct sm_tui_string *leave_string)
{
	if (tcgetattr(guard.fd, &guard.screen) < 0)
		return -errno;
	guard.enter = *enter;
	guard.leave = *leave_string;
	take_stack();
	restore_signals();
	guard.taken = 1;
	for (size_t i = 0; i < NSIGNALS; i++)
		if (is_default(&guard.old[i]))
			guard_signal(signals[i]);
	return 0;
}

void sm_tui_restore_end(void)
{
	guard.taken = guard.owner == getpid(); /* even if it was never armed */
	leave();
	restore_signals();
	give_stack();
	guard.owner = 0;
}
