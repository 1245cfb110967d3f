// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cpustat/rows/totals.h"
#include "unit.h"

#define MS  SM_NSEC_PER_MSEC
#define SEC SM_NSEC_PER_SEC
#define MAX 8

static struct sm_strpool *names;
static struct totals a;
static struct row *rows;

static void setup(void)
{
	ck_assert_int_eq(sm_strpool_new(&names, 1 << 20), 0);
	ck_assert_int_eq(totals_init(&a, names, MAX), 0);
}

static void teardown(void)
{
	totals_fini(&a);
	ck_assert_uint_eq(sm_strpool_count(names), 0);
	sm_strpool_free(names);
}

static struct row task(pid_t pid, uint64_t used_ms)
{
	return (struct row){.kind = ROW_PROCESS,
		.state = 'R',
		.pid = pid,
		.tgid = pid,
		.start_ticks = 1000,
		.used_ns = used_ms * MS,
		.usr_ns = used_ms * MS,
		.dt_ns = SEC,
		.total_ns = used_ms * MS,
		.members = 1,
		.comm = SM_STR("task")};
}

static void add(uint64_t key, struct row row)
{
	ck_assert_int_eq(totals_add(&a, key, &row), 0);
}

static void add_task(pid_t pid, uint64_t used_ms)
{
	add(0, task(pid, used_ms));
}

static const struct row *row_of(pid_t pid)
{
	size_t n = totals_rows(&a, &rows);

	for (size_t i = 0; i < n; i++)
		if (rows[i].pid == pid && rows[i].kind != ROW_OTHERS)
			return &rows[i];
	return NULL;
}

static uint64_t sum_ms(void)
{
	size_t n = totals_rows(&a, &rows);
	uint64_t ns = 0;

	for (size_t i = 0; i < n; i++)
		ns += rows[i].used_ns;
	return ns / MS;
}

START_TEST(nothing)
{
	ck_assert_uint_eq(totals_rows(&a, &rows), 0);
	totals_begin(&a, SEC);
	ck_assert_uint_eq(totals_rows(&a, &rows), 0);
}
END_TEST

START_TEST(sums_over_samples)
{
	struct row r = task(7, 300);

	totals_begin(&a, SEC);
	r.usr_ns = 100 * MS;
	r.sys_ns = 200 * MS;
	r.wait_ns = 5 * MS;
	r.flags = ROW_NEW | ROW_HAS_WAIT;
	r.cpu = 3;
	r.total_ns = 10 * SEC;
	add(0, r);
	totals_begin(&a, 2 * SEC);
	r.flags = 0;
	r.state = 'S';
	r.cpu = 1;
	r.total_ns = 11 * SEC;
	add(0, r);
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_uint_eq(rows->used_ns, 600 * MS);
	ck_assert_uint_eq(rows->usr_ns, 200 * MS);
	ck_assert_uint_eq(rows->sys_ns, 400 * MS);
	ck_assert_uint_eq(rows->wait_ns, 10 * MS);
	ck_assert_uint_eq(rows->dt_ns, 3 * SEC);
	ck_assert_uint_eq(rows->total_ns, 11 * SEC); /* the newest, no sum */
	ck_assert_uint_eq(rows->members, 1);
	ck_assert_int_eq(rows->state, 'S');
	ck_assert_int_eq(rows->cpu, 1);
	ck_assert_uint_eq(rows->flags, ROW_NEW | ROW_HAS_WAIT);
	ck_assert_float_eq_tol(rows->min_pct, 15, 1e-4f);
	ck_assert_float_eq_tol(rows->max_pct, 30, 1e-4f);
}
END_TEST

