// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two threads use one signal each.  Both signals are sent to the instance itself, so
 * that no other process can receive one by mistake, even when one side has exited.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "turns/turns.h"

#define AT_ONCE 8u /* number of simultaneously pending signals */

static int signal_of(unsigned int side)
{
	return SIGRTMIN + (int)side;
}

static int put(void *ctx, unsigned int from, uint32_t number)
{
	union sigval value = {.sival_int = (int)number};

	(void)ctx;
	return sigqueue(getpid(), signal_of(!from), value) < 0 ? -errno : 0;
}

static int take(void *ctx, unsigned int to, uint32_t *number)
{
	siginfo_t info;
	sigset_t set;

	(void)ctx;
	sigemptyset(&set);
	sigaddset(&set, signal_of(to));
	if (sigwaitinfo(&set, &info) < 0)
		return -errno;
	*number = (uint32_t)info.si_value.sival_int;
	return info.si_code == SI_QUEUE && info.si_pid == getpid() ? 0 : -EBADMSG;
}

static const struct turns_way way = {
	"sigqueue", "sigwaitinfo", put, take, AT_ONCE, TEAM_THREADS};

static int run(struct stress *s)
{
	return turns_run(s, &way, NULL);
}

/* Blocks the signals in all threads, which are created later. */
static int setup(struct stress *s)
{
	sigset_t set;

	sigemptyset(&set);
	for (unsigned int i = 0; i < TURNS_SIDES; i++)
		sigaddset(&set, signal_of(i));
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return stress_error(s, STRESS_FAIL, errno, "sigprocmask");
	return 0;
}

/* Remarks for the man page (man/remarks.h). */
const char stressor_sigq_man[] =
	"metric time per message: both threads, including the switches between them\n"
	"The two threads of an instance in turn queue eight real-time signals for "
	"each other, and take them with sigwaitinfo(2).  The number of pending "
	"signals is limited by ulimit -i.\n";

const struct stressor stressor_sigq = {
	.name = "sigq",
	.does = "pass signals with values between two threads with sigqueue(3)",
	.op = "one signal is queued and taken",
	.checks = "the value of each signal is one higher than the previous one, and "
		  "the sender is right",
	.classes = CLASS_SCHEDULER | CLASS_OS | CLASS_IPC,
	.metrics = turns_metrics,
	.setup = setup,
	.run = run,
};
