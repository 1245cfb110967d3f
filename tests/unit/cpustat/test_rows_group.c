// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "cpustat_rows_rig.h"

START_TEST(group_by_comm)
{
	struct row *row;

	o.group = GROUP_COMM;
	task(10, "cc", 10)->flags = ROW_HAS_WAIT;
	list[0].wait_ns = 3 * MS;
	task(11, "cc", 20)->usr_ns = MS;
	task(12, "make", 5);
	put(ROW_EXITED, 12, "make", 7);
	put(ROW_EXITED, 13, "make", 8);
	task(14, "kworker/0:1", 1);
	task(15, "kworker/0:1", 2)->flags = ROW_KTHREAD;
	put(ROW_SOFTIRQ, 0, "cc", 50);
	row = put(ROW_THREAD, 16, "cc", 1);
	row->tgid = 10;
	ck_assert_uint_eq(arrange(), 6);
	expect(6, "0:cc 0:make 0:make 0:kworker/0:1 0:kworker/0:1 0:cc");
	ck_assert_uint_eq(r.matched, 6);
	ck_assert_int_eq(rows[0].kind, ROW_GROUP);
	ck_assert_uint_eq(rows[0].members, 3);
	ck_assert_uint_eq(rows[0].used_ns, 31 * MS);
	ck_assert_uint_eq(rows[0].usr_ns, MS);
	ck_assert_uint_eq(rows[0].sys_ns, 31 * MS);
	ck_assert_uint_eq(rows[0].wait_ns, 3 * MS);
	ck_assert_uint_eq(rows[0].total_ns, 62 * MS);
	ck_assert_uint_eq(rows[0].flags, ROW_HAS_WAIT);
	ck_assert_int_eq(rows[0].state, 0);
	ck_assert_int_eq(rows[0].cpu, -1);
	ck_assert_uint_eq(rows[0].dt_ns, SEC);
	ck_assert_int_eq(rows[1].kind, ROW_EXITED); /* of both makes */
	ck_assert_uint_eq(rows[1].used_ns, 15 * MS);
	ck_assert_uint_eq(rows[1].members, 2);
	ck_assert_int_eq(rows[2].kind, ROW_GROUP);
	ck_assert_uint_eq(rows[2].members, 1);
	ck_assert_uint_eq(rows[3].flags, ROW_KTHREAD); /* the real one */
	ck_assert_uint_eq(rows[4].flags, 0);
	ck_assert_int_eq(rows[5].kind, ROW_SOFTIRQ);
	ck_assert_uint_eq(r.total.used_ns, 104 * MS);
}
END_TEST

/* In the sums of a run a task that has moved has an entry for each group; otherwise one.
 */
START_TEST(moved_task)
{
	static const char *const path[] = {"/a", "/b", "/a"};
	struct sm_poolstr *cgroup[3];
	uint64_t key[3];

	for (int k = GROUP_NONE; k <= GROUP_PARENT; k++) {
		bool apart = k == GROUP_USER || k == GROUP_CGROUP || k == GROUP_PARENT;

		o.group = (enum group)k;
		n_list = 0;
		for (unsigned int i = 0; i < 3; i++) {
			struct row *row = task(10, "moved", 1);

			cgroup[i] = sm_strpool_get(names, path[i], 2, 0);
			row->cgroup = cgroup[i];
			row->flags = ROW_HAS_UID;
			row->uid = 1000 + (i & 1);
			row->ppid = 1 + (pid_t)(i & 1);
			key[i] = group_task_key(&r.group, row, 7);
		}
		ck_assert_uint_eq(key[0], key[2]);
		ck_assert_int_eq(key[0] != key[1], apart);
		for (unsigned int i = 0; i < 3; i++)
			sm_strpool_put(names, cgroup[i]);
	}
}
END_TEST

START_TEST(group_by_user)
{
	o.group = GROUP_USER;
	task(10, "a", 10)->flags = ROW_HAS_UID; /* root */
	task(11, "b", 5);
	list[1].flags = ROW_HAS_UID;
	list[1].uid = 4294967294u;
	put(ROW_EXITED, 11, "b", 2);
	list[2].flags = ROW_HAS_UID;
	list[2].uid = 4294967294u;
	task(12, "c", 1); /* not known, which is not root */
	ck_assert_uint_eq(arrange(), 3);
	expect(3, "0:root 0:4294967294 0:(unknown)");
	ck_assert_int_eq(rows[1].kind, ROW_GROUP);
	ck_assert_uint_eq(rows[1].used_ns, 7 * MS);
	ck_assert_uint_eq(rows[1].members, 2);
	ck_assert_uint_eq(rows[1].uid, 4294967294u);
	ck_assert_uint_eq(rows[1].flags, ROW_HAS_UID);
	ck_assert_uint_eq(rows[2].flags, 0);
}
END_TEST

