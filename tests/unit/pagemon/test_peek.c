// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fixroot_rig.h"
#include "facts/peek.h"
#include "target_rig.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102 /* Linux 6.13 */
#endif

enum { PAGES = 8 };

static struct target t;
static struct space s;
static struct vmas vmas;
static struct peek p;
static struct child c;
static unsigned char *area;

static void setup(void)
{
	target_rig_open();
	t = (struct target)TARGET_INIT;
	vmas = (struct vmas)VMAS_INIT;
	ck_assert_int_eq(space_init(&s), 0);
	peek_init(&p, &vmas);
}

static void teardown(void)
{
	peek_fini(&p);
	vmas_fini(&vmas);
	space_fini(&s);
	target_close(&t);
	target_rig_close();
}

static void watch(void (*fn)(void))
{
	child_start(&c, fn);
	child_hear(&c, &area, sizeof(area));
	child_rests(&c);
	ck_assert_int_eq(target_open(&t, &live, c.pid, TARGET_USE_MEM), 0);
	ck_assert_int_eq(t.state, TARGET_ALIVE);
	ck_assert_int_ge(space_update(&s, t.fd[TARGET_MAPS]), 0);
}

static uint64_t at(size_t page)
{
	return (uintptr_t)area + page * page_bytes;
}

static enum peek_state look(size_t page, unsigned char *byte)
{
	ck_assert_int_eq(peek_read(&p, &t, &s, at(page), page_bytes), 0);
	return peek_at(&p, at(page) + 5, byte);
}

/* Pages 0 and 2 have bytes; 4 is unmapped, 6 a guard region. */
static void some_pages(void)
{
	area = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(area, PAGES * page_bytes, MADV_NOHUGEPAGE);
	memset(area, 0xc1, page_bytes);
	memset(area + 2 * page_bytes, 0x32, page_bytes);
	madvise(area + 6 * page_bytes, page_bytes, MADV_GUARD_INSTALL);
	munmap(area + 4 * page_bytes, page_bytes);
	child_say(&area, sizeof(area));
}

static uint64_t entry_of(size_t page)
{
	uint64_t e;

	ck_assert_int_eq(sm_pagemap_read(t.fd[TARGET_PAGEMAP], at(page), &e, 1), 1);
	return e;
}

static uint64_t minor_faults(void)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_procpid_read_stat(&live, c.pid, &st), 0);
	return st.minflt;
}

/* Neither the pages nor the page faults of the target change by looking. */
START_TEST(only_what_is_there_is_read)
{
	uint64_t faults, guard;
	unsigned char b = 0;

	watch(some_pages);
	faults = minor_faults();
	ck_assert_int_eq(look(0, &b), PEEK_BYTES);
	ck_assert_uint_eq(b, 0xc1);
	ck_assert_int_eq(look(1, &b), PEEK_ABSENT);
	ck_assert_int_eq(look(2, &b), PEEK_BYTES);
	ck_assert_uint_eq(b, 0x32);
	ck_assert_int_eq(look(3, &b), PEEK_ABSENT);
	ck_assert_int_eq(look(4, &b), PEEK_UNMAPPED);
	ck_assert_int_eq(look(5, &b), PEEK_ABSENT);
	guard = entry_of(6) & SM_PAGEMAP_GUARD;
	ck_assert_int_eq(look(6, &b), guard ? PEEK_GUARD : PEEK_ABSENT);
	for (size_t i = 0; i < PAGES; i++)
		ck_assert(!(entry_of(i) & SM_PAGEMAP_PRESENT) == (i != 0 && i != 2));
	ck_assert_uint_eq(minor_faults(), faults);
	child_end(&c);
}
END_TEST

START_TEST(a_range_of_several_mappings)
{
	unsigned char b = 0;

	watch(some_pages);
	ck_assert_int_eq(peek_read(&p, &t, &s, at(2) - 16, 3 * page_bytes + 32), 0);
	ck_assert_uint_eq(p.pages, 5);
	ck_assert_int_eq(peek_at(&p, at(2) - 1, &b), PEEK_ABSENT);
	ck_assert_uint_eq(b, 0);
	ck_assert_int_eq(peek_at(&p, at(2), &b), PEEK_BYTES);
	ck_assert_int_eq(peek_at(&p, at(3) - 1, &b), PEEK_BYTES);
	ck_assert_uint_eq(b, 0x32);
	ck_assert_int_eq(peek_at(&p, at(4), &b), PEEK_UNMAPPED);
	ck_assert_int_eq(peek_at(&p, at(5) + 15, &b), PEEK_ABSENT);
	ck_assert_int_eq(peek_at(&p, at(6), &b), PEEK_UNMAPPED); /* not looked at */
	ck_assert_int_eq(peek_at(&p, at(0), &b), PEEK_UNMAPPED);
	ck_assert_int_eq(peek_read(&p, &t, &s, at(0), PEEK_BYTES_MAX + 1), -EINVAL);
	ck_assert_int_eq(peek_read(&p, &t, &s, UINT64_MAX - 15, 16), -EINVAL);
	ck_assert_int_eq(peek_read(&p, &t, &s, 0, 16), 0);
	ck_assert_int_eq(peek_at(&p, 0, &b), PEEK_UNMAPPED);
	child_end(&c);
}
END_TEST

