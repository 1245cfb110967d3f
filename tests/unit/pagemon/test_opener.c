// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/fanotify.h>
#include <sys/wait.h>

#include "cli/priv.h"
#include "fixroot_rig.h"
#include "opener_rig.h"
#include "pages/space.h"
#include "proc/pagemap.h"
#include "target/files.h"

/* The state when the opener has answered. */
static enum target_state checked(struct target *x)
{
	while (target_check(x) == TARGET_WAITING)
		wait_readable(o.fd);
	return x->state;
}

static void errors_are(const struct perf_counts *counts, int err)
{
	for (size_t i = 0; i < PERF_COUNTERS; i++)
		ck_assert_int_eq(counts->err[i], err);
}

START_TEST(opens_after_exec)
{
	unsigned int fds;

	open_two(exec_when_told);
	fds = unit_open_fds();
	child_go(&d);
	child_hear_exec(&d);
	ck_assert(!has_text(u.fd[TARGET_MAPS]));
	ck_assert_int_eq(checked(&u), TARGET_EXECED);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	ck_assert_str_eq(u.stat.comm, "cat");
	ck_assert_int_eq(u.fd[TARGET_MEM], -1);
	ck_assert_int_eq(u.err[TARGET_MEM], 0);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	child_go(&c);
	child_hear_exec(&c);
	ck_assert_int_eq(checked(&t), TARGET_EXECED);
	ck_assert_int_ge(t.fd[TARGET_MEM], 0);
	ck_assert_uint_eq(unit_open_fds(), fds);
	end_two();
}
END_TEST

/* Returns whether the pagemap shows the frames of the stack, which holds the arguments.
 */
static bool shows_frames(const struct target *x)
{
	struct space s;
	uint64_t frames = 0;

	if (space_init(&s) < 0 || space_update(&s, x->fd[TARGET_MAPS]) < 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		const struct mapping *m = &s.mappings[i];
		uint64_t e;

		if (strcmp(m->name, "[stack]") != 0)
			continue;
		for (uint64_t at = m->start; at < m->end; at += s.page_bytes)
			if (sm_pagemap_read(x->fd[TARGET_PAGEMAP], at, &e, 1) == 1 &&
				(e & SM_PAGEMAP_PRESENT))
				frames |= e & SM_PAGEMAP_PFN_MASK;
	}
	space_fini(&s);
	return frames;
}

/* The drop leaves a process that may open nothing of the target: the opener still does.
 */
static void drop_and_check(void)
{
	const char *step = "?";
	int err = sm_priv_drop(0, NULL, &step);

	if (err)
		_exit(2);
	child_go(&d);
	child_hear_exec(&d);
	if (checked(&u) != TARGET_EXECED || !has_text(u.fd[TARGET_MAPS]))
		_exit(3);
	if (!shows_frames(&u))
		_exit(4);
	u.opener = NULL;
	child_end(&c);
	_exit(0);
}

START_TEST(opens_after_the_drop)
{
	int status;
	pid_t pid;

	if (!unit_has_cap(CAP_SYS_ADMIN) || geteuid() != 0)
		return;
	open_two(exec_when_told);
	pid = fork();
	if (pid == 0)
		drop_and_check();
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	end_two();
}
END_TEST

/* Without an opener, the tool opens what it may itself. */
START_TEST(ends_with_the_tool)
{
	open_two(exec_when_told);
	opener_end(&o);
	child_go(&d);
	child_hear_exec(&d);
	ck_assert_int_eq(target_check(&u), TARGET_EXECED);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	end_two();
}
END_TEST

START_TEST(gone_process)
{
	struct perf_counts counts;

	open_two(exec_when_told);
	child_dies(&d);
	child_reap(&d);
	ck_assert_int_eq(opener_ask(&o, &u, FILES_OF_PROGRAM), 0);
	answered(&u);
	ck_assert_int_eq(u.fd[TARGET_MAPS], -1);
	ck_assert_int_lt(u.err[TARGET_MAPS], 0);
	ck_assert_int_eq(target_check(&u), TARGET_EXITED);
	ck_assert_int_eq(opener_ask_events(&o, &u, false), 0);
	take_counts(&counts);
	errors_are(&counts, -ESRCH);
	ck_assert_int_eq(opener_ask(&o, &t, FILES_OF_PROGRAM), 0); /* it still serves */
	answered(&t);
	ck_assert_int_ge(t.fd[TARGET_MAPS], 0);
	end_two();
}
END_TEST

