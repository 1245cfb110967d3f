// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Against loads that are known, timercount and cpuidle.  What is expected of a sleeping
 * CPU is asserted in check-live only, and as far as the CPU slept.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "timers/timercount.h"
#include "timers/wakecause.h"
#include "delayed_work_rig.h"
#include "pids_rig.h"

enum { CPU = 1, OTHER = 0 };

static struct sm_root root;
static struct sm_timercount timers;
static struct sm_wakecause wake;
static bool permitted;
static unsigned int times; /* that a load wakes CPU */

/* False, and the test is skipped, where wake-ups cannot be counted. */
static bool able(void)
{
	if (!permitted)
		unit_skip("no permission to count wake-ups");
	return permitted;
}

/* The same of the loads. */
static bool able_to_wake(void)
{
	if (able() && wake.cpus <= CPU)
		unit_skip("needs two CPUs");
	return permitted && wake.cpus > CPU && own_pids();
}

static void setup(void)
{
	struct sm_bpf_log log;
	int err;

	times = unit_live() ? 100 : 10;
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_timercount_open(&timers, &root, false, &log);
	ck_assert_msg(
		err == 0 || err == -EPERM || err == -ENOSYS, "%d: %s", err, log.text);
	permitted = err == 0;
	err = sm_wakecause_open(&wake, &root, &timers.owners, true, &log);
	ck_assert_msg(err == 0 || !permitted, "%d: %s", err, log.text);
}

static void teardown(void)
{
	sm_wakecause_close(&wake);
	sm_timercount_close(&timers);
	sm_root_close(&root);
}

/* --- loads ------------------------------------------------------------------------- */

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		_exit(1);
}

static void nap(long ns)
{
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

#define SLEEPER "a sl)e(eper"

static void sleeps(int fd)
{
	(void)fd;
	prctl(PR_SET_NAME, SLEEPER);
	pin(CPU);
	for (unsigned int i = 0; i < times; i++)
		nap(10000000);
}

/* Time-outs of the timer wheel. */
static void socket_timeouts(int fd)
{
	struct timeval t = {.tv_usec = 20000};
	int s[2];
	char c;

	(void)fd;
	pin(CPU);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) < 0 ||
		setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)) < 0)
		_exit(1);
	for (unsigned int i = 0; i < times; i++)
		(void)!recv(s[0], &c, 1, 0);
}

static void reads(int fd)
{
	char c;

	pin(CPU);
	while (read(fd, &c, 1) == 1)
		;
}

#define WRITER "a wr)i(ter"

/* Runs for a moment after each sleep, so that it is not the timer's interrupt that sends.
 */
static void writes(int fd)
{
	prctl(PR_SET_NAME, WRITER);
	pin(OTHER);
	for (unsigned int i = 0; i < times; i++) {
		nap(5000000);
		for (volatile int spin = 0; spin < 100000; spin++)
			;
		if (write(fd, "x", 1) != 1)
			_exit(1);
	}
}

static pid_t start(void (*load)(int fd), int fd, int unused)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		if (unused >= 0)
			close(unused);
		load(fd);
		_exit(0);
	}
	return pid;
}

