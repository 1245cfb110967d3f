// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "asleep_rig.h"
#include "base/clock.h"
#include "pids_rig.h"
#include "proc/cpuclock.h"
#include "proc/taskwalk.h"

/* --- a record as stat -------------------------------------------------------------- */

static const struct sm_taskwalk_raw sample = {
	.ns = 1000000007,
	.utime_ns = 300000000,
	.stime_ns = 100000000,
	.cutime_ns = 50000000,
	.cstime_ns = 19999999,
	.start_ns = 123456789012,
	.pid = 4321,
	.ppid = 4000,
	.threads = 1,
	.flags = SM_PF_KTHREAD,
	.state = 1,
	.cpu = 3,
	.comm = "cc1",
};

START_TEST(record_is_converted)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sysconf(_SC_CLK_TCK), 100);
	sm_taskwalk_stat(&sample, &st);
	ck_assert_int_eq(st.pid, 4321);
	ck_assert_int_eq(st.ppid, 4000);
	ck_assert_str_eq(st.comm, "cc1");
	ck_assert_uint_eq(st.comm_len, 3);
	ck_assert_int_eq(st.state, 'S');
	ck_assert_uint_eq(st.flags, SM_PF_KTHREAD);
	ck_assert_uint_eq(st.utime_ticks, 75);
	ck_assert_uint_eq(st.stime_ticks, 25);
	ck_assert_int_eq(st.cutime_ticks, 5);
	ck_assert_int_eq(st.cstime_ticks, 1);
	ck_assert_int_eq(st.num_threads, 1);
	ck_assert_uint_eq(st.start_ticks, 12345);
	ck_assert_int_eq(st.processor, 3);
}
END_TEST

/* The numbers of include/linux/sched.h: 0x2000 is TASK_FREEZABLE, 0x400 TASK_NOLOAD. */
START_TEST(states)
{
	static const struct {
		uint32_t state, exit_state;
		char letter;
	} of[] = {{0, 0, 'R'}, {1, 0, 'S'}, {0x2001, 0, 'S'}, {2, 0, 'D'},
		{0x102, 0, 'D'}, {0x402, 0, 'I'}, {0x2402, 0, 'I'}, {4, 0, 'T'},
		{0x104, 0, 'T'}, {8, 0, 't'}, {0x80, 0x20, 'Z'}, {0x80, 0x10, 'X'},
		{0x40, 0, 'P'}, {0x1000, 0, 'D'}, {0x8000, 0, 'D'}, {0x200, 0, 'R'}};
	struct sm_taskwalk_raw r = sample;
	struct sm_pidstat st;

	for (size_t i = 0; i < SM_ARRAY_SIZE(of); i++) {
		r.state = of[i].state;
		r.exit_state = of[i].exit_state;
		sm_taskwalk_stat(&r, &st);
		ck_assert_msg(st.state == of[i].letter, "%x %x: %c", r.state,
			r.exit_state, st.state);
	}
}
END_TEST

START_TEST(name_without_end)
{
	struct sm_taskwalk_raw r = sample;
	struct sm_pidstat st;

	memset(r.comm, 'x', sizeof(r.comm));
	sm_taskwalk_stat(&r, &st);
	ck_assert_str_eq(st.comm, "xxxxxxxxxxxxxxx");
	ck_assert_uint_eq(st.comm_len, 15);
}
END_TEST

/* --- the kernel -------------------------------------------------------------------- */

static struct sm_root root;
static struct sm_taskwalk walk;
static bool permitted;

static void setup(void)
{
	struct sm_bpf_log log = {0};
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	err = sm_taskwalk_open(&walk, &root, 16384, &log);
	permitted = err == 0;
	ck_assert_msg(permitted || err == -EPERM || err == -ENOSYS || err == -ENOENT,
		"%d: %s", err, log.text);
}

static void teardown(void)
{
	sm_taskwalk_close(&walk);
	sm_root_close(&root);
}

/* False, and the test is skipped, where there is no walk or where its pids are others. */
static bool able(void)
{
	if (!permitted)
		unit_skip("no permission to load the program, or the kernel has no "
			  "iterator of tasks");
	return permitted && own_pids();
}

static const struct sm_taskwalk_raw *find(pid_t pid)
{
	const struct sm_taskwalk_raw *r = sm_taskwalk_records(&walk), *found = NULL;

	for (uint32_t i = 0; i < sm_taskwalk_head(&walk)->n; i++) {
		ck_assert_int_gt(r[i].pid, 0);
		if (r[i].pid != pid)
			continue;
		ck_assert_ptr_null(found);
		found = &r[i];
	}
	return found;
}