/* ---- an opener that does not answer ---- */

static int other_child(void *ctx, pid_t pid)
{
	struct sm_pidstat st;
	pid_t *found = ctx;

	if (pid != c.pid && pid != d.pid && sm_procpid_read_stat(&live, pid, &st) == 0 &&
		st.ppid == getpid())
		*found = pid;
	return 0;
}

/* The test adopts the opener. */
static pid_t open_two_and_stop(void (*first)(void))
{
	pid_t pid = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	open_two(first);
	ck_assert_int_eq(sm_procpid_scan(&live, other_child, &pid), 0);
	ck_assert_int_gt(pid, 0);
	kill(pid, SIGSTOP);
	return pid;
}

static void execs(struct child *x)
{
	child_go(x);
	child_hear_exec(x);
}

START_TEST(waits_for_the_opener_without_blocking)
{
	pid_t opener = open_two_and_stop(exec_when_told);

	execs(&d);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(target_check(&u), TARGET_WAITING);
	ck_assert(!target_over(u.state));
	ck_assert_uint_eq(u.execs, 0);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	kill(opener, SIGCONT);
	ck_assert_int_eq(checked(&u), TARGET_EXECED);
	ck_assert_uint_eq(u.execs, 1);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	end_two();
}
END_TEST

START_TEST(exit_while_the_opener_is_waited_for)
{
	pid_t opener = open_two_and_stop(exec_when_told);

	execs(&d);
	ck_assert_int_eq(target_check(&u), TARGET_WAITING);
	child_dies(&d);
	ck_assert_int_eq(target_check(&u), TARGET_ZOMBIE);
	kill(opener, SIGCONT);
	end_two();
}
END_TEST

static unsigned char first_byte(const struct target *x)
{
	char line[64];
	unsigned char byte = 0;
	ssize_t n = pread(x->fd[TARGET_MAPS], line, sizeof(line) - 1, 0);

	ck_assert_int_gt(n, 0);
	line[n] = '\0';
	ck_assert_int_eq(
		pread(x->fd[TARGET_MEM], &byte, 1, (off_t)strtoull(line, NULL, 16)), 1);
	return byte;
}

/* The reply to the request for the old program's memory is discarded. */
START_TEST(replies_belong_to_requests)
{
	pid_t opener;
	unsigned int fds;

	opener = open_two_and_stop(exec_when_told);
	fds = unit_open_fds();
	close(t.fd[TARGET_MEM]);
	t.fd[TARGET_MEM] = -1;
	ck_assert_int_eq(target_need(&t, TARGET_MEM), -EINPROGRESS);
	ck_assert_int_eq(target_need(&t, TARGET_MEM), -EINPROGRESS);
	execs(&c);
	ck_assert_int_eq(target_check(&t), TARGET_WAITING);
	kill(opener, SIGCONT);
	ck_assert_int_eq(checked(&t), TARGET_EXECED);
	ck_assert_int_eq(target_need(&t, TARGET_MEM), 0);
	ck_assert_uint_eq(first_byte(&t), 0x7f);	       /* ELF */
	ck_assert_int_eq(target_need(&u, TARGET_MEM), -EBADF); /* TARGET_NO_MEM */
	ck_assert_uint_eq(unit_open_fds(), fds);
	end_two();
}
END_TEST

START_TEST(opener_killed)
{
	struct perf_counts counts;
	pid_t opener = open_two_and_stop(exec_when_told);

	execs(&d);
	ck_assert_int_eq(target_check(&u), TARGET_WAITING);
	ck_assert_int_eq(opener_ask_events(&o, &t, false), 0);
	ck_assert_int_eq(opener_events(&o, &counts), -EAGAIN);
	kill(opener, SIGKILL);
	wait_readable(o.fd);
	ck_assert_int_eq(opener_receive(&o), -EPIPE);
	ck_assert_int_eq(o.fd, -1);
	ck_assert_int_eq(opener_events(&o, &counts), 0);
	errors_are(&counts, -EPIPE);
	ck_assert_int_eq(opener_ask_events(&o, &t, false), -EPIPE);
	while (target_check(&u) == TARGET_ALIVE)
		;
	ck_assert_int_eq(u.state, TARGET_EXECED);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	end_two();
}
END_TEST

