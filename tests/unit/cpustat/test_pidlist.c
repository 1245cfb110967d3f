// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <sys/wait.h>

#include "proc/cpuclock.h"
#include "cpustat/sampler/pidlist.h"
#include "fixroot_rig.h"
#include "proc/procpid.h"

static struct pidlist l;
static struct sm_root live;
static pid_t child;
static pid_t missing_pid[64];
static size_t nmissing;

static void setup(void)
{
	fix_open();
	l = (struct pidlist){.loadavg = SM_FILE_INIT};
	live = (struct sm_root)SM_ROOT_INIT;
	child = 0;
	nmissing = 0;
}

static void teardown(void)
{
	if (child > 0) {
		kill(child, SIGKILL);
		ck_assert_int_eq(waitpid(child, NULL, 0), child);
	}
	pidlist_close(&l);
	sm_root_close(&live);
	fix_close();
}

static void note_missing(void *ctx, size_t i)
{
	ck_assert_ptr_eq(ctx, &l);
	ck_assert_uint_lt(nmissing, SM_ARRAY_SIZE(missing_pid));
	missing_pid[nmissing++] = l.pid[i];
	pidlist_exited(&l, i);
}

static void dir(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "proc/%d", (int)pid);
	fix_mkdir(name);
}

static void no_dir(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "proc/%d", (int)pid);
	ck_assert_int_eq(rmdir(fix_path(name)), 0);
}

static void look(void)
{
	ck_assert_int_eq(pidlist_created(&l, note_missing, &l), 0);
	ck_assert_int_eq(pidlist_admit(&l), 0);
}

static void expect(size_t n, const pid_t *pids)
{
	ck_assert_uint_eq(l.n, n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_int_eq(l.pid[i], pids[i]);
		ck_assert_int_eq(pidlist_find(&l, pids[i]), (ssize_t)i);
	}
}

#define EXPECT(...)                                            \
	do {                                                   \
		const pid_t pids_[] = {__VA_ARGS__};           \
		expect(sizeof(pids_) / sizeof(*pids_), pids_); \
	} while (0)

START_TEST(scan_finds_all)
{
	dir(7);
	dir(1);
	dir(4000000);
	dir(300);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	look();
	EXPECT(1, 7, 300, 4000000);
	ck_assert_int_eq(pidlist_find(&l, 8), -1);
	ck_assert_int_eq(pidlist_find(&l, 0), -1);
	look();
	EXPECT(1, 7, 300, 4000000);
	ck_assert_uint_eq(nmissing, 0);
}
END_TEST

START_TEST(entries_keep_what_is_known)
{
	dir(5);
	dir(9);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	look();
	l.ns[1] = 900;
	l.task[1] = 9;
	l.ppid[1] = 5;
	l.child_ns[1] = 99;
	dir(3);
	dir(7);
	dir(11);
	look();
	EXPECT(3, 5, 7, 9, 11);
	ck_assert_uint_eq(l.ns[3], 900);
	ck_assert_uint_eq(l.task[3], 9);
	ck_assert_int_eq(l.ppid[3], 5);
	ck_assert_uint_eq(l.child_ns[3], 99);
	ck_assert_uint_eq(l.ns[2], 0);
	ck_assert_uint_eq(l.task[2], 0);
	no_dir(5);
	look();
	pidlist_sweep(&l);
	EXPECT(3, 7, 9, 11);
	ck_assert_uint_eq(l.ns[2], 900);
	ck_assert_uint_eq(l.child_ns[2], 99);
}
END_TEST

/* Entries of exited processes keep their places while new ones are inserted. */
START_TEST(created_beside_exited)
{
	dir(5);
	dir(7);
	dir(8);
	dir(9);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	look();
	no_dir(8);
	no_dir(5);
	dir(6);
	look();
	ck_assert_uint_eq(nmissing, 2);
	ck_assert_int_eq(missing_pid[0], 5);
	ck_assert_int_eq(missing_pid[1], 8);
	/* Found, with the dead still there. */
	ck_assert_int_ge(pidlist_find(&l, 6), 0);
	ck_assert_int_ge(pidlist_find(&l, 7), 0);
	ck_assert_int_ge(pidlist_find(&l, 9), 0);
	ck_assert_int_eq(pidlist_find(&l, 5), -1);
	ck_assert_int_eq(pidlist_find(&l, 8), -1);
	pidlist_sweep(&l);
	EXPECT(6, 7, 9);
}
END_TEST

START_TEST(dead_do_not_hide_the_living)
{
	for (pid_t pid = 1; pid <= 15; pid++)
		dir(pid);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	look();
	for (size_t i = 0; i < 15; i++)
		if (i != 2)
			pidlist_exited(&l, i);
	ck_assert_int_eq(pidlist_find(&l, 3), 2);
	pidlist_sweep(&l);
	EXPECT(3);
}
END_TEST

START_TEST(many)
{
	for (pid_t pid = 2; pid <= 1600; pid += 2)
		dir(pid);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	look();
	ck_assert_uint_eq(l.n, 800);
	for (pid_t pid = 1; pid <= 1600; pid += 2)
		dir(pid);
	look();
	ck_assert_uint_eq(l.n, 1600);
	for (size_t i = 0; i < l.n; i++)
		ck_assert_int_eq(l.pid[i], (pid_t)i + 1);
}
END_TEST

START_TEST(a_list_of_pids)
{
	const uint32_t pids[] = {30, 10, 30, 20, 10, 10};

	dir(99);
	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	ck_assert_int_eq(pidlist_only(&l, pids, 6), 0);
	EXPECT(10, 20, 30);
	look(); /* never looks */
	EXPECT(10, 20, 30);
	ck_assert_uint_eq(nmissing, 0);
}
END_TEST

