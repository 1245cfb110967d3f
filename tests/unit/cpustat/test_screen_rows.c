// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen has copies of the rows, and keys rearrange them. */
#include "cpustat_screen_rig.h"

static struct sm_poolstr *keep(const char *s)
{
	return sm_strpool_get(names, s, strlen(s), 0);
}

static void arrange(void)
{
	screen_arrange(scr);
	draw();
}

/* Rows, comm and names become invalid, as those of the sampler with its next sample. */
START_TEST(rows_outlive_the_sampler)
{
	struct sm_poolstr *cmd = keep("/bin/one"), *cgroup = keep("/user.slice");
	char *comm = strdup("comm-one");

	add(10, comm, 30);
	table[0].cmd = cmd;
	table[0].cgroup = cgroup;
	add(20, "", 20);
	add(30, "three", 10);
	give();
	memset(comm, '!', strlen(comm));
	free(comm);
	sm_strpool_put(names, cmd);
	sm_strpool_put(names, cgroup);
	memset(table, 0x55, sizeof(table));
	opts.sort = SORT_PID;
	arrange();
	ck_assert_int_eq(row_with("/bin/one"), 4);
	opts.comm = true;
	opts.sort = SORT_CPU;
	arrange();
	ck_assert_int_eq(row_with("comm-one"), 4);
	ck_assert_ptr_nonnull(strstr(rig_row(5), " -"));
	ck_assert_int_eq(row_with("three"), 6);
	opts.group = GROUP_CGROUP;
	arrange();
	ck_assert_int_ge(row_with("/user.slice"), 0);
	/* The references are given back with the next sample. */
	ck_assert_uint_eq(sm_strpool_count(names), 2);
	ntable = 0;
	give();
	ck_assert_uint_eq(sm_strpool_count(names), 0);
}
END_TEST

START_TEST(filtered_rows_come_back)
{
	add(10, "one", 30);
	add(20, "two", 20);
	give();
	opts.name_glob = "two";
	arrange();
	ck_assert_int_eq(row_with("one"), -1);
	ck_assert_int_eq(row_with("two"), 2); /* and of the filter */
	opts.name_glob = NULL;
	arrange();
	ck_assert_int_eq(row_with(" one"), 4);
	ck_assert_int_eq(row_with(" two"), 5);
}
END_TEST

/* Counters, bars and history are of the sample: they do not change with the order. */
START_TEST(figures_of_the_sample)
{
	teardown();
	open_screen(120, 24);
	set_cpus(2, 50);
	add(10, "one", 30);
	give();
	ck_assert_int_eq(row_with("3 running, 1 blocked"), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(3), "| 50.0"));
	now.running = 77;
	memcpy(before_cpu, now_cpu, sizeof(before_cpu));
	arrange();
	ck_assert_int_eq(row_with("3 running, 1 blocked"), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(3), "| 50.0"));
	give();
	ck_assert_int_eq(row_with("77 running"), 0);
	ck_assert_ptr_nonnull(strstr(rig_row(3), "|  0.0"));
}
END_TEST

static TCase *tc_rows(void)
{
	TCase *tc = tcase_create("rows");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, rows_outlive_the_sampler);
	tcase_add_test(tc, filtered_rows_come_back);
	tcase_add_test(tc, figures_of_the_sample);
	return tc;
}

UNIT_MAIN("screen_rows", tc_rows)
