// SPDX-License-Identifier: GPL-2.0-or-later
/* Children that calls may end: how each of them ends, what it can do, and that a call
 * which waits does not stop it; and the addresses that they get. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stressors/refused/box.h"
#include "stressors/refused/only.h"
#include "stressors/refused/pages.h"
#include "unit.h"

static struct stress_board *board;
static struct stress s;

struct shared {
	_Atomic uint64_t calls;
	long result;
	int error, fd;
};
static struct shared *shared;

static void set_up(void)
{
	s = (struct stress){.ops_max = UINT64_MAX};
	board = mmap(NULL, sizeof(*board) + sizeof(board->slot[0]),
		PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(board, MAP_FAILED);
	s.board = board;
	s.slot = &board->slot[0];
	shared = box_memory(&s, sizeof(*shared));
	ck_assert_ptr_nonnull(shared);
}

static void tear_down(void)
{
	munmap(shared, sizeof(*shared));
	munmap(board, sizeof(*board) + sizeof(board->slot[0]));
}

typedef int work_function(struct stress *child, void *data);

static int run(work_function *work, bool limit)
{
	const struct box b = {work, shared, &shared->calls, limit};

	return box_run(&s, &b);
}

static void ended(int r, int want, enum stress_outcome outcome, const char *reason)
{
	ck_assert_int_eq(r, want);
	ck_assert_int_eq((int)s.slot->outcome, (int)outcome);
	ck_assert_str_eq(s.slot->reason, reason);
	/* Nothing is left to be reaped. */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

/* --- ends --------------------------------------------------------------------------- */

static int add_two(struct stress *child, void *data)
{
	(void)data;
	stress_add(child, 2);
	return 0;
}

START_TEST(work_is_done)
{
	ended(run(add_two, false), 0, STRESS_PASS, "");
	ck_assert_uint_eq(s.slot->ops, 2);
}
END_TEST

static int give_up(struct stress *child, void *data)
{
	(void)data;
	return stress_fail(child, "seven");
}

static int lack(struct stress *child, void *data)
{
	(void)data;
	return stress_lacks(child, "eight");
}

START_TEST(work_fails)
{
	ended(run(give_up, false), -1, STRESS_FAIL, "seven");
}
END_TEST

START_TEST(work_lacks)
{
	ended(run(lack, false), -1, STRESS_LACKS, "eight");
}
END_TEST

static int leave(struct stress *child, void *data)
{
	(void)child;
	(void)data;
	_exit(33);
}

START_TEST(exits_otherwise)
{
	ended(run(leave, false), -1, STRESS_FAIL, "a child exited with status 33");
}
END_TEST

static int kill_itself(struct stress *child, void *data)
{
	sigset_t one;

	(void)child;
	(void)data;
	sigemptyset(&one);
	sigaddset(&one, SIGILL);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	signal(SIGILL, SIG_DFL);
	return raise(SIGILL);
}

START_TEST(ended_by_signal)
{
	ended(run(kill_itself, false), SIGILL, STRESS_PASS, "");
}
END_TEST

/* --- calls that wait ---------------------------------------------------------------- */

static int wait_once(struct stress *child, void *data)
{
	struct shared *t = data;

	(void)child;
	atomic_fetch_add(&t->calls, 1);
	t->result = pause();
	t->error = errno;
	return 0;
}

START_TEST(waiting_call_is_interrupted)
{
	ended(run(wait_once, false), 0, STRESS_PASS, "");
	ck_assert_int_eq((int)shared->result, -1);
	ck_assert_int_eq(shared->error, EINTR);
}
END_TEST

static int wait_always(struct stress *child, void *data)
{
	(void)child;
	(void)data;
	for (;;)
		pause();
	return 0;
}

START_TEST(waiting_child_is_killed)
{
	ended(run(wait_always, true), SIGKILL, STRESS_PASS, "");
}
END_TEST

START_TEST(waiting_child_is_killed_at_the_end)
{
	atomic_store(&board->stop, 1);
	ended(run(wait_always, false), 0, STRESS_PASS, "");
}
END_TEST

/* --- what it can do ----------------------------------------------------------------- */

static int look_at_descriptor(struct stress *child, void *data)
{
	struct shared *t = data;

	(void)child;
	t->result = fcntl(t->fd, F_GETFD);
	t->error = errno;
	return 0;
}

START_TEST(has_no_descriptors)
{
	shared->fd = open("/dev/null", O_RDONLY);
	ck_assert_int_ge(shared->fd, 3);
	ended(run(look_at_descriptor, false), 0, STRESS_PASS, "");
	ck_assert_int_eq((int)shared->result, -1);
	ck_assert_int_eq(shared->error, EBADF);
	close(shared->fd);
}
END_TEST

static int make_large_file(struct stress *child, void *data)
{
	struct shared *t = data;
	int fd = memfd_create("large", 0);

	(void)child;
	t->result = ftruncate(fd, BOX_FILE_BYTES);
	if (t->result == 0)
		t->result = ftruncate(fd, BOX_FILE_BYTES + 1);
	t->error = errno;
	return 0;
}

START_TEST(makes_no_large_file)
{
	ended(run(make_large_file, false), 0, STRESS_PASS, "");
	ck_assert_int_eq((int)shared->result, -1);
	ck_assert_int_eq(shared->error, EFBIG);
}
END_TEST

