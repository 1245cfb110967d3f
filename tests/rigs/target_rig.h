/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target_rig: child processes that are watched: each does one thing, says that it is ready, and goes
 * on when it is told to.
 */
#ifndef TARGET_RIG_H
#define TARGET_RIG_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/root.h"
#include "proc/procpid.h"
#include "unit.h"

struct child {
	pid_t pid;
	int in, out; /* of the test: what the child writes; what it reads */
};

static struct sm_root live;
static size_t page_bytes;

/* In the child. */
static int child_in, child_out;

static inline void child_say(const void *p, size_t n)
{
	if (write(child_out, p, n) != (ssize_t)n)
		_exit(9);
}

/* Until the test sends a byte; the child ends when the test has ended. */
static inline void child_wait(void)
{
	char c;

	if (read(child_in, &c, 1) != 1)
		_exit(0);
}

/* fn is called in the child, with its two descriptors, which are close-on-exec. */
static inline void child_start(struct child *c, void (*fn)(void))
{
	int up[2], down[2];

	ck_assert_int_eq(pipe2(up, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(down, O_CLOEXEC), 0);
	c->pid = fork();
	ck_assert_int_ge(c->pid, 0);
	if (c->pid == 0) {
		close(up[0]);
		close(down[1]);
		child_in = down[0];
		child_out = up[1];
		fn();
		child_wait();
		_exit(0);
	}
	close(up[1]);
	close(down[0]);
	c->in = up[0];
	c->out = down[1];
}

/* Waits until it sleeps: it does nothing more, and has no page faults, until it is told to. */
static inline void child_rests(const struct child *c)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_procpid_read_stat(&live, c->pid, &st), 0);
	while (st.state != 'S') {
		usleep(1000);
		ck_assert_int_eq(sm_procpid_read_stat(&live, c->pid, &st), 0);
	}
}

static inline void child_hear(const struct child *c, void *p, size_t n)
{
	ck_assert_int_eq(read(c->in, p, n), (ssize_t)n);
}

static inline void child_go(const struct child *c)
{
	ck_assert_int_eq(write(c->out, "", 1), 1);
}

/* Waits until it has exited; it stays a zombie. */
static inline void child_dies(struct child *c)
{
	siginfo_t info;

	kill(c->pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT), 0);
}

static inline void child_reap(struct child *c)
{
	ck_assert_int_eq(waitpid(c->pid, NULL, 0), c->pid);
	c->pid = 0;
}

static inline void child_end(struct child *c)
{
	if (c->pid > 0) {
		kill(c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
	}
	close(c->in);
	close(c->out);
}

/* In the child: becomes cat(1), which ends with the test.  The test hears the end of the pipe. */
static inline void child_exec_cat(void)
{
	dup2(child_in, 0);
	execlp("cat", "cat", (char *)NULL);
	_exit(8);
}

static inline void *child_pause_after(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	child_say("", 1);
	pause();
	return arg;
}

static inline void *child_wait_in_thread(void *arg)
{
	child_wait();
	return arg;
}

/* In the child: its first thread exits, and another one goes on, which says so. */
static inline void child_leader_ends(void)
{
	static pthread_t self;
	pthread_t thread;

	self = pthread_self();
	pthread_create(&thread, NULL, child_pause_after, &self);
	pthread_exit(NULL);
}

/* In the child: the first thread exits, then the second one when it is told to; a third one says each. */
static inline void child_threads_end(void)
{
	static pthread_t self, second;
	pthread_t thread;

	self = pthread_self();
	pthread_create(&second, NULL, child_wait_in_thread, NULL);
	pthread_create(&thread, NULL, child_pause_after, &second);
	pthread_create(&thread, NULL, child_pause_after, &self);
	pthread_exit(NULL);
}

static inline void child_hear_exec(const struct child *c)
{
	char b;

	ck_assert_int_eq(read(c->in, &b, 1), 0);
}

static inline void target_rig_open(void)
{
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
}

static inline void target_rig_close(void)
{
	sm_root_close(&live);
}

#endif
