// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpustat/sampler/exited_names.h"
#include "unit.h"

#define MS SM_NSEC_PER_MSEC

static struct exited_names names;
static struct row rows[3];

/* Rows of pids 10 and 20; process 11 has a row that is none of exited children. */
static void setup(void)
{
	names = (struct exited_names){0};
	rows[0] = (struct row){.kind = ROW_PROCESS, .pid = 11};
	rows[1] = (struct row){.kind = ROW_EXITED, .pid = 10};
	rows[2] = (struct row){.kind = ROW_EXITED, .pid = 20};
	exited_names_begin(&names, SM_NSEC_PER_SEC);
}

static uid_t user;

static void teardown(void)
{
	exited_names_close(&names);
}

static void ended(pid_t pid, pid_t ppid, const char *comm, uint64_t ns)
{
	struct sm_taskexit_record r = {
		.pid = pid, .ppid = ppid, .uid = user, .cpu_ns = ns};

	snprintf(r.comm, sizeof(r.comm), "%s", comm);
	exited_names_record(&names, &r);
}

static void missing(pid_t pid, pid_t ppid, uint64_t ns)
{
	names.open = true;
	exited_names_missing(&names, pid, ppid, ns);
	names.open = false;
}

static void settle(void)
{
	for (size_t i = 0; i < SM_ARRAY_SIZE(rows); i++)
		rows[i].exited = NULL;
	exited_names_settle(&names, rows, SM_ARRAY_SIZE(rows));
}

static void next(uint64_t ns)
{
	exited_names_begin(&names, names.now_ns + ns);
	settle();
}

static void is(const struct row_name *name, const char *comm, uint64_t count, uint64_t ns)
{
	ck_assert_str_eq(name->comm, comm);
	ck_assert_uint_eq(name->count, count);
	ck_assert_uint_eq(name->ns, ns);
}

static void reaped(pid_t pid, uint64_t cpu_ns, uint64_t at_ns)
{
	exited_names_record(&names,
		&(struct sm_taskexit_record){
			.pid = pid, .ppid = 10, .cpu_ns = cpu_ns, .time_ns = at_ns});
}

/* A walk that began after all missing processes had been reaped has the time of all. */
START_TEST(reaped_before_a_walk)
{
	ck_assert(!exited_names_reaped(&names, 1, 0, 100));
	missing(100, 10, MS);
	ck_assert(!exited_names_reaped(&names, 1, 50, 100));
	reaped(99, MS, 70);
	reaped(101, MS, 70);
	ck_assert(!exited_names_reaped(&names, 1, 50, 100));
	reaped(100, MS, 50); /* had the PID before */
	ck_assert(!exited_names_reaped(&names, 1, 50, 100));
	reaped(100, MS - 1, 60);
	ck_assert(!exited_names_reaped(&names, 1, 50, 100));
	reaped(100, 2 * MS, 90);
	ck_assert(!exited_names_reaped(&names, 1, 50, 89));
	ck_assert(exited_names_reaped(&names, 1, 50, 90));
	/* One that there was no memory for, and one that is not recorded. */
	ck_assert(!exited_names_reaped(&names, 2, 50, 90));
	missing(102, 11, 0);
	ck_assert(!exited_names_reaped(&names, 2, 50, 90));
	reaped(102, 0, 80);
	ck_assert(exited_names_reaped(&names, 2, 50, 90));
	settle();
	missing(103, 11, 0);
	reaped(103, 0, 120);
	ck_assert(exited_names_reaped(&names, 1, 110, 120));
}
END_TEST

/* The user is that of the processes, not of the parent that reaped them. */
START_TEST(users)
{
	user = 1000;
	ended(100, 10, "as", MS);
	ended(101, 10, "as", MS);
	ended(102, 10, "cc1", MS);
	user = 1001;
	ended(103, 10, "cc1", 2 * MS);
	user = 0;
	settle();
	is(&rows[1].exited->v[0], "cc1", 2, 3 * MS);
	ck_assert_uint_eq(rows[1].exited->v[0].uid, ROW_NO_UID);
	is(&rows[1].exited->v[1], "as", 2, 2 * MS);
	ck_assert_uint_eq(rows[1].exited->v[1].uid, 1000);
}
END_TEST

START_TEST(merged_by_owner_and_name)
{
	ended(100, 10, "as", 8 * MS);
	ended(101, 10, "cc1", 100 * MS);
	ended(102, 20, "cc1", 5 * MS);
	ended(103, 10, "cc1", 7 * MS);
	settle();
	ck_assert_ptr_null(rows[0].exited);
	ck_assert_uint_eq(rows[1].exited->n, 2);
	is(&rows[1].exited->v[0], "cc1", 2, 107 * MS);
	is(&rows[1].exited->v[1], "as", 1, 8 * MS);
	ck_assert_uint_eq(rows[1].exited->others.count, 0);
	ck_assert_uint_eq(rows[2].exited->n, 1);
	is(&rows[2].exited->v[0], "cc1", 1, 5 * MS);
	next(MS); /* each once */
	ck_assert_ptr_null(rows[1].exited);
	ck_assert_ptr_null(rows[2].exited);
}
END_TEST