/* A child that waits until it is killed, with this name. */
static pid_t sleeper(const char *name, unsigned int burn_ms)
{
	int ready[2];
	pid_t pid;
	char c;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		while (clock() < (clock_t)burn_ms * (CLOCKS_PER_SEC / 1000)) {
		}
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &c, 1), 0);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* Each of the two parts of the CPU time is rounded down.  The parts depend on earlier
 * readings of /proc, by any process: cputime_adjust() of kernel/sched/cputime.c. */
static void has_ticks(const struct sm_pidstat *st, uint64_t ns)
{
	uint64_t sum = st->utime_ticks + st->stime_ticks, all = ns / 10000000;

	ck_assert_uint_le(sum, all);
	ck_assert_uint_ge(sum + 1, all);
}

static void compare(const struct sm_pidstat *a, const struct sm_pidstat *b)
{
	ck_assert_int_eq(a->pid, b->pid);
	ck_assert_int_eq(a->ppid, b->ppid);
	ck_assert_str_eq(a->comm, b->comm);
	ck_assert_int_eq(a->state, b->state);
	ck_assert_uint_eq(a->flags, b->flags);
	ck_assert_int_eq(a->num_threads, b->num_threads);
	ck_assert_uint_eq(a->start_ticks, b->start_ticks);
	ck_assert_int_eq(a->processor, b->processor);
	ck_assert_int_eq(a->cutime_ticks, b->cutime_ticks);
	ck_assert_int_eq(a->cstime_ticks, b->cstime_ticks);
}

/* Of a process that does not run, as /proc has it; its time is that of its clock. */
START_TEST(record_of_a_child)
{
	const struct sm_taskwalk_raw *r;
	struct sm_pidstat want, got;
	uint64_t ns;
	pid_t pid;

	if (!able())
		return;
	pid = sleeper("a (walked) child", 30);
	await_asleep(pid);
	ck_assert_int_eq(sm_procpid_read_stat(&root, pid, &want), 0);
	ck_assert_int_eq(sm_cpuclock_ns(pid, &ns), 0);
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	r = find(pid);
	ck_assert_ptr_nonnull(r);
	sm_taskwalk_stat(r, &got);
	compare(&got, &want);
	has_ticks(&got, ns);
	has_ticks(&want, ns);
	ck_assert_uint_eq(r->ns, ns);
	ck_assert_uint_ge(r->ns, 30 * SM_NSEC_PER_MSEC);
	end(pid);
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	ck_assert_ptr_null(find(pid));
}
END_TEST

static bool started_since(const struct sm_pidstat *st)
{
	uint64_t tick_ns = SM_NSEC_PER_SEC / 100;

	return (st->start_ticks + 1) * tick_ns >=
	       sm_taskwalk_head(&walk)->begun_ns + (uint64_t)sm_clock_boot_offset_ns();
}

/* Each process that /proc shows and that is older than the walk, except pid 1, which
 * kernels of some vendors leave out. */
static int must_have(void *ctx, pid_t pid)
{
	const struct sm_taskwalk_raw *r = find(pid);
	unsigned int *seen = ctx;
	struct sm_pidstat st, got;

	*seen += r != NULL;
	/* Processes that ended, and were born, since the walk. */
	if (sm_procpid_read_stat(&root, pid, &st) < 0)
		return 0;
	if (!r) {
		ck_assert(pid == 1 || started_since(&st));
		return 0;
	}
	sm_taskwalk_stat(r, &got);
	ck_assert_uint_eq(st.start_ticks, got.start_ticks);
	ck_assert_uint_eq(st.flags & SM_PF_KTHREAD, got.flags & SM_PF_KTHREAD);
	return 0;
}

START_TEST(all_processes)
{
	const struct sm_taskwalk_head *head;
	uint64_t before = sm_clock_mono_ns();
	unsigned int seen = 0;

	if (!able())
		return;
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	head = sm_taskwalk_head(&walk);
	ck_assert_uint_ge(head->begun_ns, before);
	ck_assert_uint_ge(head->ended_ns, head->begun_ns);
	ck_assert_uint_le(head->ended_ns, sm_clock_mono_ns());
	ck_assert_int_eq(sm_procpid_scan(&root, must_have, &seen), 0);
	ck_assert_uint_ge(seen, 2); /* this one and the runner */
}
END_TEST

