// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>

#include "fixroot_rig.h"
#include "proc/cgroup.h"
#include "facts/pagefacts.h"
#include "target_rig.h"

static struct target t;
static struct space s;
static struct pagefacts_source src;
static struct pagefacts f;
static struct child c;
static unsigned char *area;

static void setup(void)
{
	target_rig_open();
	t = (struct target)TARGET_INIT;
	pagefacts_open(&src, &live);
	ck_assert_int_eq(space_init(&s), 0);
}

static void teardown(void)
{
	pagefacts_close(&src);
	space_fini(&s);
	target_close(&t);
	target_rig_close();
}

/* Page 0 is written, page 1 not touched, page 2 the zero page. */
static void three_pages(void)
{
	area = mmap(NULL, 3 * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(area, 3 * page_bytes, MADV_NOHUGEPAGE);
	area[0] = 1;
	(void)*(volatile unsigned char *)(area + 2 * page_bytes);
	child_say(&area, sizeof(area));
}

/* A private mapping of the program's own second page, read. */
static void file_page(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	area = mmap(NULL, 2 * page_bytes, PROT_READ, MAP_PRIVATE, fd, (off_t)page_bytes);
	(void)*(volatile unsigned char *)(area + page_bytes);
	child_say(&area, sizeof(area));
}

static void watch(void (*fn)(void))
{
	child_start(&c, fn);
	child_hear(&c, &area, sizeof(area));
	ck_assert_int_eq(target_open(&t, &live, c.pid, 0), 0);
	ck_assert_int_ge(space_update(&s, t.fd[TARGET_MAPS]), 0);
}

static void read_page(uint64_t address)
{
	ck_assert_int_eq(pagefacts_read(&src, &t, &s, address, &f), 0);
	ck_assert_uint_eq(f.address, address);
}

START_TEST(anonymous_page)
{
	watch(three_pages);
	read_page((uintptr_t)area + 3);
	ck_assert_int_eq(f.place, PAGE_IN_RAM);
	ck_assert(f.exclusive && !f.file && !f.guard && !f.uffd_wp);
	ck_assert(f.entry & SM_PAGEMAP_PRESENT);
	ck_assert_int_eq(f.vma_err, 0);
	ck_assert_ptr_nonnull(strstr(f.vma_flags, "rd wr mr mw me"));
	ck_assert_uint_eq(f.vma_page_bytes, page_bytes);
	ck_assert(f.pfn_known == unit_has_cap(CAP_SYS_ADMIN));
	if (f.pfn_known)
		ck_assert_uint_eq(f.physical, f.pfn * page_bytes + 3);
	child_end(&c);
}
END_TEST

START_TEST(untouched_page)
{
	watch(three_pages);
	read_page((uintptr_t)area + page_bytes);
	ck_assert_int_eq(f.place, PAGE_NOWHERE);
	ck_assert(!f.pfn_known && !f.swap_known && !f.exclusive);
	ck_assert_int_eq(f.count_err, -ENODATA);
	ck_assert_int_eq(f.flags_err, -ENODATA);
	ck_assert_int_eq(f.cgroup_err, -ENODATA);
	child_end(&c);
}
END_TEST

/* The flags of include/uapi/linux/kernel-page-flags.h: 12 ANON, 24 ZERO_PAGE. */
START_TEST(frame)
{
	struct sm_buf path = {.p = NULL};

	watch(three_pages);
	read_page((uintptr_t)area);
	if (f.pfn_known && !f.flags_err) {
		ck_assert(f.kpageflags >> 12 & 1);
		ck_assert(!(f.kpageflags >> 24 & 1));
		ck_assert_int_eq(f.count_err, 0);
		ck_assert_uint_eq(f.map_count, 1);
		if (!f.cgroup_err && f.cgroup_inode) {
			if (sm_cgroup_by_inode(&live, f.cgroup_inode, &path) < 0)
				sm_buf_reset(&path);
			ck_assert_uint_eq(f.cgroup_path.n, path.len);
			ck_assert_mem_eq(f.cgroup_path.p, path.p, path.len);
		}
		read_page((uintptr_t)area + 2 * page_bytes);
		ck_assert(f.kpageflags >> 24 & 1);
		ck_assert(!f.exclusive);
	}
	sm_buf_fini(&path);
	child_end(&c);
}
END_TEST

START_TEST(page_of_a_file)
{
	watch(file_page);
	read_page((uintptr_t)area + page_bytes + 7);
	ck_assert_int_eq(f.place, PAGE_IN_RAM);
	ck_assert(f.file);
	child_end(&c);
}
END_TEST

START_TEST(outside_of_mappings)
{
	watch(three_pages);
	read_page(0);
	ck_assert_int_eq(f.place, PAGE_NOWHERE);
	ck_assert_int_eq(f.vma_err, -ENODATA);
	read_page(UINT64_C(0xffffffffff600000)); /* [vsyscall]: behind user memory */
	ck_assert_int_eq(f.place, PAGE_NOWHERE);
	child_end(&c);
}
END_TEST

START_TEST(after_exit)
{
	watch(three_pages);
	child_dies(&c);
	ck_assert_int_eq(pagefacts_read(&src, &t, &s, (uintptr_t)area, &f), -ESRCH);
	child_end(&c);
}
END_TEST

/* Raw entries: Documentation/admin-guide/mm/pagemap.rst; no bit of a flag is part of a
 * number. */
START_TEST(entries)
{
	static const struct {
		uint64_t entry;
		enum page_place place;
		uint64_t pfn;
		unsigned int swap_type;
		uint64_t swap_offset;
		bool dirty, exclusive, wp, guard, file;
	} e[] = {
		{UINT64_C(0x8100000000181f33), PAGE_IN_RAM, 0x181f33, 0, 0, false, true,
			false, false, false},
		{UINT64_C(0xa180000000000001), PAGE_IN_RAM, 1, 0, 0, true, true, false,
			false, true},
		{UINT64_C(0x8200000000000005), PAGE_IN_RAM, 5, 0, 0, false, false, true,
			false, false},
		{UINT64_C(0x4080000000080000), PAGE_IN_SWAP, 0, 0, 0x4000, true, false,
			false, false, false},
		{UINT64_C(0x4000000000000063), PAGE_IN_SWAP, 0, 3, 3, false, false, false,
			false, false},
		{UINT64_C(0x440000000000009f), PAGE_GUARD, 0, 0, 0, false, false, false,
			true, false},
		{UINT64_C(0x0080000000000000), PAGE_NOWHERE, 0, 0, 0, true, false, false,
			false, false},
	};

	fix_open();
	fix_put("proc/pagemap", "");
	t.root = &live;
	t.fd[TARGET_PAGEMAP] = open(fix_path("proc/pagemap"), O_RDWR | O_CLOEXEC);
	for (size_t i = 0; i < SM_ARRAY_SIZE(e); i++) {
		ck_assert_int_eq(pwrite(t.fd[TARGET_PAGEMAP], &e[i].entry, 8, 0), 8);
		read_page(0);
		ck_assert_int_eq(f.place, e[i].place);
		ck_assert_uint_eq(f.pfn, e[i].pfn);
		ck_assert(f.pfn_known == (e[i].place == PAGE_IN_RAM));
		ck_assert(f.swap_known == (e[i].place == PAGE_IN_SWAP));
		ck_assert_uint_eq(f.swap_type, e[i].swap_type);
		ck_assert_uint_eq(f.swap_offset, e[i].swap_offset);
		ck_assert_int_eq(f.soft_dirty, e[i].dirty);
		ck_assert_int_eq(f.exclusive, e[i].exclusive);
		ck_assert_int_eq(f.uffd_wp, e[i].wp);
		ck_assert_int_eq(f.guard, e[i].guard);
		ck_assert_int_eq(f.file, e[i].file);
	}
	fix_close();
}
END_TEST

static TCase *tc_pagefacts(void)
{
	TCase *tc = tcase_create("pagefacts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, anonymous_page);
	tcase_add_test(tc, untouched_page);
	tcase_add_test(tc, frame);
	tcase_add_test(tc, page_of_a_file);
	tcase_add_test(tc, outside_of_mappings);
	tcase_add_test(tc, after_exit);
	tcase_add_test(tc, entries);
	return tc;
}

UNIT_MAIN("pagefacts", tc_pagefacts)
