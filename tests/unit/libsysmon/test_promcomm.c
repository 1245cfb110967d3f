// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/promcomm.h"
#include "unit.h"

static struct sm_promcomms comms;
static struct sm_prom prom;
static uid_t user;
static uint64_t now_ns;

static void setup(void)
{
	user = 0;
	now_ns = SM_NSEC_PER_SEC;
	sm_promcomms_init(&comms);
	sm_prom_init(&prom, "unused", NULL, NULL);
}

static void teardown(void)
{
	sm_promcomms_fini(&comms);
	sm_prom_fini(&prom);
}

static const char *written(void)
{
	sm_buf_reset(&prom.b);
	sm_prom_family(&prom, "x_total", "counter", "Help.");
	sm_promcomms_put(&comms, &prom, 0, 1);
	sm_buf_chr(&prom.b, '\0');
	ck_assert_int_eq(sm_buf_error(&prom.b), 0);
	return prom.b.p;
}

static bool has(const char *line)
{
	return strstr(written(), line) != NULL;
}

static unsigned int series(void)
{
	unsigned int n = 0;

	for (const char *s = written(); (s = strstr(s, "{comm=")) != NULL; s++)
		n++;
	return n;
}

static void add(struct sm_str comm, bool kernel, bool busy)
{
	const struct sm_promcomm_program p = {
		.comm = comm, .uid = user, .kernel = kernel, .busy = busy};

	*sm_promcomms_of(&comms, &p) += 1;
}

static void add_named(const char *prefix, unsigned int n, bool busy)
{
	char name[16];

	for (unsigned int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s%u", prefix, i);
		add((struct sm_str){name, strlen(name)}, false, busy);
	}
}

static void add_many(unsigned int n, bool busy)
{
	add_named("p", n, busy);
}

/* Labels of programs whose names begin so. */
static unsigned int labels_of(const char *prefix)
{
	char line[32];
	unsigned int n = 0;

	snprintf(line, sizeof(line), "{comm=\"%s", prefix);
	for (const char *s = written(); (s = strstr(s, line)) != NULL; s++)
		n++;
	return n;
}

static uint64_t value_sum(void)
{
	uint64_t sum = 0;

	for (const char *s = written(); (s = strstr(s, "\"} ")) != NULL; s++)
		sum += strtoull(s + 3, NULL, 10);
	return sum;
}

/* Two in each second. */
static void seconds(unsigned int n)
{
	for (n *= 2; n--; now_ns += SM_NSEC_PER_SEC / 2)
		sm_promcomms_next(&comms, now_ns);
}

START_TEST(labels_are_bounded)
{
	add_many(100, true);
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX + 1);
	ck_assert(has("x_total{comm=\"p63\"} 1\n"));
	ck_assert(!has("{comm=\"p64\"}"));
	ck_assert(has("{comm=\"(others)\"} 36\n"));
	add_many(100, true); /* a program keeps its label */
	ck_assert(has("{comm=\"p63\"} 2\n"));
	ck_assert(has("{comm=\"(others)\"} 72\n"));
	ck_assert_uint_eq(comms.refused, 72);
}
END_TEST

/* A label of a program that no longer runs goes to one that does, when it is needed and
 * not before.  Its value goes with it: (others) has grown by no time of that moment. */
START_TEST(idle_programs_lose_their_labels)
{
	add_many(70, true);
	ck_assert(has("{comm=\"(others)\"} 6\n"));
	seconds(SM_PROMCOMM_IDLE - 1);
	add(SM_STR("p1"), false, true);
	add(SM_STR("new"), false, true);
	ck_assert(has("{comm=\"(others)\"} 7\n"));
	ck_assert(has("{comm=\"p0\"} 1\n"));
	seconds(1);
	ck_assert(has("{comm=\"p0\"} 1\n"));
	add(SM_STR("new"), false, true);
	ck_assert(has("{comm=\"new\"} 1\n"));
	ck_assert(!has("{comm=\"p0\"}"));
	ck_assert(has("{comm=\"p1\"} 2\n")); /* it ran meanwhile */
	ck_assert(has("{comm=\"(others)\"} 7\n"));
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX + 1);
	add(SM_STR("p0"), false, true); /* again: from 0 */
	ck_assert(has("{comm=\"p0\"} 1\n"));
	ck_assert(!has("{comm=\"p2\"}"));
	/* Not a count is lost or made but those of the two series that ended. */
	ck_assert_uint_eq(value_sum(), 70 + 4 - 2);
}
END_TEST

/* A user who runs hundreds of busy programs leaves half of the labels, and another one
 * half of these. */