/* ---- mem and clear_refs, which are opened when they are used ---- */

START_TEST(opened_when_used)
{
	struct target *const one[] = {&t};
	char b;

	child_start(&c, exec_when_told);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, 0), 0);
	ck_assert_int_eq(t.fd[TARGET_MEM], -1);
	ck_assert_int_eq(t.fd[TARGET_CLEAR_REFS], -1);
	ck_assert_int_eq(target_need(&t, TARGET_MEM), -EINPROGRESS);
	ck_assert_int_eq(target_clear_dirty(&t), -EINPROGRESS);
	answered(&t);
	ck_assert_int_eq(target_need(&t, TARGET_MEM), 0);
	ck_assert_int_eq(t.fd[TARGET_CLEAR_REFS], -1);
	ck_assert_int_eq(target_clear_dirty(&t), -EINPROGRESS);
	answered(&t);
	ck_assert_int_eq(target_clear_dirty(&t), 0);
	execs(&c);
	ck_assert_int_eq(checked(&t), TARGET_EXECED);
	ck_assert_uint_eq(first_byte(&t), 0x7f);
	child_end(&c);
}
END_TEST

/* Yama has this effect: the tool may read the memory of its child, the opener may not.
 */
START_TEST(memory_of_command_is_opened_by_its_parent)
{
	struct target *const one[] = {&t};

	if (geteuid() != 0) {
		unit_skip("needs root");
		return;
	}
	child_start(&c, exec_when_told);
	child_start(&d, exec_when_told);
	ck_assert_int_eq(target_open(&t, &live, _i ? d.pid : c.pid, 0), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, c.pid), 0);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(target_need(&t, TARGET_MEM), -EINPROGRESS);
	answered(&t);
	/* Other processes are opened by the opener alone. */
	ck_assert_int_eq(target_need(&t, TARGET_MEM), _i ? -EBADF : 0);
	ck_assert_int_eq(t.err[TARGET_MEM], _i ? -EACCES : 0);
	end_two();
}
END_TEST

/* ---- a target whose files cannot be opened ---- */

