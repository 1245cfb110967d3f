// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "fixroot_rig.h"
#include "timers/taskcomm.h"
#include "unit.h"

static struct sm_taskcomm t;

static void setup(void)
{
	fix_open();
	ck_assert_int_eq(sm_taskcomm_init(&t, &fix), 0);
}

static void teardown(void)
{
	sm_taskcomm_fini(&t);
	fix_close();
}

static void check(pid_t tid, pid_t tgid, const char *comm)
{
	struct sm_taskcomm_entry e = sm_taskcomm_get(&t, tid);

	ck_assert_int_eq(e.tid, tid);
	ck_assert_int_eq(e.tgid, tgid);
	ck_assert_str_eq(e.comm, comm);
}

static void put_task(const char *tid, const char *comm, const char *tgid)
{
	char name[64], text[128];

	snprintf(name, sizeof(name), "proc/%s/comm", tid);
	fix_put(name, comm);
	snprintf(name, sizeof(name), "proc/%s/status", tid);
	snprintf(text, sizeof(text),
		"Name:\tx\nTgid:\t%s\nPid:\t%s\nPPid:\t1\nUid:\t0\t0\t0\t0\n"
		"Gid:\t0\t0\t0\t0\n",
		tgid, tid);
	fix_put(name, text);
}

static void made(pid_t tid, pid_t tgid, pid_t parent, const char *comm)
{
	struct sm_taskcomm_entry e = {.tid = tid, .tgid = tgid};

	memcpy(e.comm, comm, strlen(comm));
	sm_taskcomm_made(&t, &e, parent);
}

START_TEST(those_before_are_read)
{
	put_task("7", "a) \x1b[b\n", "7");
	put_task("8", "worker\n", "7");
	check(7, 7, "a) \x1b[b");
	check(8, 7, "worker");
	put_task("7", "late\n", "7"); /* only events change what is known */
	check(7, 7, "a) \x1b[b");
	check(9, 9, "");
}
END_TEST

START_TEST(children_are_called_as_their_parent)
{
	put_task("7", "make\n", "7");
	made(20, 20, 7, "");
	made(21, 0, 20, ""); /* a thread */
	made(22, 22, 7, "given");
	check(20, 20, "make");
	check(21, 20, "make");
	check(22, 22, "given");
}
END_TEST

START_TEST(renamed)
{
	char whole[SM_TASK_COMM_LEN];

	memset(whole, 'x', sizeof(whole));
	made(20, 20, 7, "cc1");
	sm_taskcomm_named(&t, 20, (char[SM_TASK_COMM_LEN]){"as"});
	check(20, 20, "as");
	sm_taskcomm_named(&t, 20, whole);
	check(20, 20, "xxxxxxxxxxxxxxx");
	put_task("30", "old\n", "29");
	sm_taskcomm_named(&t, 30, (char[SM_TASK_COMM_LEN]){"new"});
	check(30, 29, "new");
}
END_TEST

/* Makes that many others and lets them exit. */
static void pass(pid_t first, pid_t n)
{
	for (pid_t i = first; i < first + n; i++) {
		made(i, i, 1, "passing");
		sm_taskcomm_exited(&t, i);
	}
}

START_TEST(exited)
{
	made(20, 20, 7, "first");
	made(21, 21, 7, "second");
	sm_taskcomm_exited(&t, 20);
	sm_taskcomm_exited(&t, 20);
	sm_taskcomm_exited(&t, 30);
	pass(1000, SM_TASKCOMM_EXITED - 1);
	check(20, 20, "first");
	pass(2000, 1);
	check(20, 20, "");
	check(21, 21, "second");
	pass(3000, 10 * SM_TASKCOMM_EXITED);
	ck_assert_uint_le(t.n, SM_TASKCOMM_EXITED + 4); /* in place of others */
}
END_TEST

START_TEST(tids_come_again)
{
	made(20, 20, 7, "first");
	sm_taskcomm_exited(&t, 20);
	made(20, 20, 7, "again");
	pass(1000, SM_TASKCOMM_EXITED);
	check(20, 20, "again");
}
END_TEST

START_TEST(full)
{
	const pid_t max = SM_TASKCOMM_MAX;

	for (pid_t i = 1; i <= max; i++)
		made(i, i, 1, "many");
	made(max + 1, max + 1, 1, "more");
	check(max, max, "many");
	check(max + 1, max + 1, "");
	sm_taskcomm_exited(&t, 5);
	for (pid_t i = 6; i < 6 + (pid_t)SM_TASKCOMM_EXITED; i++)
		sm_taskcomm_exited(&t, i);
	made(max + 1, max + 1, 1, "more");
	check(max + 1, max + 1, "more");
}
END_TEST

static TCase *tc_tasks(void)
{
	TCase *tc = tcase_create("tasks");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, those_before_are_read);
	tcase_add_test(tc, children_are_called_as_their_parent);
	tcase_add_test(tc, renamed);
	tcase_add_test(tc, exited);
	tcase_add_test(tc, tids_come_again);
	tcase_add_test(tc, full);
	return tc;
}

UNIT_MAIN("taskcomm", tc_tasks)
