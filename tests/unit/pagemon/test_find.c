// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixroot_rig.h"
#include "target/find.h"
#include "target_rig.h"

START_TEST(numbers_are_whole)
{
	static const struct {
		const char *text;
		int err;
		pid_t pid;
	} t[] = {{"1", 0, 1}, {"4194304", 0, 4194304}, {"007", 0, 7}, {"", -EINVAL, 0},
		{"12x", -EINVAL, 0}, {" 1", -EINVAL, 0}, {"+1", -EINVAL, 0},
		{"-1", -EINVAL, 0}, {"1 ", -EINVAL, 0}, {"0x10", -EINVAL, 0},
		{"0", -ERANGE, 0}, {"4194305", -ERANGE, 0},
		{"4294967297", -ERANGE, 0},	       /* 2^32 + 1 */
		{"18446744073709551617", -ERANGE, 0}}; /* 2^64 + 1 */

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		pid_t pid = 0;

		ck_assert_msg(find_pid(t[i].text, &pid) == t[i].err, "\"%s\"", t[i].text);
		ck_assert_int_eq(pid, t[i].pid);
	}
}
END_TEST

#define STAT_REST                                                                        \
	") S 1 1 1 0 -1 0 5 0 0 0 1 2 3 4 20 0 1 0 77 4096 1 0 0 0 0 0 0 0 0 0 0 0 0 0 " \
	"17 0 0 0\n"
#define STATUS(pid)                                       \
	"Name:\tx\nState:\tS\nTgid:\t" pid "\nPid:\t" pid \
	"\nPPid:\t1\nUid:\t5\t6\t6\t6\nGid:\t7\t7\t7\t7\n"

static void put_process(const char *pid, const char *comm, const char *args, size_t n)
{
	char path[64], text[512];

	snprintf(path, sizeof(path), "proc/%s/comm", pid);
	snprintf(text, sizeof(text), "%s\n", comm);
	fix_put(path, text);
	snprintf(path, sizeof(path), "proc/%s/cmdline", pid);
	fix_put_bytes(path, args, n);
	snprintf(path, sizeof(path), "proc/%s/stat", pid);
	snprintf(text, sizeof(text), "%s (%s" STAT_REST, pid, comm);
	fix_put(path, text);
	snprintf(path, sizeof(path), "proc/%s/status", pid);
	snprintf(text, sizeof(text), STATUS("%s"), pid, pid);
	fix_put(path, text);
	snprintf(path, sizeof(path), "proc/%s/statm", pid);
	fix_put(path, "900 17 3 1 0 2 0\n");
}

#define ARGS(s) s, sizeof(s)

static void expect(const char *name, int err, pid_t pid, size_t matches)
{
	struct found f = {0, 0};

	ck_assert_msg(find_target(&fix, name, &f) == err, "\"%s\"", name);
	ck_assert_msg(f.pid == pid, "\"%s\": %d", name, (int)f.pid);
	ck_assert_uint_eq(f.matches, matches);
}

START_TEST(names_are_exact)
{
	fix_open();
	put_process("90", "twin", ARGS("/usr/bin/twin\0-x"));
	put_process("9", "renamed", ARGS("/opt/twin"));
	put_process("1000", "a)b\x1b[2J", ARGS("we ird"));
	put_process("7", "kworker", "", 0);
	expect("twin", 0, 9, 2);
	expect("renamed", 0, 9, 1);
	expect("a)b\x1b[2J", 0, 1000, 1);
	expect("we ird", 0, 1000, 1);
	expect("kworker", 0, 7, 1);
	expect("twi", -ESRCH, 0, 0);
	expect("twins", -ESRCH, 0, 0);
	expect("/opt/twin", -ESRCH, 0, 0);
	expect("-x", -ESRCH, 0, 0);
	expect("", -ESRCH, 0, 0);
	expect("90", 0, 90, 1);
	expect("91", -ESRCH, 91, 1);
	expect("4294967305", -ERANGE, 0, 0); /* 2^32 + 9 */
	fix_close();
}
END_TEST