START_TEST(a_list_of_one)
{
	const uint32_t pid = 42;

	ck_assert_int_eq(pidlist_open(&l, &fix, false), 0);
	ck_assert_int_eq(pidlist_only(&l, &pid, 1), 0);
	EXPECT(42);
}
END_TEST

START_TEST(no_proc_is_an_error)
{
	struct sm_root none = SM_ROOT_INIT;

	ck_assert_int_eq(pidlist_open(&l, &none, false), 0);
	ck_assert_int_eq(pidlist_created(&l, note_missing, &l), -ENOENT);
}
END_TEST

/* --- on the living machine -------------------------------------------------------- */

static bool open_live(void)
{
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live))
		return false;
	ck_assert_int_eq(pidlist_open(&l, &live, true), 0);
	if (!l.have_loadavg)
		return false;
	look();
	ck_assert_int_ge(pidlist_find(&l, getpid()), 0);
	return true;
}

static void make_child(void)
{
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		for (;;)
			pause();
}

/* Just the pids in between are tried: no scan. */
START_TEST(newest_pids_are_tried)
{
	if (!open_live())
		return;
	make_child();
	l.since_scan = 0;
	l.nscan = 0;
	look();
	ck_assert_int_ge(pidlist_find(&l, child), 0);
	ck_assert_uint_eq(l.nscan, 0);
	ck_assert_uint_ge(l.again, 1); /* the next look tries them again */
}
END_TEST

/* Its pid was given out before the last look, but it could not be found then. */
START_TEST(a_slow_fork_is_found_by_the_next_look)
{
	if (!open_live())
		return;
	make_child();
	l.last_pid = child;
	l.again = 1;
	l.since_scan = 0;
	l.nscan = 0;
	look();
	ck_assert_int_ge(pidlist_find(&l, child), 0);
	ck_assert_uint_eq(l.nscan, 0);
}
END_TEST

/* But for that a whole scan finds it, the 16th look at the latest. */
START_TEST(whole_scan_comes_round)
{
	int looks = 0;

	if (!open_live())
		return;
	make_child();
	l.last_pid = child;
	l.again = 0;
	l.since_scan = 0;
	for (; looks < 20 && pidlist_find(&l, child) < 0; looks++) {
		l.again = 0;
		look();
	}
	ck_assert_int_le(looks, 16);
	ck_assert_int_ge(pidlist_find(&l, child), 0);
}
END_TEST

/* Somebody wrote to /proc/sys/kernel/pid_max. */
START_TEST(pid_max_is_read_again)
{
	uint32_t real;

	if (!open_live())
		return;
	real = l.pid_max;
	make_child();
	l.pid_max = 2;
	look();
	ck_assert_uint_eq(l.pid_max, real);
	ck_assert_int_ge(pidlist_find(&l, child), 0);
}
END_TEST

/* The last pid is below that of the look before. */
START_TEST(pids_wrap)
{
	if (!open_live())
		return;
	make_child();
	l.last_pid = (pid_t)sm_procpid_max(&live) - 1;
	l.again = 0;
	l.since_scan = 0;
	look();
	ck_assert_int_ge(pidlist_find(&l, child), 0);
	ck_assert_int_lt(l.last_pid, (pid_t)sm_procpid_max(&live) - 1);
}
END_TEST

/* The last pid was `before` and is `last`; all pids between them are tried, and no
 * directory is read. */
static void look_between(pid_t before, pid_t last, uint32_t pid_max)
{
	char text[60];

	pidlist_close(&l);
	snprintf(text, sizeof(text), "0.00 0.00 0.00 1/2 %d\n", (int)last);
	fix_put("proc/loadavg", text);
	ck_assert_int_eq(pidlist_open(&l, &fix, true), 0);
	l.have_loadavg = true;
	l.rescan = false;
	l.last_pid = before;
	l.pid_max = pid_max;
	look();
	ck_assert_uint_eq(l.nscan, 0);
}

/* The greatest pid is pid_max - 1, and the one after it 1. */
START_TEST(wrap_is_at_pid_max)
{
	if (!open_live())
		return;
	make_child();
	look_between(child - 1, child, (uint32_t)child + 1);
	EXPECT(child);
	look_between(child - 1, 1, (uint32_t)child + 1);
	ck_assert_int_ge(pidlist_find(&l, child), 0);
	ck_assert_int_ge(pidlist_find(&l, 1), 0);
	look_between(child - 1, 1, (uint32_t)child);
	ck_assert_int_eq(pidlist_find(&l, child), -1);
	ck_assert_int_ge(pidlist_find(&l, 1), 0);
	look_between(child - 2, 1, (uint32_t)child);
	ck_assert_int_eq(pidlist_find(&l, child), -1);
	ck_assert_int_ge(pidlist_find(&l, 1), 0);
}
END_TEST

static TCase *tc_list(void)
{
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, scan_finds_all);
	tcase_add_test(tc, entries_keep_what_is_known);
	tcase_add_test(tc, created_beside_exited);
	tcase_add_test(tc, dead_do_not_hide_the_living);
	tcase_add_test(tc, many);
	tcase_add_test(tc, a_list_of_pids);
	tcase_add_test(tc, a_list_of_one);
	tcase_add_test(tc, no_proc_is_an_error);
	return tc;
}

static TCase *tc_created(void)
{
	TCase *tc = tcase_create("created");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, newest_pids_are_tried);
	tcase_add_test(tc, a_slow_fork_is_found_by_the_next_look);
	tcase_add_test(tc, whole_scan_comes_round);
	tcase_add_test(tc, pid_max_is_read_again);
	tcase_add_test(tc, pids_wrap);
	tcase_add_test(tc, wrap_is_at_pid_max);
	return tc;
}

UNIT_MAIN("pidlist", tc_list, tc_created)