START_TEST(a_user_takes_half)
{
	user = 1000;
	add_named("u", 500, true);
	ck_assert_uint_eq(labels_of("u"), (SM_PROMCOMM_MAX - SM_PROMCOMM_ROOT) / 2);
	user = 1001;
	add_named("v", 500, true);
	ck_assert_uint_eq(labels_of("v"), (SM_PROMCOMM_MAX - SM_PROMCOMM_ROOT) / 4);
	/* Those of user namespaces, too. */
	for (user = 100000; user < 101000; user++)
		add_named("w", 500, true);
	ck_assert_uint_ge(labels_of("w"), 1);
	user = 0;
	add_named("root", 500, true);
	ck_assert_uint_ge(labels_of("root"), SM_PROMCOMM_ROOT);
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX + 1);
}
END_TEST

/* Kernel threads are root's; those whose user is unknown are one user. */
START_TEST(unknown_users)
{
	user = SM_PROMCOMM_NO_UID;
	add_named("x", 500, true);
	ck_assert_uint_eq(labels_of("x"), (SM_PROMCOMM_MAX - SM_PROMCOMM_ROOT) / 2);
	for (unsigned int i = 0; i < SM_PROMCOMM_MAX; i++) {
		char name[16];

		snprintf(name, sizeof(name), "k%u", i);
		add((struct sm_str){name, strlen(name)}, true, true);
	}
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX + 1);
}
END_TEST

START_TEST(the_idle_do_not_take_all_labels)
{
	add_many(64, false);
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX / 2 + 1);
	add(SM_STR("busy"), false, true);
	add(SM_STR("busy"), false, false); /* idle now, it keeps it */
	ck_assert(has("{comm=\"busy\"} 2\n"));
	ck_assert_uint_eq(series(), SM_PROMCOMM_MAX / 2 + 2);
}
END_TEST

START_TEST(kernel_threads_are_one_program)
{
	add(SM_STR("kworker/1:1H-kblockd"), true, true);
	add(SM_STR("kworker/0:2"), true, true);
	add(SM_STR("kswapd0"), true, true);
	add(SM_STR("kworker/9"), false, true); /* a program of that name is not */
	ck_assert(has("{comm=\"[kworker]\"} 2\n"));
	ck_assert(has("{comm=\"[kswapd0]\"} 1\n"));
	ck_assert(has("{comm=\"kworker/9\"} 1\n"));
}
END_TEST

/* Two series of the same name would spoil the whole file. */
START_TEST(hostile_names_make_no_series_twice)
{
	add(SM_STR("(others)"), false, true);
	add(SM_STR("\033"), false, true);
	add(SM_STR("\\x1b"), false, true);
	add(SM_STR("a\"\nb\\"), false, true);
	add((struct sm_str){NULL, 0}, false, true);
	ck_assert(has("{comm=\"(others)\"} 2\n"));
	ck_assert(has("{comm=\"\\\\x1b\"} 2\n"));
	ck_assert(has("{comm=\"a\\\"\\\\x0ab\\\\\"} 1\n"));
	ck_assert_uint_eq(series(), 3);
}
END_TEST

START_TEST(longest_name)
{
	char name[SM_PIDSTAT_COMM_MAX + 20];

	memset(name, 1, sizeof(name));
	add((struct sm_str){name, sizeof(name)}, true, true);
	ck_assert_uint_eq(comms.comm[0].n, SM_PROMCOMM_LABEL_MAX);
	ck_assert(has("\\\\x01]\"} 1\n"));
}
END_TEST

START_TEST(values_and_units)
{
	const struct sm_promcomm_program p = {.comm = SM_STR("a"), .busy = true};
	uint64_t *v = sm_promcomms_of(&comms, &p);

	v[1] = 2500000000;
	v[2] = 7;
	sm_prom_family(&prom, "y_total", "counter", "Help.");
	sm_promcomms_put(&comms, &prom, 1, 1e9);
	sm_promcomms_put(&comms, &prom, 2, 1);
	sm_buf_chr(&prom.b, '\0');
	ck_assert_ptr_nonnull(strstr(prom.b.p, "y_total{comm=\"a\"} 2.5\n"));
	ck_assert_ptr_nonnull(strstr(prom.b.p, "y_total{comm=\"a\"} 7\n"));
	ck_assert_ptr_nonnull(strstr(prom.b.p, "y_total{comm=\"(others)\"} 0\n"));
}
END_TEST

static TCase *tc_promcomm(void)
{
	TCase *tc = tcase_create("promcomm");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, labels_are_bounded);
	tcase_add_test(tc, idle_programs_lose_their_labels);
	tcase_add_test(tc, a_user_takes_half);
	tcase_add_test(tc, unknown_users);
	tcase_add_test(tc, the_idle_do_not_take_all_labels);
	tcase_add_test(tc, kernel_threads_are_one_program);
	tcase_add_test(tc, hostile_names_make_no_series_twice);
	tcase_add_test(tc, longest_name);
	tcase_add_test(tc, values_and_units);
	return tc;
}

UNIT_MAIN("promcomm", tc_promcomm)
