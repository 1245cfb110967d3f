// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/kernel-page-flags.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "proc/cgroup.h"
#include "proc/pageflags.h"
#include "proc/pagemap.h"
#include "fixroot_rig.h"

static struct sm_pageflags f = SM_PAGEFLAGS_INIT;

START_TEST(files)
{
	static const uint64_t counts[] = {0, 3, 7}, flags[] = {1, 2},
			      cgroup[] = {0, 4711};
	uint64_t v = 99;

	fix_put_bytes("proc/kpagecount", (const char *)counts, sizeof(counts));
	fix_put_bytes("proc/kpageflags", (const char *)flags, sizeof(flags) - 1);
	fix_put_bytes("proc/kpagecgroup", (const char *)cgroup, sizeof(cgroup));
	ck_assert_int_eq(sm_pageflags_open(&f, &fix), 0);
	ck_assert_int_eq(sm_pageflags_count(&f, 2, &v), 0);
	ck_assert_uint_eq(v, 7);
	ck_assert_int_eq(sm_pageflags_flags(&f, 0, &v), 0);
	ck_assert_uint_eq(v, 1);
	ck_assert_int_eq(sm_pageflags_cgroup(&f, 1, &v), 0);
	ck_assert_uint_eq(v, 4711);
	/* behind the last, half of one, and numbers that are no offsets */
	ck_assert_int_eq(sm_pageflags_count(&f, 3, &v), -ENODATA);
	ck_assert_int_eq(sm_pageflags_flags(&f, 1, &v), -ENODATA);
	ck_assert_int_eq(sm_pageflags_flags(&f, UINT64_C(1) << 61, &v), -ENODATA);
	ck_assert_int_eq(sm_pageflags_flags(&f, UINT64_MAX, &v), -ENODATA);
	ck_assert_uint_eq(v, 4711);
	sm_pageflags_close(&f);
	ck_assert_int_eq(sm_pageflags_count(&f, 2, &v), -ENOENT);
}
END_TEST

START_TEST(files_that_are_missing)
{
	uint64_t v;

	ck_assert_int_eq(sm_pageflags_open(&f, &fix), -ENOENT);
	fix_put_bytes("proc/kpagecount", "\1\0\0\0\0\0\0", 8);
	ck_assert_int_eq(sm_pageflags_open(&f, &fix), 0);
	ck_assert_int_eq(sm_pageflags_count(&f, 0, &v), 0);
	ck_assert_int_eq(sm_pageflags_flags(&f, 0, &v), -ENOENT);
	ck_assert_int_eq(sm_pageflags_cgroup(&f, 0, &v), -ENOENT);
	sm_pageflags_close(&f);
	if (unit_has_cap(CAP_DAC_OVERRIDE))
		return;
	ck_assert_int_eq(chmod(fix_path("proc/kpagecount"), 0), 0);
	ck_assert_int_eq(sm_pageflags_open(&f, &fix), -ENOENT);
	ck_assert_int_eq(sm_pageflags_count(&f, 0, &v), -EACCES);
}
END_TEST

static void check_text(uint64_t flags, const char *want)
{
	struct sm_buf b = {.len = 0};

	sm_pageflags_text(&b, flags);
	ck_assert_uint_eq(b.len, strlen(want));
	if (b.len)
		ck_assert_mem_eq(b.p, want, b.len);
	sm_buf_fini(&b);
}

START_TEST(names)
{
	static const struct {
		unsigned int number;
		const char *name;
	} t[] = {{KPF_LOCKED, "LOCKED"}, {KPF_ERROR, "ERROR"},
		{KPF_REFERENCED, "REFERENCED"}, {KPF_UPTODATE, "UPTODATE"},
		{KPF_DIRTY, "DIRTY"}, {KPF_LRU, "LRU"}, {KPF_ACTIVE, "ACTIVE"},
		{KPF_SLAB, "SLAB"}, {KPF_WRITEBACK, "WRITEBACK"},
		{KPF_RECLAIM, "RECLAIM"}, {KPF_BUDDY, "BUDDY"}, {KPF_MMAP, "MMAP"},
		{KPF_ANON, "ANON"}, {KPF_SWAPCACHE, "SWAPCACHE"},
		{KPF_SWAPBACKED, "SWAPBACKED"}, {KPF_COMPOUND_HEAD, "COMPOUND_HEAD"},
		{KPF_COMPOUND_TAIL, "COMPOUND_TAIL"}, {KPF_HUGE, "HUGE"},
		{KPF_UNEVICTABLE, "UNEVICTABLE"}, {KPF_HWPOISON, "HWPOISON"},
		{KPF_NOPAGE, "NOPAGE"}, {KPF_KSM, "KSM"}, {KPF_THP, "THP"},
		{KPF_OFFLINE, "OFFLINE"}, {KPF_ZERO_PAGE, "ZERO_PAGE"},
		{KPF_IDLE, "IDLE"}, {KPF_PGTABLE, "PGTABLE"}};

	ck_assert_int_eq(SM_KPF_HUGE, KPF_HUGE);
	ck_assert_int_eq(SM_KPF_HWPOISON, KPF_HWPOISON);
	ck_assert_int_eq(SM_KPF_KSM, KPF_KSM);
	ck_assert_int_eq(SM_KPF_THP, KPF_THP);
	ck_assert_int_eq(SM_KPF_ZERO_PAGE, KPF_ZERO_PAGE);
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		ck_assert_uint_eq(t[i].number, i);
		ck_assert_str_eq(sm_pageflags_name(t[i].number), t[i].name);
	}
	ck_assert_ptr_null(sm_pageflags_name(31));
	ck_assert_ptr_null(sm_pageflags_name(63));
	ck_assert_ptr_null(sm_pageflags_name(64));
	ck_assert_ptr_null(sm_pageflags_name(UINT32_MAX));
	check_text(0, "");
	check_text(1, "LOCKED");
	check_text(UINT64_C(1) << 63 | UINT64_C(7) << 32 | 1u << 31 | 0x1800,
		"MMAP ANON bit31 RESERVED MLOCKED");
}
END_TEST

