// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include "proc/cgroupnames.h"
#include "unit.h"

static struct sm_strpool *pool;
static struct sm_cgroup_names names;

static void setup(void)
{
	ck_assert_int_eq(sm_strpool_new(&pool, 64u << 20), 0);
	ck_assert_int_eq(sm_cgroup_names_init(&names, pool), 0);
}

static void teardown(void)
{
	sm_cgroup_names_fini(&names);
	ck_assert_uint_eq(sm_strpool_count(pool), 0);
	sm_strpool_free(pool);
}

/* A record of len bytes, whatever it says of itself. */
static bool add(struct sm_cgroup_raw raw, const char *text, size_t len)
{
	static char record[sizeof(raw) + SM_CGROUP_NAMES_BYTES + 8];

	memcpy(record, &raw, sizeof(raw));
	memcpy(record + sizeof(raw), text, len);
	return sm_cgroup_names_add(&names, record, sizeof(raw) + len);
}

static struct sm_cgroup_raw raw_of(uint64_t key, size_t bytes, uint64_t time_ns)
{
	return (struct sm_cgroup_raw){.kind = SM_CGROUP_RAW,
		.bytes = (uint32_t)bytes,
		.key = key,
		.time_ns = time_ns};
}

static void check(uint64_t key, const char *want)
{
	const struct sm_poolstr *s = sm_cgroup_names_get(&names, key);

	ck_assert_int_eq(s != NULL, want != NULL);
	if (want)
		ck_assert_str_eq(s->s, want);
}

#define ADD(key, names) \
	ck_assert(add(raw_of(key, sizeof(names) - 1, 1), names, sizeof(names) - 1))

START_TEST(paths)
{
	check(1, NULL);
	ADD(1, "");
	ADD(2, "ssh.service\0system.slice\0");
	ADD(3, "c\0b b\0a:\n\0");
	check(1, "/");
	check(2, "/system.slice/ssh.service");
	check(3, "/a:\n/b b/c");
	check(4, NULL);
	check(0, NULL);
	ADD(2, "other\0"); /* it was renamed */
	check(2, "/other");
}
END_TEST

START_TEST(the_longest)
{
	char text[SM_CGROUP_NAMES_BYTES + 1];

	memset(text, 'x', sizeof(text));
	text[SM_CGROUP_NAMES_BYTES - 1] = '\0';
	ck_assert(add(raw_of(1, SM_CGROUP_NAMES_BYTES, 1), text, SM_CGROUP_NAMES_BYTES));
	ck_assert_uint_eq(sm_cgroup_names_get(&names, 1)->len, SM_CGROUP_NAMES_BYTES);
	text[SM_CGROUP_NAMES_BYTES] = '\0';
	ck_assert(!add(raw_of(2, sizeof(text), 1), text, sizeof(text)));
}
END_TEST

START_TEST(no_records)
{
	struct sm_cgroup_raw raw = raw_of(1, 2, 1);

	ck_assert(!add(raw, "a", 1));  /* it ends early */
	ck_assert(!add(raw, "ab", 2)); /* no NUL */
	ck_assert(!sm_cgroup_names_add(&names, &raw, sizeof(raw) - 1));
	raw.bytes = UINT32_MAX;
	ck_assert(!add(raw, "a\0", 2));
	raw = raw_of(1, 2, 1);
	raw.kind = 1;
	ck_assert(!add(raw, "a\0", 2));
	check(1, NULL);
}
END_TEST

/* Groups that are not used any more are forgotten when there are many. */
START_TEST(memory_is_bounded)
{
	uint64_t key = 1, second = SM_NSEC_PER_SEC;
	size_t most = 0;

	for (; key <= 100000; key++) {
		ck_assert(add(raw_of(key, 2, key * second / 10), "a\0", 2));
		ck_assert(add(raw_of(UINT64_MAX, 2, key * second / 10), "b\0", 2));
		if (names.paths.used > most)
			most = names.paths.used;
	}
	ck_assert_uint_le(most, 20000);
	check(1, NULL);
	check(100000, "/a");
	check(100000 - 1100, "/a"); /* of the last two minutes */
	check(UINT64_MAX, "/b");
}
END_TEST

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, paths);
	tcase_add_test(tc, the_longest);
	tcase_add_test(tc, no_records);
	tcase_add_test(tc, memory_is_bounded);
	return tc;
}

UNIT_MAIN("cgroupnames", tc_names)
