// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "proc/pagemap.h"
#include "fixroot_rig.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

#define ALL                                                                \
	(SM_PAGE_FILE | SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_ZERO | \
		SM_PAGE_HUGE | SM_PAGE_SOFT_DIRTY | SM_PAGE_GUARD)
#define THERE	   (SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_GUARD)
#define HUGE_BYTES ((size_t)2 << 20)

static struct sm_pagemap_scan can;
/* Zeros at first: valgrind does not see that the ioctl writes to it. */
static struct sm_page_run runs[SM_PAGEMAP_RUNS];
static int self = -1;
static uint64_t page;

static void setup(void)
{
	fix_open();
	page = (uint64_t)getpagesize();
	self = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(self, 0);
	sm_pagemap_probe(self, &can);
}

static void teardown(void)
{
	close(self);
	fix_close();
}

/* Anonymous pages that no neighbour joins, and that are not of huge pages unless they are
 * asked for. */
static char *area(size_t pages)
{
	char *p = mmap(
		NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	ck_assert_int_eq(mprotect(p + page, pages * page, PROT_READ | PROT_WRITE), 0);
	madvise(p + page, pages * page, MADV_NOHUGEPAGE);
	return p + page;
}

static void touch(char *p)
{
	*(volatile char *)p = 1;
}

static char look_at(const char *p)
{
	return *(const volatile char *)p;
}

static uint64_t entry_of(const char *p)
{
	uint64_t e = 1;

	ck_assert_int_eq(sm_pagemap_read(self, (uintptr_t)p, &e, 1), 1);
	return e;
}

/* The categories of one page by each way, without soft-dirty, which this kernel may not
 * have. */
static uint64_t by_read(const char *p)
{
	return sm_pagemap_categories(entry_of(p)) & ~(uint64_t)SM_PAGE_SOFT_DIRTY;
}

static uint64_t by_scan(const char *p)
{
	uint64_t start = (uintptr_t)p, next = 0;
	ssize_t n = sm_pagemap_scan(self, &can, start, start + page, ALL, 0, runs, &next);

	ck_assert_int_ge(n, 0);
	ck_assert_int_le(n, 1);
	ck_assert_uint_eq(next, start + page);
	if (n == 0)
		return 0;
	ck_assert_uint_eq(runs[0].start, start);
	ck_assert_uint_eq(runs[0].end, start + page);
	return runs[0].categories & ~(uint64_t)SM_PAGE_SOFT_DIRTY;
}

static void check_page(const char *p, uint64_t want)
{
	ck_assert_uint_eq(by_read(p), want & ~(uint64_t)(SM_PAGE_ZERO | SM_PAGE_HUGE));
	if (can.works)
		ck_assert_uint_eq(by_scan(p), want);
}

/* Values from Documentation/admin-guide/mm/pagemap.rst, and raw ones of a running kernel.
 */
START_TEST(entries)
{
	static const struct {
		uint64_t entry, categories;
	} t[] = {
		{0, 0},
		{UINT64_C(0x0080000000000000), SM_PAGE_SOFT_DIRTY},
		{UINT64_C(0x8100000000003b34), SM_PAGE_PRESENT},
		{UINT64_C(0x8180000000003b34), SM_PAGE_PRESENT | SM_PAGE_SOFT_DIRTY},
		{UINT64_C(0xa100000000003b34), SM_PAGE_PRESENT | SM_PAGE_FILE},
		{UINT64_C(0x4000000000001062), SM_PAGE_SWAPPED},
		{UINT64_C(0x4080000000001075), SM_PAGE_SWAPPED | SM_PAGE_SOFT_DIRTY},
		/* Without CAP_SYS_ADMIN. */
		{UINT64_C(0x4000000000000000), SM_PAGE_SWAPPED | SM_PAGE_OTHER},
		{UINT64_C(0x4280000000000000),
			SM_PAGE_SWAPPED | SM_PAGE_OTHER | SM_PAGE_SOFT_DIRTY},
		{UINT64_C(0x6000000000000000), SM_PAGE_OTHER | SM_PAGE_FILE},
		/* Markers of Linux 6.18: guard, poison, write protection; of 6.13
		   and 6.1. */
		{UINT64_C(0x440000000000009f), SM_PAGE_GUARD},
		{UINT64_C(0x400000000000005f), SM_PAGE_POISON},
		{UINT64_C(0x420000000000003f), SM_PAGE_MARKER},
		{UINT64_C(0x400000000000009f), SM_PAGE_GUARD},
		{UINT64_C(0x420000000000003e), SM_PAGE_MARKER},
		/* Linux 6.18 with all options: hwpoison, migration (anonymous, of a
		 * file), device-private, device-exclusive. */
		{UINT64_C(0x4000000002462f58), SM_PAGE_OTHER},
		{UINT64_C(0x4000000002462f5a), SM_PAGE_OTHER},
		{UINT64_C(0x6000000002462f59), SM_PAGE_OTHER | SM_PAGE_FILE},
		{UINT64_C(0x4000000002462f5c), SM_PAGE_OTHER},
		{UINT64_C(0x4000000002462f5e), SM_PAGE_OTHER},
		/* Linux 6.1 with all options: hwpoison; 5.10 without markers: migration.
		 */
		{UINT64_C(0x4000000002462f56), SM_PAGE_OTHER},
		{UINT64_C(0x4000000002462f5f), SM_PAGE_OTHER},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
		ck_assert_uint_eq(sm_pagemap_categories(t[i].entry), t[i].categories);
	ck_assert_uint_eq(SM_PAGEMAP_PFN_MASK, UINT64_C(0x7fffffffffffff));
	ck_assert_uint_eq(sm_pagemap_swap_type(UINT64_C(0x4000000000001062)), 2);
	ck_assert_uint_eq(sm_pagemap_swap_offset(UINT64_C(0x4000000000001062)), 0x83);
	ck_assert_uint_eq(sm_pagemap_swap_type(UINT64_MAX), 31);
	ck_assert_uint_eq(sm_pagemap_swap_offset(UINT64_MAX), (UINT64_C(1) << 50) - 1);
}
END_TEST

START_TEST(anonymous_pages)
{
	char *p = area(4);

	touch(p + page);
	(void)look_at(p + 2 * page);
	check_page(p, 0);
	check_page(p + page, SM_PAGE_PRESENT);
	ck_assert(entry_of(p + page) & SM_PAGEMAP_EXCLUSIVE);
	check_page(p + 2 * page, SM_PAGE_PRESENT | SM_PAGE_ZERO);
	ck_assert(!(entry_of(p + 2 * page) & SM_PAGEMAP_EXCLUSIVE));
	/* what was written stays there without any right to it */
	ck_assert_int_eq(mprotect(p, 4 * page, PROT_NONE), 0);
	check_page(p, 0);
	check_page(p + page, SM_PAGE_PRESENT);
	check_page(p - page, 0);
}
END_TEST

START_TEST(file_and_shared_pages)
{
	int fd = open(fix_path("proc/f"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	char *p;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)(4 * page)), 0);
	p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	madvise(p, 4 * page, MADV_RANDOM);
	touch(p + 2 * page);
	check_page(p + 2 * page, SM_PAGE_PRESENT); /* a copy of its own */
	p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	madvise(p, 4 * page, MADV_RANDOM);
	touch(p + page);
	check_page(p + page, SM_PAGE_PRESENT | SM_PAGE_FILE);
	close(fd);
	p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	touch(p + page);
	check_page(p, 0);
	check_page(p + page, SM_PAGE_PRESENT | SM_PAGE_FILE);
}
END_TEST

START_TEST(guard_pages)
{
	char *p = area(8);
	uint64_t at = (uintptr_t)p, next;

	for (size_t i = 0; i < 8; i++)
		touch(p + i * page);
	if (madvise(p + 2 * page, 3 * page, MADV_GUARD_INSTALL) < 0) {
		printf("# no guard pages here\n");
		return;
	}
	check_page(p + page, SM_PAGE_PRESENT);
	if (!(entry_of(p + 2 * page) & SM_PAGEMAP_GUARD))
		return; /* Linux 6.13 and 6.14 do not tell them from swapped pages */
	check_page(p + 2 * page, SM_PAGE_GUARD);
	ck_assert(can.categories & SM_PAGE_GUARD);
	ck_assert_int_eq(sm_pagemap_scan(self, &can, at, at + 8 * page, SM_PAGE_SWAPPED,
				 0, runs, &next),
		0);
	ck_assert_uint_eq(next, at + 8 * page);
	ck_assert_int_eq(sm_pagemap_scan(self, &can, at, at + 8 * page, SM_PAGE_GUARD, 0,
				 runs, &next),
		1);
	ck_assert_uint_eq(runs[0].start, at + 2 * page);
	ck_assert_uint_eq(runs[0].end, at + 5 * page);
	ck_assert_int_eq(
		sm_pagemap_scan(self, &can, at, at + 8 * page, THERE, 0, runs, &next), 3);
	ck_assert_uint_eq(runs[1].categories & THERE, SM_PAGE_GUARD);
	ck_assert_uint_eq(runs[2].start, at + 5 * page);
	/* a kernel that knows no guard pages */
	can.categories &= ~(uint64_t)SM_PAGE_GUARD;
	ck_assert_uint_eq(by_scan(p + 2 * page), SM_PAGE_SWAPPED);
}
END_TEST

START_TEST(huge_pages)
{
	char *p = mmap(NULL, 3 * HUGE_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t at, next;

	ck_assert_ptr_ne(p, MAP_FAILED);
	p += HUGE_BYTES - (uintptr_t)p % HUGE_BYTES;
	at = (uintptr_t)p;
	madvise(p, HUGE_BYTES, MADV_HUGEPAGE);
	for (size_t i = 0; i < HUGE_BYTES; i += page)
		touch(p + i);
	madvise(p, HUGE_BYTES, MADV_COLLAPSE);
	ck_assert_uint_eq(by_read(p + 5 * page), SM_PAGE_PRESENT);
	if (!can.works || by_scan(p) == SM_PAGE_PRESENT) {
		printf("# no huge page to be had\n");
		return;
	}
	check_page(p + 5 * page, SM_PAGE_PRESENT | SM_PAGE_HUGE);
	ck_assert_int_eq(sm_pagemap_scan(self, &can, at, at + HUGE_BYTES, SM_PAGE_HUGE, 0,
				 runs, &next),
		1);
	ck_assert_uint_eq(runs[0].start, at);
	ck_assert_uint_eq(runs[0].end, at + HUGE_BYTES);
	/* a limit within the huge page */
	ck_assert_int_eq(sm_pagemap_scan(self, &can, at + page, at + HUGE_BYTES,
				 SM_PAGE_HUGE, 3, runs, &next),
		1);
	ck_assert_uint_eq(runs[0].start, at + page);
	ck_assert_uint_eq(runs[0].end, at + 4 * page);
	ck_assert_uint_eq(next, at + 4 * page);
}
END_TEST

/* More runs than a call returns: each comes once. */
START_TEST(two_thousand_runs)
{
	enum { RUNS = 2000 };
	char *p = area(2 * RUNS);
	uint64_t at = (uintptr_t)p, end = at + 2 * RUNS * page, next = at, seen = 0;
	size_t calls = 0;

	if (!can.works)
		return;
	for (size_t i = 1; i < 2 * RUNS; i += 2)
		touch(p + i * page);
	for (; next < end; calls++) {
		ssize_t n = sm_pagemap_scan(self, &can, next, end, THERE, 0, runs, &next);

		ck_assert_int_ge(n, 0);
		ck_assert_int_le(n, SM_PAGEMAP_RUNS);
		for (ssize_t i = 0; i < n; i++, seen++) {
			ck_assert_uint_eq(runs[i].start, at + (2 * seen + 1) * page);
			ck_assert_uint_eq(runs[i].end, runs[i].start + page);
			ck_assert_uint_eq(runs[i].categories & THERE, SM_PAGE_PRESENT);
		}
	}
	ck_assert_uint_eq(next, end);
	ck_assert_uint_eq(seen, RUNS);
	ck_assert_uint_eq(calls, 4);
}
END_TEST

START_TEST(limit_of_pages)
{
	char *p = area(100);
	uint64_t at = (uintptr_t)p, end = at + 100 * page, next;

	if (!can.works)
		return;
	for (size_t i = 10; i < 50; i++)
		touch(p + i * page);
	(void)look_at(p + 50 * page);
	ck_assert_int_eq(sm_pagemap_scan(self, &can, at, end, THERE, 1, runs, &next), 1);
	ck_assert_uint_eq(runs[0].start, at + 10 * page);
	ck_assert_uint_eq(runs[0].end, at + 11 * page);
	ck_assert_uint_eq(next, at + 11 * page);
	ck_assert_int_eq(
		sm_pagemap_scan(self, &can, next, end, THERE, 40, runs, &next), 2);
	ck_assert_uint_eq(runs[0].end, at + 50 * page);
	ck_assert_uint_eq(runs[1].end, at + 51 * page);
	ck_assert_uint_eq(runs[1].categories & ~(uint64_t)SM_PAGE_SOFT_DIRTY,
		SM_PAGE_PRESENT | SM_PAGE_ZERO);
	ck_assert_uint_eq(next, at + 51 * page);
	ck_assert_int_eq(
		sm_pagemap_scan(self, &can, next, end, THERE, 40, runs, &next), 0);
	ck_assert_uint_eq(next, end);
	ck_assert_int_eq(
		sm_pagemap_scan(self, &can, at, end, SM_PAGE_ZERO, 5, runs, &next), 1);
	ck_assert_uint_eq(next, end);
}
END_TEST

START_TEST(nothing_to_find)
{
	char *p = area(2);
	uint64_t at = (uintptr_t)p, next = 7;
	struct sm_pagemap_scan none = {.works = false};

	if (can.works) {
		ck_assert_int_eq(
			sm_pagemap_scan(self, &can, at, at, ALL, 0, runs, &next), 0);
		ck_assert_uint_eq(next, at);
		/* no categories, and one that nobody knows: not all pages */
		ck_assert_int_eq(
			sm_pagemap_scan(self, &can, at, at + page, 0, 0, runs, &next), 0);
		ck_assert_uint_eq(next, at + page);
		ck_assert_int_eq(sm_pagemap_scan(self, &can, at, at + page, 1u << 20, 0,
					 runs, &next),
			0);
		ck_assert_int_eq(sm_pagemap_scan(self, &can, UINT64_MAX - 2 * page + 1,
					 UINT64_MAX - page + 1, ALL, 0, runs, &next),
			-EFAULT);
	}
	ck_assert_int_eq(sm_pagemap_scan(self, &none, at, at + page, ALL, 0, runs, &next),
		-ENOTTY);
}
END_TEST

START_TEST(probe)
{
	struct sm_pagemap_scan none = {.works = true, .categories = 1};
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	sm_pagemap_probe(fd, &none);
	ck_assert_int_lt(sm_pagemap_tracks_dirty(-1), 0);
	ck_assert(!none.works);
	ck_assert_uint_eq(none.categories, 0);
	close(fd);
	if (!can.works)
		printf("# no PAGEMAP_SCAN here\n");
	else
		ck_assert_uint_eq(
			can.categories & ~(uint64_t)(SM_PAGE_GUARD | SM_PAGE_SOFT_DIRTY),
			SM_PAGE_FILE | SM_PAGE_PRESENT | SM_PAGE_SWAPPED | SM_PAGE_ZERO |
				SM_PAGE_HUGE);
}
END_TEST

START_TEST(ends_of_the_address_space)
{
	uint64_t e[4] = {1, 1, 1, 1};
	const uint64_t vsyscall = UINT64_C(0xffffffffff600000);

	ck_assert_int_eq(sm_pagemap_read(self, 0, e, 1), 1);
	ck_assert_uint_eq(e[0], 0);
	ck_assert_int_eq(sm_pagemap_read(self, vsyscall, e, 1), 0);
	ck_assert_int_eq(sm_pagemap_read(self, 0, e, 0), 0);
#ifdef __x86_64__
	/* the last page of user memory, but for 5 levels of page tables */
	if (sm_pagemap_read(self, UINT64_C(0x800000000000), e, 1) == 0)
		ck_assert_int_eq(
			sm_pagemap_read(self, UINT64_C(0x7fffffffd000), e, 4), 2);
#endif
	ck_assert_int_eq(sm_pagemap_read(-1, 0, e, 1), -EBADF);
}
END_TEST

/* All runs of [start, end) against all entries. */
static void compare_ways(uint64_t start, uint64_t end)
{
	uint64_t at = start, next = start, e;

	while (next < end) {
		ssize_t n = sm_pagemap_scan(self, &can, next, end, ALL, 0, runs, &next);

		ck_assert_int_ge(n, 0);
		for (ssize_t i = 0; i < n; i++) {
			for (; at < runs[i].start; at += page) {
				ck_assert_int_eq(sm_pagemap_read(self, at, &e, 1), 1);
				ck_assert_uint_eq(sm_pagemap_categories(e), 0);
			}
			for (; at < runs[i].end; at += page) {
				ck_assert_int_eq(sm_pagemap_read(self, at, &e, 1), 1);
				ck_assert_uint_eq(sm_pagemap_categories(e),
					runs[i].categories &
						~(uint64_t)(SM_PAGE_ZERO | SM_PAGE_HUGE));
			}
		}
	}
}

START_TEST(both_ways_agree)
{
	enum { PAGES = 3000 };
	char *p = area(PAGES);
	uint32_t seed = 1;

	if (!can.works)
		return;
	for (size_t i = 0; i < PAGES; i++) {
		seed = seed * 1103515245 + 12345;
		switch (seed >> 28) {
		case 0 ... 5:
			touch(p + i * page);
			break;
		case 6 ... 8:
			(void)look_at(p + i * page);
			break;
		case 9:
			madvise(p + i * page, page, MADV_GUARD_INSTALL);
			break;
		}
	}
	compare_ways((uintptr_t)p - page, (uintptr_t)p + (PAGES + 1) * page);
}
END_TEST

static pid_t start_child(int *hold, int *pagemap, bool exec)
{
	int pipes[2];
	char c, path[64];
	pid_t pid;

	ck_assert_int_eq(pipe2(pipes, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(pipes[1]);
		if (read(pipes[0], &c, 1) != 0)
			_exit(1);
		if (exec)
			execl("/bin/sleep", "sleep", "1000", (char *)NULL);
		_exit(0);
	}
	close(pipes[0]);
	*hold = pipes[1];
	snprintf(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	*pagemap = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(*pagemap, 0);
	return pid;
}

static void check_gone(int fd, uint64_t at)
{
	uint64_t e, next;

	ck_assert_int_eq(sm_pagemap_read(fd, at, &e, 1), -ESRCH);
	if (can.works)
		ck_assert_int_eq(
			sm_pagemap_scan(fd, &can, at, at + page, ALL, 0, runs, &next),
			-ESRCH);
}

START_TEST(memory_that_is_no_more)
{
	char *p = area(1);
	uint64_t at = (uintptr_t)p, e, next;
	siginfo_t info;
	int hold, fd;
	pid_t pid;

	touch(p);
	pid = start_child(&hold, &fd, false);
	ck_assert_int_eq(sm_pagemap_read(fd, at, &e, 1), 1);
	ck_assert(e & SM_PAGEMAP_PRESENT);
	ck_assert(!(e & SM_PAGEMAP_EXCLUSIVE)); /* also the parent's */
	if (can.works)
		ck_assert_int_eq(
			sm_pagemap_scan(fd, &can, at, at + page, ALL, 0, runs, &next), 1);
	close(hold);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	check_gone(fd, at);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	check_gone(fd, at);
	close(fd);
}
END_TEST

START_TEST(another_program)
{
	char *p = area(1);
	uint64_t at = (uintptr_t)p, e;
	int hold, fd;
	pid_t pid;

	touch(p);
	pid = start_child(&hold, &fd, true);
	close(hold);
	while (sm_pagemap_read(fd, at, &e, 1) == 1)
		;
	check_gone(fd, at);
	close(fd);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

static TCase *tc_pages(void)
{
	TCase *tc = tcase_create("pages");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, entries);
	tcase_add_test(tc, anonymous_pages);
	tcase_add_test(tc, file_and_shared_pages);
	tcase_add_test(tc, guard_pages);
	tcase_add_test(tc, huge_pages);
	return tc;
}

static TCase *tc_ways(void)
{
	TCase *tc = tcase_create("ways");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, probe);
	tcase_add_test(tc, two_thousand_runs);
	tcase_add_test(tc, limit_of_pages);
	tcase_add_test(tc, nothing_to_find);
	tcase_add_test(tc, ends_of_the_address_space);
	tcase_add_test(tc, both_ways_agree);
	tcase_add_test(tc, memory_that_is_no_more);
	tcase_add_test(tc, another_program);
	return tc;
}

UNIT_MAIN("pagemap", tc_pages, tc_ways)
