// SPDX-License-Identifier: GPL-2.0-or-later
/* The program of exitbpf against wait4(2): needs the privilege to load it. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "forkstat/exitbpf.h"
#include "pids_rig.h"
#include "proc/procpid.h"

#define THREADS 100

static struct sm_root root;
static struct exitbpf b;
static bool permitted;

/* Written by the child, in shared memory. */
static struct {
	int n; /* threads but the leader */
	pid_t tid[THREADS];
	int ready;
} * told;

static void setup(void)
{
	struct sm_bpf_log log;
	int err;

	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(told, MAP_FAILED);
	err = exitbpf_open(&b, &root, &log);
	permitted = err == 0;
	ck_assert_msg(!err || geteuid() != 0 || err == -EPERM || err == -ENOENT, "%d: %s",
		err, log.text);
}

static void teardown(void)
{
	if (permitted)
		exitbpf_close(&b);
	munmap(told, sizeof(*told));
	sm_root_close(&root);
}

static bool able(void)
{
	if (!permitted)
		unit_skip("no permission to load the program, or no BTF");
	return permitted && own_pids();
}

enum way { EXIT, EXIT_GROUP, KILL, LEADER_LAST };

struct child {
	enum way way;
	int threads, leader_code, code;
};

static const struct child *plan;
static pid_t leader;

static void *sleeper(void *arg)
{
	told->tid[__atomic_fetch_add(&told->ready, 1, __ATOMIC_SEQ_CST)] =
		(pid_t)syscall(SYS_gettid);
	for (;;)
		pause();
	return arg;
}

/* Its own exit follows that of the leader, a zombie then, which no futex tells. */
static void outlive_leader(void)
{
	struct sm_pidstat st;

	do
		usleep(1000);
	while (sm_procpid_read_thread_stat(&root, leader, leader, &st) == 0 &&
		st.state != 'Z');
}

static void *last(void *arg)
{
	told->tid[__atomic_fetch_add(&told->ready, 1, __ATOMIC_SEQ_CST)] =
		(pid_t)syscall(SYS_gettid);
	outlive_leader();
	if (plan->way == EXIT)
		syscall(SYS_exit, plan->code);
	if (plan->way == EXIT_GROUP)
		syscall(SYS_exit_group, plan->code);
	kill(leader, plan->code);
	pause();
	return arg;
}

static void *passer(void *arg)
{
	told->tid[__atomic_fetch_add(&told->ready, 1, __ATOMIC_SEQ_CST)] =
		(pid_t)syscall(SYS_gettid);
	return arg;
}

/* pthread_join(3) returns a little before the kernel has one thread less. */
static void be_alone(void)
{
	struct sm_pidstat st;

	while (sm_procpid_read_stat(&root, leader, &st) == 0 && st.num_threads > 1)
		usleep(1000);
}

static void live(void)
{
	pthread_t t;

	leader = getpid();
	if (plan->way == LEADER_LAST) {
		for (int i = 0; i < plan->threads; i++)
			if (pthread_create(&t, NULL, passer, NULL) ||
				pthread_join(t, NULL))
				_exit(99);
		be_alone();
		syscall(SYS_exit, plan->leader_code);
	}
	for (int i = 0; i < plan->threads; i++)
		if (pthread_create(&t, NULL, i ? sleeper : last, NULL))
			_exit(99);
	while (__atomic_load_n(&told->ready, __ATOMIC_SEQ_CST) < plan->threads)
		usleep(1000);
	syscall(SYS_exit, plan->leader_code);
}

/* The record of the thread; false: none. */
static bool taken(pid_t tid, pid_t tgid, struct exitbpf_raw *r)
{
	return exitbpf_take(&b, tid, tgid, UINT64_MAX - SM_NSEC_PER_SEC, r);
}

static void run(const struct child *c)
{
	struct exitbpf_raw r, best = {0};
	bool final = false;
	int status;
	pid_t pid;

	plan = c;
	memset(told, 0, sizeof(*told));
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		live();
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	exitbpf_drain(&b);
	for (int i = 0; i < c->threads; i++) {
		ck_assert_msg(taken(told->tid[i], pid, &r), "thread %d", i);
		final |= r.live == 0;
		if (r.kind >= best.kind && r.time_ns > best.time_ns)
			best = r;
	}
	if (c->way == LEADER_LAST) {
		/* exit and wait4(2) say the same: there is nothing to add */
		ck_assert(!taken(pid, pid, &r));
		ck_assert_int_eq(status, c->leader_code << 8);
		return;
	}
	ck_assert(final);
	ck_assert_uint_ne(best.kind, EXITBPF_NONE);
	ck_assert_int_eq((int)best.code, status);
	ck_assert(taken(pid, pid, &r));
	ck_assert_uint_eq(r.live, (unsigned int)c->threads);
	ck_assert_uint_eq(r.kind, EXITBPF_NONE);
	ck_assert_uint_eq(sm_bpf_stream_lost(&b.stream), 0);
}

START_TEST(status_as_wait4_gives_it)
{
	static const struct child c[] = {
		{EXIT, 1, 3, 7},
		{EXIT, 1, 0, 0},
		{EXIT_GROUP, 1, 3, 7},
		{EXIT_GROUP, 10, 0, 5},
		{KILL, 1, 0, SIGHUP},
		{KILL, THREADS, 3, SIGKILL},
		{LEADER_LAST, 2, 9, 0},
	};

	if (!able())
		return;
	for (size_t i = 0; i < SM_ARRAY_SIZE(c); i++)
		run(&c[i]);
}
END_TEST

/* Whatever its status: the event of a process with one thread says all. */
START_TEST(single_threads_leave_no_record)
{
	struct exitbpf_raw r;
	int status;
	pid_t pid;

	if (!able())
		return;
	for (int i = 0; i < 300; i++) {
		pid = fork();
		if (pid == 0 && i % 3 == 0)
			syscall(SYS_exit, i);
		if (pid == 0 && i % 3 == 1)
			raise(SIGKILL);
		if (pid == 0)
			_exit(i);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		exitbpf_drain(&b);
		ck_assert(!taken(pid, pid, &r));
	}
}
END_TEST

START_TEST(closed_twice)
{
	if (!able())
		return;
	exitbpf_close(&b);
	exitbpf_close(&b);
	permitted = false;
}
END_TEST

static TCase *tc_kernel(void)
{
	TCase *tc = tcase_create("kernel");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, status_as_wait4_gives_it);
	tcase_add_test(tc, single_threads_leave_no_record);
	tcase_add_test(tc, closed_twice);
	return tc;
}

UNIT_MAIN("exitbpf", tc_kernel)