static int call_only(struct stress *child, void *data)
{
	static const short one = SYS_getppid;
	struct shared *t = data;

	(void)child;
	if (!only_calls(&one, 1)) {
		t->error = ENOSYS;
		return 0;
	}
	t->result = syscall(SYS_getppid);
	atomic_fetch_add(&t->calls, 1);
	return (int)syscall(SYS_getuid);
}

START_TEST(makes_permitted_calls_only)
{
	int r = run(call_only, false);

	if (shared->error == ENOSYS) {
		unit_skip("no seccomp filters");
		return;
	}
	ended(r, SIGSYS, STRESS_PASS, "");
	ck_assert_int_eq((int)shared->result, getpid());
	ck_assert_uint_eq(shared->calls, 1);
}
END_TEST

/* --- addresses ---------------------------------------------------------------------- */

enum { BYTES = 24 };
static struct pages pages;

/* The kernel reads or writes that many bytes at the address through a pipe. */
static bool can_read(uintptr_t address)
{
	int fd[2];
	long n;

	ck_assert_int_eq(pipe(fd), 0);
	n = syscall(SYS_write, fd[1], address, BYTES);
	close(fd[0]);
	close(fd[1]);
	return n == BYTES;
}

static bool can_write(uintptr_t address)
{
	static const char text[BYTES] = "text";
	int fd[2];
	long n;

	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq((int)write(fd[1], text, BYTES), BYTES);
	n = syscall(SYS_read, fd[0], address, BYTES);
	close(fd[0]);
	close(fd[1]);
	return n == BYTES;
}

START_TEST(bad_addresses)
{
	ck_assert_int_eq(pages_map(&s, &pages), 0);
	for (unsigned int i = 0; i < PAGES_BAD; i++) {
		enum pages_bad kind = (enum pages_bad)i;

		ck_assert(!can_write(pages_bad(&pages, kind, BYTES, PAGES_WRITTEN)));
		if (kind == PAGES_READ_ONLY)
			continue;
		ck_assert(!can_read(pages_bad(&pages, kind, BYTES, PAGES_READ)));
		ck_assert(!can_read(pages_bad(&pages, kind, BYTES, PAGES_TEXT)));
	}
	ck_assert(can_read(pages_bad(&pages, PAGES_READ_ONLY, BYTES, PAGES_WRITTEN)));
}
END_TEST

START_TEST(half_of_a_structure)
{
	const char *half;

	ck_assert_int_eq(pages_map(&s, &pages), 0);
	half = (const char *)pages_bad(&pages, PAGES_CROSSING, BYTES, PAGES_READ);
	ck_assert_int_eq(half[BYTES / 2 - 1], 0);
	half = (const char *)pages_bad(&pages, PAGES_CROSSING, BYTES, PAGES_TEXT);
	ck_assert_int_eq(half[BYTES / 2 - 1], 'a');
	/* What is written there is not read. */
	ck_assert_uint_ne(pages_bad(&pages, PAGES_CROSSING, BYTES, PAGES_WRITTEN),
		pages_bad(&pages, PAGES_CROSSING, BYTES, PAGES_READ));
	ck_assert_uint_eq(pages_bad(&pages, PAGES_CROSSING, 1, PAGES_READ),
		(uintptr_t)pages.no_access);
}
END_TEST

START_TEST(right_addresses)
{
	ck_assert_int_eq(pages_map(&s, &pages), 0);
	ck_assert(can_write((uintptr_t)pages.output));
	ck_assert(can_read((uintptr_t)pages.zeros));
	ck_assert(!can_write((uintptr_t)pages.zeros));
	ck_assert(can_read((uintptr_t)pages.ones));
	ck_assert(!can_write((uintptr_t)pages.ones));
	ck_assert(can_read((uintptr_t)pages.text));
	ck_assert(!can_write((uintptr_t)pages.text));
	/* A call does not get beyond the end of a page. */
	ck_assert(!can_write((uintptr_t)pages.output + pages.page - 1));
	ck_assert(!can_read((uintptr_t)pages.text + pages.page - 1));
}
END_TEST

static TCase *tc_ends(void)
{
	TCase *t = tcase_create("ends");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, work_is_done);
	tcase_add_test(t, work_fails);
	tcase_add_test(t, work_lacks);
	tcase_add_test(t, exits_otherwise);
	tcase_add_test(t, ended_by_signal);
	tcase_add_test(t, waiting_call_is_interrupted);
	tcase_add_test(t, waiting_child_is_killed);
	tcase_add_test(t, waiting_child_is_killed_at_the_end);
	return t;
}

static TCase *tc_limits(void)
{
	TCase *t = tcase_create("limits");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, has_no_descriptors);
	tcase_add_test(t, makes_no_large_file);
	tcase_add_test(t, makes_permitted_calls_only);
	return t;
}

static TCase *tc_addresses(void)
{
	TCase *t = tcase_create("addresses");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, bad_addresses);
	tcase_add_test(t, half_of_a_structure);
	tcase_add_test(t, right_addresses);
	return t;
}

UNIT_MAIN("box", tc_ends, tc_limits, tc_addresses)
