// SPDX-License-Identifier: GPL-2.0-or-later
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/file.h"
#include "proc/pagemap.h"
#include "target/target.h"
#include "target_rig.h"

static struct target t;
static struct child c;

static void ready(void)
{
	child_say("", 1);
}

static void setup(void)
{
	target_rig_open();
	t = (struct target)TARGET_INIT;
}

static void teardown(void)
{
	target_close(&t);
	target_rig_close();
}

static void start(void (*fn)(void))
{
	char b;

	child_start(&c, fn);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(
		target_open(&t, &live, c.pid, TARGET_USE_MEM | TARGET_USE_CLEAR), 0);
}

/* "process PID REST" */
static void explains(const char *rest)
{
	struct sm_buf b = {.p = NULL};
	char want[256];

	snprintf(want, sizeof(want), "process %d %s", (int)t.pid, rest);
	target_explain(&t, &b);
	sm_buf_chr(&b, '\0');
	ck_assert_str_eq(b.p, want);
	sm_buf_fini(&b);
}

static void says(const char *beginning)
{
	struct sm_buf b = {.p = NULL};

	target_explain(&t, &b);
	ck_assert_ptr_nonnull(memmem(b.p, b.len, beginning, strlen(beginning)));
	sm_buf_fini(&b);
}

START_TEST(alive)
{
	start(ready);
	ck_assert_int_eq(t.state, TARGET_ALIVE);
	ck_assert_int_eq(t.pid, c.pid);
	ck_assert_int_eq(t.stat.pid, c.pid);
	ck_assert_uint_eq(t.uid, geteuid());
	for (enum target_file f = 0; f < TARGET_FILES; f++)
		ck_assert_msg(t.fd[f] >= 0, "%s: %d", target_file_name(f), t.err[f]);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	explains("is running");
	child_end(&c);
}
END_TEST

START_TEST(what_is_not_wanted_is_not_opened)
{
	struct sm_buf b = {.p = NULL};
	char p;

	child_start(&c, ready);
	child_hear(&c, &p, 1);
	ck_assert_int_eq(
		target_open(&t, &live, c.pid, TARGET_NO_MEM | TARGET_NO_CLEAR), 0);
	ck_assert_int_eq(t.fd[TARGET_MEM], -1);
	ck_assert_int_eq(t.err[TARGET_MEM], 0);
	ck_assert_int_eq(t.fd[TARGET_CLEAR_REFS], -1);
	ck_assert_int_eq(target_clear_dirty(&t), -EBADF);
	target_explain_file(&t, TARGET_MEM, &b);
	ck_assert_ptr_nonnull(memmem(b.p, b.len, "not opened", 10));
	sm_buf_fini(&b);
	child_end(&c);
}
END_TEST

START_TEST(exit_is_seen_at_once)
{
	struct pollfd p;

	start(ready);
	p = (struct pollfd){.fd = t.pid_fd, .events = POLLIN};
	ck_assert_int_ge(t.pid_fd, 0);
	ck_assert_int_eq(poll(&p, 1, 0), 0);
	kill(c.pid, SIGKILL);
	ck_assert_int_eq(poll(&p, 1, -1), 1);
	child_dies(&c);
	ck_assert_int_eq(target_check(&t), TARGET_ZOMBIE);
	explains("is a zombie: it has exited, but its parent has not "
		 "reaped it");
	child_reap(&c);
	ck_assert_int_eq(target_check(&t), TARGET_EXITED);
	explains("has exited");
	ck_assert_int_eq(target_check(&t), TARGET_EXITED);
	child_end(&c);
}
END_TEST

START_TEST(exit_without_pidfd)
{
	start(ready);
	close(t.pid_fd);
	t.pid_fd = -1;
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	child_dies(&c);
	ck_assert_int_eq(target_check(&t), TARGET_ZOMBIE);
	child_reap(&c);
	ck_assert_int_eq(target_check(&t), TARGET_EXITED);
	child_end(&c);
}
END_TEST