START_TEST(touching_reads_one_page_in)
{
	watch(some_pages);
	ck_assert_int_eq(peek_touch(&p, &t, &s, at(1) + 100), 0);
	ck_assert(entry_of(1) & SM_PAGEMAP_PRESENT);
	ck_assert(!(entry_of(3) & SM_PAGEMAP_PRESENT));
	ck_assert_int_eq(peek_touch(&p, &t, &s, at(4)), -EFAULT);
	ck_assert(!(entry_of(4) & SM_PAGEMAP_PRESENT));
	if (entry_of(6) & SM_PAGEMAP_GUARD)
		ck_assert_int_eq(peek_touch(&p, &t, &s, at(6)), -EIO);
	child_end(&c);
}
END_TEST

START_TEST(no_mem_no_bytes)
{
	watch(some_pages);
	close(t.fd[TARGET_MEM]);
	t.fd[TARGET_MEM] = -1;
	t.flags = TARGET_NO_MEM;
	ck_assert_int_eq(peek_read(&p, &t, &s, at(0), 16), -EBADF);
	ck_assert_int_eq(peek_touch(&p, &t, &s, at(0)), -EBADF);
	child_end(&c);
}
END_TEST

START_TEST(after_exit)
{
	watch(some_pages);
	child_dies(&c);
	ck_assert_int_eq(peek_read(&p, &t, &s, at(0), 16), -ESRCH);
	child_end(&c);
}
END_TEST

/* The kernel's [vvar] has the flags io and pf. */
static const struct mapping *named(const char *name)
{
	for (size_t i = 0; i < s.n; i++)
		if (strcmp(s.mappings[i].name, name) == 0)
			return &s.mappings[i];
	return NULL;
}

START_TEST(devices_are_not_read)
{
	const struct mapping *m;
	unsigned char b = 0;

	watch(some_pages);
	m = named("[vvar]");
	if (m) {
		ck_assert(vmas_is_device(&vmas, &t, m));
		ck_assert_int_eq(peek_read(&p, &t, &s, m->start, 16), 0);
		ck_assert_int_eq(peek_at(&p, m->start, &b), PEEK_DEVICE);
		ck_assert_int_eq(peek_touch(&p, &t, &s, m->start), -EACCES);
	}
	ck_assert(!vmas_is_device(&vmas, &t, named("[stack]")));
	child_end(&c);
}
END_TEST

/* Without smaps the name decides. */
START_TEST(devices_by_name)
{
	static const struct {
		const char *name;
		bool device;
	} n[] = {{"/dev/dri/card0", true}, {"/dev/zero (deleted)", false},
		{"/dev/shm/x", false}, {"/dev/mem", true},
		{"/sys/bus/pci/devices/0000:00:02.0/resource0", true},
		{"/usr/lib/libc.so.6", false}, {"/devil", false}, {"[vvar]", true},
		{"/memfd:/dev/x (deleted)", false}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(n); i++) {
		struct mapping m = {.start = page_bytes,
			.end = 2 * page_bytes,
			.inode = n[i].name[0] == '/',
			.name = n[i].name,
			.name_len = (unsigned int)strlen(n[i].name)};

		ck_assert_msg(
			vmas_is_device(&vmas, &t, &m) == n[i].device, "%s", n[i].name);
	}
}
END_TEST

/* A file that the child has mapped: VmFlags of smaps, not the name, decide. */
START_TEST(files_are_read)
{
	const struct vma_info *i;
	const struct mapping *m;
	unsigned char b = 0;

	watch(some_pages);
	for (m = s.mappings; m < s.mappings + s.n && !m->inode; m++)
		;
	ck_assert(m < s.mappings + s.n);
	ck_assert_int_eq(vmas_find(&vmas, &t, m, &i), 0);
	ck_assert(i->start == m->start && i->end == m->end);
	ck_assert(i->flags_known);
	ck_assert_ptr_nonnull(strstr(i->flags, "mr"));
	ck_assert_uint_eq(i->page_bytes, page_bytes);
	ck_assert_int_eq(peek_read(&p, &t, &s, m->start, 16), 0);
	ck_assert_int_ne(peek_at(&p, m->start, &b), PEEK_DEVICE);
	child_end(&c);
}
END_TEST

/* ---- reading in: of a made process, whose files say what is swapped ---- */

#define BASE UINT64_C(0x100000)

static void put_entry(int fd, uint64_t address, uint64_t e)
{
	ck_assert_int_eq(pwrite(fd, &e, sizeof(e), (off_t)(address / page_bytes * 8)), 8);
}