static void *pause_thread(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* Also those that have run: the record of this process is between two readings of its
 * clock. */
START_TEST(threads_and_clock)
{
	uint64_t before, after;
	pthread_t thread;

	if (!able())
		return;
	for (int i = 0; i < 1000; i++) {
		ck_assert_int_eq(sm_cpuclock_ns(getppid(), &before), 0);
		ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
		ck_assert_int_eq(sm_cpuclock_ns(getppid(), &after), 0);
		ck_assert_uint_ge(find(getppid())->ns, before);
		ck_assert_uint_le(find(getppid())->ns, after);
	}
	ck_assert_uint_eq(find(getpid())->threads, 1);
	ck_assert_int_eq(pthread_create(&thread, NULL, pause_thread, NULL), 0);
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	ck_assert_uint_eq(find(getpid())->threads, 2);
}
END_TEST

/* To the nanosecond, where rusage has microseconds: each child has two rounded sums. */
START_TEST(time_of_reaped_children)
{
	enum { CHILDREN = 20 };
	uint64_t sum = 0, ns, before;
	pid_t pid;

	if (!able())
		return;
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	before = find(getpid())->cutime_ns + find(getpid())->cstime_ns;
	for (int i = 0; i < CHILDREN; i++) {
		siginfo_t info;

		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			_exit(0);
		ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
		await_asleep(pid);
		ck_assert_int_eq(sm_cpuclock_ns(pid, &ns), 0);
		ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
		ck_assert_uint_eq(find(pid)->ns, ns);
		ck_assert_uint_eq(find(pid)->exit_state, 32);
		sum += ns;
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	ck_assert_uint_eq(
		find(getpid())->cutime_ns + find(getpid())->cstime_ns, before + sum);
}
END_TEST

/* An orphan gets a new parent without running; a name comes with the next CPU time. */
START_TEST(record_of_an_idle_process)
{
	pid_t parent, orphan;
	int fd[2];

	if (!able())
		return;
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ck_assert_int_eq(pipe(fd), 0);
	parent = fork();
	if (parent == 0) {
		orphan = fork();
		if (orphan)
			(void)!write(fd[1], &orphan, sizeof(orphan));
		for (;;)
			pause();
	}
	ck_assert_int_eq(read(fd[0], &orphan, sizeof(orphan)), sizeof(orphan));
	await_asleep(parent);
	await_asleep(orphan);
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	ck_assert_int_eq(find(orphan)->ppid, parent);
	ck_assert_int_eq(kill(parent, SIGKILL), 0);
	ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
	ck_assert_int_eq(prctl(PR_SET_NAME, "renamed"), 0);
	usleep(1000);
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
	ck_assert_int_eq(find(orphan)->ppid, getpid());
	ck_assert_str_eq(find(getpid())->comm, "renamed");
	ck_assert_int_eq(kill(orphan, SIGKILL), 0);
	ck_assert_int_eq(waitpid(orphan, NULL, 0), orphan);
}
END_TEST

START_TEST(too_little_room)
{
	if (!able())
		return;
	sm_taskwalk_close(&walk);
	ck_assert_int_eq(sm_taskwalk_open(&walk, &root, 2, NULL), 0);
	ck_assert_int_eq(sm_taskwalk_run(&walk), -ENOBUFS);
	ck_assert_uint_eq(sm_taskwalk_head(&walk)->n, 2);
	/* A longer walk would delay others. */
	sm_taskwalk_close(&walk);
	ck_assert_int_eq(sm_taskwalk_open(&walk, &root, UINT32_MAX, NULL), 0);
	ck_assert_uint_eq(walk.records.bytes, 16384 * sizeof(struct sm_taskwalk_raw));
	ck_assert_int_eq(sm_taskwalk_run(&walk), 0);
}
END_TEST

static TCase *tc_stat(void)
{
	TCase *tc = tcase_create("stat");

	tcase_add_test(tc, record_is_converted);
	tcase_add_test(tc, states);
	tcase_add_test(tc, name_without_end);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, record_of_a_child);
	tcase_add_test(tc, all_processes);
	tcase_add_test(tc, threads_and_clock);
	tcase_add_test(tc, time_of_reaped_children);
	tcase_add_test(tc, record_of_an_idle_process);
	tcase_add_test(tc, too_little_room);
	return tc;
}

UNIT_MAIN("taskwalk", tc_stat, tc_live)
