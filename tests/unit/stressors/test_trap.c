// SPDX-License-Identifier: GPL-2.0-or-later
/* Faults that are expected, and those that end the process. */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stressors/run/trap.h"
#include "unit.h"

static struct trap_fault fault;
static char *pages; /* three: the one in the middle is protected */
static size_t page;

static void set_up(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
	ck_assert_int_eq(trap_open(), 0);
	memset(&fault, 0, sizeof(fault));
}

static void tear_down(void)
{
	munmap(pages, 3 * page);
}

static void fault_is(int signo, int code, const void *at)
{
	ck_assert_int_eq(fault.signo, signo);
	ck_assert_int_eq(fault.code, code);
	ck_assert_uint_eq(fault.address, (uintptr_t)at);
}

START_TEST(returns)
{
	pages[5] = 7;
	ck_assert(!trap_read(pages + 5, &fault));
	ck_assert(!trap_write(pages + 5, &fault));
	ck_assert_int_eq(pages[5], 7);
	fault_is(0, 0, NULL);
}
END_TEST

/* Several times: the signal is not blocked after the first one. */
START_TEST(protected_page)
{
	for (unsigned int i = 0; i < 3; i++) {
		ck_assert(trap_read(pages + page + i, &fault));
		fault_is(SIGSEGV, SEGV_ACCERR, pages + page + i);
	}
	ck_assert_int_eq(mprotect(pages + page, page, PROT_READ), 0);
	ck_assert(!trap_read(pages + page, &fault));
	ck_assert(trap_write(pages + page, &fault));
	fault_is(SIGSEGV, SEGV_ACCERR, pages + page);
}
END_TEST

START_TEST(nothing_mapped)
{
	ck_assert_int_eq(munmap(pages + page, page), 0);
	ck_assert(trap_read(pages + page + 9, &fault));
	fault_is(SIGSEGV, SEGV_MAPERR, pages + page + 9);
}
END_TEST

static int empty_file(void)
{
	FILE *f = tmpfile();

	ck_assert_ptr_nonnull(f);
	return fileno(f);
}

START_TEST(behind_the_end_of_a_file)
{
	char *p = mmap(NULL, page, PROT_READ, MAP_SHARED, empty_file(), 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	ck_assert(trap_read(p + 3, &fault));
	fault_is(SIGBUS, BUS_ADRERR, p + 3);
	munmap(p, page);
}
END_TEST

/* --- crashes ------------------------------------------------------------------------ */

static void touch(void *p)
{
	*(volatile char *)p = 1;
}

static void send_signal(void *p)
{
	(void)p;
	kill(getpid(), SIGSEGV);
}

/* The signal that ended a child that runs the function with a trap for these bytes. */
static int ends_by(const void *begin, size_t bytes, void (*function)(void *), void *arg)
{
	int status = 0;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		_exit(trap_open() == 0 && trap_run(begin, bytes, function, arg, &fault));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

START_TEST(ranges)
{
	char *second = pages + page;

	ck_assert_int_eq(ends_by(second, page, touch, second), -1);
	ck_assert_int_eq(ends_by(second, page, touch, second + page - 1), -1);
	ck_assert_int_eq(ends_by(second + 1, page, touch, second), SIGSEGV);
	ck_assert_int_eq(ends_by(second, 5, touch, second + 5), SIGSEGV);
	ck_assert_int_eq(ends_by(second, 0, touch, second), SIGSEGV);
	ck_assert_int_eq(ends_by(second, 5, touch, pages), 0);
}
END_TEST

START_TEST(sent_by_a_process)
{
	ck_assert_int_eq(ends_by(NULL, SIZE_MAX, send_signal, NULL), SIGSEGV);
}
END_TEST

/* After a function that has returned, and after one that has not. */
static void fault_after_return(void *p)
{
	if (trap_run(pages, 3 * page, touch, pages, &fault))
		_exit(9);
	touch(p);
}

static void fault_after_fault(void *p)
{
	if (!trap_run(pages, 3 * page, touch, p, &fault))
		_exit(9);
	touch(p);
}

START_TEST(not_in_a_trap)
{
	char *second = pages + page;

	ck_assert_int_eq(ends_by(NULL, 0, fault_after_return, second), SIGSEGV);
	ck_assert_int_eq(ends_by(NULL, 0, fault_after_fault, second), SIGSEGV);
}
END_TEST

#define STACK_BYTES ((size_t)1 << 20)

/* What a stressor of stacks needs: the handler does not run on the stack that is used up.
 */
static unsigned int deeper(volatile char *above, unsigned int n)
{
	volatile char here[4096];

	here[n % sizeof(here)] = *above;
	return n ? deeper(here, n - 1) + (unsigned int)here[0] : 0;
}

static void recurse(void *p)
{
	(void)deeper(p, UINT32_MAX);
}

START_TEST(stack_used_up)
{
	struct rlimit limit;
	char top = 0;
	uintptr_t at = (uintptr_t)&top;

	ck_assert_int_eq(getrlimit(RLIMIT_STACK, &limit), 0);
	limit.rlim_cur = STACK_BYTES;
	if (limit.rlim_max < limit.rlim_cur)
		return;
	ck_assert_int_eq(setrlimit(RLIMIT_STACK, &limit), 0);
	at -= STACK_BYTES * 2;
	ck_assert(trap_run((void *)at, STACK_BYTES * 2, recurse, &top,
		&fault)); /* NOLINT(performance-no-int-to-ptr) */
	ck_assert_int_eq(fault.signo, SIGSEGV);
}
END_TEST

static TCase *tc_trap(void)
{
	TCase *tc = tcase_create("trap");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, returns);
	tcase_add_test(tc, protected_page);
	tcase_add_test(tc, nothing_mapped);
	tcase_add_test(tc, behind_the_end_of_a_file);
	tcase_add_test(tc, ranges);
	tcase_add_test(tc, sent_by_a_process);
	tcase_add_test(tc, not_in_a_trap);
	tcase_add_test(tc, stack_used_up);
	return tc;
}

UNIT_MAIN("trap", tc_trap)
