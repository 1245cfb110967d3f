// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>

#include "fixroot_rig.h"
#include "proc/cpucache.h"

static void setup(void)
{
	fix_open();
}

static void teardown(void)
{
	fix_close();
}

static void put(unsigned int index, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu0/cache/index%u/%s",
		index, name);
	fix_put(path, text);
}

static void cache(
	unsigned int index, const char *level, const char *type, const char *size)
{
	put(index, "level", level);
	put(index, "type", type);
	put(index, "size", size);
}

static void is(unsigned int level, int r, uint64_t want)
{
	uint64_t bytes = 0;

	ck_assert_int_eq(sm_cpucache_bytes(&fix, 0, level, &bytes), r);
	ck_assert_uint_eq(bytes, want);
}

START_TEST(levels)
{
	cache(0, "1\n", "Instruction\n", "64K\n");
	cache(1, "1\n", "Data\n", "48K\n");
	cache(2, "2\n", "Unified\n", "2048K\n");
	cache(3, "3\n", "Unified\n", "491520K\n");
	is(1, 0, 48 << 10);
	is(2, 0, 2 << 20);
	is(3, 0, UINT64_C(480) << 20);
	is(4, -ENOENT, 0);
}
END_TEST

START_TEST(what_is_not_shown)
{
	uint64_t bytes;

	is(1, -ENOENT, 0);
	cache(0, "1\n", "Instruction\n", "64K\n");
	is(1, -ENOENT, 0);
	cache(1, "2\n", "Unified\n", "0K\n");
	cache(2, "3\n", "Unified\n", "many\n");
	cache(3, "4\n", "Unified\n", "99999999999999999999K\n");
	for (unsigned int level = 2; level <= 4; level++)
		is(level, -ENOENT, 0);
	put(1, "size", "512K of it\n");
	is(2, -ENOENT, 0);
	put(1, "size", "512\n");
	is(2, -ENOENT, 0);
	put(1, "size", "512K\n");
	is(2, 0, 512 << 10);
	ck_assert_int_eq(sm_cpucache_bytes(&fix, 7, 2, &bytes), -ENOENT);
}
END_TEST

START_TEST(ways)
{
	uint64_t n = 0;

	cache(0, "1\n", "Instruction\n", "64K\n");
	put(0, "ways_of_associativity", "4\n");
	cache(1, "1\n", "Data\n", "48K\n");
	put(1, "ways_of_associativity", "12\n");
	ck_assert_int_eq(sm_cpucache_ways(&fix, 0, 1, &n), 0);
	ck_assert_uint_eq(n, 12);
	ck_assert_int_eq(sm_cpucache_ways(&fix, 0, 2, &n), -ENOENT);
	cache(2, "2\n", "Unified\n", "2048K\n");
	ck_assert_int_eq(sm_cpucache_ways(&fix, 0, 2, &n), -ENOENT);
	put(2, "ways_of_associativity", "0\n");
	ck_assert_int_eq(sm_cpucache_ways(&fix, 0, 2, &n), -ENOENT);
	put(2, "ways_of_associativity", "many\n");
	ck_assert_int_eq(sm_cpucache_ways(&fix, 0, 2, &n), -ENOENT);
}
END_TEST

static TCase *tc_cpucache(void)
{
	TCase *t = tcase_create("cpucache");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, levels);
	tcase_add_test(t, what_is_not_shown);
	tcase_add_test(t, ways);
	return t;
}

UNIT_MAIN("cpucache", tc_cpucache)
