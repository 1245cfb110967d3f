// SPDX-License-Identifier: GPL-2.0-or-later
/* The sampler with a walk over all tasks, on the running system: its rows against the CPU
 * clocks of the loads, to the nanosecond. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "asleep_rig.h"
#include "base/clock.h"
#include "cpustat/sampler/walk.h"
#include "cpustat_rig.h"
#include "proc/cpuclock.h"

static struct sm_root live;
static bool able;

static void setup(void)
{
	rig_open();
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	able = sampler.walks;
	if (!able)
		unit_skip("no permission to walk all tasks, or the kernel cannot");
}

static void teardown(void)
{
	rig_close();
	sm_root_close(&live);
}

static void burn(uint64_t ns)
{
	uint64_t until = sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns;

	while (sm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) < until)
		;
}

/* --- a load that works when it is told to ------------------------------------------- */

struct load {
	pid_t pid;
	int to, from;
};

enum order { BURN = 'b', FORK = 'f', THREAD = 't' };

static void *wait_for_end(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void spend_in_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		burn(7 * SM_NSEC_PER_MSEC);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void obey(char order)
{
	pthread_t thread;

	if (order == FORK)
		spend_in_child();
	else if (order == THREAD)
		pthread_create(&thread, NULL, wait_for_end, NULL);
	else
		burn(5 * SM_NSEC_PER_MSEC);
}

/* Answers when it is ready, and when it has done what it was told to. */
static void obey_all(int from, int to)
{
	char order = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "a (load) 1 S");
	while (write(to, &order, 1) == 1 && read(from, &order, 1) == 1)
		obey(order);
	_exit(0);
}

static void await_answer(const struct load *l)
{
	char byte;

	ck_assert_int_eq(read(l->from, &byte, 1), 1);
	await_asleep(l->pid);
}

static struct load start(void)
{
	int orders[2], answers[2];
	struct load l;