static int self = -1;

static bool live_open(void)
{
	struct sm_root live;
	int ret;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	self = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(self, 0);
	ret = sm_pageflags_open(&f, &live);
	sm_root_close(&live);
	if (ret < 0 || !unit_has_cap(CAP_SYS_ADMIN)) {
		printf("# page frames are hidden here\n");
		return false;
	}
	return true;
}

static void live_close(void)
{
	close(self);
	sm_pageflags_close(&f);
}

static char *own_page(void)
{
	char *p = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	madvise(p, (size_t)getpagesize(), MADV_NOHUGEPAGE);
	return p;
}

static uint64_t pfn_of(const char *p)
{
	uint64_t e;

	ck_assert_int_eq(sm_pagemap_read(self, (uintptr_t)p, &e, 1), 1);
	ck_assert(e & SM_PAGEMAP_PRESENT);
	return e & SM_PAGEMAP_PFN_MASK;
}

START_TEST(own_anonymous_page)
{
	char *p = own_page(), c;
	uint64_t count, flags, pfn;
	int pipes[2];
	pid_t pid;

	*(volatile char *)p = 1;
	if (!live_open())
		return live_close();
	pfn = pfn_of(p);
	ck_assert_uint_ne(pfn, 0);
	if (f.count_fd >= 0) {
		ck_assert_int_eq(sm_pageflags_count(&f, pfn, &count), 0);
		ck_assert_uint_eq(count, 1);
		ck_assert_int_eq(pipe(pipes), 0);
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (pid == 0) {
			close(pipes[1]);
			_exit((int)read(pipes[0], &c, 1));
		}
		ck_assert_int_eq(sm_pageflags_count(&f, pfn, &count), 0);
		ck_assert_uint_eq(count, 2);
		close(pipes[1]);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
	if (f.flags_fd >= 0) {
		ck_assert_int_eq(sm_pageflags_flags(&f, pfn, &flags), 0);
		ck_assert_uint_eq(
			flags & (1u << KPF_MMAP | 1u << KPF_ANON | 1u << KPF_SLAB),
			1u << KPF_MMAP | 1u << KPF_ANON);
		ck_assert(!(flags >> KPF_ZERO_PAGE & 1));
	}
	live_close();
}
END_TEST

START_TEST(zero_page)
{
	char *p = own_page();
	struct sm_pagemap_scan scan;
	uint64_t flags, zero, categories;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	(void)*(volatile char *)p;
	ck_assert_uint_eq(sm_pageflags_zero_pfn(null), 0);
	close(null);
	if (!live_open()) {
		if (!unit_has_cap(CAP_SYS_ADMIN))
			ck_assert_uint_eq(sm_pageflags_zero_pfn(self), 0);
		return live_close();
	}
	zero = sm_pageflags_zero_pfn(self);
	ck_assert_uint_ne(zero, 0);
	ck_assert_uint_eq(zero, pfn_of(p));
	*(volatile char *)p = 1;
	ck_assert_uint_ne(zero, pfn_of(p));
	if (f.flags_fd >= 0) {
		ck_assert_int_eq(sm_pageflags_flags(&f, zero, &flags), 0);
		ck_assert(flags >> KPF_ZERO_PAGE & 1);
	}
	sm_pagemap_probe(self, &scan);
	zero = sm_pageflags_huge_zero_pfn(self, &scan, &categories);
	if (zero && f.flags_fd >= 0) {
		ck_assert_uint_ne(zero, sm_pageflags_zero_pfn(self));
		ck_assert_int_eq(sm_pageflags_flags(&f, zero, &flags), 0);
		ck_assert(flags >> KPF_ZERO_PAGE & 1 && flags >> KPF_THP & 1);
		ck_assert(categories & SM_PAGE_HUGE);
	}
	live_close();
}
END_TEST

/* A page that this process writes is paid for by its own cgroup. */
START_TEST(own_cgroup)
{
	char text[4096], *p = own_page();
	struct sm_buf path = {.len = 0};
	struct sm_root live;
	struct sm_str own;
	uint64_t inode;

	*(volatile char *)p = 1;
	if (!live_open() || f.cgroup_fd < 0)
		return live_close();
	ck_assert_int_eq(sm_pageflags_cgroup(&f, pfn_of(p), &inode), 0);
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	unit_slurp("/proc/self/cgroup", text, sizeof(text));
	if (sm_cgroup_find(text, strlen(text), "memory", &own) ||
		sm_cgroup_find(text, strlen(text), NULL, &own)) {
		int ret = sm_cgroup_by_inode(&live, inode, &path);

		/* in a container the mount may show only a part of the tree */
		if (ret == 0) {
			printf("# cgroup %.*s, own %.*s\n", (int)path.len, path.p,
				(int)own.n, own.p);
			ck_assert(path.len <= own.n);
			ck_assert(path.len == 1 || memcmp(path.p, own.p, path.len) == 0);
		} else {
			ck_assert_int_eq(ret, -ENOENT);
		}
	}
	sm_buf_fini(&path);
	sm_root_close(&live);
	live_close();
}
END_TEST

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, files);
	tcase_add_test(tc, files_that_are_missing);
	tcase_add_test(tc, names);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, own_anonymous_page);
	tcase_add_test(tc, zero_page);
	tcase_add_test(tc, own_cgroup);
	return tc;
}

UNIT_MAIN("pageflags", tc_files, tc_live)