START_TEST(zombie_from_the_start)
{
	char b;

	child_start(&c, ready);
	child_hear(&c, &b, 1);
	child_dies(&c);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(t.state, TARGET_ZOMBIE);
	child_reap(&c);
	child_end(&c);
}
END_TEST

START_TEST(no_such_process)
{
	pid_t pid = fork();
	char text[64];

	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(target_open(&t, &live, pid, 0), 0);
	ck_assert_int_eq(t.state, TARGET_EXITED);
	snprintf(text, sizeof(text), "process %d does not exist", (int)pid);
	says(text);
	ck_assert_int_eq(target_check(&t), TARGET_EXITED);
}
END_TEST

/* kthreadd has the pid 2 in the initial pid namespace. */
START_TEST(kernel_thread)
{
	struct sm_pidstat st;

	if (sm_procpid_read_stat(&live, 2, &st) < 0 || !(st.flags & SM_PF_KTHREAD))
		return;
	ck_assert_int_eq(target_open(&t, &live, 2, 0), 0);
	ck_assert_int_eq(t.state, TARGET_KTHREAD);
	explains("is a kernel thread and has no memory of its own");
}
END_TEST

static void exec_when_told(void)
{
	child_say("", 1);
	child_wait();
	child_exec_cat();
}

START_TEST(exec_opens_the_new_program)
{
	char old[64], now[64];
	ssize_t n;

	start(exec_when_told);
	n = pread(t.fd[TARGET_MAPS], old, sizeof(old), 0);
	ck_assert_int_gt(n, 0);
	child_go(&c);
	child_hear_exec(&c);
	ck_assert_int_le(pread(t.fd[TARGET_MAPS], now, sizeof(now), 0), 0);
	ck_assert_int_eq(target_check(&t), TARGET_EXECED);
	ck_assert_uint_eq(t.execs, 1);
	ck_assert_str_eq(t.stat.comm, "cat");
	ck_assert_int_gt(pread(t.fd[TARGET_MAPS], now, sizeof(now), 0), 0);
	ck_assert_int_ne(memcmp(old, now, (size_t)n), 0);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	ck_assert_uint_eq(t.execs, 1);
	child_end(&c);
}
END_TEST

static int second(void *ctx, pid_t tid)
{
	pid_t *pid = ctx;

	if (tid == *pid)
		return 0;
	*pid = tid;
	return 1;
}

static pid_t thread_of(pid_t pid)
{
	ck_assert_int_eq(sm_procpid_scan_threads(&live, pid, second, &pid), 1);
	return pid;
}

static void *sleep_long(void *arg)
{
	child_say("", 1);
	pause();
	return arg;
}

static void with_a_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, sleep_long, NULL);
}

START_TEST(a_thread_stands_for_its_process)
{
	char b;
	pid_t tid;

	child_start(&c, with_a_thread);
	child_hear(&c, &b, 1);
	tid = thread_of(c.pid);
	ck_assert_int_ne(tid, c.pid);
	ck_assert_int_eq(target_open(&t, &live, tid, 0), 0);
	ck_assert_int_eq(t.state, TARGET_ALIVE);
	ck_assert_int_eq(t.pid, c.pid);
	child_end(&c);
}
END_TEST

START_TEST(leader_ends_before_its_process)
{
	struct pollfd p = {.events = POLLIN};
	char b;

	start(child_leader_ends);
	p.fd = t.pid_fd;
	ck_assert_int_eq(t.state, TARGET_ALIVE);
	ck_assert_int_gt(pread(t.fd[TARGET_SMAPS], &b, 1, 0), 0);
	ck_assert_int_eq(pread(t.fd[TARGET_MAPS], &b, 1, 0), 1);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	kill(c.pid, SIGKILL);
	ck_assert_int_eq(poll(&p, 1, -1), 1);
	ck_assert_int_eq(target_check(&t), TARGET_ZOMBIE);
	child_end(&c);
}
END_TEST