/* 40 names of 1 to 40 ms: the longest have a place each. */
START_TEST(bounded_with_the_most_time_first)
{
	char comm[16];

	for (int i = 0; i < 40; i++) {
		int ms = (i * 7) % 40 + 1;

		snprintf(comm, sizeof(comm), "name%d", ms);
		ended(100 + i, 10, comm, (uint64_t)ms * MS);
	}
	settle();
	ck_assert_uint_eq(rows[1].exited->n, ROW_NAMES_MAX);
	for (unsigned int i = 0; i < ROW_NAMES_MAX; i++)
		ck_assert_uint_eq(rows[1].exited->v[i].ns, (40 - i) * MS);
	is(&rows[1].exited->others, "(others)", 24, 24 * 25 / 2 * MS);
}
END_TEST

/* make 10 -> gcc 50 -> cc1 51; gcc's record comes a sample later. */
START_TEST(through_exited_parents)
{
	ended(51, 50, "cc1", 30 * MS);
	settle();
	ck_assert_ptr_null(rows[1].exited);
	ended(50, 10, "gcc", MS);
	next(200 * MS);
	is(&rows[1].exited->v[0], "cc1", 1, 30 * MS);
	is(&rows[1].exited->v[1], "gcc", 1, MS);
	missing(60, 20, 0); /* seen by the sampler, no record yet */
	ended(61, 60, "ld", 2 * MS);
	next(200 * MS);
	is(&rows[2].exited->v[0], "ld", 1, 2 * MS);
}
END_TEST

/* make 10 -> sh 50 -> cc1 51, and the time of sh is unknown. */
START_TEST(impossible_time_is_not_named)
{
	ended(51, 50, "cc1", 30 * MS);
	exited_names_record(&names,
		&(struct sm_taskexit_record){
			.pid = 50, .ppid = 10, .cpu_unknown = true, .comm = "sh"});
	settle();
	ck_assert_uint_eq(rows[1].exited->n, 1);
	is(&rows[1].exited->v[0], "cc1", 1, 30 * MS);
	ck_assert_uint_eq(rows[1].exited->others.count, 0);
}
END_TEST

START_TEST(waits_a_second)
{
	ended(51, 50, "lost", 30 * MS);
	ended(70, 71, "circle", MS);
	ended(71, 70, "circle", MS);
	next(5000 * MS); /* from its first settling on */
	next(1000 * MS);
	ck_assert_uint_eq(names.n, 3);
	next(MS);
	ck_assert_uint_eq(names.n, 0);
	ended(50, 10, "gcc", MS);
	settle();
	ck_assert_uint_eq(rows[1].exited->n, 1);
}
END_TEST

/* Rows have reported 300 of 320 ms; the second owner of the pid counts whole. */
START_TEST(reported_time_is_subtracted_once)
{
	missing(100, 10, 300 * MS);
	settle();
	ck_assert_ptr_null(rows[1].exited);
	ended(100, 10, "long", 320 * MS);
	next(100 * MS);
	is(&rows[1].exited->v[0], "long", 1, 20 * MS);
	ended(100, 10, "long", 50 * MS);
	next(100 * MS);
	is(&rows[1].exited->v[0], "long", 1, 50 * MS);
	missing(101, 10, 90 * MS);
	ended(101, 10, "less", 80 * MS);
	next(100 * MS);
	is(&rows[1].exited->v[0], "less", 1, 0);
}
END_TEST

START_TEST(memory_is_bounded)
{
	for (pid_t pid = 0; pid < 100000; pid++)
		ended(1000 + pid, 10, "many", MS);
	settle();
	ck_assert_uint_lt(rows[1].exited->v[0].count, 40000);
	ck_assert_uint_le(names.n, 40000);
}
END_TEST

START_TEST(nothing_without_permission)
{
	exited_names_missing(&names, 100, 10, MS);
	settle();
	ck_assert_uint_eq(names.n, 0);
	ck_assert_ptr_null(names.v);
	ck_assert_ptr_null(rows[1].exited);
}
END_TEST

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, reaped_before_a_walk);
	tcase_add_test(tc, users);
	tcase_add_test(tc, merged_by_owner_and_name);
	tcase_add_test(tc, bounded_with_the_most_time_first);
	tcase_add_test(tc, through_exited_parents);
	tcase_add_test(tc, impossible_time_is_not_named);
	tcase_add_test(tc, waits_a_second);
	tcase_add_test(tc, reported_time_is_subtracted_once);
	tcase_add_test(tc, memory_is_bounded);
	tcase_add_test(tc, nothing_without_permission);
	return tc;
}

UNIT_MAIN("exited_names", tc_names)