static void end(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static pid_t run(void (*load)(int fd))
{
	pid_t pid = start(load, -1, -1);

	end(pid);
	return pid;
}

/* --- figures ----------------------------------------------------------------------- */

#define BIT(cause) (1u << (cause))

/* Wake-ups by these causes that a task owns; any task if tid is -1. */
static uint64_t of(pid_t tid, unsigned int causes)
{
	uint64_t sum = 0;

	ck_assert_int_eq(sm_wakecause_read(&wake), 0);
	for (uint32_t i = 0; i < wake.n; i++)
		if (causes & BIT(wake.key[i].cause) &&
			(tid == -1 || sm_timer_tid(wake.key[i].owner) == tid))
			sum += wake.counts[i].wakeups;
	return sum;
}

static struct sm_wake_counts of_cpu(unsigned int cpu)
{
	struct sm_wake_counts sum = {0};

	for (uint32_t i = 0; i < wake.n; i++)
		if (wake.key[i].cpu == cpu) {
			sum.wakeups += wake.counts[i].wakeups;
			sum.slept_ns += wake.counts[i].slept_ns;
		}
	return sum;
}

/* Expiries of a task's timers that interrupted an idle CPU. */
static uint64_t idle_expiries(pid_t tid, enum sm_timer_kind kind)
{
	uint64_t sum = 0;

	ck_assert_int_eq(sm_timercount_read(&timers), 0);
	for (uint32_t i = 0; i < timers.n; i++)
		if (sm_timer_tid(timers.key[i].owner) == tid &&
			timers.key[i].kind == kind)
			sum += timers.counts[i].idle;
	return sum;
}

/* Timers wake an idle CPU unless another interrupt, or another timer of the same one, has
 * just done so: rare if the CPU was woken by little else.  Timers of the wheel come
 * together. */
static void check_timers(
	void (*load)(int fd), enum sm_timer_kind kind, enum sm_wake_cause cause)
{
	uint64_t exits = sm_wakecause_exits(&wake, CPU), idle, woke;
	pid_t pid = run(load);

	exits = sm_wakecause_exits(&wake, CPU) - exits;
	idle = idle_expiries(pid, kind);
	woke = of(pid, BIT(cause));
	ck_assert_uint_le(woke, idle);
	if (unit_live() && exits < 4 * idle)
		ck_assert_uint_ge(
			woke + 3, kind == SM_TIMER_HR ? idle - idle / 8 : idle / 2);
}

static uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SM_NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

START_TEST(sleeper)
{
	if (!able_to_wake())
		return;
	check_timers(sleeps, SM_TIMER_HR, SM_WAKE_HRTIMER);
}
END_TEST

START_TEST(timer_wheel)
{
	if (!able_to_wake())
		return;
	check_timers(socket_timeouts, SM_TIMER_WHEEL, SM_WAKE_WHEEL);
}
END_TEST

/* Checks the name of a task that has ended; its timers' wake-ups may have no name.
 * Returns the number of wake-ups that have the name. */
static uint64_t check_names(pid_t tid, unsigned int causes)
{
	uint64_t named = 0;

	for (uint32_t i = 0; i < wake.n; i++) {
		if (!(causes & BIT(wake.key[i].cause)) ||
			sm_timer_tid(wake.key[i].owner) != tid || !wake.counts[i].comm[0])
			continue;
		ck_assert_str_eq(wake.counts[i].comm, WRITER);
		named += wake.counts[i].wakeups;
	}
	return named;
}

/* A task on one CPU wakes one on another, unless the tick of the former has just woken
 * the latter to balance the load. */
START_TEST(waker)
{
	const unsigned int sent =
		BIT(SM_WAKE_CALL) | BIT(SM_WAKE_RESCHEDULE) | BIT(SM_WAKE_FLAG);
	uint64_t begin = clock_ns(), slept, named, woke;
	pid_t reader, writer;
	int p[2];

	if (!able_to_wake())
		return;
	ck_assert_int_eq(pipe(p), 0);
	reader = start(reads, p[0], p[1]);
	writer = start(writes, p[1], p[0]);
	close(p[0]);
	close(p[1]);
	end(writer);
	end(reader);
	woke = of(writer, sent);
	slept = of_cpu(CPU).slept_ns;
	named = check_names(writer, sent);
	if (!unit_live())
		return;
	ck_assert_uint_le(woke, times + times / 10);
	ck_assert_uint_ge(named + times / 10, woke);
	if (slept > (clock_ns() - begin) / 10 * 8)
		ck_assert_uint_ge(woke, times / 3 * 2);
}
END_TEST

/* --- who ran, and works ------------------------------------------------------------- */

/* Wake-ups after which the sleeper ran first; its timers' among them. */
static uint64_t ran_sleeper(pid_t tid, unsigned int causes)
{
	uint64_t sum = 0;

	ck_assert_int_eq(sm_wakecause_read(&wake), 0);
	for (uint32_t i = 0; i < wake.n; i++)
		if (causes & BIT(wake.key[i].cause) &&
			(tid == -1 || sm_timer_tid(wake.key[i].owner) == tid) &&
			wake.key[i].woke == SM_WAKE_WOKE_TASK &&
			strcmp(wake.key[i].woke_comm, SLEEPER) == 0)
			sum += wake.counts[i].wakeups;
	return sum;
}

/* The sleeper runs after each of its timers, unless another task is waiting; and for the
 * rest only when it starts or is moved. */
START_TEST(who_runs)
{
	uint64_t ran, own, timers_of;
	pid_t pid;

	if (!able_to_wake())
		return;
	pid = run(sleeps);
	ran = ran_sleeper(-1, ~0u);
	own = ran_sleeper(pid, BIT(SM_WAKE_HRTIMER));
	timers_of = of(pid, BIT(SM_WAKE_HRTIMER));
	ck_assert_uint_le(own, timers_of);
	ck_assert_uint_le(ran, times + 5);
	if (unit_live())
		ck_assert_uint_ge(own + timers_of / 10 + 2, timers_of);
}
END_TEST

/* A kernel thread that runs is known as such, and nothing has a name but tasks. */
START_TEST(names_of_who_runs)
{
	if (!able_to_wake())
		return;
	(void)run(sleeps);
	ck_assert_int_eq(sm_wakecause_read(&wake), 0);
	for (uint32_t i = 0; i < wake.n; i++) {
		const struct sm_wake_key *k = &wake.key[i];
		bool named =
			k->woke == SM_WAKE_WOKE_TASK || k->woke == SM_WAKE_WOKE_KTHREAD;

		ck_assert_int_eq(k->woke_comm[0] != '\0', named);
		if (strncmp(k->woke_comm, "rcu_pre", 7) == 0 ||
			strncmp(k->woke_comm, "ksoftirqd/", 10) == 0)
			ck_assert_uint_eq(k->woke, SM_WAKE_WOKE_KTHREAD);
	}
}
END_TEST

/* The timer of a delayed work that wakes a CPU has the work's function as its ID. */
START_TEST(delayed_works)
{
	struct sm_ksym_named callback = {.name = SM_TIMER_WORK_CALLBACK};
	bool seen = false;

	if (!able_to_wake())
		return;
	ck_assert_int_eq(sm_ksyms_find(&root, &callback, 1), 0);
	sm_timerowner_callback(&timers.owners, SM_TIMER_WORK, callback.address);
	for (int n = 0; n < 2 && !seen; n++) {
		ck_assert(schedule_delayed_work());
		nap(999999999);
		nap(300000000);
		ck_assert_int_eq(sm_wakecause_read(&wake), 0);
		for (uint32_t i = 0; i < wake.n; i++) {
			if (!wake.key[i].work)
				continue;
			ck_assert_uint_eq(wake.key[i].cause, SM_WAKE_WHEEL);
			ck_assert(!is_function(
				&root, wake.key[i].id, SM_TIMER_WORK_CALLBACK));
			seen |= is_function(&root, wake.key[i].id, DELAYED_WORK);
		}
	}
	if (!seen)
		unit_skip("no delayed work woke a CPU");
}
END_TEST

/* --- sums -------------------------------------------------------------------------- */

/* Entries into the idle states, by cpuidle; 0 without it. */
static uint64_t usage(unsigned int cpu)
{
	uint64_t sum = 0;
	char path[64], text[32];

	for (int i = 0; i < 16; i++) {
		snprintf(path, sizeof(path),
			"devices/system/cpu/cpu%u/cpuidle/state%d/usage", cpu, i);
		if (sm_file_slurp(root.sys, path, text, sizeof(text)) > 0)
			sum += strtoull(text, NULL, 10);
	}
	return sum;
}

static uint64_t lost(unsigned int cpu)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i <= SM_WAKE_CAUSES; i++)
		sum += sm_wakecause_lost(&wake, cpu, (enum sm_wake_cause)i).wakeups;
	return sum;
}

