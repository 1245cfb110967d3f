// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "out/promcomm.h"
#include "unit.h"

static struct sm_promcomms comms;
static struct sm_prom prom;

static void setup(void)
{
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
	*sm_promcomms_of(&comms, comm, kernel, busy) += 1;
}

static void add_many(unsigned int n, bool busy)
{
	char name[16];

	for (unsigned int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		add((struct sm_str){name, strlen(name)}, false, busy);
	}
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
	uint64_t *v = sm_promcomms_of(&comms, SM_STR("a"), false, true);

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
	tcase_add_test(tc, the_idle_do_not_take_all_labels);
	tcase_add_test(tc, kernel_threads_are_one_program);
	tcase_add_test(tc, hostile_names_make_no_series_twice);
	tcase_add_test(tc, longest_name);
	tcase_add_test(tc, values_and_units);
	return tc;
}

UNIT_MAIN("promcomm", tc_promcomm)
