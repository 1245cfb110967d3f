// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/cpulist.h"
#include "fixroot_rig.h"

struct cpus {
	unsigned int cpu[64];
	size_t n;
};

static void add_cpu(void *ctx, unsigned int cpu)
{
	struct cpus *c = ctx;

	ck_assert_uint_lt(c->n, SM_ARRAY_SIZE(c->cpu));
	c->cpu[c->n++] = cpu;
}

/* On a block of exactly that length: ASan sees any byte too many. */
static int cpulist(const char *s, struct cpus *c)
{
	size_t n = strlen(s);
	char *exact = malloc(n ? n : 1);
	int ret;

	memcpy(exact, s, n);
	c->n = 0;
	ret = sm_cpulist_parse(exact, n, add_cpu, c);
	free(exact);
	return ret;
}

START_TEST(cpulist_good)
{
	static const unsigned int want[] = {0, 1, 2, 3, 8, 10, 11};
	struct cpus c;

	ck_assert_int_eq(cpulist("0-3,8,10-11\n", &c), 7);
	ck_assert_uint_eq(c.n, 7);
	ck_assert_int_eq(memcmp(c.cpu, want, sizeof(want)), 0);
	ck_assert_int_eq(cpulist("65535", &c), 1);
	ck_assert_uint_eq(c.cpu[0], 65535);
	ck_assert_int_eq(cpulist("5-5", &c), 1);
	ck_assert_int_eq(cpulist("", &c), 0);
	ck_assert_int_eq(cpulist("\n", &c), 0);
	ck_assert_uint_eq(c.n, 0);
	ck_assert_int_eq(sm_cpulist_parse(NULL, 0, add_cpu, &c), 0);
	ck_assert_int_eq(sm_cpulist_parse("0-65535", 7, NULL, NULL), 65536);
}
END_TEST

START_TEST(cpulist_bad)
{
	static const char *const inval[] = {",", "1,", ",1", "1,,2", "3-1", "-1", "1-",
		"1--2", "1-2-3", "a", "1a", "0-3 ", " 0", "0, 1", "1\n\n", "1\n2", "0x1",
		"+1"};
	static const char *const range[] = {"65536", "0-65536", "99999999999999999999999",
		"0-99999999999999999999999", "1,70000"};
	struct cpus c;

	for (size_t i = 0; i < SM_ARRAY_SIZE(inval); i++) {
		ck_assert_msg(cpulist(inval[i], &c) == -EINVAL, "'%s'", inval[i]);
		ck_assert_uint_eq(c.n, 0);
	}
	for (size_t i = 0; i < SM_ARRAY_SIZE(range); i++) {
		ck_assert_msg(cpulist(range[i], &c) == -ERANGE, "'%s'", range[i]);
		ck_assert_uint_eq(c.n, 0);
	}
}
END_TEST

/* More CPUs than an int counts: 32,768 times all of them. */
START_TEST(cpulist_count_overflow)
{
	size_t n = 0, times = 32768;
	char *s = malloc(times * 8);

	for (size_t i = 0; i < times; i++, n += 8)
		memcpy(s + n, "0-65535,", 8);
	ck_assert_int_eq(sm_cpulist_parse(s, n - 1, NULL, NULL), -ERANGE);
	ck_assert_int_eq(sm_cpulist_parse(s, n - 9, NULL, NULL), 65536 * 32767);
	free(s);
}
END_TEST

static void online(const char *list)
{
	fix_put("sys/devices/system/cpu/online", list);
}

