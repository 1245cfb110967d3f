// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>

#include "cli/priv.h"
#include "facts/faults.h"
#include "target/files.h"
#include "target/opener.h"
#include "target_rig.h"

static struct opener o;
static struct target t, u;
static struct child c, d;

static void setup(void)
{
	target_rig_open();
	o = (struct opener)OPENER_INIT;
	t = u = (struct target)TARGET_INIT;
}

static void teardown(void)
{
	opener_end(&o);
	target_close(&t);
	target_close(&u);
	target_rig_close();
}

static void exec_when_told(void)
{
	child_say("", 1);
	child_wait();
	child_exec_cat();
}

static void open_two(void (*first)(void))
{
	struct target *const both[] = {&t, &u};
	char b;

	child_start(&c, first);
	child_start(&d, exec_when_told);
	child_hear(&c, &b, 1);
	child_hear(&d, &b, 1);
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_eq(target_open(&u, &live, d.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(opener_start(&o, &live, both, 2, 0), 0);
}

static void end_two(void)
{
	child_end(&c);
	child_end(&d);
}

static bool has_text(int fd)
{
	char b;

	return pread(fd, &b, 1, 0) == 1;
}

START_TEST(opens_after_exec)
{
	unsigned int fds;

	open_two(exec_when_told);
	fds = unit_open_fds();
	child_go(&d);
	child_hear_exec(&d);
	ck_assert(!has_text(u.fd[TARGET_MAPS]));
	ck_assert_int_eq(target_check(&u), TARGET_EXECED);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	ck_assert_str_eq(u.stat.comm, "cat");
	ck_assert_int_eq(u.fd[TARGET_MEM], -1);
	ck_assert_int_eq(u.err[TARGET_MEM], 0);
	ck_assert_int_eq(target_check(&t), TARGET_ALIVE);
	child_go(&c);
	child_hear_exec(&c);
	ck_assert_int_eq(target_check(&t), TARGET_EXECED);
	ck_assert_int_ge(t.fd[TARGET_MEM], 0);
	ck_assert_uint_eq(unit_open_fds(), fds);
	end_two();
}
END_TEST

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
	if (target_check(&u) != TARGET_EXECED || !has_text(u.fd[TARGET_MAPS]))
		_exit(3);
	if (!u.sees_frames)
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

START_TEST(ends_with_the_tool)
{
	open_two(exec_when_told);
	opener_end(&o);
	child_go(&d);
	child_hear_exec(&d);
	ck_assert_int_eq(target_check(&u), TARGET_LOST);
	ck_assert_int_eq(u.denied_err, -EPIPE);
	end_two();
}
END_TEST

START_TEST(gone_process)
{
	struct perfset set = PERFSET_INIT;

	open_two(exec_when_told);
	child_dies(&d);
	child_reap(&d);
	ck_assert_int_eq(opener_files(&o, &u, FILES_OF_MEMORY), 0);
	ck_assert_int_eq(u.fd[TARGET_MAPS], -1);
	ck_assert_int_lt(u.err[TARGET_MAPS], 0);
	ck_assert_int_eq(target_check(&u), TARGET_EXITED);
	ck_assert_int_eq(opener_perf_ask(&o, &u), 0);
	ck_assert_int_eq(opener_perf(&o, &set), -ESRCH);
	ck_assert_int_eq(opener_files(&o, &t, FILES_OF_MEMORY), 0); /* it still serves */
	ck_assert_int_ge(t.fd[TARGET_MAPS], 0);
	end_two();
}
END_TEST

/* ---- page faults, of threads that were there before ---- */

enum { THREADS = 3, ROUNDS = 20, PAGES = 64 };

static pthread_barrier_t begin, end;

static void touch_pages(void)
{
	unsigned char *p = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, PAGES * page_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		p[i * page_bytes] = 1;
	munmap(p, PAGES * page_bytes);
}

static void *fault(void *arg)
{
	pthread_barrier_wait(&begin);
	for (int i = 0; i < ROUNDS; i++)
		touch_pages();
	pthread_barrier_wait(&end);
	return arg;
}

/* Threads that exist before the counting and ones that start in it. */
static void fault_in_threads(void)
{
	pthread_t early, late;

	pthread_barrier_init(&begin, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (int i = 0; i < THREADS - 1; i++)
		pthread_create(&early, NULL, fault, NULL);
	child_say("", 1);
	child_wait();
	pthread_create(&late, NULL, fault, NULL);
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
	pthread_join(late, NULL);
	child_say("", 1);
}

enum { TRUTH = THREADS * ROUNDS * PAGES };

/* min and maj of stat are of the whole process; user and kernel mode add up to the same.
 */
static void faults_are_exact(const struct faults *f)
{
	uint64_t all =
		f->count[FAULT_MINOR].since_start + f->count[FAULT_MAJOR].since_start;
	uint64_t perf =
		f->count[FAULT_USER].since_start + f->count[FAULT_KERNEL].since_start;

	ck_assert_uint_ge(all, TRUTH);
	if (f->count[FAULT_USER].err || f->count[FAULT_KERNEL].err)
		return;
	ck_assert_uint_ge(f->count[FAULT_USER].since_start, TRUTH);
	ck_assert_uint_ge(perf * 1000, all * 995);
	ck_assert_uint_le(perf * 995, all * 1000);
}

static void wait_readable(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	ck_assert_int_eq(poll(&p, 1, -1), 1);
}

static void count_faults(bool through_opener)
{
	struct faults f;
	char b;

	open_two(fault_in_threads);
	if (!through_opener)
		t.opener = NULL;
	faults_init(&f);
	ck_assert_int_eq(f.count[FAULT_USER].err, -ENODATA);
	ck_assert_int_eq(faults_perf(&f, &t), 0);
	if (through_opener) {
		ck_assert_int_eq(f.count[FAULT_USER].err, -EINPROGRESS);
		ck_assert_int_eq(faults_perf(&f, &t), 0);
		wait_readable(o.fd);
	}
	ck_assert_int_eq(faults_read(&f, &t, 1), 0);
	ck_assert_int_ne(f.count[FAULT_USER].err, -EINPROGRESS);
	ck_assert_uint_eq(f.count[FAULT_MINOR].since_start, 0);
	child_go(&c);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(faults_read(&f, &t, 1 + SM_NSEC_PER_SEC), 0);
	faults_are_exact(&f);
	ck_assert(f.count[FAULT_MINOR].rate_known);
	ck_assert(f.count[FAULT_MINOR].per_s == (double)f.count[FAULT_MINOR].since_start);
	if (!f.count[FAULT_ALLOC].err)
		ck_assert_uint_ge(f.count[FAULT_ALLOC].since_start, TRUTH);
	/* Some pages are freed by others, which hold a reference for a while (folio
	 * batches of a CPU). */
	if (!f.count[FAULT_FREE].err)
		ck_assert_uint_ge(f.count[FAULT_FREE].since_start, TRUTH / 2);
	faults_fini(&f);
	end_two();
}

START_TEST(faults_counted_here)
{
	count_faults(false);
}
END_TEST

START_TEST(faults_counted_by_the_opener)
{
	count_faults(true);
}
END_TEST

/* As after an exec of a set-user-ID program, which ends the events. */
START_TEST(events_of_another_user_are_opened_again)
{
	struct faults f;
	uint64_t user;
	char b;

	open_two(fault_in_threads);
	t.opener = NULL;
	faults_init(&f);
	ck_assert_int_eq(faults_perf(&f, &t), 0);
	child_go(&c);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(faults_read(&f, &t, 1), 0);
	user = f.count[FAULT_USER].since_start;
	t.execs++;
	ck_assert_int_eq(faults_read(&f, &t, 2), 0);
	ck_assert_uint_eq(f.count[FAULT_USER].since_start, user);
	ck_assert_uint_eq(f.count[FAULT_USER].before, 0); /* the same user: they go on */
	t.execs++;
	t.uid++;
	ck_assert_int_eq(faults_read(&f, &t, 3), 0);
	if (!f.count[FAULT_USER].err) {
		ck_assert_uint_ge(user, TRUTH);
		ck_assert_uint_eq(f.count[FAULT_USER].before, user);
		ck_assert_uint_eq(f.count[FAULT_USER].since_start, user);
	}
	faults_fini(&f);
	end_two();
}
END_TEST

/* More threads than descriptors fit into a message. */
enum { MANY = 300 };

static void *wait_for_ever(void *arg)
{
	pause();
	return arg;
}

static void many_threads(void)
{
	pthread_attr_t a;
	pthread_t thread;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	for (int i = 1; i < MANY; i++)
		if (pthread_create(&thread, &a, wait_for_ever, NULL))
			_exit(7);
	child_say("", 1);
}

START_TEST(many_threads_in_several_messages)
{
	struct perfset set = PERFSET_INIT;
	unsigned int fds;
	uint64_t n;

	open_two(many_threads);
	fds = unit_open_fds();
	ck_assert_int_eq(opener_perf_ask(&o, &t), 0);
	ck_assert_int_eq(opener_perf(&o, &set), 0);
	if (!set.err[PERF_FAULTS_USER]) {
		ck_assert_uint_eq(set.n[PERF_FAULTS_USER], MANY);
		ck_assert_int_eq(perfset_read(&set, PERF_FAULTS_USER, &n), 0);
	}
	for (size_t i = 0; i < PERF_COUNTERS; i++)
		if (set.err[i])
			ck_assert_uint_eq(set.n[i], 0);
	perfset_close(&set);
	ck_assert_uint_eq(unit_open_fds(), fds);
	ck_assert_int_eq(opener_files(&o, &u, FILES_OF_MEMORY),
		0); /* nothing is left in the socket */
	end_two();
}
END_TEST

/* Files are asked for while events are being opened. */
START_TEST(requests_cross)
{
	struct perfset set = PERFSET_INIT;
	unsigned int fds;

	open_two(many_threads);
	fds = unit_open_fds();
	ck_assert_int_eq(opener_perf(&o, &set), -EINVAL);
	ck_assert(!opener_perf_ready(&o));
	ck_assert_int_eq(opener_perf_ask(&o, &t), 0);
	ck_assert_int_eq(opener_perf_ask(&o, &u), -EBUSY);
	ck_assert_int_eq(opener_files(&o, &u, FILES_OF_MEMORY), 0);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	ck_assert(opener_perf_ready(&o));
	ck_assert_int_eq(opener_files(&o, &u, FILES_OF_MEMORY), 0);
	ck_assert_int_eq(opener_perf(&o, &set), 0);
	if (!set.err[PERF_FAULTS_USER])
		ck_assert_uint_eq(set.n[PERF_FAULTS_USER], MANY);
	perfset_close(&set);
	ck_assert_int_eq(opener_perf_ask(&o, &t), 0);
	ck_assert_int_eq(opener_files(&o, &u, FILES_OF_MEMORY), 0);
	opener_end(&o);
	ck_assert_uint_eq(unit_open_fds(), fds - 1);
	end_two();
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

START_TEST(opens_descendants)
{
	struct target *const one[] = {&t};
	pid_t grandchild;

	child_start(&c, fork_when_told);
	child_hear(&c, &grandchild, sizeof(grandchild));
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_NO_MEM), 0);
	ck_assert_int_eq(opener_start(&o, &live, one, 1, c.pid), 0);
	ck_assert_int_eq(target_open_child(&u, &live, grandchild, 0, &o), 0);
	ck_assert_int_eq(u.state, TARGET_ALIVE);
	ck_assert(has_text(u.fd[TARGET_MAPS]));
	/* The tool's word does not count. */
	ck_assert_int_eq(u.fd[TARGET_MEM], -1);
	target_close(&u);
	ck_assert_int_eq(target_open_child(&u, &live, getpid(), 0, &o), 0);
	ck_assert_int_eq(u.state, TARGET_DENIED);
	target_close(&u);
	ck_assert_int_eq(target_open_child(&u, &live, getppid(), 0, &o), 0);
	ck_assert_int_eq(u.state, TARGET_DENIED);
	for (enum target_file f = 0; f < TARGET_FILES; f++)
		ck_assert_int_eq(u.fd[f], -1);
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
	ck_assert_int_eq(target_open_child(&u, &live, c.pid, 0, &o), 0);
	ck_assert_int_eq(u.state, TARGET_DENIED);
	child_end(&c);
}
END_TEST

static TCase *tc_opener(void)
{
	TCase *tc = tcase_create("opener");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, opens_descendants);
	tcase_add_test(tc, opens_no_descendants_without_command);
	tcase_add_test(tc, opens_after_exec);
	tcase_add_test(tc, opens_after_the_drop);
	tcase_add_test(tc, ends_with_the_tool);
	tcase_add_test(tc, gone_process);
	return tc;
}

static TCase *tc_faults(void)
{
	TCase *tc = tcase_create("faults");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, faults_counted_here);
	tcase_add_test(tc, faults_counted_by_the_opener);
	tcase_add_test(tc, events_of_another_user_are_opened_again);
	tcase_add_test(tc, many_threads_in_several_messages);
	tcase_add_test(tc, requests_cross);
	return tc;
}

UNIT_MAIN("opener", tc_opener, tc_faults)
