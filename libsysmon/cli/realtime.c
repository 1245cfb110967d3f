// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/realtime.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

/* At the hard limit the kernel kills the process; this happens only if the handler could
 * not run. */
#define HARD_LIMIT_US (10u * SM_REALTIME_GUARD_US)

static volatile sig_atomic_t tripped;

/* musl's sched_setscheduler() is a stub, and the handler needs a direct system call. */
static int set_policy(int policy, int priority)
{
	struct sched_param p = {.sched_priority = priority};

	return syscall(SYS_sched_setscheduler, 0, policy, &p) < 0 ? -errno : 0;
}

/* Clearing SCHED_RESET_ON_FORK needs CAP_SYS_NICE, which has been dropped by then, so the
 * flag is kept. */
static int leave(void)
{
	return set_policy(SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
}

static void on_sigxcpu(int sig)
{
	int saved = errno;

	(void)sig;
	if (leave() == 0)
		tripped = 1;
	errno = saved;
}

static int install_handler(void)
{
	struct sigaction sa = {.sa_handler = on_sigxcpu, .sa_flags = SA_RESTART};
	sigset_t set;

	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGXCPU, &sa, NULL) < 0)
		return -errno;
	/* The parent may have blocked the signal. */
	sigemptyset(&set);
	sigaddset(&set, SIGXCPU);
	return sigprocmask(SIG_UNBLOCK, &set, NULL) < 0 ? -errno : 0;
}

static int limit_rt_time(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_RTTIME, &l) < 0)
		return -errno;
	if (l.rlim_max > HARD_LIMIT_US)
		l.rlim_max = HARD_LIMIT_US;
	l.rlim_cur =
		l.rlim_max < SM_REALTIME_GUARD_US ? l.rlim_max : SM_REALTIME_GUARD_US;
	return setrlimit(RLIMIT_RTTIME, &l) < 0 ? -errno : 0;
}

int sm_realtime_enter(int priority)
{
	/* The policy is set first: if the kernel refuses it, nothing else has been
	 * changed. */
	int r = set_policy(SCHED_FIFO | SCHED_RESET_ON_FORK, priority);

	if (r < 0)
		return r;
	tripped = 0;
	r = install_handler();
	if (r == 0)
		r = limit_rt_time();
	if (r < 0)
		(void)leave();
	return r;
}

bool sm_realtime_tripped(void)
{
	return tripped;
}