/* As an ordinary user, in a process of its own. */
static void denied_as_nobody(pid_t pid)
{
	struct sm_buf b = {.p = NULL};
	char want[160];

	if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
		_exit(2);
	if (target_open(&t, &live, pid, 0) != 0 || t.state != TARGET_DENIED)
		_exit(3);
	target_explain(&t, &b);
	sm_buf_chr(&b, '\0');
	snprintf(want, sizeof(want),
		"the %s of process %d: Permission denied; it needs CAP_SYS_PTRACE and "
		"CAP_DAC_READ_SEARCH, or the "
		"same user",
		target_file_name(t.denied_file), (int)pid);
	_exit(strcmp(b.p, want) == 0 ? 0 : 4);
}

START_TEST(denied)
{
	int status;
	pid_t pid;
	char b;

	if (!unit_has_cap(CAP_SETUID) || !unit_has_cap(CAP_SETGID))
		return;
	child_start(&c, ready);
	child_hear(&c, &b, 1);
	pid = fork();
	if (pid == 0)
		denied_as_nobody(c.pid);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	child_end(&c);
}
END_TEST

/* Nothing is left open by any of the ways. */
START_TEST(no_descriptor_is_lost)
{
	unsigned int before;

	before = unit_open_fds();
	ck_assert_int_eq(target_open(&t, &live, getpid(), 0), 0);
	ck_assert_uint_gt(unit_open_fds(), before);
	target_close(&t);
	target_close(&t);
	ck_assert_uint_eq(unit_open_fds(), before);
	ck_assert_int_eq(target_open(&t, &live, 2, 0), 0);
	target_close(&t);
	ck_assert_uint_eq(unit_open_fds(), before);
}
END_TEST

static unsigned char *dirty_page;

static void write_when_told(void)
{
	dirty_page = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dirty_page[0] = 1;
	child_say(&dirty_page, sizeof(dirty_page));
	child_wait();
	dirty_page[0] = 2;
	child_say("", 1);
}

static bool entry_is_dirty(const void *address)
{
	uint64_t entry;

	ck_assert_int_eq(pread(t.fd[TARGET_PAGEMAP], &entry, sizeof(entry),
				 (off_t)((uintptr_t)address / page_bytes * 8)),
		8);
	return entry & SM_PAGEMAP_SOFT_DIRTY;
}

START_TEST(dirty_only_where_the_kernel_can)
{
	int self_fd = sm_pagemap_open_self(&live);
	int can = sm_pagemap_tracks_dirty(self_fd);
	char b;

	close(self_fd);
	ck_assert_int_ge(can, 0);
	child_start(&c, write_when_told);
	child_hear(&c, &dirty_page, sizeof(dirty_page));
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(target_clear_dirty(&t), 0);
	ck_assert(!entry_is_dirty(dirty_page));
	child_go(&c);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(entry_is_dirty(dirty_page), can);
	child_end(&c);
}
END_TEST

static TCase *tc_target(void)
{
	TCase *tc = tcase_create("target");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, alive);
	tcase_add_test(tc, what_is_not_wanted_is_not_opened);
	tcase_add_test(tc, exit_is_seen_at_once);
	tcase_add_test(tc, exit_without_pidfd);
	tcase_add_test(tc, zombie_from_the_start);
	tcase_add_test(tc, no_such_process);
	tcase_add_test(tc, kernel_thread);
	tcase_add_test(tc, exec_opens_the_new_program);
	tcase_add_test(tc, a_thread_stands_for_its_process);
	tcase_add_test(tc, leader_ends_before_its_process);
	tcase_add_test(tc, denied);
	tcase_add_test(tc, no_descriptor_is_lost);
	tcase_add_test(tc, dirty_only_where_the_kernel_can);
	return tc;
}

UNIT_MAIN("target", tc_target)
