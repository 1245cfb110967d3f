// SPDX-License-Identifier: GPL-2.0-or-later
#include <sched.h>
#include <sys/mman.h>

#include "facts/usage.h"
#include "fixroot_rig.h"

static struct space space;
static struct usages u;

static void setup(void)
{
	fix_open();
	ck_assert_int_eq(space_init(&space), 0);
	u = (struct usages){0};
}

static void teardown(void)
{
	usages_fini(&u);
	space_fini(&space);
	fix_close();
}

static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Reads both files and returns the result of usages_read(). */
static int read_both(const char *maps, const char *smaps)
{
	SM_CLOSE_FD int maps_fd = open_file(maps), smaps_fd = open_file(smaps);

	ck_assert_int_ge(space_update(&space, maps_fd), 0);
	return usages_read(&u, smaps_fd, maps_fd, &space);
}

static int read_texts(const char *maps, const char *smaps)
{
	char path[128];

	fix_put("d/maps", maps);
	fix_put("d/smaps", smaps);
	snprintf(path, sizeof(path), "%s", fix_path("d/maps"));
	return read_both(path, fix_path("d/smaps"));
}

static bool known(const struct usage *one, enum usage_key key)
{
	return one->known >> key & 1;
}

#define FIRST  "00001000-00003000 rw-p 00000000 00:00 0 "
#define SECOND "00009000-0000a000 r--s 00000000 fe:00 99999999 /no/such (deleted)"

START_TEST(sums)
{
	ck_assert_int_eq(
		read_texts(FIRST "\n" SECOND "\n",
			FIRST "\nPss: 3 kB\nReferenced: 4 kB\nLazyFree: 8 kB\nSwapPss: 2 "
			      "kB\nLocked: 5 kB\n" SECOND
			      "\nPss: 100 kB\nReferenced: 200 kB\nLazyFree: 0 kB\n"
			      "SwapPss: 0 kB\nLocked: 1 kB\n"),
		0);
	ck_assert_uint_eq(u.total.known, (1u << USAGE_KEYS) - 1);
	ck_assert_uint_eq(u.total.kb[USAGE_PSS], 103);
	ck_assert_uint_eq(u.total.kb[USAGE_SWAP_PSS], 2);
	ck_assert_uint_eq(u.total.kb[USAGE_REFERENCED], 204);
	ck_assert_uint_eq(u.total.kb[USAGE_LAZY_FREE], 8);
	ck_assert_uint_eq(u.total.kb[USAGE_LOCKED], 6);
	ck_assert_uint_eq(u.total.kb[USAGE_DELETED], 4);
	ck_assert_uint_eq(u.each[0].kb[USAGE_PSS], 3);
	ck_assert_uint_eq(u.each[0].kb[USAGE_DELETED], 0);
	ck_assert_uint_eq(u.each[1].kb[USAGE_PSS], 100);
	ck_assert_uint_eq(u.each[1].kb[USAGE_DELETED], 4);
}
END_TEST

/* An old kernel lacks LazyFree; a mapping that has changed has no values of its own. */
START_TEST(unknown)
{
	ck_assert_int_eq(
		read_texts(FIRST "\n" SECOND "\n",
			"00001000-00004000 rw-p 00000000 00:00 0 \nPss: 7 kB\n" SECOND
			"\nPss: 1 kB\n"),
		0);
	ck_assert(!known(&u.total, USAGE_LAZY_FREE));
	ck_assert_uint_eq(u.total.kb[USAGE_PSS], 8);
	ck_assert(!known(&u.each[0], USAGE_PSS));
	ck_assert(known(&u.each[0], USAGE_DELETED));
	ck_assert_uint_eq(u.each[1].kb[USAGE_PSS], 1);
	ck_assert_int_eq(read_texts(FIRST "\n", "Pss: 1 kB\n"), -EBADMSG);
	ck_assert_int_eq(
		read_texts(FIRST "\n", "00001000-00004000 rw-p 00000000 00:00 0 \nodd\n"
				       "Pss: no kB\nRss: 3 kB\n"),
		0);
	ck_assert(!known(&u.each[0], USAGE_PSS));
}
END_TEST

