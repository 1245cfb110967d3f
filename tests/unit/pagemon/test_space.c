// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of mappings, from files of the test's own and from a child. */
#include <malloc.h>

#include "pagemon_space_rig.h"

enum { MANY = 60000 };

static struct space s;
static int fd;

static void setup(void)
{
	char name[] = "/tmp/sm-test-space-XXXXXX";

	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	unlink(name);
	ck_assert_int_eq(space_init(&s), 0);
}

static void teardown(void)
{
	space_fini(&s);
	close(fd);
}

static void put(const char *text)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, text, strlen(text), 0), (ssize_t)strlen(text));
}

#define LOW "1000-3000 rw-p 00000000 00:00 0 \n"
#define FILE_AT \
	"9000-a000 r-xs 00002000 103:02 77                 /lib/we ird (deleted)\n"
#define HIGH	 "7ff000000000-7ff000004000 rw-p 00000000 00:00 0          [stack]\n"
#define VSYSCALL "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]\n"

START_TEST(ordinals)
{
	put(LOW FILE_AT HIGH VSYSCALL);
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_uint_eq(s.n, 4);
	ck_assert_uint_eq(s.pages, 2 + 1 + 4 + 1);
	ck_assert_uint_eq(s.generation, 1);
	ck_assert_uint_eq(space_address(&s, 0), 0x1000);
	ck_assert_uint_eq(space_address(&s, 1), 0x2000);
	ck_assert_uint_eq(space_address(&s, 2), 0x9000);
	ck_assert_uint_eq(space_address(&s, 6), 0x7ff000003000);
	ck_assert_uint_eq(space_address(&s, 7), 0xffffffffff600000);
	for (uint64_t page = 0; page < s.pages; page++) {
		uint64_t at = space_address(&s, page);

		ck_assert_uint_eq(space_ordinal(&s, at), page);
		ck_assert_uint_eq(space_ordinal(&s, at + 0xfff), page);
	}
	ck_assert_uint_eq(space_ordinal(&s, 0), 0);
	ck_assert_uint_eq(space_ordinal(&s, 0x3000), 2);
	ck_assert_uint_eq(space_ordinal(&s, 0xa000), 3);
	ck_assert_uint_eq(space_ordinal(&s, 0xffffffffff601000), 8);
	ck_assert_ptr_eq(space_of_page(&s, 2), &s.mappings[1]);
	ck_assert_ptr_eq(space_at_or_above(&s, 0x9fff), &s.mappings[1]);
	ck_assert_ptr_eq(space_at_or_above(&s, 0xa000), &s.mappings[2]);
	ck_assert_ptr_null(space_at_or_above(&s, 0xffffffffff601000));
}
END_TEST

START_TEST(fields)
{
	const struct mapping *m;

	put(LOW FILE_AT);
	ck_assert_int_eq(space_update(&s, fd), 1);
	m = &s.mappings[1];
	ck_assert_str_eq(m->name, "/lib/we ird (deleted)");
	ck_assert_uint_eq(m->name_len, strlen(m->name));
	ck_assert_uint_eq(m->perms, SM_VMA_READ | SM_VMA_EXEC | SM_VMA_SHARED);
	ck_assert_uint_eq(m->offset_bytes, 0x2000);
	ck_assert_uint_eq(m->inode, 77);
	ck_assert_uint_eq(m->dev_major, 0x103);
	ck_assert_uint_eq(m->dev_minor, 2);
	ck_assert_str_eq(s.mappings[0].name, "");
	ck_assert_uint_eq(s.mappings[0].name_len, 0);
}
END_TEST

/* Each changes one thing of the list. */
static const char *const changed[] = {
	LOW HIGH,
	LOW FILE_AT,
	FILE_AT HIGH,
	LOW FILE_AT HIGH HIGH VSYSCALL,
	"1000-4000 rw-p 00000000 00:00 0 \n" FILE_AT HIGH,
	"1000-3000 rw-s 00000000 00:00 0 \n" FILE_AT HIGH,
	"1000-3000 rw-p 00001000 00:00 0 \n" FILE_AT HIGH,
	"1000-3000 rw-p 00000000 00:01 0 \n" FILE_AT HIGH,
	"1000-3000 rw-p 00000000 00:00 1 \n" FILE_AT HIGH,
	"1000-3000 rw-p 00000000 00:00 0 x\n" FILE_AT HIGH,
	LOW
	"a000-b000 r-xs 00002000 103:02 77                 /lib/we ird (deleted)\n" HIGH,
	LOW FILE_AT "7ff000000000-7ff000004000 rw-p 00000000 00:00 0          [stacK]\n",
};

START_TEST(changes)
{
	put(LOW FILE_AT HIGH);
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_int_eq(space_update(&s, fd), 0);
	put(changed[_i]);
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_uint_eq(s.generation, 2);
	ck_assert_int_eq(space_update(&s, fd), 0);
	ck_assert_uint_eq(s.generation, 2);
	put(LOW FILE_AT HIGH);
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_uint_eq(s.n, 3);
	ck_assert_uint_eq(s.pages, 7);
	ck_assert_uint_eq(s.mappings[2].first, 3);
	ck_assert_str_eq(s.mappings[2].name, "[stack]");
	ck_assert_uint_eq(sm_strpool_count(s.names), 2);
}
END_TEST

