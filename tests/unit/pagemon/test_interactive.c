// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen's loop, with the process that keeps the privileges (the opener). */
#include <signal.h>
#include <sys/prctl.h>

#include "live/frame.h"
#include "live/interactive.h"
#include "live/live.h"
#include "target/opener.h"
#include "target_rig.h"
#include "tui_rig.h"

static struct run run;
static struct snapshot proc;
static struct child child;
static uint64_t now_ns;

static void wait_when_told(void)
{
	child_say("", 1);
	child_wait();
}

static void open_process(void)
{
	int self_fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	char b;

	child_start(&child, wait_when_told);
	child_hear(&child, &b, 1);
	ck_assert_int_eq(snapshot_init(&proc, SNAPSHOT_TOTALS), 0);
	ck_assert_int_eq(target_open(&proc.target, &live, child.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(snapshot_attach(&proc, PASS_AUTO, self_fd, false), 0);
	close(self_fd);
}

static void open_run(uint64_t delay_us)
{
	struct target *const one[] = {&proc.target};

	target_rig_open();
	open_process();
	run = (struct run){.procs = &proc,
		.nprocs = 1,
		.opts = {.no_hex = true, .delay_us = delay_us},
		.opener = OPENER_INIT};
	run.app.opts = &run.opts.app;
	ck_assert_int_eq(sm_loop_init(&run.app.loop), 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* the test adopts the opener */
	ck_assert_int_eq(opener_start(&run.opener, &live, one, 1, 0), 0);
	rig_open(100, 30);
	ck_assert_int_eq(interactive_begin(&run), 0);
	now_ns = run.screen->refresh_ns;
}

static void close_run(void)
{
	interactive_close(&run);
	rig_drain();
	rig_close();
	opener_end(&run.opener);
	sm_loop_fini(&run.app.loop);
	snapshot_fini(&proc);
	child_end(&child);
	target_rig_close();
}

static void iterate(void)
{
	interactive_iterate(&run, now_ns);
	rig_drain();
}

/* Until the passes over the pages are complete, because each part of them draws a frame.
 */
static void do_refresh(void)
{
	now_ns = run.screen->refresh_ns;
	iterate();
	while (frame_walking(run.screen)) {
		uint64_t next_ns = budget_next_ns(&run.screen->budget);

		now_ns = next_ns > now_ns ? next_ns : now_ns;
		iterate();
	}
}

/* Waits for a key, a reply of the opener, or its end. */
static void wait_event(void)
{
	ck_assert_int_gt(sm_loop_wait(&run.app.loop, SM_LOOP_FOREVER), 0);
}

/* Opens the perf window.  The first counts are shown without a refresh. */
static void open_perf_window(void)
{
	do_refresh();
	rig_type("p");
	wait_event();
	iterate();
	ck_assert(faults_opening(&run.screen->faults));
	ck_assert_int_ge(row_with("opening perf events"), 0);
	wait_event();
	iterate();
	ck_assert(!faults_opening(&run.screen->faults));
	ck_assert_int_eq(row_with("opening perf events"), -1);
}

/* Requests counts with a refresh and receives them.  Each frame takes those that were
 * received.  Returns whether there was one. */
static bool counts_cause_a_frame(void)
{
	do_refresh();
	ck_assert_uint_ne(run.opener.events_asked, 0);
	wait_event();
	ck_assert(run.opener.answered);
	iterate();
	return !run.opener.answered;
}

START_TEST(counts_are_shown_by_the_next_refresh)
{
	open_run(100000);
	open_perf_window();
	for (int i = 0; i < 3; i++)
		ck_assert(!counts_cause_a_frame());
	do_refresh();
	ck_assert(!run.opener.answered);
	close_run();
}
END_TEST

START_TEST(slow_refreshes_show_counts_at_once)
{
	open_run(2000000);
	open_perf_window();
	for (int i = 0; i < 3; i++)
		ck_assert(counts_cause_a_frame());
	close_run();
}
END_TEST

static int opener_pid(void *ctx, pid_t pid)
{
	struct sm_pidstat st;
	pid_t *found = ctx;

	if (pid != child.pid && sm_procpid_read_stat(&live, pid, &st) == 0 &&
		st.ppid == getpid())
		*found = pid;
	return 0;
}

/* It is killed before, or after, a refresh has requested counts. */
START_TEST(opener_ends_with_the_window_open)
{
	pid_t pid = 0;

	open_run(100000);
	open_perf_window();
	ck_assert_int_eq(sm_procpid_scan(&live, opener_pid, &pid), 0);
	ck_assert_int_gt(pid, 0);
	kill(pid, SIGSTOP);
	if (_i)
		do_refresh();
	kill(pid, SIGKILL);
	wait_event();
	ck_assert_int_eq(run.opener.fd, -1);
	iterate();
	ck_assert_int_ge(row_with("privileges has ended"), 0);
	for (int i = 0; i < 3; i++)
		do_refresh();
	for (enum fault_key k = FAULT_USER; k < FAULT_KEYS; k++)
		ck_assert_int_eq(run.screen->faults.count[k].err, -EPIPE);
	ck_assert_int_ge(row_with("n/a: Broken pipe"), 0);
	ck_assert_int_eq(run.screen->faults.count[FAULT_MINOR].err, 0);
	/* Nothing is left that wakes the loop. */
	ck_assert_int_eq(sm_loop_wait(&run.app.loop, 0), 0);
	ck_assert(!run.app.stop);
	close_run();
}
END_TEST

static TCase *tc_opener(void)
{
	TCase *tc = tcase_create("opener");

	tcase_add_test(tc, counts_are_shown_by_the_next_refresh);
	tcase_add_test(tc, slow_refreshes_show_counts_at_once);
	tcase_add_loop_test(tc, opener_ends_with_the_window_open, 0, 2);
	return tc;
}

UNIT_MAIN("interactive", tc_opener)
