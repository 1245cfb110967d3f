// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of the live kernel, filled with and without a walk. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "pids_rig.h"
#include "proc/tasktable.h"

static struct sm_root root;
static struct sm_tasktable walked, read_before, read_after;

static void setup(void)
{
	ck_assert_int_eq(sm_root_open(&root, NULL), 0);
	ck_assert_int_eq(sm_tasktable_init(&walked, &root, 1u << 20, false), 0);
	ck_assert_int_eq(sm_tasktable_init(&read_before, &root, 1u << 20, false), 0);
	ck_assert_int_eq(sm_tasktable_init(&read_after, &root, 1u << 20, false), 0);
}

static void teardown(void)
{
	sm_tasktable_fini(&walked);
	sm_tasktable_fini(&read_before);
	sm_tasktable_fini(&read_after);
	sm_root_close(&root);
}

static bool able(void)
{
	struct sm_tasktable t;
	int err;

	if (!own_pids())
		return false;
	ck_assert_int_eq(sm_tasktable_init(&t, &root, 1u << 20, false), 0);
	err = sm_tasktable_walk(&t);
	sm_tasktable_fini(&t);
	if (!err)
		return true;
	ck_assert_msg(err == -EPERM || err == -ENOSYS || err == -ENOENT, "%d", err);
	unit_skip("no permission to walk the tasks, or the kernel cannot");
	return false;
}

static void *pause_thread(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* A child that waits until it is killed, with this comm; it exits at once without one. */
static pid_t child(const char *comm, bool threads)
{
	pthread_t thread;
	int ready[2];
	pid_t pid;
	char c;

	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		if (!comm)
			_exit(3);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, comm);
		if (threads && pthread_create(&thread, NULL, pause_thread, NULL) != 0)
			_exit(1);
		close(ready[1]);
		pause_thread(NULL);
	}
	close(ready[1]);
	ck_assert_int_eq(read(ready[0], &c, 1), 0);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

static const struct sm_task *get(const struct sm_tasktable *t, pid_t pid)
{
	const struct sm_task *p = sm_tasktable_get(t, pid);

	ck_assert_ptr_nonnull(p);
	return p;
}

/* The start differs by less than the tick that /proc rounds it to. */
static bool equal(const struct sm_task *a, const struct sm_task *b)
{
	bool names = a->cmd && b->cmd
			     ? a->cmd->len == b->cmd->len &&
				       memcmp(a->cmd->s, b->cmd->s, a->cmd->len) == 0
			     : a->cmd == b->cmd;
	uint64_t apart = a->start_ns > b->start_ns ? a->start_ns - b->start_ns
						   : b->start_ns - a->start_ns;

	return names && apart < walked.tick_ns && a->tgid == b->tgid &&
	       a->ppid == b->ppid && a->flags == b->flags &&
	       strcmp(a->comm, b->comm) == 0;
}

/* A worker's name changes with its work, and back again. */
static bool is_worker(const struct sm_task *p)
{
	return strncmp(p->comm, "kworker/", 8) == 0;
}

/* Whatever is equal before and after in the tables without a walk is so in the table with
 * one. */
START_TEST(table_is_the_same)
{
	const struct sm_task *p, *q;
	unsigned int compared = 0;
	pid_t pid[3];

	if (!able())
		return;
	pid[0] = child("one thread", false);
	pid[1] = child("two threads", true);
	pid[2] = child(NULL, false);
	ck_assert_int_gt(sm_tasktable_seed(&read_before), 0);
	ck_assert_int_eq(sm_tasktable_walk(&walked), 0);
	ck_assert_int_gt(sm_tasktable_seed(&walked), 0);
	ck_assert_int_gt(sm_tasktable_seed(&read_after), 0);
	for (size_t i = 0; (p = sm_map_next(&read_before.map, &i));) {
		q = sm_tasktable_get(&read_after, p->pid);
		if (!q || !equal(p, q) || is_worker(p))
			continue;
		ck_assert_msg(equal(get(&walked, p->pid), p), "%d %s", p->pid, p->comm);
		compared++;
	}
	ck_assert_uint_ge(compared, 4); /* this process and its children */
	ck_assert_ptr_nonnull(sm_tasktable_get(&walked, 1));
	ck_assert_str_eq(get(&walked, pid[0])->comm, "one thread");
	ck_assert_uint_eq(get(&walked, pid[1])->threads, 1);
	ck_assert_ptr_null(get(&walked, pid[2])->cmd);
	for (size_t i = 0; i < SM_ARRAY_SIZE(pid); i++)
		end(pid[i]);
}
END_TEST

/* The walk reads no file of the child: its entry exists, without a command line.  The
 * seed adds that, and a process whose threads must be listed. */
START_TEST(seed_adds_what_the_walk_lacks)
{
	pid_t one, two;

	if (!able())
		return;
	one = child("one thread", false);
	two = child("two threads", true);
	ck_assert_int_eq(sm_tasktable_walk(&walked), 0);
	ck_assert_ptr_null(get(&walked, one)->cmd);
	ck_assert_int_eq(get(&walked, one)->ppid, getpid());
	ck_assert_ptr_null(sm_tasktable_get(&walked, two));
	ck_assert_int_gt(sm_tasktable_seed(&walked), 0);
	ck_assert_int_eq(sm_tasktable_source(get(&walked, one)), SM_NAME_PROC);
	ck_assert_int_eq(sm_tasktable_source(get(&walked, two)), SM_NAME_PROC);
	end(one);
	end(two);
}
END_TEST

/* The events of the PID that was reused since the walk replace what the seed made of both
 * processes. */
START_TEST(pid_is_reused_between_walk_and_seed)
{
	struct sm_task *p;
	pid_t pid;

	if (!able())
		return;
	pid = child("first", false);
	ck_assert_int_eq(sm_tasktable_walk(&walked), 0);
	end(pid);
	ck_assert_int_gt(sm_tasktable_seed(&walked), 0);
	p = sm_tasktable_get(&walked, pid);
	ck_assert_ptr_nonnull(p);
	ck_assert_ptr_null(p->cmd);
	ck_assert(sm_tasktable_ends(&walked, p));
	sm_tasktable_exit(&walked, p);
	ck_assert_ptr_null(sm_tasktable_get(&walked, pid));
	p = sm_tasktable_fork(&walked, pid, pid, getpid(), 1);
	ck_assert_str_ne(p->comm, "first");
	ck_assert_ptr_eq(p->cmd, get(&walked, getpid())->cmd);
}
END_TEST

START_TEST(other_machine_is_not_walked)
{
	walked.root = &(struct sm_root)SM_ROOT_INIT;
	ck_assert_int_eq(sm_tasktable_walk(&walked), -ENOTSUP);
	ck_assert_uint_eq(walked.map.used, 0);
}
END_TEST

static TCase *tc_walk(void)
{
	TCase *tc = tcase_create("walk");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table_is_the_same);
	tcase_add_test(tc, seed_adds_what_the_walk_lacks);
	tcase_add_test(tc, pid_is_reused_between_walk_and_seed);
	tcase_add_test(tc, other_machine_is_not_walked);
	return tc;
}

UNIT_MAIN("tasktable_walk", tc_walk)
