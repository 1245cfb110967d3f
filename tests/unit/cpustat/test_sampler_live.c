// SPDX-License-Identifier: GPL-2.0-or-later
/* The sampler with clocks, on the running system. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "proc/cpuclock.h"
#include "cpustat_rig.h"
#include "gate_rig.h"

#define ORPHAN_NS (60 * SM_NSEC_PER_MSEC)

static pid_t orphan_pid;
static uint64_t late_ns; /* CPU time of reaped children beyond what they were to burn */

/* Waits for a child.  Its CPU time, and that of its own children, is added to late_ns,
 * less burnt_ns. */
static void reap_child(pid_t pid, uint64_t burnt_ns)
{
	struct rusage r;
	uint64_t ns;
	int status;

	ck_assert_int_eq(wait4(pid, &status, 0, &r), pid);
	ns = (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * SM_NSEC_PER_SEC +
	     (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1000;
	late_ns += ns > burnt_ns ? ns - burnt_ns : 0;
	ck_assert(status == 0 || WTERMSIG(status) == SIGKILL);
}

static void orphan_is_reaped(void)
{
	kill(orphan_pid, SIGKILL);
	reap_child(orphan_pid, ORPHAN_NS);
}

static void burn(uint64_t ns)
{
	while (sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < ns)
		;
}

/* A child that forks another, which burns ORPHAN_NS, reports its pid and sleeps; then it
 * exits.
 */
static void leave_an_orphan(int go)
{
	int out[2];
	pid_t parent;

	ck_assert_int_eq(pipe(out), 0);
	parent = fork();
	ck_assert_int_ge(parent, 0);
	if (parent == 0) {
		pid_t child = fork();
		char byte;

		if (child == 0) {
			burn(ORPHAN_NS);
			child = getpid();
			if (write(out[1], &child, sizeof(child)) != sizeof(child))
				_exit(1);
			for (;;)
				pause();
		}
		_exit(read(go, &byte, 1) == 1 ? 0 : 1);
	}
	ck_assert_int_eq(
		read(out[0], &orphan_pid, sizeof(orphan_pid)), sizeof(orphan_pid));
	close(out[0]);
	close(out[1]);
}

/* Its parent exited while it slept, and it exits after its clock was read and before its
 * new parent's stat is: what that got for it was counted before. */
START_TEST(orphan_goes_while_its_reaper_is_read)
{
	struct sm_root live;
	const struct row *row;
	int go[2];

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return;
	}
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe(go), 0);
	opts.source = SOURCE_CLOCK;
	leave_an_orphan(go[0]);
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	take();
	ck_assert_int_eq(write(go[1], "", 1), 1);
	ck_assert_int_gt(wait(NULL), 0);
	usleep(20000);
	take();
	usleep(20000);
	snprintf(gate_at, sizeof(gate_at), "%d/stat", (int)getpid());
	between = orphan_is_reaped;
	take();
	ck_assert(!between);
	row = row_of(ROW_EXITED, getpid());
	ck_assert(!row || row->used_ns <= 20 * SM_NSEC_PER_MSEC + late_ns);
	close(go[0]);
	close(go[1]);
	sampler_close(&sampler);
	sm_root_close(&live);
}
END_TEST

static void spend_and_reap(uint64_t ns)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		burn(ns);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}

#define SHELLS 16

/* Shells whose children ran before the start; they end when go is closed. */
struct shells {
	int go[2], ready[2];
	pid_t pid[SHELLS];
	uint64_t child_ns[SHELLS];
	unsigned int n;
};

static struct shells open_shells(void)
{
	struct shells s = {.n = 0};

	ck_assert_int_eq(pipe(s.go), 0);
	ck_assert_int_eq(pipe(s.ready), 0);
	return s;
}

/* Its child takes child_ns; returns when the shell has reaped it. */
static pid_t start_shell(struct shells *s, uint64_t child_ns)
{
	pid_t shell = fork();
	char byte;

	ck_assert_int_ge(shell, 0);
	if (shell == 0) {
		close(s->go[1]);
		spend_and_reap(child_ns);
		if (write(s->ready[1], "", 1) != 1)
			_exit(1);
		_exit(read(s->go[0], &byte, 1) == 0 ? 0 : 1);
	}
	ck_assert_int_eq(read(s->ready[0], &byte, 1), 1);
	s->child_ns[s->n] = child_ns;
	s->pid[s->n++] = shell;
	return shell;
}

static void end_shells(struct shells *s)
{
	close(s->go[1]);
	for (unsigned int i = 0; i < s->n; i++)
		reap_child(s->pid[i], s->child_ns[i]);
	close(s->go[0]);
	close(s->ready[0]);
	close(s->ready[1]);
	usleep(20000);
}

/* CPU time in the row of processes that this one has reaped unseen. */
static uint64_t invented_ns(void)
{
	const struct row *row = row_of(ROW_EXITED, getpid());

	return row ? row->used_ns : 0;
}

static const int source[] = {SOURCE_CLOCK, SOURCE_AUTO};

/* A walk is exact; late_ns has whole microseconds of two processes. */
static uint64_t tolerated(uint64_t ms)
{
	return sampler.walks ? 4000 : ms * SM_NSEC_PER_MSEC;
}

/* Without a walk, their children's time is known in whole ticks only: what the last part
 * of a tick was is in the cutime of their parent when they end. */
START_TEST(many_idle_shells_end)
{
	struct sm_root live;
	struct shells shells;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return;
	}
	shells = open_shells();
	for (unsigned int i = 0; i < SHELLS; i++)
		(void)start_shell(&shells, 31 * SM_NSEC_PER_MSEC + i * 1300000);
	opts.source = source[_i];
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	take();
	end_shells(&shells);
	take();
	ck_assert_uint_le(invented_ns(), SHELLS * tolerated(5) + late_ns);
	sampler_close(&sampler);
	sm_root_close(&live);
}
END_TEST

/* A shell that was idle at the start: its children ran before that.  It invents nothing
 * when it ends, nor does its parent when it reaps it. */
START_TEST(idle_shell_ends)
{
	struct sm_root live;
	struct shells shells;
	pid_t shell;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return;
	}
	shells = open_shells();
	shell = start_shell(&shells, 400 * SM_NSEC_PER_MSEC);
	opts.source = source[_i];
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	take();
	end_shells(&shells);
	take();
	ck_assert_ptr_null(row_of(ROW_EXITED, shell));
	ck_assert_uint_le(invented_ns(), tolerated(30) + late_ns);
	sampler_close(&sampler);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, rig_open, rig_close);
	tcase_add_test(tc, orphan_goes_while_its_reaper_is_read);
	tcase_add_loop_test(tc, idle_shell_ends, 0, 2);
	tcase_add_loop_test(tc, many_idle_shells_end, 0, 2);
	return tc;
}

UNIT_MAIN("sampler_live", tc_live)
