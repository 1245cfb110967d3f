// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cli/priv.h"
#include "cli/realtime.h"
#include "unit.h"

/* The C library's calls are stubs in musl. */
static int policy(void)
{
	return (int)syscall(SYS_sched_getscheduler, 0);
}

/* CPU time, which the kernel's limit counts: other tasks of real time may have the CPUs
 * for a while. */
static void spin_ms(long ms)
{
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - start.tv_sec) * 1000 +
			(now.tv_nsec - start.tv_nsec) / 1000000 <
		ms);
}

/* The exit status of a child that runs fn. */
static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(fn());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status), "child: status 0x%x", status);
	return WEXITSTATUS(status);
}

enum { GOOD, REFUSED, BAD };

/* Without the right to real time nothing has changed. */
static int refused_cleanly(int r, const struct rlimit *before)
{
	struct rlimit now;

	if (r != -EPERM || policy() != SCHED_OTHER || sm_realtime_tripped())
		return BAD;
	if (getrlimit(RLIMIT_RTTIME, &now) < 0 || now.rlim_cur != before->rlim_cur ||
		now.rlim_max != before->rlim_max)
		return BAD;
	return REFUSED;
}

static int guarded(bool drop)
{
	struct rlimit before, now;
	const char *step;
	sigset_t set;
	int r;

	sigemptyset(&set);
	sigaddset(&set, SIGXCPU);
	sigprocmask(SIG_BLOCK, &set, NULL); /* a parent may have left it so */
	if (getrlimit(RLIMIT_RTTIME, &before) < 0)
		return BAD;
	r = sm_realtime_enter(SM_REALTIME_PRIORITY);
	if (r < 0)
		return refused_cleanly(r, &before);
	if (policy() != (SCHED_FIFO | 0x40000000 /* SCHED_RESET_ON_FORK */))
		return BAD;
	if (getrlimit(RLIMIT_RTTIME, &now) < 0 || now.rlim_cur != SM_REALTIME_GUARD_US)
		return BAD;
	if (drop && sm_priv_drop(0, NULL, &step) < 0)
		return BAD;
	if (sm_realtime_tripped())
		return BAD;
	spin_ms(500);
	return sm_realtime_tripped() && (policy() & 0xff) == SCHED_OTHER ? GOOD : BAD;
}

static int guarded_privileged(void)
{
	return guarded(false);
}

static int guarded_dropped(void)
{
	return guarded(true);
}

/* A task that sleeps now and then may run as long as it likes. */
static int patient(void)
{
	const struct timespec ms = {.tv_nsec = 1000000};

	if (sm_realtime_enter(SM_REALTIME_PRIORITY) < 0)
		return REFUSED;
	for (int i = 0; i < 8; i++) {
		spin_ms(60);
		nanosleep(&ms, NULL);
	}
	return sm_realtime_tripped() || (policy() & 0xff) != SCHED_FIFO ? BAD : GOOD;
}

static int bad_priority(void)
{
	return sm_realtime_enter(1000) == -EINVAL && policy() == SCHED_OTHER ? GOOD : BAD;
}

START_TEST(guard)
{
	ck_assert_int_ne(in_child(guarded_privileged), BAD);
	ck_assert_int_ne(in_child(guarded_dropped), BAD);
}
END_TEST

START_TEST(sleeper_is_left_alone)
{
	ck_assert_int_ne(in_child(patient), BAD);
}
END_TEST

START_TEST(priority_is_checked)
{
	ck_assert_int_eq(in_child(bad_priority), GOOD);
}
END_TEST

static TCase *tc_rt(void)
{
	TCase *t = tcase_create("rt");

	tcase_add_test(t, guard);
	tcase_add_test(t, sleeper_is_left_alone);
	tcase_add_test(t, priority_is_checked);
	return t;
}

UNIT_MAIN("rt", tc_rt)