START_TEST(error_leaves_it_as_it_was)
{
	put(LOW FILE_AT HIGH);
	ck_assert_int_eq(space_update(&s, fd), 1);
	put("1000-3000 rw-p 00000000 00:00 0 new\nno mapping\n");
	ck_assert_int_eq(space_update(&s, fd), -EBADMSG);
	ck_assert_uint_eq(s.n, 3);
	ck_assert_uint_eq(s.generation, 1);
	ck_assert_str_eq(s.mappings[0].name, "");
	ck_assert_uint_eq(sm_strpool_count(s.names), 2);
	put(LOW FILE_AT HIGH);
	ck_assert_int_eq(space_update(&s, fd), 0);
}
END_TEST

/* 8 bytes for names: of the second one only the half is let in, of the third nothing. */
START_TEST(names_beyond_the_bound)
{
	const char *three = "1000-2000 rw-p 00000000 00:00 0 abcdef\n"
			    "2000-3000 rw-p 00000000 00:00 0 ghijkl\n"
			    "3000-4000 rw-p 00000000 00:00 0 mn\n"
			    "4000-5000 rw-p 00000000 00:00 0 abcdef\n";

	space_fini(&s);
	ck_assert_int_eq(space_init_names(&s, 8), 0);
	put(three);
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_str_eq(s.mappings[0].name, "abcdef");
	ck_assert_str_eq(s.mappings[1].name, "gh");
	ck_assert_str_eq(s.mappings[2].name, "");
	ck_assert_ptr_eq(s.mappings[3].name, s.mappings[0].name);
	ck_assert_uint_eq(s.names_cut, 2);
	ck_assert_int_eq(space_update(&s, fd), 0);
	/* Room again. */
	put("2000-3000 rw-p 00000000 00:00 0 ghijkl\n"
	    "3000-4000 rw-p 00000000 00:00 0 mn\n");
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_int_ge(space_update(&s, fd), 0);
	ck_assert_int_ge(space_update(&s, fd), 0);
	ck_assert_str_eq(s.mappings[0].name, "ghijkl");
	ck_assert_str_eq(s.mappings[1].name, "mn");
	ck_assert_uint_eq(s.names_cut, 0);
	ck_assert_int_eq(space_update(&s, fd), 0);
}
END_TEST

static void put_many(unsigned int perms)
{
	FILE *f;
	int copy = dup(fd);

	ck_assert_int_eq(ftruncate(fd, 0), 0);
	lseek(copy, 0, SEEK_SET);
	f = fdopen(copy, "w");
	ck_assert_ptr_nonnull(f);
	for (unsigned int i = 0; i < MANY; i++)
		fprintf(f, "%x000-%x000 %s 00000000 00:00 0 %s\n", 16 + i, 17 + i,
			(i ^ perms) & 1 ? "rw-p" : "r--p", i % 3 ? "" : "/a/file");
	fclose(f);
}

START_TEST(sixty_thousand)
{
	struct mallinfo2 before, after;

	put_many(0);
	before = mallinfo2();
	ck_assert_int_eq(space_update(&s, fd), 1);
	ck_assert_uint_eq(s.n, MANY);
	ck_assert_uint_eq(s.pages, MANY);
	ck_assert_uint_eq(sm_strpool_count(s.names), 1);
	put_many(1); /* each of them is another one */
	ck_assert_int_eq(space_update(&s, fd), 1);
	after = mallinfo2();
	ck_assert_uint_le(
		after.uordblks + after.hblkhd - before.uordblks - before.hblkhd, 9 << 20);
	before = after;
	ck_assert_int_eq(space_update(&s, fd), 0);
	after = mallinfo2();
	ck_assert_uint_eq(after.uordblks, before.uordblks);
	ck_assert_uint_eq(after.hblkhd, before.hblkhd);
}
END_TEST

static void nothing(char what)
{
	if (what == 'm')
		mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

START_TEST(of_a_child)
{
	uint64_t pages;

	rig_start(nothing);
	pages = rig.space.pages;
	ck_assert_int_eq(space_update(&rig.space, rig.maps_fd), 0);
	rig_tell('m');
	ck_assert_int_eq(space_update(&rig.space, rig.maps_fd), 1);
	ck_assert_uint_eq(rig.space.pages, pages + ((1 << 20) / rig.space.page_bytes));
	kill(rig.pid, SIGKILL);
	waitpid(rig.pid, NULL, 0);
	ck_assert_int_eq(space_update(&rig.space, rig.maps_fd), -ESRCH);
	ck_assert_uint_eq(rig.space.pages, pages + ((1 << 20) / rig.space.page_bytes));
	rig_stop();
}
END_TEST

static TCase *lists(void)
{
	TCase *tc = tcase_create("lists");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, ordinals);
	tcase_add_test(tc, fields);
	tcase_add_loop_test(tc, changes, 0, (int)SM_ARRAY_SIZE(changed));
	tcase_add_test(tc, error_leaves_it_as_it_was);
	tcase_add_test(tc, names_beyond_the_bound);
	tcase_add_test(tc, sixty_thousand);
	return tc;
}

static TCase *children(void)
{
	TCase *tc = tcase_create("of a child");

	tcase_add_test(tc, of_a_child);
	return tc;
}

UNIT_MAIN("space", lists, children)
