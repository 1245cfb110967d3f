// SPDX-License-Identifier: GPL-2.0-or-later
/* Instances that make no progress, and how their ends are judged. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "load/worker.h"
#include "stressors_stage_rig.h"

/* The time of the last op, by which a test knows what the load did. */
static void count(struct stress *s)
{
	stress_metric(s, 0, (double)sm_clock_mono_ns());
	stress_add(s, 1);
}

static uint64_t last_op(const struct worker *w)
{
	return (uint64_t)w->slot->metric[0];
}

static _Noreturn void hang(void)
{
	for (;;)
		pause();
}

static int stall(struct stress *s)
{
	count(s);
	hang();
}

static int count_until_the_end(struct stress *s)
{
	while (!stress_stopped(s)) {
		count(s);
		nap(MS);
	}
	hang();
}

static int stop_itself(struct stress *s)
{
	count(s);
	raise(SIGSTOP);
	return 0;
}

/* As one whose partner needs a CPU. */
static int wait_for_child(struct stress *s)
{
	pid_t pid;

	pid = stress_partner(s);
	if (pid < 0)
		return -1;
	while (!pid)
		;
	count(s);
	hang();
}

/* Not even SIGTERM reaches it, as if it had no CPU. */
static int starve(struct stress *s)
{
	signal(SIGTERM, SIG_IGN);
	return wait_for_child(s);
}

static void *spin(void *arg)
{
	for (;;)
		;
	return arg;
}

/* As one whose threads need a CPU. */
static int wait_for_thread(struct stress *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, spin, NULL) != 0)
		return -1;
	count(s);
	hang();
}

/* State D, until the child ends, and SIGTERM does not end it: as in a call that waits for
 * a disk. */
static int wait_in_kernel(struct stress *s)
{
	pid_t pid;

	signal(SIGTERM, SIG_IGN);
	count(s);
	pid = vfork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid < 0 ? -1 : 0;
}

static int never_count(struct stress *s)
{
	(void)s;
	hang();
}

static const struct stressor stalls = {.name = "stalls", .run = stall},
			     counts = {.name = "counts", .run = count_until_the_end},
			     stops = {.name = "stops", .run = stop_itself},
			     waits = {.name = "waits", .run = wait_for_child},
			     starves = {.name = "starves", .run = starve},
			     threads = {.name = "threads", .run = wait_for_thread},
			     writes = {.name = "writes",
				     .run = wait_in_kernel,
				     .scratch = true},
			     forks = {.name = "forks", .run = wait_in_kernel},
			     never = {.name = "never", .run = never_count};

/* The reading after the last op: that op ended at most a moment before. */
static void has_stalled(size_t i)
{
	const struct worker *w = &g.worker[i];
	double t = -1, since_go = (double)(last_op(w) - g.go_ns) / 1e9;

	ck_assert_int_eq(r[i].status, RESULT_FAIL);
	ck_assert_msg(sscanf(r[i].reason, "no progress since t = %lf s", &t) == 1, "%s",
		r[i].reason);
	ck_assert_double_ge(t, since_go - 0.06);
	ck_assert_double_le(t, (double)(g.stop_ns - g.go_ns) / 1e9 - 0.94);
	ck_assert_uint_eq(r[i].forced, 1);
}

/* On a busy machine it may not have had a CPU for a second. */
static bool had_no_cpu(size_t i)
{
	const struct worker *w = &g.worker[i];

	return g.stop_ns > last_op(w) + 900 * MS;
}

/* All have counted their op, and the supervisor has seen it, a second before the end. */
static bool is_in_time(void)
{
	for (size_t i = 0; i < g.n; i++) {
		const struct worker *w = &g.worker[i];

		if (!w->seen_ops || (i != 1 && g.stop_ns - w->seen_ns < 1000 * MS))
			return false;
	}
	return true;
}

static char place[UNIT_DIR]; /* of its files */

static void run_all(uint64_t time_ns)
{
	begin(time_ns);
	add(&stalls, 1);
	add(&counts, 1);
	add(&stops, 1);
	add(&waits, 1);
	add(&starves, 1);
	add(&threads, 1);
	add(&writes, 1);
	add(&forks, 1);
	unit_mkdtemp(place);
	sup.scratch_fd = open(place, O_PATH | O_DIRECTORY | O_CLOEXEC);
	run_stage();
	(void)unlinkat(sup.scratch_fd, "writes-0", AT_REMOVEDIR);
	close(sup.scratch_fd);
	ck_assert_int_eq(rmdir(place), 0);
}

START_TEST(progress)
{
	run_all(1500 * MS);
	/* A busy machine needs longer. */
	for (unsigned int s = 4; !is_in_time() && s < 20; s *= 2) {
		end();
		run_all(s * SM_NSEC_PER_SEC);
	}
	has_stalled(0);
	if (!had_no_cpu(1))
		is_status(1, RESULT_PASS,
			"killed by SIGTERM, 0.3 s after the end of the run");
	has_stalled(2);
	is_status(3, RESULT_PASS, "killed by SIGTERM, 0.3 s after the end of the run");
	is_status(4, RESULT_PASS, "killed by SIGKILL, 1.3 s after the end of the run");
	is_status(5, RESULT_PASS, "killed by SIGTERM, 0.3 s after the end of the run");
	is_status(6, RESULT_PASS, "killed by SIGKILL, 1.3 s after the end of the run");
	has_stalled(7);
	end();
}
END_TEST

/* Without a time limit: the flag is a futex.  No signal wakes it. */
static int sleep_until_the_end(struct stress *s)
{
	signal(SIGTERM, SIG_IGN);
	count(s);
	sm_worker_wait((uint32_t *)(uintptr_t)&s->board->stop, 0, UINT64_MAX);
	return 0;
}

static const struct stressor sleeps = {.name = "sleeps", .run = sleep_until_the_end};

START_TEST(the_end_wakes)
{
	begin(200 * MS);
	add(&sleeps, 1);
	run_stage();
	is_status(0, RESULT_PASS, "");
	ck_assert_uint_eq(r[0].forced, 0);
	end();
}
END_TEST

START_TEST(progress_of_a_moment)
{
	begin(200 * MS);
	add(&never, 1);
	add(&stalls, 1);
	run_stage();
	is_status(0, RESULT_FAIL, "no progress since t = 0.0 s");
	is_status(1, RESULT_PASS, "killed by SIGTERM, 0.3 s after the end of the run");
	end();
}
END_TEST

/* Their deaths by SIGTERM take longer than the second after which SIGKILL is sent. */
START_TEST(slow_deaths)
{
	begin(200 * MS);
	for (int i = 0; i < 4; i++)
		add(i % 2 ? &stalls : &never, 1);
	start_stage();
	run_until(SUPERVISOR_TERMINATES);
	supervisor_step(&sup, sup.until_ns);
	finish_stage();
	for (size_t i = 0; i < 4; i += 2) {
		is_status(i, RESULT_FAIL, "no progress since t = 0.0 s");
		is_status(i + 1, RESULT_PASS,
			"killed by SIGTERM, 0.3 s after the end of the run");
	}
	end();
}
END_TEST

static TCase *tc_progress(void)
{
	TCase *tc = tcase_create("progress");

	tcase_add_test(tc, progress);
	tcase_add_test(tc, progress_of_a_moment);
	tcase_add_test(tc, the_end_wakes);
	tcase_add_test(tc, slow_deaths);
	tcase_set_timeout(tc, 60);
	return tc;
}

UNIT_MAIN("stall", tc_progress)