START_TEST(itself_comes_last)
{
	char self[16];

	fix_open();
	snprintf(self, sizeof(self), "%d", (int)getpid());
	put_process(self, "pagemon", ARGS("pagemon"));
	expect("pagemon", 0, getpid(), 1);
	put_process("4000000", "pagemon", ARGS("pagemon"));
	expect("pagemon", 0, 4000000, 1);
	fix_close();
}
END_TEST

static const struct find_item *item_of(const struct find_list *l, pid_t pid)
{
	size_t i = 0;

	while (i < l->n && l->items[i].pid != pid)
		i++;
	ck_assert_uint_lt(i, l->n);
	return &l->items[i];
}

START_TEST(list_of_all)
{
	struct find_list l = FIND_LIST_INIT;
	const struct find_item *empty, *one;
	char self[16];

	fix_open();
	snprintf(self, sizeof(self), "%d", (int)getpid());
	put_process(self, "pagemon", ARGS("pagemon"));
	put_process("90", "one", ARGS("/usr/bin/one\0two"));
	put_process("9", "empty", "", 0);
	fix_put("proc/91/comm", "no stat\n"); /* exits meanwhile */
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(find_list_read(&l, &fix), 0);
		ck_assert_uint_eq(l.n, 2);
		empty = item_of(&l, 9);
		one = item_of(&l, 90);
		ck_assert_uint_eq(one->rss_bytes, 17 * (uint64_t)sysconf(_SC_PAGESIZE));
		ck_assert_uint_eq(find_name(&l, empty).n, 5);
		ck_assert_mem_eq(find_name(&l, empty).p, "empty", 5);
		ck_assert_uint_eq(find_name(&l, one).n, 16);
		ck_assert_mem_eq(find_name(&l, one).p, "/usr/bin/one\0two", 16);
		ck_assert_mem_eq(find_comm(&l, one).p, "one", 3);
	}
	find_list_fini(&l);
	fix_close();
}
END_TEST

static void call_itself_findme(void)
{
	prctl(PR_SET_NAME, "find me");
	child_say("", 1);
}

START_TEST(a_live_process_by_comm)
{
	struct found f;
	struct child c;
	char b;

	target_rig_open();
	child_start(&c, call_itself_findme);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(find_target(&live, "find me", &f), 0);
	ck_assert_int_eq(f.pid, c.pid);
	child_end(&c);
	ck_assert_int_eq(find_target(&live, "find me", &f), -ESRCH);
	target_rig_close();
}
END_TEST

/* In the list and by name, as if its first thread had not exited. */
START_TEST(a_process_without_its_first_thread)
{
	struct find_list l = FIND_LIST_INIT;
	const struct find_item *i;
	struct found f;
	struct child c;
	char b;

	target_rig_open();
	child_start(&c, child_leader_ends);
	child_hear(&c, &b, 1);
	ck_assert_int_eq(find_list_read(&l, &live), 0);
	i = item_of(&l, c.pid);
	ck_assert_uint_gt(i->rss_bytes, 0);
	ck_assert(memmem(find_name(&l, i).p, find_name(&l, i).n, "/test_find", 10));
	find_list_fini(&l);
	prctl(PR_SET_NAME, "another");
	ck_assert_int_eq(find_target(&live, "test_find", &f), 0);
	ck_assert_int_ne(
		f.pid, getpid()); /* which is used only if nothing else matches */
	child_end(&c);
	target_rig_close();
}
END_TEST

static TCase *tc_find(void)
{
	TCase *tc = tcase_create("find");

	tcase_add_test(tc, numbers_are_whole);
	tcase_add_test(tc, names_are_exact);
	tcase_add_test(tc, itself_comes_last);
	tcase_add_test(tc, list_of_all);
	tcase_add_test(tc, a_process_without_its_first_thread);
	tcase_add_test(tc, a_live_process_by_comm);
	return tc;
}

UNIT_MAIN("find", tc_find)