START_TEST(identity)
{
	struct row r = task(7, 1);

	totals_begin(&a, SEC);
	add(0, r);
	r.start_ticks++; /* the pid was used again */
	add(0, r);
	r.kind = ROW_EXITED;
	add(0, r);
	r.comm = SM_STR("tasks");
	add(0, r);
	r.pid = 8;
	add(0, r);
	ck_assert_uint_eq(totals_rows(&a, &rows), 5);
	for (size_t i = 0; i < 5; i++)
		ck_assert_uint_eq(rows[i].used_ns, MS);
	ck_assert_mem_eq(rows[4].comm.p, "tasks", 5);
	ck_assert_int_eq(rows[2].kind, ROW_EXITED);
}
END_TEST

/* Statistics of four samples of 1 s. */
START_TEST(absence_counts_as_zero)
{
	static const struct {
		uint64_t ms[4];
		float min, max;
	} t[] = {
		{{100, 200, 300, 400}, 10, 40},
		{{400, 100, 200, 300}, 10, 40},
		{{0, 200, 300, 400}, 0, 40}, /* starts late */
		{{500, 200, 300, 0}, 0, 50}, /* exits early */
		{{100, 0, 300, 400}, 0, 40},
		{{0, 0, 0, 400}, 0, 40},
		{{250, 0, 0, 0}, 0, 25},
	};

	for (size_t s = 0; s < 4; s++) {
		totals_begin(&a, SEC);
		for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++)
			if (t[i].ms[s])
				add_task((pid_t)i + 1, t[i].ms[s]);
	}
	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		const struct row *r = row_of((pid_t)i + 1);

		ck_assert_float_eq_tol(r->min_pct, t[i].min, 1e-4f);
		ck_assert_float_eq_tol(r->max_pct, t[i].max, 1e-4f);
		ck_assert_uint_eq(r->dt_ns, 4 * SEC);
	}
}
END_TEST

/* Reading it in between does not count a sample twice or close it. */
START_TEST(reading_changes_nothing)
{
	totals_begin(&a, SEC);
	add_task(1, 100);
	ck_assert_float_eq_tol(row_of(1)->max_pct, 10, 1e-4f);
	ck_assert_float_eq_tol(row_of(1)->max_pct, 10, 1e-4f);
	add(0, task(1, 200));
	totals_begin(&a, SEC);
	add_task(1, 400);
	ck_assert_float_eq_tol(row_of(1)->min_pct, 30, 1e-4f);
	ck_assert_float_eq_tol(row_of(1)->max_pct, 40, 1e-4f);
}
END_TEST

START_TEST(rows_of_a_key_add_up_within_a_sample)
{
	float min, max;

	totals_begin(&a, SEC);
	add(77, task(1, 100));
	add(77, task(2, 200));
	totals_begin(&a, SEC);
	add(77, task(3, 50));
	add(77, task(4, 10));
	add(77, task(5, 20));
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_uint_eq(rows->used_ns, 380 * MS);
	ck_assert_uint_eq(rows->total_ns, 80 * MS);
	ck_assert_uint_eq(rows->members, 3);
	ck_assert_float_eq_tol(rows->min_pct, 8, 1e-4f);
	ck_assert_float_eq_tol(rows->max_pct, 30, 1e-4f);
	ck_assert_int_eq(totals_extremes(&a, 77, &min, &max), 0);
	ck_assert_float_eq(min, rows->min_pct);
	ck_assert_float_eq(max, rows->max_pct);
	ck_assert_int_eq(totals_extremes(&a, 78, &min, &max), -ENOENT);
}
END_TEST

START_TEST(samples_without_length)
{
	totals_begin(&a, 0);
	add_task(1, 100);
	ck_assert_float_eq(row_of(1)->min_pct, 0);
	ck_assert_float_eq(row_of(1)->max_pct, 0);
}
END_TEST