START_TEST(online_count)
{
	static const struct {
		const char *list;
		int want;
	} t[] = {
		{"0\n", 1},
		{"0-3,8\n", 5},
		{"0-3,8", 5},
		{"1,3,5-7\n", 5},
		{"0-255\n", 256},
		{"0-65535\n", 65536},
		{"\n", -EBADMSG},
		{"", -EBADMSG},
		{"0-65536\n", -EBADMSG},
		{"3-1\n", -EBADMSG},
		{"0-3 8\n", -EBADMSG},
		{"all\n", -EBADMSG},
		{"-1\n", -EBADMSG},
		{"0\n1\n", -EBADMSG},
	};
	struct sm_root none = SM_ROOT_INIT;
	char big[8192];

	ck_assert_int_eq(sm_cpulist_online(&none), -ENOENT);
	ck_assert_int_eq(sm_cpulist_online(&fix), -ENOENT);
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		online(t[i].list);
		ck_assert_msg(sm_cpulist_online(&fix) == t[i].want, "'%s'", t[i].list);
	}
	/* more than an attribute can hold: cut off, it would be a wrong number */
	memset(big, '1', sizeof(big));
	for (size_t i = 1; i < sizeof(big); i += 2)
		big[i] = ',';
	fix_put_bytes("sys/devices/system/cpu/online", big, sizeof(big) - 1);
	ck_assert_int_eq(sm_cpulist_online(&fix), -EBADMSG);
}
END_TEST

START_TEST(possible_count)
{
	online("0-1\n");
	ck_assert_int_eq(sm_cpulist_possible(&fix), -ENOENT);
	fix_put("sys/devices/system/cpu/possible", "0-7\n");
	ck_assert_int_eq(sm_cpulist_possible(&fix), 8);
	ck_assert_int_eq(sm_cpulist_online(&fix), 2);
}
END_TEST

START_TEST(online_live)
{
	struct sm_root live;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_cpulist_online(&live), sysconf(_SC_NPROCESSORS_ONLN));
	sm_root_close(&live);
}
END_TEST

static void check_marks(const struct sm_cpulist *l, const char *want)
{
	ck_assert_uint_eq(l->n, strlen(want));
	for (unsigned int i = 0; i < l->n; i++)
		ck_assert_int_eq(l->online[i], want[i] == '1');
}

START_TEST(online_again_and_again)
{
	struct sm_cpulist l;
	const bool *memory;

	online("0-2,9\n");
	ck_assert_int_eq(sm_cpulist_open(&l, &fix), 0);
	ck_assert_int_eq(sm_cpulist_read(&l), 4);
	check_marks(&l, "1110000001");
	memory = l.online;
	online("1\n");
	ck_assert_int_eq(sm_cpulist_read(&l), 1);
	check_marks(&l, "0100000000");
	ck_assert_ptr_eq(l.online, memory);
	online("0,11\n");
	ck_assert_int_eq(sm_cpulist_read(&l), 2);
	check_marks(&l, "100000000001");
	ck_assert_int_eq(sm_cpulist_read(&l), 2);
	check_marks(&l, "100000000001");
	ck_assert_int_eq(sm_cpulist_mark(&l, 2), 0);
	ck_assert_int_eq(sm_cpulist_read(&l), 2);
	check_marks(&l, "100000000001");
	online("1,x\n");
	ck_assert_int_eq(sm_cpulist_read(&l), -EBADMSG);
	check_marks(&l, "000000000000");
	online("0,11\n");
	ck_assert_int_eq(sm_cpulist_read(&l), 2);
	check_marks(&l, "100000000001");
	sm_cpulist_close(&l);
	sm_cpulist_close(&l);
}
END_TEST

START_TEST(marks_without_a_list)
{
	struct sm_cpulist l;

	ck_assert_int_eq(sm_cpulist_open(&l, &fix), -ENOENT);
	ck_assert_int_eq(sm_cpulist_mark(&l, 3), 0);
	ck_assert_int_eq(sm_cpulist_mark(&l, 1), 0);
	check_marks(&l, "0101");
	ck_assert_int_eq(sm_cpulist_mark(&l, SM_CPULIST_MAX - 1), 0);
	ck_assert_uint_eq(l.n, SM_CPULIST_MAX);
	sm_cpulist_close(&l);
}
END_TEST

static TCase *tc_parse(void)
{
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, cpulist_good);
	tcase_add_test(tc, cpulist_bad);
	tcase_add_test(tc, cpulist_count_overflow);
	return tc;
}

static TCase *tc_online(void)
{
	TCase *tc = tcase_create("online");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, online_count);
	tcase_add_test(tc, possible_count);
	tcase_add_test(tc, online_live);
	tcase_add_test(tc, online_again_and_again);
	tcase_add_test(tc, marks_without_a_list);
	return tc;
}

UNIT_MAIN("cpulist", tc_parse, tc_online)