enum { PAGES = 256, BATCH = 31 };

static size_t number_of(const void *p)
{
	return (size_t)(space_at_or_above(&space, (uintptr_t)p) - space.mappings);
}

static void *map(int fd, size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	for (size_t i = 0; i < bytes; i += (size_t)getpagesize())
		p[i] = 1;
	return p;
}

static void stay_on_this_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
}

/* Pages freed with MADV_FREE look present; only LazyFree tells them.  The kernel
 * marks them in batches, and each CPU has a batch of its own. */
START_TEST(lazily_freed)
{
	size_t bytes = PAGES * (size_t)getpagesize();
	struct usage *one;
	void *p;

	stay_on_this_cpu();
	p = map(-1, bytes);

	mprotect((char *)p + bytes - getpagesize(), (size_t)getpagesize(), PROT_READ);
	if (madvise(p, bytes / 2, MADV_FREE))
		return; /* before Linux 4.5 */
	ck_assert_int_eq(read_both("/proc/self/maps", "/proc/self/smaps"), 0);
	one = &u.each[number_of(p)];
	ck_assert_uint_le(one->kb[USAGE_LAZY_FREE], bytes / 2 / 1024);
	ck_assert_uint_ge(one->kb[USAGE_LAZY_FREE],
		(bytes / 2 - BATCH * (size_t)getpagesize()) / 1024);
	munmap(p, bytes);
}
END_TEST

static uint64_t deleted_kb(const char *name, bool removed)
{
	size_t bytes = PAGES * (size_t)getpagesize();
	int fd = name ? open(fix_path(name), O_RDWR | O_CREAT | O_CLOEXEC, 0600)
		      : memfd_create("gone", MFD_CLOEXEC);
	void *p;
	uint64_t kb;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
	p = map(fd, bytes);
	close(fd);
	if (removed)
		unlink(fix_path(name));
	ck_assert_int_eq(read_both("/proc/self/maps", "/proc/self/smaps"), 0);
	kb = u.each[number_of(p)].kb[USAGE_DELETED];
	munmap(p, bytes);
	if (name && !removed)
		unlink(fix_path(name));
	return kb;
}

START_TEST(deleted_files)
{
	uint64_t kb = PAGES * (uint64_t)getpagesize() / 1024;

	ck_assert_uint_eq(deleted_kb("plain", false), 0);
	ck_assert_uint_eq(deleted_kb("gone", true), kb);
	ck_assert_uint_eq(deleted_kb("odd (deleted)", false), 0);
	ck_assert_uint_eq(deleted_kb("odd2 (deleted)", true), kb);
	ck_assert_uint_eq(deleted_kb(NULL, false), 0);
}
END_TEST

/* After the drop, the name of a file in a private directory cannot be looked up. */
START_TEST(odd_name_is_remembered)
{
	size_t bytes = (size_t)getpagesize();
	int fd = open(fix_path("odd (deleted)"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	void *p;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)bytes), 0);
	p = map(fd, bytes);
	ck_assert_int_eq(read_both("/proc/self/maps", "/proc/self/smaps"), 0);
	ck_assert_uint_eq(u.nodd, 1);
	u.odd[0].inode++;
	ck_assert_int_eq(read_both("/proc/self/maps", "/proc/self/smaps"), 0);
	ck_assert_uint_eq(u.nodd, 2);
	ck_assert_int_eq(read_both("/proc/self/maps", "/proc/self/smaps"), 0);
	ck_assert_uint_eq(u.nodd, 2);
	munmap(p, bytes);
	close(fd);
	unlink(fix_path("odd (deleted)"));
}
END_TEST

static TCase *tc_usage(void)
{
	TCase *tc = tcase_create("usage");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sums);
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, lazily_freed);
	tcase_add_test(tc, deleted_files);
	tcase_add_test(tc, odd_name_is_remembered);
	return tc;
}

UNIT_MAIN("usage", tc_usage)