/* 8 entries; 1 has the least time but is used again, so 2, 3 and 4 are merged. */
START_TEST(least_idle_ones_are_merged)
{
	totals_begin(&a, SEC);
	for (int i = 1; i <= MAX; i++)
		add_task(MAX + 1 - i, (uint64_t)(MAX + 1 - i));
	totals_begin(&a, SEC);
	add_task(1, 0);
	add_task(100, 0);
	ck_assert_uint_eq(totals_rows(&a, &rows), MAX - 3 + 1 + 1);
	ck_assert_int_eq(rows[MAX - 2].kind, ROW_OTHERS);
	ck_assert_uint_eq(rows[MAX - 2].used_ns, (2 + 3 + 4) * MS);
	ck_assert_uint_eq(rows[MAX - 2].usr_ns, 9 * MS);
	ck_assert_uint_eq(rows[MAX - 2].total_ns, 9 * MS);
	ck_assert_uint_eq(rows[MAX - 2].members, 3);
	ck_assert_uint_eq(rows[MAX - 2].dt_ns, 2 * SEC);
	ck_assert_int_eq(rows[MAX - 2].cpu, -1);
	ck_assert_uint_eq(rows[MAX - 2].comm.n, 8);
	ck_assert_mem_eq(rows[MAX - 2].comm.p, "(others)", 8);
	ck_assert(isnan(rows[MAX - 2].min_pct) && isnan(rows[MAX - 2].max_pct));
	for (int i = 1; i <= MAX; i++)
		ck_assert_int_eq(row_of(i) != NULL, i < 2 || i > 4);
	/* A row that has moved is still found. */
	add_task(8, 10);
	ck_assert_uint_eq(row_of(8)->used_ns, 18 * MS);
	ck_assert_uint_eq(sum_ms(), 36 + 10);
}
END_TEST

START_TEST(equal_ones_are_not_all_merged)
{
	totals_begin(&a, SEC);
	add_task(1, 1);
	for (int i = 2; i <= MAX; i++)
		add_task(i, 5);
	totals_begin(&a, SEC);
	add_task(100, 1);
	ck_assert_uint_eq(totals_rows(&a, &rows), MAX - 3 + 1 + 1);
	ck_assert_uint_eq(rows[MAX - 2].members, 3);
	ck_assert_uint_eq(rows[MAX - 2].used_ns, 11 * MS);
	ck_assert_ptr_null(row_of(1));
}
END_TEST

START_TEST(nothing_idle_to_merge)
{
	totals_begin(&a, SEC);
	for (int i = 1; i <= 3 * MAX; i++)
		add_task(i, 1);
	add_task(1, 1); /* has its entry */
	ck_assert_uint_eq(totals_rows(&a, &rows), MAX + 1);
	ck_assert_uint_eq(rows[MAX].members, 2 * MAX);
	ck_assert_uint_eq(rows[MAX].used_ns, 2 * MAX * MS);
	ck_assert_uint_eq(row_of(1)->used_ns, 2 * MS);
	totals_begin(&a, SEC);
	add_task(500, 1); /* now there are */
	ck_assert_ptr_nonnull(row_of(500));
}
END_TEST

START_TEST(churn_keeps_sums_and_bound)
{
	uint64_t want = 0;

	totals_fini(&a);
	ck_assert_int_eq(totals_init(&a, names, 64), 0);
	for (int s = 0; s < 300; s++) {
		totals_begin(&a, SEC);
		add_task(1, 50);
		want += 50;
		for (int i = 0; i < 40; i++) {
			struct row r = task(2 + s * 37 + i, (uint64_t)i % 7);

			r.cmd = sm_strpool_get(names, &r.pid, sizeof(r.pid), 0);
			add(0, r);
			sm_strpool_put(names, r.cmd);
			want += (uint64_t)i % 7;
		}
		ck_assert_uint_le(a.n, 64);
		ck_assert_uint_le(sm_strpool_count(names), 64);
	}
	ck_assert_uint_eq(sum_ms(), want);
	ck_assert_uint_eq(row_of(1)->used_ns, 300 * 50 * MS);
	ck_assert_float_eq_tol(row_of(1)->min_pct, 5, 1e-4f);
	ck_assert_uint_eq(a.map.used, a.n);
}
END_TEST