START_TEST(group_by_cgroup)
{
	char path[200];
	struct sm_poolstr *deep;

	memset(path, 'd', sizeof(path));
	path[0] = '/';
	deep = sm_strpool_get(names, path, sizeof(path), 0);
	o.group = GROUP_CGROUP;
	task(10, "a", 10)->cgroup = deep;
	task(11, "b", 5)->cgroup = keep("/x", 2);
	put(ROW_EXITED, 11, "b", 4)->cgroup = sm_strpool_get(names, "/x", 2, 9);
	task(12, "c", 1);
	ck_assert_uint_eq(arrange(), 3);
	ck_assert_uint_eq(rows[0].comm.n, sizeof(path));
	ck_assert_mem_eq(rows[0].comm.p, path, sizeof(path));
	ck_assert_mem_eq(rows[0].cgroup->s, path, sizeof(path));
	ck_assert_uint_eq(rows[1].used_ns, 9 * MS);
	ck_assert_uint_eq(rows[1].comm.n, 2);
	ck_assert_mem_eq(rows[1].comm.p, "/x", 2);
	ck_assert_mem_eq(rows[2].comm.p, "(unknown)", 9);
	ck_assert_ptr_null(rows[2].cgroup);
}
END_TEST

START_TEST(group_by_parent)
{
	struct row *thread;

	o.group = GROUP_PARENT;
	o.name_glob = "c*"; /* the parent itself does not pass */
	task(100, "make", 1);
	task(101, "cc", 10)->ppid = 100;
	task(102, "cc", 20)->ppid = 100;
	put(ROW_EXITED, 100, "make", 5);
	task(103, "cat", 4)->ppid = 77; /* a parent without a row */
	task(104, "c0", 2)->ppid = 0;
	thread = put(ROW_THREAD, 202, "other", 1);
	thread->tgid = 201;
	thread = put(ROW_THREAD, 77, "thread", 1); /* is no process 77 */
	thread->tgid = 201;
	task(105, "c1", 1)->ppid = 202;
	ck_assert_uint_eq(arrange(), 4);
	expect(4, "100:make 77:pid 77 0:(no parent) 202:pid 202");
	ck_assert_uint_eq(rows[0].used_ns, 30 * MS);
	o.name_glob = NULL;
	ck_assert_uint_eq(arrange(), 5);
	expect(5, "100:make 77:pid 77 1:pid 1 0:(no parent) 202:pid 202");
	ck_assert_uint_eq(rows[0].used_ns, 35 * MS); /* with the exited ones */
	ck_assert_uint_eq(rows[0].members, 3);
	ck_assert_int_eq(rows[0].tgid, 100);
	ck_assert_int_eq(rows[0].kind, ROW_GROUP);
}
END_TEST

START_TEST(parent_by_its_thread_or_exited_row)
{
	struct row *row;

	o.group = GROUP_PARENT;
	put(ROW_THREAD, 100, "leader", 1)->ppid = 50;
	row = put(ROW_THREAD, 101, "worker", 1);
	row->tgid = 100;
	row->ppid = 50;
	put(ROW_EXITED, 60, "sh", 9);
	task(102, "x", 30)->ppid = 100;
	task(103, "kthreadd", 1)->flags = ROW_KTHREAD;
	task(104, "kworker", 20)->ppid = 103;
	ck_assert_uint_eq(arrange(), 5);
	expect(5, "100:leader 103:kthreadd 60:sh 50:pid 50 1:pid 1");
	ck_assert_uint_eq(rows[1].flags, ROW_KTHREAD);
}
END_TEST

START_TEST(groups_are_new_in_each_sample)
{
	o.group = GROUP_COMM;
	some_tasks();
	for (int i = 0; i < 3; i++) {
		ck_assert_uint_eq(arrange(), 3);
		expect(3, "0:b 0:a 0:c");
		ck_assert_uint_eq(rows[0].used_ns, 30 * MS);
	}
	n_list = 0;
	ck_assert_uint_eq(arrange(), 0);
}
END_TEST

