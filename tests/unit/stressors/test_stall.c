// SPDX-License-Identifier: GPL-2.0-or-later
/* Instances that make no progress, and how their ends are judged. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "load/worker.h"
#include "stressors_stage_rig.h"

/* The pid that is to sleep, in the instance or its child. */
enum { SLEEPER };

static _Noreturn void hang(struct stress *s)
{
	stress_metric(s, SLEEPER, getpid());
	for (;;)
		pause();
}

static int stall(struct stress *s)
{
	stress_add(s, 1);
	hang(s);
}

static int count_until_the_end(struct stress *s)
{
	while (!stress_stopped(s)) {
		stress_add(s, 1);
		nap(MS);
	}
	hang(s);
}

static int stop_itself(struct stress *s)
{
	stress_add(s, 1);
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
	stress_add(s, 1);
	hang(s);
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
	stress_add(s, 1);
	hang(s);
}

/* State D, until the child ends, and SIGTERM does not end it: as in a call that waits for
 * a disk. */
static int wait_in_kernel(struct stress *s)
{
	pid_t pid;

	signal(SIGTERM, SIG_IGN);
	stress_add(s, 1);
	pid = vfork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		hang(s);
	}
	return pid < 0 ? -1 : 0;
}

static int never_count(struct stress *s)
{
	hang(s);
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

static void await_sleep(size_t i, char state)
{
	await_metric(i, SLEEPER);
	await_state((pid_t)g.worker[i].slot->metric[SLEEPER], 'S');
	await_state(g.worker[i].pid, state);
}

static void await_op_after(size_t i, uint64_t ops)
{
	while (g.worker[i].slot->ops == ops)
		nap(MS / 10);
}

static char place[UNIT_DIR]; /* of its files */

enum { STALLS, COUNTS, STOPS, WAITS, STARVES, THREADS, WRITES, FORKS };

static void start_all(void)
{
	/* STALL_NS after the first reading of the ops, 0.2 s after the start */
	begin(1200 * MS);
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
	start_stage();
	run_until(SUPERVISOR_RUNS);
}

static void end_all(void)
{
	(void)unlinkat(sup.scratch_fd, "writes-0", AT_REMOVEDIR);
	close(sup.scratch_fd);
	ck_assert_int_eq(rmdir(place), 0);
	end();
}

/* Waits until each instance has made its last op and does what its name says. */
static void await_all(void)
{
	await_sleep(STALLS, 'S');
	await_state(g.worker[STOPS].pid, 'T');
	await_sleep(WAITS, 'S');
	await_sleep(STARVES, 'S');
	await_sleep(THREADS, 'S');
	await_sleep(WRITES, 'D');
	await_sleep(FORKS, 'D');
}

static void run_all(void)
{
	await_all();
	await_op_after(COUNTS, 0);
	supervisor_step(&sup, g.look_ns);
	await_op_after(COUNTS, g.worker[COUNTS].seen_ops);
	pass_time();
	ck_assert_int_eq(sup.phase, SUPERVISOR_STOPS);
	await_sleep(COUNTS, 'S');
	pass_time();
	ck_assert_int_eq(sup.phase, SUPERVISOR_TERMINATES);
	await_death(STALLS);
	await_death(COUNTS);
	await_death(WAITS);
	await_death(THREADS);
	pass_time();
	ck_assert_int_eq(sup.phase, SUPERVISOR_KILLS);
	finish_stage();
}

static void has_stalled(size_t i)
{
	is_status(i, RESULT_FAIL, "no progress since t = 0.2 s");
	ck_assert_uint_eq(r[i].forced, 1);
}

START_TEST(progress)
{
	start_all();
	run_all();
	has_stalled(STALLS);
	is_status(
		COUNTS, RESULT_PASS, "killed by SIGTERM, 0.3 s after the end of the run");
	has_stalled(STOPS);
	is_status(
		WAITS, RESULT_PASS, "killed by SIGTERM, 0.3 s after the end of the run");
	is_status(STARVES, RESULT_PASS,
		"killed by SIGKILL, 1.3 s after the end of the run");
	is_status(THREADS, RESULT_PASS,
		"killed by SIGTERM, 0.3 s after the end of the run");
	is_status(
		WRITES, RESULT_PASS, "killed by SIGKILL, 1.3 s after the end of the run");
	has_stalled(FORKS);
	end_all();
}
END_TEST

/* Without a time limit: the flag is a futex.  No signal wakes it. */
static int sleep_until_the_end(struct stress *s)
{
	signal(SIGTERM, SIG_IGN);
	stress_add(s, 1);
	sm_worker_wait((uint32_t *)(uintptr_t)&s->board->stop, 0, UINT64_MAX);
	return 0;
}

static const struct stressor sleeps = {.name = "sleeps", .run = sleep_until_the_end};

START_TEST(the_end_wakes)
{
	begin(200 * MS);
	add(&sleeps, 1);
	start_stage();
	run_until(SUPERVISOR_RUNS);
	await_op_after(0, 0);
	await_state(g.worker[0].pid, 'S');
	pass_time();
	await_death(0);
	finish_stage();
	is_status(0, RESULT_PASS, "");
	ck_assert_uint_eq(r[0].forced, 0);
	end();
}
END_TEST

/* A run of less than a second: only an instance without an op has made no progress.  In
 * the loop, their deaths by SIGTERM take longer than the second after which SIGKILL is
 * sent. */
START_TEST(progress_of_a_moment)
{
	begin(200 * MS);
	for (int i = 0; i < 4; i++)
		add(i % 2 ? &stalls : &never, 1);
	start_stage();
	run_until(SUPERVISOR_RUNS);
	for (size_t i = 0; i < 4; i++)
		await_sleep(i, 'S');
	pass_time();
	pass_time();
	ck_assert_int_eq(sup.phase, SUPERVISOR_TERMINATES);
	for (size_t i = 0; i < 4 && !_i; i++)
		await_death(i);
	pass_time();
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
	tcase_add_loop_test(tc, progress_of_a_moment, 0, 2);
	tcase_add_test(tc, the_end_wakes);
	return tc;
}

UNIT_MAIN("stall", tc_progress)