START_TEST(no_entries_at_all)
{
	totals_fini(&a);
	ck_assert_int_eq(totals_init(&a, names, 0), 0);
	totals_begin(&a, SEC);
	add_task(1, 5);
	add_task(2, 6);
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_int_eq(rows->kind, ROW_OTHERS);
	ck_assert_uint_eq(rows->used_ns, 11 * MS);
}
END_TEST

START_TEST(names_outlive_the_task)
{
	char comm[] = {'a', ')', '\n', (char)0xff, 0};
	struct sm_poolstr *cmd = sm_strpool_get(names, "x\0y", 4, 1);
	struct sm_poolstr *group = sm_strpool_get(names, "/a", 2, 2);
	struct row r = task(1, 1);

	totals_begin(&a, SEC);
	r.comm = (struct sm_str){comm, sizeof(comm)};
	r.cmd = cmd;
	r.cgroup = group;
	add(0, r);
	sm_strpool_put(names, cmd);
	sm_strpool_put(names, group);
	memset(comm, 'z', sizeof(comm));
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_uint_eq(rows->comm.n, 5);
	ck_assert_mem_eq(rows->comm.p, "a)\n\xff", 5);
	ck_assert_mem_eq(rows->cmd->s, "x\0y", 4);
	ck_assert_mem_eq(rows->cgroup->s, "/a", 2);
	ck_assert_uint_eq(sm_strpool_count(names), 2);
	totals_reset(&a);
	ck_assert_uint_eq(sm_strpool_count(names), 0);
}
END_TEST

START_TEST(newest_names)
{
	struct sm_poolstr *one = sm_strpool_get(names, "one", 3, 0);
	struct sm_poolstr *two = sm_strpool_get(names, "two", 3, 0);
	struct row r = task(1, 1);

	totals_begin(&a, SEC);
	r.cmd = one;
	r.uid = 42;
	r.flags = ROW_HAS_UID;
	add(0, r);
	add(0, r);
	r.cmd = two;
	add(0, r);
	sm_strpool_put(names, one);
	sm_strpool_put(names, two);
	ck_assert_uint_eq(sm_strpool_count(names), 1);
	r.cmd = NULL; /* not read: what was known stays */
	r.uid = 0;
	r.flags = 0;
	add(0, r);
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_str_eq(rows->cmd->s, "two");
	ck_assert_uint_eq(rows->uid, 42);
	ck_assert_uint_eq(rows->flags, ROW_HAS_UID);
}
END_TEST

START_TEST(long_and_empty_comm)
{
	char path[300];
	struct row r = task(1, 1);

	memset(path, 'p', sizeof(path));
	totals_begin(&a, SEC);
	r.comm = (struct sm_str){path, sizeof(path)};
	add(0, r);
	path[299] = 'q';
	add(0, r);
	r.comm = (struct sm_str){NULL, 0};
	add(0, r);
	r.comm = (struct sm_str){path, 64};
	add(0, r);
	memset(path, 0, sizeof(path));
	ck_assert_uint_eq(totals_rows(&a, &rows), 4);
	ck_assert_uint_eq(rows[0].comm.n, 300);
	ck_assert_int_eq(rows[0].comm.p[299], 'p');
	ck_assert_uint_eq(rows[1].comm.n, 300);
	ck_assert_int_eq(rows[1].comm.p[299], 'q');
	ck_assert_uint_eq(rows[2].comm.n, 0);
	ck_assert_uint_eq(rows[3].comm.n, 64);
	ck_assert_int_eq(rows[3].comm.p[63], 'p');
}
END_TEST