static int made(const char *name)
{
	int fd = open(fix_path(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	return fd;
}

static void make_target(void)
{
	static const uint64_t bits[] = {SM_PAGEMAP_SWAPPED | 0x20, 0,
		SM_PAGEMAP_PRESENT | 9, SM_PAGEMAP_SWAPPED | SM_PAGEMAP_GUARD | 0x1f,
		SM_PAGEMAP_SWAPPED | 0x40, SM_PAGEMAP_SWAPPED | 0x60,
		SM_PAGEMAP_SWAPPED | 0x5f};
	char maps[512];
	int n;

	n = snprintf(maps, sizeof(maps),
		"%08lx-%08lx rw-p 00000000 00:00 0 \n"
		"%08lx-%08lx rw-s 00000000 00:05 7 /dev/card\n",
		(long)BASE, (long)(BASE + PAGES * page_bytes),
		(long)(BASE + 2 * PAGES * page_bytes),
		(long)(BASE + 3 * PAGES * page_bytes));
	fix_put_bytes("proc/maps", maps, (size_t)n);
	t.fd[TARGET_MAPS] = made("proc/maps");
	t.fd[TARGET_PAGEMAP] = made("proc/pagemap");
	t.fd[TARGET_MEM] = made("proc/mem");
	put_entry(t.fd[TARGET_PAGEMAP], BASE + 3 * PAGES * page_bytes, 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(bits); i++)
		put_entry(t.fd[TARGET_PAGEMAP], BASE + i * page_bytes, bits[i]);
	put_entry(t.fd[TARGET_PAGEMAP], BASE + 2 * PAGES * page_bytes, bits[0]);
	ck_assert_int_eq(
		ftruncate(t.fd[TARGET_MEM], (off_t)(BASE + 4 * PAGES * page_bytes)), 0);
	ck_assert_int_ge(space_update(&s, t.fd[TARGET_MAPS]), 0);
	ck_assert_uint_eq(s.pages, 2 * PAGES);
}

static void reader(struct pass_reader *r)
{
	ck_assert_int_eq(pass_reader_init(r, PASS_READ, -1, t.fd[TARGET_PAGEMAP], -1), 0);
}

static int fill_all(struct peek_fill *f, uint64_t budget_ns)
{
	int r, steps = 0;

	while ((r = peek_fill_step(f, budget_ns)) == 1)
		steps++;
	ck_assert(f->done);
	return r < 0 ? r : steps;
}

START_TEST(fill_reads_what_is_swapped)
{
	struct pass_reader r;
	struct peek_fill f;

	fix_open();
	make_target();
	reader(&r);
	ck_assert_int_eq(peek_fill_begin(&f, &p, &t, &r, &s, 0, s.pages), 0);
	ck_assert_int_ge(fill_all(&f, 0), 3); /* a page a step */
	ck_assert_uint_eq(f.pages, 3);
	ck_assert_uint_eq(f.failed, 1); /* the device's */
	peek_fill_end(&f);
	ck_assert_int_eq(peek_fill_begin(&f, &p, &t, &r, &s, 1, 5), 0);
	ck_assert_int_ge(fill_all(&f, SM_NSEC_PER_SEC), 0);
	ck_assert_uint_eq(f.pages, 1);
	peek_fill_end(&f);
	fix_close();
}
END_TEST

START_TEST(fill_ends_with_the_process)
{
	struct pass_reader r;
	struct peek_fill f;

	fix_open();
	make_target();
	reader(&r);
	ck_assert_int_eq(ftruncate(t.fd[TARGET_MEM], 0), 0);
	ck_assert_int_eq(peek_fill_begin(&f, &p, &t, &r, &s, 0, s.pages), 0);
	ck_assert_int_eq(fill_all(&f, SM_NSEC_PER_SEC), -ESRCH);
	ck_assert_int_eq(peek_fill_step(&f, 0), -ESRCH);
	ck_assert_uint_eq(f.pages, 0);
	peek_fill_end(&f);
	fix_close();
}
END_TEST

/* Of a live process without swap nothing is read in. */
START_TEST(fill_leaves_the_rest)
{
	struct pass_reader r;
	struct peek_fill f;

	watch(some_pages);
	reader(&r);
	ck_assert_int_eq(peek_fill_begin(&f, &p, &t, &r, &s, space_ordinal(&s, at(0)),
				 space_ordinal(&s, at(7))),
		0);
	ck_assert_int_ge(fill_all(&f, SM_NSEC_PER_SEC), 0);
	ck_assert(!(entry_of(1) & SM_PAGEMAP_PRESENT));
	ck_assert(!(entry_of(5) & SM_PAGEMAP_PRESENT));
	peek_fill_end(&f);
	child_end(&c);
}
END_TEST

static TCase *tc_peek(void)
{
	TCase *tc = tcase_create("peek");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, only_what_is_there_is_read);
	tcase_add_test(tc, a_range_of_several_mappings);
	tcase_add_test(tc, touching_reads_one_page_in);
	tcase_add_test(tc, no_mem_no_bytes);
	tcase_add_test(tc, after_exit);
	tcase_add_test(tc, devices_are_not_read);
	tcase_add_test(tc, devices_by_name);
	tcase_add_test(tc, files_are_read);
	return tc;
}

static TCase *tc_fill(void)
{
	TCase *tc = tcase_create("fill");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, fill_reads_what_is_swapped);
	tcase_add_test(tc, fill_ends_with_the_process);
	tcase_add_test(tc, fill_leaves_the_rest);
	return tc;
}

UNIT_MAIN("peek", tc_peek, tc_fill)