static void make_process(int pid)
{
	char name[64], text[256];

	snprintf(name, sizeof(name), "proc/%d/stat", pid);
	snprintf(text, sizeof(text),
		"%d (made) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 "
		"0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		pid);
	fix_put(name, text);
	snprintf(name, sizeof(name), "proc/%d/status", pid);
	snprintf(text, sizeof(text),
		"Name:\tmade\nTgid:\t%d\nPid:\t%d\nPPid:\t1\nUid:\t0\t0\t0\t0\n"
		"Gid:\t0\t0\t0\t0\n",
		pid, pid);
	fix_put(name, text);
	snprintf(name, sizeof(name), "proc/%d/pagemap", pid);
	fix_put(name, "");
	snprintf(name, sizeof(name), "proc/%d/maps", pid);
	fix_put(name, "1000-2000 r--p 00000000 00:00 0\n");
}

/* The old file becomes empty, as after an exec, and another one has its name. */
static void made_execs(int pid)
{
	char name[64], other[PATH_MAX];

	snprintf(name, sizeof(name), "proc/%d/maps", pid);
	fix_put(name, "");
	snprintf(other, sizeof(other), "%s", fix_path("proc/other"));
	fix_put("proc/other", "3000-4000 r--p 00000000 00:00 0\n");
	ck_assert_int_eq(rename(other, fix_path(name)), 0);
}

/* Opening waits until the descriptor is closed.  Returns -1 without the privileges or the
 * feature. */
static int block(const char *name)
{
	int fd = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY);

	if (fd >= 0 && fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN_PERM, AT_FDCWD,
			       fix_path(name)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

START_TEST(one_blocked_target_does_not_hold_the_others)
{
	struct target *const both[] = {&t, &u};
	int blocked;

	fix_open();
	make_process(17);
	make_process(18);
	ck_assert_int_eq(target_open(&t, &fix, 17, 0), 0);
	ck_assert_int_eq(target_open(&u, &fix, 18, 0), 0);
	ck_assert_int_eq(t.state, TARGET_ALIVE);
	ck_assert_int_eq(opener_start(&o, &fix, both, 2, 0), 0);
	made_execs(17);
	blocked = block("proc/17/maps");
	if (blocked >= 0) {
		ck_assert_int_eq(target_check(&t), TARGET_WAITING);
		made_execs(18);
		ck_assert_int_eq(checked(&u), TARGET_EXECED);
		ck_assert_int_eq(target_check(&t), TARGET_WAITING);
		close(blocked);
		ck_assert_int_eq(checked(&t), TARGET_EXECED);
	}
	target_close(&t);
	target_close(&u);
	opener_end(&o);
	fix_close();
}
END_TEST

/* The child is COMMAND; its child is opened, other processes are not. */
static void fork_when_told(void)
{
	pid_t pid = fork();

	if (pid)
		child_say(&pid, sizeof(pid));
	child_wait();
}

/* Opens a descendant through the opener and returns its state. */
static enum target_state open_child(pid_t pid)
{
	ck_assert_int_eq(target_open_child(&u, &live, pid, 0, &o), 0);
	ck_assert_int_eq(u.state, TARGET_WAITING);
	answered(&u);
	return target_check(&u);
}

START_TEST(opens_descendants)
{
	struct target *const one[] = {&t};
	pid_t grandchild;

	child_start(&c, fork_when_told);
	child_hear(&c, &grandchild, sizeof(grandchild));
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, c.pid), 0);
	ck_assert_int_eq(open_child(grandchild), TARGET_EXECED);
	ck_assert_uint_eq(u.execs, 1);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	/* The tool's word does not count. */
	ck_assert_int_eq(target_need(&u, TARGET_MEM), -EINPROGRESS);
	answered(&u);
	ck_assert_int_eq(u.fd[TARGET_MEM], -1);
	target_close(&u);
	ck_assert_int_eq(open_child(getpid()), TARGET_DENIED);
	target_close(&u);
	ck_assert_int_eq(open_child(getppid()), TARGET_DENIED);
	for (enum target_file f = 0; f < TARGET_FILES; f++)
		ck_assert_int_eq(u.fd[f], -1);
	kill(grandchild, SIGKILL);
	child_end(&c);
}
END_TEST

/* The answer for a descendant that is no longer monitored is discarded. */
START_TEST(forgets_a_descendant)
{
	struct target *const one[] = {&t};
	pid_t grandchild;

	child_start(&c, fork_when_told);
	child_hear(&c, &grandchild, sizeof(grandchild));
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, c.pid), 0);
	ck_assert_int_eq(target_open_child(&u, &live, grandchild, 0, &o), 0);
	target_close(&u);
	ck_assert_int_eq(target_open_child(&u, &live, c.pid, 0, &o), 0);
	ck_assert_uint_eq(u.number, 1);
	answered(&u);
	ck_assert_int_eq(target_check(&u), TARGET_EXECED);
	kill(grandchild, SIGKILL);
	child_end(&c);
}
END_TEST

/* Without COMMAND, no other process is opened. */
START_TEST(opens_no_descendants_without_command)
{
	struct target *const one[] = {&t};

	child_start(&c, exec_when_told);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, 0), 0);
	ck_assert_int_eq(open_child(c.pid), TARGET_DENIED);
	child_end(&c);
}
END_TEST

static TCase *tc_opener(void)
{
	TCase *tc = tcase_create("opener");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, opens_descendants);
	tcase_add_test(tc, forgets_a_descendant);
	tcase_add_test(tc, opens_no_descendants_without_command);
	tcase_add_test(tc, opens_after_exec);
	tcase_add_test(tc, opens_after_the_drop);
	tcase_add_test(tc, ends_with_the_tool);
	tcase_add_test(tc, gone_process);
	tcase_add_test(tc, waits_for_the_opener_without_blocking);
	tcase_add_test(tc, exit_while_the_opener_is_waited_for);
	tcase_add_test(tc, replies_belong_to_requests);
	tcase_add_test(tc, opener_killed);
	tcase_add_test(tc, opened_when_used);
	tcase_add_loop_test(tc, memory_of_command_is_opened_by_its_parent, 0, 2);
	tcase_add_test(tc, one_blocked_target_does_not_hold_the_others);
	return tc;
}

UNIT_MAIN("opener", tc_opener)
