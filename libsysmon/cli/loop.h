/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop: one poll set for all sources that a tool waits for.
 *
 * Signals arrive through a signalfd; an idle tool makes exactly one blocking call.  Times are absolute
 * CLOCK_MONOTONIC nanoseconds, passed to ppoll(2) as a timeout: there is no timerfd, and without a
 * deadline no timer is armed.
 */
#ifndef SM_LOOP_H
#define SM_LOOP_H

#include <poll.h>
#include <signal.h>
#include "base/base.h"

#define SM_LOOP_MAX     16
#define SM_LOOP_FOREVER UINT64_MAX
#define SM_SIGBIT(signo) (UINT64_C(1) << ((signo) - 1))

typedef void (*sm_loop_fn)(void *ctx, short revents);

struct sm_loop {
	struct pollfd pfd[SM_LOOP_MAX];
	struct {
		sm_loop_fn fn;
		void *ctx;
	} src[SM_LOOP_MAX];
	int n;
	int sigfd;
	sigset_t old_mask; /* restored in a child */
	sigset_t caught;
	uint64_t pending;  /* signals that have arrived, SM_SIGBIT()s; sm_loop_take() clears it */
	uint64_t typed;    /* the pending signals that were sent by the terminal: ^C, ^\ */
};

/* Allows sm_loop_fini() before sm_loop_init(). */
#define SM_LOOP_INIT { .sigfd = -1 }

int sm_loop_init(struct sm_loop *l) SM_MUST;
/* Blocks these signals (0-terminated list) and receives them through the signalfd.  A SIGHUP that is
 * ignored at startup stays ignored (nohup).  SIGINT and SIGQUIT do not: a shell script starts every
 * background job with these ignored, yet expects kill -INT to stop it. */
int sm_loop_signals(struct sm_loop *l, const int *signos) SM_MUST;
/* Returns a handle >= 0 for sm_loop_events(), or -errno.  fn may be NULL: the source then only ends the
 * wait. */
int sm_loop_add(struct sm_loop *l, int fd, short events, sm_loop_fn fn, void *ctx) SM_MUST;
/* events 0 still reports POLLERR and POLLHUP; -1 turns the source off (its fd is complemented). */
void sm_loop_events(struct sm_loop *l, int handle, int events);
/* Waits once until a source is ready or the deadline has passed, and calls the functions of the ready
 * sources.  Returns the number of ready sources, 0 at the deadline, or -errno; EINTR counts as 0. */
int sm_loop_wait(struct sm_loop *l, uint64_t deadline_ns) SM_MUST;
/* Returns the signals that have arrived since the last call; *typed (may be NULL) is set to those that
 * the terminal sent, to all processes of its foreground group. */
uint64_t sm_loop_take(struct sm_loop *l, uint64_t *typed);
/* Give the signals their original effect, for a forked child and around a call that may wait for ever;
 * and receive them through the signalfd again. */
void sm_loop_release(const struct sm_loop *l);
void sm_loop_catch(const struct sm_loop *l);
void sm_loop_fini(struct sm_loop *l);

#endif