/* Without room for the name the entry still has its beginning. */
START_TEST(name_over_the_bound)
{
	struct sm_strpool *small;
	struct totals b;
	char path[300];
	struct row r = task(1, 1);

	memset(path, 'p', sizeof(path));
	r.comm = (struct sm_str){path, sizeof(path)};
	ck_assert_int_eq(sm_strpool_new(&small, 100), 0);
	ck_assert_int_eq(totals_init(&b, small, MAX), 0);
	totals_begin(&b, SEC);
	ck_assert_int_eq(totals_add(&b, 0, &r), 0);
	ck_assert_int_eq(totals_add(&b, 0, &r), 0);
	ck_assert_uint_eq(totals_rows(&b, &rows), 1);
	ck_assert_uint_eq(rows->comm.n, 64);
	ck_assert_int_eq(rows->comm.p[63], 'p');
	totals_fini(&b);
	sm_strpool_free(small);
}
END_TEST

START_TEST(renamed_task)
{
	struct row r = task(1, 1);

	totals_begin(&a, SEC);
	r.comm = SM_STR("pid 9");
	add(9, r);
	r.comm = SM_STR("kthreadd");
	r.flags = ROW_KTHREAD | ROW_SELF;
	totals_rename(&a, 9, &r);
	totals_rename(&a, 10, &r);
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_uint_eq(rows->comm.n, 8);
	ck_assert_mem_eq(rows->comm.p, "kthreadd", 8);
	ck_assert_uint_eq(rows->flags, ROW_KTHREAD);
}
END_TEST

START_TEST(reset_keeps_memory)
{
	const struct totals_entry *entries = NULL;
	struct row *first = NULL;

	totals_fini(&a);
	ck_assert_int_eq(totals_init(&a, names, 1000), 0);
	for (int round = 0; round < 3; round++) {
		totals_begin(&a, SEC);
		for (int i = 1; i <= 500; i++)
			add_task(i, 1);
		ck_assert_uint_eq(totals_rows(&a, &rows), 500);
		if (round) {
			ck_assert_ptr_eq(a.entries, entries);
			ck_assert_ptr_eq(rows, first);
		}
		entries = a.entries;
		first = rows;
		totals_reset(&a);
		ck_assert_uint_eq(totals_rows(&a, &rows), 0);
		ck_assert_uint_eq(a.span_ns, 0);
	}
	totals_begin(&a, SEC);
	add_task(1, 100);
	ck_assert_float_eq_tol(
		row_of(1)->min_pct, 10, 1e-4f); /* nothing left of before */
}
END_TEST

START_TEST(reset_forgets_the_others)
{
	totals_begin(&a, SEC);
	for (int i = 1; i <= MAX + 1; i++)
		add_task(i, 1);
	totals_reset(&a);
	totals_begin(&a, SEC);
	add_task(1, 1);
	ck_assert_uint_eq(totals_rows(&a, &rows), 1);
	ck_assert_int_eq(rows->kind, ROW_PROCESS);
}
END_TEST

static TCase *tc_sums(void)
{
	TCase *tc = tcase_create("sums");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, nothing);
	tcase_add_test(tc, sums_over_samples);
	tcase_add_test(tc, identity);
	tcase_add_test(tc, absence_counts_as_zero);
	tcase_add_test(tc, reading_changes_nothing);
	tcase_add_test(tc, rows_of_a_key_add_up_within_a_sample);
	tcase_add_test(tc, samples_without_length);
	return tc;
}

static TCase *tc_bound(void)
{
	TCase *tc = tcase_create("bound");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, least_idle_ones_are_merged);
	tcase_add_test(tc, equal_ones_are_not_all_merged);
	tcase_add_test(tc, nothing_idle_to_merge);
	tcase_add_test(tc, churn_keeps_sums_and_bound);
	tcase_add_test(tc, no_entries_at_all);
	tcase_add_test(tc, reset_keeps_memory);
	tcase_add_test(tc, reset_forgets_the_others);
	return tc;
}

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, names_outlive_the_task);
	tcase_add_test(tc, newest_names);
	tcase_add_test(tc, long_and_empty_comm);
	tcase_add_test(tc, name_over_the_bound);
	tcase_add_test(tc, renamed_task);
	return tc;
}

UNIT_MAIN("totals", tc_sums, tc_bound, tc_names)
