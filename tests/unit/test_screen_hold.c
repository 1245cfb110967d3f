// SPDX-License-Identifier: GPL-2.0-or-later
/* The sample that stays while the screen is paused.  See screen_rig.h. */
#include "parse.h"
#include "screen_rig.h"

static struct sm_intern *names;

static void setup_names(void)
{
	setup();
	ck_assert_int_eq(sm_intern_new(&names, 1 << 16), 0);
}

static void teardown_names(void)
{
	teardown();
	ck_assert_uint_eq(sm_intern_count(names), 0);
	sm_intern_free(names);
}

static struct sm_istr *keep(const char *s)
{
	return sm_intern_get(names, s, strlen(s), 0);
}

/* Rows, comm and names go, as those of the sampler with its next sample. */
START_TEST(rows_outlive_the_sampler)
{
	struct sm_istr *cmd = keep("/bin/one"), *cgroup = keep("/user.slice");
	char *comm = strdup("one");
	struct cs_sample last;

	add(10, comm, 30);
	table[0].cmd = cmd;
	table[0].cgroup = cgroup;
	add(20, "", 20);
	add(30, "three", 10);
	give();
	last = sample;
	last.rows = table;
	last.nrows = ntable;
	screen_hold(scr, &last, names); /* not paused: nothing is held */
	ck_assert_ptr_eq(last.rows, table);
	(void)type("p");
	screen_hold(scr, &last, names);
	ck_assert_ptr_ne(last.rows, table);
	memset(comm, '!', 3);
	free(comm);
	sm_intern_put(names, cmd);
	sm_intern_put(names, cgroup);
	memset(table, 0x55, sizeof(table));
	ck_assert_uint_eq(last.nrows, 3);
	ck_assert(sm_str_eq(last.rows[0].comm, "one"));
	ck_assert_str_eq(last.rows[0].cmd->s, "/bin/one");
	ck_assert_str_eq(last.rows[0].cgroup->s, "/user.slice");
	ck_assert_int_eq(last.rows[1].pid, 20);
	ck_assert_uint_eq(last.rows[1].comm.n, 0);
	ck_assert_ptr_null(last.rows[1].cmd);
	ck_assert(sm_str_eq(last.rows[2].comm, "three"));
	/* A further sample comes: what is held stays. */
	table[0] = (struct cs_row){.pid = 99};
	last.nrows = 3;
	screen_hold(scr, &last, names);
	ck_assert_int_eq(last.rows[0].pid, 10);
	ck_assert_uint_eq(sm_intern_count(names), 2);
	screen_release(scr);
	ck_assert_uint_eq(sm_intern_count(names), 0);
	ntable = 0;
}
END_TEST

START_TEST(held_until_the_end)
{
	struct cs_sample last = sample;

	add(10, "one", 30);
	table[0].cmd = keep("/bin/one");
	last.rows = table;
	last.nrows = ntable;
	(void)type("p");
	screen_hold(scr, &last, names);
	sm_intern_put(names, (struct sm_istr *)(uintptr_t)table[0].cmd);
	ck_assert_uint_eq(sm_intern_count(names), 1);
}
END_TEST

START_TEST(nothing_to_hold)
{
	struct cs_sample last = sample;

	(void)type("p");
	screen_hold(scr, &last, names);
	ck_assert(screen_paused(scr));
	ck_assert_uint_eq(last.nrows, 0);
}
END_TEST

/* The same sample given again: its counters may be those of a later one by now. */
START_TEST(arranged_anew)
{
	struct rows r = {.opts = &opts};

	set_cpus(2, 50);
	add(10, "one", 30);
	give();
	ck_assert_int_eq(row_with("3 running, 1 blocked"), 0);
	now.running = 77;
	screen_sample(scr, &sample, &r, table, ntable);
	draw();
	ck_assert_int_eq(row_with("3 running, 1 blocked"), 0);
	give();
	ck_assert_int_eq(row_with("77 running"), 0);
}
END_TEST

static TCase *tc_hold(void)
{
	TCase *tc = tcase_create("hold");

	tcase_add_checked_fixture(tc, setup_names, teardown_names);
	tcase_add_test(tc, rows_outlive_the_sampler);
	tcase_add_test(tc, held_until_the_end);
	tcase_add_test(tc, nothing_to_hold);
	tcase_add_test(tc, arranged_anew);
	return tc;
}

UNIT_MAIN("screen_hold", tc_hold)
