// SPDX-License-Identifier: GPL-2.0-or-later
/* The sampler by clocks, on the live machine. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "clock.h"
#include "cpuclock.h"
#include "cs_rig.h"
#include "gate_rig.h"

static pid_t orphan_pid;

static void orphan_is_reaped(void)
{
	kill(orphan_pid, SIGKILL);
	ck_assert_int_eq(waitpid(orphan_pid, NULL, 0), orphan_pid);
}

static void burn(uint64_t ns)
{
	while (sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < ns)
		;
}

/* A child that forks another, which burns 60 ms, tells its pid and sleeps; then it goes.
 */
static void leave_an_orphan(int go)
{
	int told[2];
	pid_t parent;

	ck_assert_int_eq(pipe(told), 0);
	parent = fork();
	ck_assert_int_ge(parent, 0);
	if (parent == 0) {
		pid_t child = fork();
		char byte;

		if (child == 0) {
			burn(60 * SM_NSEC_PER_MSEC);
			child = getpid();
			if (write(told[1], &child, sizeof(child)) != sizeof(child))
				_exit(1);
			for (;;)
				pause();
		}
		_exit(read(go, &byte, 1) == 1 ? 0 : 1);
	}
	ck_assert_int_eq(
		read(told[0], &orphan_pid, sizeof(orphan_pid)), sizeof(orphan_pid));
	close(told[0]);
	close(told[1]);
}

/* Its parent has gone while it slept, and it goes after its clock was read and before its
 * new parent's stat is: what that got for it was counted before. */
START_TEST(orphan_goes_while_its_reaper_is_read)
{
	struct sm_root live;
	const struct cs_row *row;
	int go[2];

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return;
	}
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe(go), 0);
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
	row = row_of(CS_EXITED, getpid());
	ck_assert(!row || row->used_ns <= 20 * SM_NSEC_PER_MSEC);
	close(go[0]);
	close(go[1]);
	sampler_close(&sampler);
	sm_root_close(&live);
}
END_TEST

/* What it had reaped when we came is not known, so its first figure tells nothing; nor
 * does the death of a child in the same sample leave it owing. */
START_TEST(base_unknown)
{
	struct sm_root live;
	struct sm_pidstat st;
	ssize_t i;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return;
	}
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	take();
	i = live_find(&sampler.live, getpid());
	ck_assert_int_ge(i, 0);
	ck_assert_int_eq(sm_pidstat_read(&live, getpid(), &st), 0);
	sampler.live.child_ticks[i] = SAMPLER_UNKNOWN_TICKS;
	sampler.number++;
	sampler.now.dt_ns = SM_NSEC_PER_SEC;
	sampler.nrows = 0;
	st.cutime_ticks = 150;
	ck_assert_int_eq(
		exited_add_gone(&sampler.exited, 4000000, getpid(), 40 * TICK), 0);
	sampler_account(
		&sampler, (size_t)i, &st, sampler.live.ns[i] + 1, SM_NSEC_PER_SEC);
	sampler_settle(&sampler);
	ck_assert_uint_eq(sampler.now.exited_ns, 0);
	ck_assert_uint_eq(sampler.live.child_ticks[i], 150 + (uint32_t)st.cstime_ticks);
	ck_assert_int_eq(sampler_task(&sampler, (size_t)i)->exited_carry_ns, 0);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, rig_open, rig_close);
	tcase_add_test(tc, orphan_goes_while_its_reaper_is_read);
	tcase_add_test(tc, base_unknown);
	return tc;
}

UNIT_MAIN("cs_sampler_live", tc_live)