/* All exits but the last one of the CPU are among the causes. */
START_TEST(sum_of_causes)
{
	uint64_t before, after;

	if (!able())
		return;
	for (unsigned int i = 0; i < times; i++) {
		nap(10000000);
		for (unsigned int cpu = 0; cpu < wake.cpus; cpu++) {
			before = sm_wakecause_exits(&wake, cpu);
			ck_assert_int_eq(sm_wakecause_read(&wake), 0);
			after = sm_wakecause_exits(&wake, cpu);
			ck_assert_uint_ge(of_cpu(cpu).wakeups + 1, before);
			ck_assert_uint_le(of_cpu(cpu).wakeups, after);
			ck_assert_uint_eq(lost(cpu), 0);
		}
	}
	if (unit_live())
		ck_assert_uint_le(of(-1, BIT(SM_WAKE_UNKNOWN)), of(-1, ~0u) / 50 + 2);
}
END_TEST

START_TEST(exits_by_cpuidle)
{
	uint64_t exits, entries;

	if (!able())
		return;
	if (!usage(0)) {
		unit_skip("no cpuidle");
		return;
	}
	for (unsigned int cpu = 0; cpu < wake.cpus; cpu++) {
		entries = usage(cpu);
		exits = sm_wakecause_exits(&wake, cpu);
		nap(900000000);
		entries = usage(cpu) - entries;
		exits = sm_wakecause_exits(&wake, cpu) - exits;
		ck_assert_uint_ge(exits + exits / 100 + 3, entries);
		ck_assert_uint_le(exits, entries + entries / 100 + 3);
	}
}
END_TEST