START_TEST(limit_of_groups)
{
	o.group = GROUP_COMM;
	o.app.limit = 2;
	some_tasks();
	task(50, "c", 100);
	ck_assert_uint_eq(arrange(), 2);
	expect(2, "0:c 0:b");
	ck_assert_uint_eq(r.matched, 3);
	ck_assert_uint_eq(r.total.used_ns, 160 * MS);
	ck_assert_uint_eq(r.total.members, 4);
	ck_assert_uint_eq(r.shown.used_ns, 140 * MS);
	ck_assert_uint_eq(r.shown.members, 3);
}
END_TEST

/* --- sub-samples -------------------------------------------------------------------- */

static void subsample(uint64_t a_ms, uint64_t b_ms, uint64_t dt_ms)
{
	struct row part[3];
	size_t n = 0;

	n_list = 0;
	if (a_ms)
		part[n++] = *task(10, "cc", a_ms);
	if (b_ms)
		part[n++] = *task(11, "cc", b_ms);
	part[n] = *task(12, "filtered", 500);
	part[n++].flags = ROW_SELF;
	for (size_t i = 0; i < n; i++)
		part[i].dt_ns = dt_ms * MS;
	rows_subsample(&r, part, n, dt_ms * MS);
}

/* cc together: 30, 0 and 20 of 100 ms each. */
START_TEST(extremes_of_groups)
{
	o.ignore_self = true;
	o.group = GROUP_COMM;
	for (int interval = 0; interval < 2; interval++) {
		subsample(10, 20, 100);
		subsample(0, 0, 100);
		subsample(20, 0, 100);
		n_list = 0;
		task(10, "cc", 30);
		task(11, "cc", 20);
		task(12, "late", 1);
		ck_assert_uint_eq(arrange(), 2);
		expect(2, "0:cc 0:late");
		ck_assert_float_eq_tol(rows[0].min_pct, 0, 1e-4f);
		ck_assert_float_eq_tol(rows[0].max_pct, 30, 1e-4f);
		ck_assert(isnan(rows[1].min_pct) && isnan(rows[1].max_pct));
		ck_assert_float_eq_tol(r.total.min_pct, 0, 1e-4f);
		ck_assert_float_eq_tol(r.total.max_pct, 30, 1e-4f);
		ck_assert_float_eq(r.shown.max_pct, r.total.max_pct);
	}
	o.app.limit = 1;
	ck_assert_uint_eq(arrange(), 1); /* again in the same interval */
	ck_assert_float_eq_tol(rows[0].max_pct, 30, 1e-4f);
	ck_assert(isnan(r.shown.max_pct)); /* unknown of a part */
	o.ignore_self = false;
	subsample(40, 10, 100); /* the next interval */
	n_list = 0;
	task(10, "cc", 50);
	arrange();
	ck_assert_float_eq_tol(rows[0].min_pct, 50, 1e-4f);
	ck_assert_float_eq_tol(rows[0].max_pct, 50, 1e-4f);
	ck_assert_float_eq_tol(r.total.max_pct, 550, 1e-3f);
	/* A threshold leaves out members of which the sub-samples knew nothing. */
	o.threshold_centi_pct = 100;
	subsample(40, 10, 100);
	arrange();
	ck_assert(isnan(rows[0].min_pct) && isnan(r.total.max_pct));
}
END_TEST

START_TEST(extremes_of_ungrouped_rows_stay)
{
	subsample(10, 20, 100);
	n_list = 0;
	task(10, "cc", 30)->min_pct = 3;
	list[0].max_pct = 4;
	ck_assert_uint_eq(arrange(), 1);
	ck_assert_float_eq(rows[0].min_pct, 3);
	ck_assert_float_eq(rows[0].max_pct, 4);
}
END_TEST

static TCase *tc_groups(void)
{
	TCase *tc = with("groups");

	tcase_add_test(tc, group_by_comm);
	tcase_add_test(tc, moved_task);
	tcase_add_test(tc, group_by_user);
	tcase_add_test(tc, group_by_cgroup);
	tcase_add_test(tc, group_by_parent);
	tcase_add_test(tc, parent_by_its_thread_or_exited_row);
	tcase_add_test(tc, groups_are_new_in_each_sample);
	tcase_add_test(tc, limit_of_groups);
	tcase_add_test(tc, extremes_of_groups);
	tcase_add_test(tc, extremes_of_ungrouped_rows_stay);
	return tc;
}

UNIT_MAIN("rows_group", tc_groups)
