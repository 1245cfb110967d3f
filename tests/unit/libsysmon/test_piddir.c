// SPDX-License-Identifier: GPL-2.0-or-later
/* Files below the directory of a process: this one, a child that ends, recorded trees. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/piddir.h"
#include "unit.h"

static struct sm_root root;
static int go[2];

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	ck_assert_int_eq(pipe(go), 0);
}

static void teardown(void)
{
	close(go[0]);
	close(go[1]);
	sm_root_close(&root);
}

START_TEST(own)
{
	int dir = sm_piddir_open(&root, getpid());
	struct sm_pidstat st;
	struct sm_pidcred cred;

	ck_assert_int_ge(dir, 0);
	ck_assert_int_eq(sm_piddir_stat(&root, dir, &st), 0);
	ck_assert_int_eq(st.pid, getpid());
	ck_assert_int_eq(st.ppid, getppid());
	ck_assert_int_eq(sm_piddir_cred(&root, dir, &cred), 0);
	ck_assert_uint_eq(cred.euid, geteuid());
	ck_assert_int_eq(cred.tgid, getpid());
	close(dir);
}
END_TEST

static void *wait_for_go(void *tid)
{
	char c;

	__atomic_store_n((pid_t *)tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	if (read(go[0], &c, 1) != 1)
		abort();
	return NULL;
}

/* pthread_join(3) returns a little before the kernel has one thread less. */
static void await_end(pid_t tid)
{
	while (syscall(SYS_tgkill, getpid(), tid, 0) == 0)
		sched_yield();
	ck_assert_int_eq(errno, ESRCH);
}

START_TEST(thread)
{
	int dir = sm_piddir_open(&root, getpid()), fd;
	pid_t tid = 0;
	pthread_t id;

	ck_assert_int_eq(sm_piddir_other_thread(&root, dir, getpid()), 0);
	ck_assert_int_eq(pthread_create(&id, NULL, wait_for_go, &tid), 0);
	while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
		sched_yield();
	ck_assert_int_eq(sm_piddir_other_thread(&root, dir, getpid()), tid);
	fd = sm_piddir_file(&root, dir, tid, "comm", O_RDONLY);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(write(go[1], "x", 1), 1);
	ck_assert_int_eq(pthread_join(id, NULL), 0);
	await_end(tid);
	ck_assert_int_eq(sm_piddir_file(&root, dir, tid, "comm", O_RDONLY), -ENOENT);
	close(dir);
}
END_TEST

/* The descriptor is of the child, whatever process has its number later. */
START_TEST(child_that_ends)
{
	struct sm_pidstat st;
	struct sm_pidcred cred;
	struct pollfd p = {.events = POLLIN};
	pid_t pid = fork();
	int dir;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		pause();
		_exit(0);
	}
	dir = sm_piddir_open(&root, pid);
	p.fd = sm_piddir_pidfd(&root, pid);
	ck_assert(p.fd >= 0 || p.fd == -ENOSYS);
	ck_assert_int_eq(sm_piddir_stat(&root, dir, &st), 0);
	ck_assert_int_eq(st.pid, pid);
	kill(pid, SIGKILL);
	if (p.fd >= 0)
		ck_assert_int_eq(poll(&p, 1, -1), 1);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_piddir_stat(&root, dir, &st), -ESRCH);
	ck_assert_int_eq(sm_piddir_cred(&root, dir, &cred), -ESRCH);
	ck_assert_int_lt(sm_piddir_file(&root, dir, 0, "maps", O_RDONLY), 0);
	ck_assert_int_eq(sm_piddir_open(&root, pid), -ENOENT);
	close(dir);
	if (p.fd >= 0)
		close(p.fd);
}
END_TEST

START_TEST(descriptors_of_the_root)
{
	ck_assert(sm_root_has_fd(&root, root.proc.fd));
	ck_assert(!sm_root_has_fd(&root, go[0]));
	ck_assert(!sm_root_has_fd(&root, -1));
	ck_assert_int_ge(sm_root_highest_fd(&root), root.proc.fd);
	ck_assert_int_ge(sm_root_highest_fd(&root), root.sys.fd);
}
END_TEST

static TCase *tc_piddir(void)
{
	TCase *tc = tcase_create("piddir");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, own);
	tcase_add_test(tc, thread);
	tcase_add_test(tc, child_that_ends);
	tcase_add_test(tc, descriptors_of_the_root);
	return tc;
}

UNIT_MAIN("piddir", tc_piddir)
