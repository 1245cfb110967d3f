// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include "base/clock.h"
#include "cli/loop.h"

int sm_loop_init(struct sm_loop *l)
{
	memset(l, 0, sizeof(*l));
	l->sigfd = -1;
	if (sigprocmask(SIG_BLOCK, NULL, &l->old_mask) < 0)
		return -errno;
	return 0;
}

static void note_signal(struct sm_loop *l, const struct signalfd_siginfo *si)
{
	uint64_t bit = SM_SIGBIT(si->ssi_signo);

	l->pending |= bit;
	if (si->ssi_code == SI_KERNEL && bit & (SM_SIGBIT(SIGINT) | SM_SIGBIT(SIGQUIT)))
		l->typed |= bit;
}

/* Takes some of the signals in the signalfd; false if it is empty. */
static bool take_signals(struct sm_loop *l)
{
	struct signalfd_siginfo si[8];
	ssize_t n = read(l->sigfd, si, sizeof(si));

	for (size_t i = 0; n > 0 && i < (size_t)n / sizeof(si[0]); i++)
		note_signal(l, &si[i]);
	return n > 0;
}

/* Signals that arrive during this function wake up the next wait. */
static void on_signals(void *ctx, short revents)
{
	(void)revents;
	(void)take_signals(ctx);
}

static bool is_ignored(int signo)
{
	struct sigaction sa;

	return sigaction(signo, NULL, &sa) == 0 && !(sa.sa_flags & SA_SIGINFO) &&
	       sa.sa_handler == SIG_IGN;
}

int sm_loop_signals(struct sm_loop *l, const int *signos)
{
	int handle;

	if (l->sigfd >= 0)
		return -EBUSY;
	sigemptyset(&l->caught);
	for (; *signos; signos++)
		if (!(*signos == SIGHUP && is_ignored(SIGHUP)) &&
			sigaddset(&l->caught, *signos) < 0)
			return -errno;
	l->sigfd = signalfd(-1, &l->caught, SFD_CLOEXEC | SFD_NONBLOCK);
	if (l->sigfd < 0)
		return -errno;
	handle = sm_loop_add(l, l->sigfd, POLLIN, on_signals, l);
	if (handle < 0) {
		close(l->sigfd);
		l->sigfd = -1;
		return handle;
	}
	sm_loop_catch(l);
	return 0;
}

int sm_loop_add(struct sm_loop *l, int fd, short events, sm_loop_fn fn, void *ctx)
{
	int handle = l->n;

	if (fd < 0)
		return -EBADF;
	if (handle >= SM_LOOP_MAX)
		return -ENOSPC;
	l->pfd[handle] = (struct pollfd){.fd = fd, .events = events};
	l->src[handle].fn = fn;
	l->src[handle].ctx = ctx;
	l->n++;
	return handle;
}

void sm_loop_events(struct sm_loop *l, int handle, int events)
{
	struct pollfd *p = &l->pfd[handle];
	bool on = p->fd >= 0;

	if (on != (events >= 0))
		p->fd = ~p->fd; /* unlike -fd this also turns off fd 0 */
	if (events >= 0)
		p->events = (short)events;
}

/* Returns NULL without a deadline; after the deadline, a timeout of 0. */
static const struct timespec *remaining(uint64_t deadline_ns, struct timespec *ts)
{
	uint64_t now, ns;

	if (deadline_ns == SM_LOOP_FOREVER)
		return NULL;
	now = sm_clock_mono_ns();
	ns = deadline_ns > now ? deadline_ns - now : 0;
	ts->tv_sec = (time_t)(ns / SM_NSEC_PER_SEC);
	ts->tv_nsec = (long)(ns % SM_NSEC_PER_SEC);
	return ts;
}

int sm_loop_wait(struct sm_loop *l, uint64_t deadline_ns)
{
	struct timespec ts;
	int ready, n = l->n; /* sources that a function adds have no revents yet */

	ready = ppoll(l->pfd, (nfds_t)n, remaining(deadline_ns, &ts), NULL);
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	for (int i = 0, left = ready; left > 0 && i < n; i++) {
		short revents = l->pfd[i].revents;

		if (!revents)
			continue;
		left--;
		/* An earlier function may have turned the source off. */
		if (l->src[i].fn && l->pfd[i].fd >= 0)
			l->src[i].fn(l->src[i].ctx, revents);
	}
	return ready;
}

uint64_t sm_loop_take(struct sm_loop *l, uint64_t *typed)
{
	uint64_t signals = l->pending;

	if (typed)
		*typed = l->typed;
	l->pending = l->typed = 0;
	return signals;
}

void sm_loop_release(const struct sm_loop *l)
{
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
}

void sm_loop_catch(const struct sm_loop *l)
{
	sigprocmask(SIG_BLOCK, &l->caught, NULL);
}

void sm_loop_fini(struct sm_loop *l)
{
	if (l->sigfd < 0)
		return;
	/* Signals that are still pending must not take effect when the mask is
	 * restored. */
	while (take_signals(l))
		;
	close(l->sigfd);
	l->sigfd = -1;
	sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
}
