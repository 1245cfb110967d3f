// SPDX-License-Identifier: GPL-2.0-or-later
/* Members of an instance: their ops, failures, ends and CPU time. */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stressors/run/team.h"
#include "unit.h"

#define N	3u
#define MS	SM_NSEC_PER_MSEC
#define BURN_NS (20 * MS)

/* The board of the stage, with the slot of one instance. */
static struct stress_board *board;
static struct stress s;

static void set_up(void)
{
	board = mmap(NULL, sizeof(*board) + sizeof(board->slot[0]),
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(board, MAP_FAILED);
	s = (struct stress){.board = board,
		.slot = &board->slot[0],
		.instance = 2,
		.instances = 4,
		.ops_max = UINT64_MAX};
}

static void tear_down(void)
{
	munmap(board, sizeof(*board) + sizeof(board->slot[0]));
}

static void nap(void)
{
	struct timespec ts = {.tv_nsec = (long)MS};

	nanosleep(&ts, NULL);
}

typedef int member_function(struct stress *member, unsigned int number, void *data);

static int run(enum team_kind kind, member_function *function)
{
	const struct team_plan plan = {kind, N, function, NULL};

	return team_run(&s, &plan);
}

static void passes(enum team_kind kind, member_function *function)
{
	int r = run(kind, function);

	ck_assert_msg(
		r == 0 && s.slot->outcome == STRESS_PASS, "%d: %s", r, s.slot->reason);
}

static void fails(enum team_kind kind, member_function *function,
	enum stress_outcome outcome, const char *reason)
{
	ck_assert_int_eq(run(kind, function), -1);
	ck_assert_str_eq(s.slot->reason, reason);
	ck_assert_uint_eq(s.slot->outcome, outcome);
}

/* ---- ops ---- */

static int count(struct stress *member, unsigned int number, void *data)
{
	(void)number;
	(void)data;
	while (stress_goes_on(member))
		stress_add(member, 1);
	return 0;
}

START_TEST(a_limit)
{
	s.ops_max = 10;
	passes((enum team_kind)_i, count);
	ck_assert_uint_eq(s.slot->ops, 10);
}
END_TEST

/* A second team of an instance does what is left. */
START_TEST(what_is_left)
{
	s.ops_max = 10;
	s.slot->ops = 8;
	passes((enum team_kind)_i, count);
	ck_assert_uint_eq(s.slot->ops, 10);
}
END_TEST

/* Fewer ops than members. */
START_TEST(a_small_limit)
{
	s.ops_max = 1;
	passes((enum team_kind)_i, count);
	ck_assert_uint_eq(s.slot->ops, 1);
}
END_TEST

/* The count of a member is visible to the others while it works. */
static int count_and_see(struct stress *member, unsigned int number, void *data)
{
	(void)number;
	(void)data;
	stress_add(member, 5);
	while (board->slot[0].ops < 5 * (uint64_t)N)
		nap();
	return 0;
}

START_TEST(progress)
{
	passes((enum team_kind)_i, count_and_see);
	ck_assert_uint_eq(s.slot->ops, 5 * (uint64_t)N);
}
END_TEST

/* 1 for the first member of the third instance, and so on. */
static int know_itself(struct stress *member, unsigned int number, void *data)
{
	(void)data;
	if (member->instances != 4 * N || member->instance != 2 * N + number)
		return stress_fail(member, "%u: %u", number, member->instance);
	stress_add(member, UINT64_C(1) << 8 * number);
	return 0;
}

START_TEST(numbers)
{
	passes((enum team_kind)_i, know_itself);
	ck_assert_uint_eq(s.slot->ops, 0x010101);
}
END_TEST

static _Atomic unsigned int counted; /* threads that have counted all */

static int count_threads(struct stress *member, unsigned int number, void *data)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned int n = 0;

	(void)number;
	(void)data;
	for (; tasks && readdir(tasks); n++)
		;
	if (!tasks || closedir(tasks) < 0 || n != N + 1 + 2) /* and . and .. */
		return stress_fail(member, "%u entries of /proc/self/task", n);
	if (atomic_fetch_add(&counted, 1) == N - 1)
		atomic_store(&board->stop, 1);
	while (stress_goes_on(member))
		pause();
	return 0;
}

/* Each member begins when all have been started. */
START_TEST(common_begin)
{
	passes(TEAM_THREADS, count_threads);
}
END_TEST

/* ---- failures ---- */

static int fail_one(struct stress *member, unsigned int number, void *data)
{
	(void)data;
	if (number == 1)
		return stress_skip(member, "member %u", number);
	while (stress_goes_on(member))
		pause();
	/* A consequence of the first one. */
	return stress_fail(member, "member %u", number);
}

START_TEST(a_failure)
{
	fails((enum team_kind)_i, fail_one, STRESS_SKIP, "member 1");
	ck_assert_uint_eq(board->stop, 0);
}
END_TEST

static int say_nothing(struct stress *member, unsigned int number, void *data)
{
	(void)member;
	(void)data;
	return number == 2 ? -1 : 0;
}

START_TEST(no_reason)
{
	fails((enum team_kind)_i, say_nothing, STRESS_FAIL,
		"stopped before the end of the run");
}
END_TEST