	ck_assert_int_eq(pipe(orders), 0);
	ck_assert_int_eq(pipe(answers), 0);
	l.pid = fork();
	ck_assert_int_ge(l.pid, 0);
	if (l.pid == 0) {
		close(orders[1]);
		obey_all(orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	l.to = orders[1];
	l.from = answers[0];
	await_answer(&l);
	return l;
}

static uint64_t clock_of(const struct load *l)
{
	uint64_t ns;

	ck_assert_int_eq(sm_cpuclock_ns(l->pid, &ns), 0);
	return ns;
}

static void order(const struct load *l, enum order what)
{
	char byte = (char)what;

	ck_assert_int_eq(write(l->to, &byte, 1), 1);
	await_answer(l);
}

static void end(const struct load *l)
{
	ck_assert_int_eq(kill(l->pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(l->pid, NULL, 0), l->pid);
	close(l->to);
	close(l->from);
}

static const struct row *the_row(enum row_kind kind, const struct load *l)
{
	const struct row *row = row_of(kind, l->pid);

	ck_assert_ptr_nonnull(row);
	return row;
}

/* --- tests ------------------------------------------------------------------------- */

START_TEST(row_has_the_time_of_the_clock)
{
	const struct row *row;
	struct load l;
	uint64_t before;

	if (!able)
		return;
	l = start();
	before = clock_of(&l);
	take();
	ck_assert_str_eq(sample.source, "bpf");
	order(&l, BURN);
	take();
	row = the_row(ROW_PROCESS, &l);
	ck_assert_uint_eq(row->used_ns, clock_of(&l) - before);
	ck_assert_uint_eq(row->total_ns, clock_of(&l));
	ck_assert_uint_eq(row->usr_ns + row->sys_ns, row->used_ns);
	ck_assert_int_eq(row->ppid, getpid());
	ck_assert_int_eq(row->state, 'S');
	ck_assert_uint_eq(row->comm.n, strlen("a (load) 1 S"));
	ck_assert_int_eq(memcmp(row->comm.p, "a (load) 1 S", row->comm.n), 0);
	ck_assert_uint_eq(row->flags & ROW_NEW, 0);
	take();
	ck_assert_ptr_null(row_of(ROW_PROCESS, l.pid));
	end(&l);
}
END_TEST

/* A sum over threads is the clock's. */
START_TEST(process_with_threads)
{
	struct load l;
	uint64_t before;

	if (!able)
		return;
	l = start();
	order(&l, THREAD);
	before = clock_of(&l);
	take();
	order(&l, BURN);
	take();
	ck_assert_uint_eq(the_row(ROW_PROCESS, &l)->used_ns, clock_of(&l) - before);
	end(&l);
}
END_TEST

START_TEST(new_process_counts_whole)
{
	struct load l;

	if (!able)
		return;
	take();
	l = start();
	take();
	ck_assert_uint_eq(the_row(ROW_PROCESS, &l)->used_ns, clock_of(&l));
	ck_assert_uint_ne(the_row(ROW_PROCESS, &l)->flags & ROW_NEW, 0);
	end(&l);
}
END_TEST

static uint64_t children_of(pid_t pid)
{
	ssize_t i = pidlist_find(&sampler.pids, pid);

	ck_assert_int_ge(i, 0);
	return sampler.pids.child_ns[i];
}

/* A child that no sample saw has the row of its parent, with all of its time. */
START_TEST(unseen_child)
{
	const struct row *row;
	struct load l;

	if (!able)
		return;
	l = start();
	take();
	order(&l, FORK);
	take();
	row = the_row(ROW_EXITED, &l);
	ck_assert_uint_ge(row->used_ns, 7 * SM_NSEC_PER_MSEC);
	ck_assert_uint_eq(row->used_ns, children_of(l.pid));
	order(&l, FORK);
	take();
	row = the_row(ROW_EXITED, &l);
	ck_assert_uint_eq(row->total_ns, children_of(l.pid));
	end(&l);
}
END_TEST

/* A child that had a row, and its child: their parent's row of exited children has only
 * the time that no row has reported. */
START_TEST(reported_time_is_not_reported_again)
{
	uint64_t before, reported;
	const struct row *row;
	struct load l;

	if (!able)
		return;
	l = start();
	take();
	before = children_of(getpid());
	order(&l, BURN);
	order(&l, FORK);
	take();
	reported = clock_of(&l) + the_row(ROW_EXITED, &l)->used_ns;
	end(&l);
	take();
	row = row_of(ROW_EXITED, getpid());
	ck_assert_uint_eq(
		row ? row->used_ns : 0, children_of(getpid()) - before - reported);
	ck_assert_uint_lt(row ? row->used_ns : 0, 2 * SM_NSEC_PER_MSEC);
}
END_TEST

/* Without room for all processes, the clocks take over, with no gap. */
START_TEST(too_many_processes)
{
	struct load l;
	uint64_t before;

	if (!able)
		return;
	l = start();
	before = clock_of(&l);
	take();
	sm_taskwalk_close(&sampler.walk);
	ck_assert_int_eq(sm_taskwalk_open(&sampler.walk, &live, 4, NULL), 0);
	order(&l, BURN);
	take();
	ck_assert_str_eq(sample.source, "clock");
	ck_assert_uint_eq(the_row(ROW_PROCESS, &l)->used_ns, clock_of(&l) - before);
	before = clock_of(&l);
	order(&l, BURN);
	take();
	ck_assert_uint_eq(the_row(ROW_PROCESS, &l)->used_ns, clock_of(&l) - before);
	end(&l);
}
END_TEST

/* A record less, and the threads are not as many as the kernel counts.  Of several tries,
 * as threads come and go. */
START_TEST(incomplete_walk)
{
	uint32_t *n = &((struct sm_taskwalk_head *)sampler.walk.head.values)->n;
	bool complete = false;

	if (!able)
		return;
	for (int i = 0; i < 100 && !complete; i++) {
		ck_assert_int_eq(walk_begin(&sampler), 0);
		complete = walk_is_complete(&sampler);
	}
	ck_assert(complete);
	ck_assert_int_ge(pidlist_find(&sampler.pids, 1), 0);
	complete = true;
	for (int i = 0; i < 100 && complete; i++) {
		ck_assert_int_eq(walk_begin(&sampler), 0);
		--*n;
		complete = walk_is_complete(&sampler);
	}
	ck_assert(!complete);
}
END_TEST

/* A process that the walk leaves out has its clock.  The first sample has pid 1, which
 * kernels of some vendors leave out. */
START_TEST(process_without_a_record)
{
	struct load l;
	uint64_t ns;
	ssize_t i;

	if (!able)
		return;
	l = start();
	take();
	order(&l, BURN);
	i = pidlist_find(&sampler.pids, l.pid);
	ck_assert_int_ge(i, 0);
	ck_assert_int_ge(pidlist_find(&sampler.pids, 1), 0);
	sampler.pids.record[i] = 0;
	ck_assert_int_eq(walk_ns(&sampler, (size_t)i, &ns), 0);
	ck_assert_uint_eq(ns, clock_of(&l));
	end(&l);
	ck_assert_int_lt(walk_ns(&sampler, (size_t)i, &ns), 0);
}
END_TEST

/* Half a millisecond, and four times as long as the fastest per process. */
START_TEST(reading_that_was_interrupted)
{
	const uint64_t us = 1000;
	struct sampler s = {0};

	ck_assert(!state_interrupted(&s, 1000, 200 * us));
	ck_assert(!state_interrupted(&s, 1000, 800 * us));
	ck_assert(state_interrupted(&s, 1000, 801 * us));
	ck_assert(!state_interrupted(&s, 100, 499 * us));
	ck_assert(state_interrupted(&s, 100, 500 * us));
}
END_TEST

/* The stamp of a sample is that of its first walk that was not interrupted. */
START_TEST(stamp_of_the_walk)
{
	uint64_t before;

	if (!able)
		return;
	take();
	before = sm_clock_mono_ns();
	sampler.fastest_ns = 1; /* a walk of half a millisecond is repeated */
	take();
	ck_assert_uint_ge(sample.t_ns, before);
	ck_assert_uint_le(sample.t_ns, walk_begun_ns(&sampler));
	ck_assert_uint_eq(sampler.fastest_ns, 1);
}
END_TEST

START_TEST(where_no_walk_is_wanted)
{
	uint32_t pid = 1;

	if (!able)
		return;
	sampler_close(&sampler);
	opts.source = SOURCE_CLOCK;
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	ck_assert(!sampler.walks && sampler.clocks);
	sampler_close(&sampler);
	opts.source = SOURCE_BPF;
	ck_assert_int_eq(sampler_open(&sampler, &fix, &opts, names), -EOPNOTSUPP);
	sampler_close(&sampler);
	opts.pids.v = &pid;
	opts.pids.n = 1;
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), -EOPNOTSUPP);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, row_has_the_time_of_the_clock);
	tcase_add_test(tc, process_with_threads);
	tcase_add_test(tc, new_process_counts_whole);
	tcase_add_test(tc, unseen_child);
	tcase_add_test(tc, reported_time_is_not_reported_again);
	tcase_add_test(tc, too_many_processes);
	tcase_add_test(tc, incomplete_walk);
	tcase_add_test(tc, process_without_a_record);
	tcase_add_test(tc, stamp_of_the_walk);
	tcase_add_test(tc, reading_that_was_interrupted);
	tcase_add_test(tc, where_no_walk_is_wanted);
	return tc;
}

UNIT_MAIN("sampler_walk", tc_live)
