/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop: one poll set for everything that a tool waits for.
 *
 * Signals come through a signalfd; a tool without work makes exactly one blocking call.
 * Times are absolute CLOCK_MONOTONIC nanoseconds, handed to ppoll(2) as a timeout: no
 * timerfd, no timer when there is no deadline.
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
	sigset_t old_mask; /* to be restored in a child */
	sigset_t caught;
	uint64_t pending;  /* signals that have arrived, SM_SIGBIT()s; sm_loop_take() clears it */
	uint64_t typed;    /* those of them that the terminal sent: ^C, ^\ */
};

/* Lets sm_loop_fini() be called before sm_loop_init(). */
#define SM_LOOP_INIT { .sigfd = -1 }

int sm_loop_init(struct sm_loop *l) SM_MUST;
/* Blocks these signals (0-terminated list) and takes them through the signalfd.  A SIGHUP
 * that is ignored at start stays ignored (nohup); SIGINT and SIGQUIT do not: a shell script
 * starts every background job with them ignored, and still means to stop it by kill -INT. */
int sm_loop_signals(struct sm_loop *l, const int *signos) SM_MUST;
/* Returns a handle >= 0 for sm_loop_events(). fn may be NULL: it only ends the wait. */
int sm_loop_add(struct sm_loop *l, int fd, short events, sm_loop_fn fn, void *ctx) SM_MUST;
/* events 0 still reports POLLERR and POLLHUP; -1 turns the source off (fd negated). */
void sm_loop_events(struct sm_loop *l, int handle, int events);
/* One wait until something is ready or the deadline; calls the ready ones' functions.
 * Returns the number of ready sources, 0 at the deadline, -errno; EINTR counts as 0. */
int sm_loop_wait(struct sm_loop *l, uint64_t deadline_ns) SM_MUST;
/* The signals that have arrived since the last call; *typed (may be NULL): which the terminal
 * sent, to all of the foreground's processes. */
uint64_t sm_loop_take(struct sm_loop *l, uint64_t *typed);
/* The signals act again as they did before: for a forked child, and around a call that can wait
 * for ever, until sm_loop_catch(). */
void sm_loop_release(const struct sm_loop *l);
void sm_loop_catch(const struct sm_loop *l);
void sm_loop_fini(struct sm_loop *l);

#endif