START_TEST(lengths)
{
	uint64_t before = 0, after = 0;

	if (!able())
		return;
	(void)run(sleeps);
	for (unsigned int i = 0; i < SM_WAKE_BUCKETS; i++)
		before += sm_wakecause_sleeps(&wake, 0, i);
	ck_assert_int_eq(sm_wakecause_read(&wake), 0);
	for (unsigned int i = 0; i < SM_WAKE_BUCKETS; i++)
		after += sm_wakecause_sleeps(&wake, 0, i);
	ck_assert_uint_ge(of_cpu(0).wakeups, before);
	ck_assert_uint_le(of_cpu(0).wakeups, after);
	ck_assert_uint_eq(sm_wakecause_sleeps(&wake, wake.cpus, 0), 0);
	ck_assert_uint_eq(sm_wakecause_sleeps(&wake, 0, SM_WAKE_BUCKETS), 0);
}
END_TEST

/* Without timercount's map the owners of timers are not known. */
START_TEST(no_owners)
{
	struct sm_bpf_log log;
	pid_t pid;

	if (!able_to_wake())
		return;
	sm_wakecause_close(&wake);
	ck_assert_int_eq(sm_wakecause_open(&wake, &root, NULL, false, &log), 0);
	pid = run(sleeps);
	ck_assert_uint_eq(of(pid, BIT(SM_WAKE_HRTIMER)), 0);
	if (unit_live())
		ck_assert_uint_ge(of(-1, BIT(SM_WAKE_HRTIMER)) + 3,
			idle_expiries(pid, SM_TIMER_HR) / 2);
}
END_TEST

START_TEST(deleted)
{
	pid_t pid;

	if (!able_to_wake())
		return;
	pid = run(sleeps);
	(void)of(pid, ~0u);
	for (uint32_t i = 0; i < wake.n; i++)
		if (sm_timer_tid(wake.key[i].owner) == pid) {
			struct sm_wake_counts rest;

			ck_assert_int_eq(
				sm_wakecause_delete(&wake, &wake.key[i], &rest), 0);
			ck_assert_uint_ge(rest.wakeups, wake.counts[i].wakeups);
			ck_assert_int_eq(
				sm_wakecause_delete(&wake, &wake.key[i], &rest), -ENOENT);
		}
	ck_assert_uint_eq(of(pid, ~0u), 0);
}
END_TEST

static bool put(const struct sm_wake_key *key)
{
	struct sm_wake_counts counts = {0};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = (uint32_t)wake.counts_fd;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)&counts;
	return syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &attr, sizeof(attr)) == 0;
}

/* What finds no room is counted by cause. */
START_TEST(no_room)
{
	struct sm_wake_key key = {.cpu = UINT32_MAX};
	uint64_t begin = sm_wakecause_exits(&wake, CPU), before, sum = 0;

	if (!able_to_wake())
		return;
	while (put(&key))
		key.id++;
	ck_assert_uint_gt(key.id, SM_WAKECAUSE_MAX / 2);
	(void)run(sleeps);
	before = sm_wakecause_exits(&wake, CPU);
	ck_assert_int_eq(sm_wakecause_read(&wake), 0);
	ck_assert_uint_eq(wake.n, SM_WAKECAUSE_MAX);
	for (int i = 0; i < SM_WAKE_CAUSES; i++) {
		struct sm_wake_sum s =
			sm_wakecause_lost(&wake, CPU, (enum sm_wake_cause)i);

		ck_assert(s.slept_ns > 0 || s.wakeups == 0);
		sum += s.wakeups;
	}
	if (unit_live() && before > begin + times / 2)
		ck_assert_uint_gt(sum, 0);
	ck_assert_uint_ge(of_cpu(CPU).wakeups + sum + 1, before);
	ck_assert_uint_le(of_cpu(CPU).wakeups + sum, sm_wakecause_exits(&wake, CPU));
}
END_TEST

START_TEST(closed_twice)
{
	sm_wakecause_close(&wake);
	ck_assert_int_eq(wake.counts_fd, -1);
	ck_assert_ptr_null(wake.cpu);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sleeper);
	tcase_add_test(tc, timer_wheel);
	tcase_add_test(tc, waker);
	tcase_add_test(tc, who_runs);
	tcase_add_test(tc, names_of_who_runs);
	tcase_add_test(tc, delayed_works);
	tcase_add_test(tc, sum_of_causes);
	if (unit_live())
		tcase_add_test(tc, exits_by_cpuidle);
	tcase_add_test(tc, lengths);
	tcase_add_test(tc, no_owners);
	tcase_add_test(tc, deleted);
	tcase_add_test(tc, no_room);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("wakecause", tc_live)