/* The other members do not end by themselves, not even at the end of the run. */
static _Noreturn void hang(void)
{
	for (;;)
		pause();
}

static int be_aborted(struct stress *member, unsigned int number, void *data)
{
	(void)member;
	(void)data;
	if (number == 1)
		abort();
	hang();
}

START_TEST(a_crash)
{
	fails(TEAM_PROCESSES, be_aborted, STRESS_FAIL,
		"process 2 of 3 was killed by SIGABRT");
}
END_TEST

static int exit_at_once(struct stress *member, unsigned int number, void *data)
{
	(void)member;
	(void)data;
	if (number == 2)
		_exit(7);
	hang();
}

START_TEST(an_exit)
{
	fails(TEAM_PROCESSES, exit_at_once, STRESS_FAIL,
		"process 3 of 3 exited with status 7");
}
END_TEST

static unsigned int own_number; /* of a member */

/* Sets a metric of the instance for each member that is ended by TEAM_END. */
static void note_end(int signo)
{
	board->slot[0].metric[own_number] = signo;
	_exit(0);
}

static int note_or_fail(struct stress *member, unsigned int number, void *data)
{
	static const struct timespec long_enough = {.tv_sec = 60};

	(void)data;
	if (number == 1) {
		while (board->slot[0].ops < N - 1)
			nap();
		return stress_fail(member, "member %u", number);
	}
	own_number = number;
	signal(TEAM_END, note_end);
	stress_add(member, 1);
	nanosleep(&long_enough, NULL);
	return 0;
}

/* Not by SIGKILL, which would look like one from elsewhere. */
START_TEST(end_of_a_failed_team)
{
	fails(TEAM_PROCESSES, note_or_fail, STRESS_FAIL, "member 1");
	ck_assert_double_eq(s.slot->metric[0], TEAM_END);
	ck_assert_double_eq(s.slot->metric[2], TEAM_END);
}
END_TEST

static int be_killed(struct stress *member, unsigned int number, void *data)
{
	(void)member;
	(void)data;
	if (number == 0)
		raise(SIGKILL);
	hang();
}

/* As the kernel does for lack of memory. */
START_TEST(a_kill)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(run(TEAM_PROCESSES, be_killed) != 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
}
END_TEST

/* ---- ends ---- */

/* The run ends while the others wait; the last one is started when all others are. */
static int wait_for_a_signal(struct stress *member, unsigned int number, void *data)
{
	(void)data;
	if (number == N - 1)
		atomic_store(&board->stop, 1);
	while (stress_goes_on(member))
		pause();
	return 0;
}

START_TEST(waits_end)
{
	struct sigaction is;

	passes((enum team_kind)_i, wait_for_a_signal);
	ck_assert_int_eq(sigaction(TEAM_SIGNAL, NULL, &is), 0);
	ck_assert(is.sa_handler == SIG_DFL);
}
END_TEST

static int fail_if_started(struct stress *member, unsigned int number, void *data)
{
	(void)data;
	return stress_fail(member, "member %u was started", number);
}

/* After the end of the run no member is started. */
START_TEST(none_starts)
{
	atomic_store(&board->stop, 1);
	passes((enum team_kind)_i, fail_if_started);
}
END_TEST

/* A child of its own, which is the member's to reap. */
static int kill_child(struct stress *member, unsigned int number, void *data)
{
	pid_t pid = fork();
	int status = 0;

	(void)data;
	if (pid == 0)
		hang();
	kill(pid, SIGKILL);
	for (unsigned int i = 0; i < 20; i++)
		nap(); /* it has ended, and the instance has looked */
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
		return stress_fail(member, "member %u has lost its child", number);
	stress_add(member, 1);
	return 0;
}

START_TEST(children)
{
	passes((enum team_kind)_i, kill_child);
	ck_assert_uint_eq(s.slot->ops, N);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

static int burn(struct stress *member, unsigned int number, void *data)
{
	(void)member;
	(void)number;
	(void)data;
	while (sm_clock_ns(CLOCK_THREAD_CPUTIME_ID) < BURN_NS)
		;
	return 0;
}

static uint64_t cpu_us(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

START_TEST(cpu_time)
{
	int who = _i == TEAM_THREADS ? RUSAGE_SELF : RUSAGE_CHILDREN;
	uint64_t before = cpu_us(who);

	passes((enum team_kind)_i, burn);
	ck_assert_uint_ge(cpu_us(who) - before, N * (BURN_NS - MS) / 1000);
}
END_TEST

static TCase *tc_team(void)
{
	const TTest *const of_both[] = {a_limit, what_is_left, a_small_limit, progress,
		numbers, a_failure, no_reason, waits_end, none_starts, children,
		cpu_time};
	TCase *tc = tcase_create("team");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	for (size_t i = 0; i < SM_ARRAY_SIZE(of_both); i++)
		tcase_add_loop_test(tc, of_both[i], TEAM_PROCESSES, TEAM_THREADS + 1);
	tcase_add_test(tc, common_begin);
	tcase_add_test(tc, a_crash);
	tcase_add_test(tc, an_exit);
	tcase_add_test(tc, end_of_a_failed_team);
	tcase_add_test(tc, a_kill);
	return tc;
}

UNIT_MAIN("team", tc_team)
