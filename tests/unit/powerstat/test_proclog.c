// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "fixroot_rig.h"
#include "powerstat/proclog.h"

#define AT_SECOND 1000000000 /* of the epoch: 01:46:40 UTC */

static struct proclog *l;
static struct sm_buf text;
static uint64_t stamp;

static void setup(void)
{
	fix_open();
	setenv("TZ", "UTC", 1);
	tzset();
	text = (struct sm_buf){0};
	ck_assert_int_eq(proclog_new(&l, &fix), 0);
	/* in the middle of that second */
	stamp = AT_SECOND * SM_NSEC_PER_SEC + SM_NSEC_PER_SEC / 2 -
		(uint64_t)sm_clock_wall_offset_ns();
}

static void teardown(void)
{
	proclog_free(l);
	sm_buf_fini(&text);
	fix_close();
}

/* A process as /proc shows it; args NULL: a zombie or a kernel thread. */
static void process(int pid, const char *comm, const char *args, size_t n)
{
	char name[64], stat[256];

	snprintf(name, sizeof(name), "proc/%d/stat", pid);
	snprintf(stat, sizeof(stat),
		"%d (%s) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 100 1 1 1 1 1 1 1 1 0 0 "
		"0 0 0 0 0 17 0 0 0 0 0 0\n",
		pid, comm);
	fix_put(name, stat);
	snprintf(name, sizeof(name), "proc/%d/comm", pid);
	snprintf(stat, sizeof(stat), "%s\n", comm);
	fix_put(name, stat);
	snprintf(name, sizeof(name), "proc/%d/cmdline", pid);
	fix_put_bytes(name, args, n);
}

#define PROCESS(pid, comm, args) process(pid, comm, args, sizeof(args) - 1)

static void gone(int pid)
{
	static const char *const files[] = {"stat", "comm", "cmdline"};
	char name[64];

	for (size_t i = 0; i < SM_ARRAY_SIZE(files); i++) {
		snprintf(name, sizeof(name), "proc/%d/%s", pid, files[i]);
		ck_assert_int_eq(unlink(fix_path(name)), 0);
	}
}

static void add_fork(pid_t parent, pid_t tgid, pid_t pid)
{
	proclog_add(l, &(struct sm_proc_event){.time_ns = stamp,
			       .what = SM_PROC_FORK,
			       .pid = pid,
			       .tgid = tgid,
			       .ppid = parent,
			       .ptgid = parent});
}

static void add_exec(pid_t pid)
{
	proclog_add(l,
		&(struct sm_proc_event){
			.time_ns = stamp, .what = SM_PROC_EXEC, .pid = pid, .tgid = pid});
}

static void add_exit(pid_t pid, pid_t tgid, uint32_t code)
{
	proclog_add(l, &(struct sm_proc_event){.time_ns = stamp,
			       .what = (uint32_t)SM_PROC_EXIT,
			       .pid = pid,
			       .tgid = tgid,
			       .exit_code = code});
}

#define HEAD "\nLog of fork()/exec()/exit() calls:\n"
#define T    "01:46:40 "

static void expect_lost(uint64_t lost, const char *want)
{
	sm_buf_reset(&text);
	proclog_print(l, lost, &text);
	sm_buf_chr(&text, '\0');
	ck_assert_str_eq(text.p, want);
}

static void expect(const char *want)
{
	expect_lost(0, want);
}

START_TEST(empty)
{
	expect(HEAD);
	expect_lost(7, HEAD "7 events were lost in the kernel\n");
}
END_TEST

START_TEST(a_life)
{
	PROCESS(100, "sh", "sh\0-c\0make all\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(100, 200, 200);
	PROCESS(200, "cc1", "/usr/bin/cc1\0-O2\0x.c\0");
	add_exec(200);
	gone(200);
	add_exit(200, 200, 1 << 8);
	expect(HEAD T "fork: parent pid=100 -> fork pid=200 (sh -c make all)\n" T
		      "exec: pid=200 (/usr/bin/cc1 -O2 x.c)\n" T
		      "exit: pid=200 exit_code=1 (/usr/bin/cc1 -O2 x.c)\n");
}
END_TEST

START_TEST(how_it_ended)
{
	PROCESS(100, "a", "a\0");
	PROCESS(101, "b", "b\0");
	PROCESS(102, "c", "c\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_exit(100, 100, 0);
	add_exit(101, 101, 255 << 8);
	add_exit(102, 102, 11 | 0x80); /* SIGSEGV, and a core */
	expect(HEAD T "exit: pid=100 exit_code=0 (a)\n" T
		      "exit: pid=101 exit_code=255 (b)\n" T
		      "exit: pid=102 signal=11 (c)\n");
}
END_TEST

START_TEST(threads)
{
	PROCESS(100, "java", "java\0-jar\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(100, 100, 300);
	add_exit(300, 100, 0);
	expect(HEAD T "clone: parent pid=100 -> thread pid=300 (java -jar)\n" T
		      "exit: thread pid=300 exit_code=0 (java -jar)\n");
}
END_TEST

START_TEST(main_thread_ends_first)
{
	PROCESS(100, "java", "java\0-jar\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(100, 100, 300);
	add_exit(100, 100, 0);
	add_exit(300, 100, 7 << 8);
	expect(HEAD T "clone: parent pid=100 -> thread pid=300 (java -jar)\n" T
		      "exit: thread pid=100 exit_code=0 (java -jar)\n" T
		      "exit: pid=100 exit_code=7 (java -jar)\n");
}
END_TEST

/* What ended before anybody could look. */
START_TEST(unknown)
{
	add_exit(500, 500, 0);
	add_fork(600, 700, 700);
	add_exec(700);
	expect(HEAD T "exit: pid=500 exit_code=0 (<unknown>)\n" T
		      "fork: parent pid=600 -> fork pid=700 (<unknown>)\n" T
		      "exec: pid=700 (<unknown>)\n"
		      "2 names truncated or unknown\n"
		      "1 execs with incomplete arguments\n");
	ck_assert_uint_eq(proclog_missing(l), 3);
}
END_TEST

/* A zombie has its comm; and never the name of before. */
START_TEST(exec_without_arguments)
{
	PROCESS(100, "sh", "sh\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(100, 200, 200);
	PROCESS(200, "true", "");
	add_exec(200);
	add_fork(100, 201, 201);
	add_exec(201);
	expect(HEAD T "fork: parent pid=100 -> fork pid=200 (sh)\n" T
		      "exec: pid=200 (true)\n" T
		      "fork: parent pid=100 -> fork pid=201 (sh)\n" T
		      "exec: pid=201 (<unknown>)\n"
		      "2 execs with incomplete arguments\n");
	ck_assert_uint_eq(proclog_missing(l), 2);
}
END_TEST

START_TEST(kernel_thread)
{
	fix_put("proc/2/stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 1 1 0 0 20 0 1 "
			       "0 1 0 0 1 1 1 1 "
			       "1 1 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(2, 900, 900);
	expect(HEAD T "fork: parent pid=2 -> fork pid=900 (kthreadd)\n");
}
END_TEST

/* A pid that is used again is somebody else. */
START_TEST(reused_pid)
{
	PROCESS(100, "one", "one\0");
	PROCESS(101, "two", "two\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_fork(100, 200, 200);
	add_exit(200, 200, 0);
	add_exit(200, 200, 0); /* its fork was lost */
	add_fork(101, 200, 200);
	expect(HEAD T "fork: parent pid=100 -> fork pid=200 (one)\n" T
		      "exit: pid=200 exit_code=0 (one)\n" T
		      "exit: pid=200 exit_code=0 (<unknown>)\n" T
		      "fork: parent pid=101 -> fork pid=200 (two)\n"
		      "1 names truncated or unknown\n");
}
END_TEST

START_TEST(hostile_names)
{
	PROCESS(100, "x", "a\nb\0\x1b[2J\0\0\xff\0");
	PROCESS(101, "e\x1b]0;x", "\0\0\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	add_exit(100, 100, 0);
	add_exit(101, 101, 0);
	proclog_print(l, 0, &text);
	for (size_t i = 0; i < text.len; i++)
		ck_assert((unsigned char)text.p[i] >= ' ' || text.p[i] == '\n');
	/* each event a line, whatever the names hold */
	sm_buf_chr(&text, '\0');
	ck_assert_ptr_null(strstr(text.p, "a\nb"));
	ck_assert_ptr_nonnull(strstr(text.p, " exit: pid=100 exit_code=0 (a"));
	ck_assert_ptr_nonnull(strstr(text.p, ")\n01:46:40 exit: pid=101 exit_code=0 (e"));
}
END_TEST

/* After a loss, a name is looked at again. */
START_TEST(lost)
{
	PROCESS(100, "old", "old\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	PROCESS(100, "new", "new\0-x\0");
	proclog_lost(l);
	add_exit(100, 100, 0);
	expect_lost(3, HEAD T "exit: pid=100 exit_code=0 (new -x)\n"
			      "3 events were lost in the kernel\n");
}
END_TEST

/* Other kinds are no lines. */
START_TEST(other_events)
{
	proclog_add(
		l, &(struct sm_proc_event){.what = SM_PROC_COMM, .pid = 1, .tgid = 1});
	proclog_add(l, &(struct sm_proc_event){.what = SM_PROC_UID, .pid = 1, .tgid = 1});
	expect(HEAD);
}
END_TEST

START_TEST(line_limit)
{
	proclog_limit(l, 2);
	for (pid_t pid = 100; pid < 105; pid++)
		add_exit(pid, pid, 0);
	expect(HEAD T "exit: pid=100 exit_code=0 (<unknown>)\n" T
		      "exit: pid=101 exit_code=0 (<unknown>)\n"
		      "3 later events dropped: the log is full\n"
		      "5 names truncated or unknown\n");
	ck_assert_uint_eq(proclog_missing(l), 5);
}
END_TEST

static size_t lines_of(const struct sm_buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->p[i] == '\n';
	return n;
}

/* Whole lines up to the bound, the others counted; the table of names goes on. */
START_TEST(bounded)
{
	static char args[200000];
	unsigned long long dropped = 0;
	const char *last;
	unsigned int n = 10000;

	memset(args, 'x', sizeof(args));
	args[sizeof(args) - 1] = '\0';
	process(100, "big", args, sizeof(args));
	PROCESS(50, "small", "small\0");
	ck_assert_int_eq(proclog_seed(l), 0);
	for (unsigned int i = 0; i < n; i++)
		add_fork(100, 1000 + (pid_t)i, 1000 + (pid_t)i);
	proclog_print(l, 0, &text);
	ck_assert_uint_le(text.len, PROCLOG_BYTES + 200);
	ck_assert_uint_gt(text.len, PROCLOG_BYTES - PROCLOG_BRIEF - 200);
	sm_buf_chr(&text, '\0');
	last = strstr(text.p, " later events dropped: the log is full\n");
	ck_assert_ptr_nonnull(last);
	while (last[-1] != '\n')
		last--;
	ck_assert_int_eq(sscanf(last, "%llu later", &dropped), 1);
	/* heading: an empty line and one; the names that were cut have a line at the end
	 */
	ck_assert_uint_eq(lines_of(&text) - 4 + dropped, n);
	/* Half of the log has some whole names, the other half thousands that were cut.
	 */
	ck_assert_uint_gt(lines_of(&text), PROCLOG_BYTES / 2 / (PROCLOG_BRIEF + 100));
	ck_assert_ptr_nonnull(strstr(text.p, "xxx [...])\n"));
	ck_assert_uint_gt(proclog_missing(l), n - 100);
	/* What is short may still fit, and knows its name. */
	add_fork(50, 5000, 5000);
	add_exit(5000, 5000, 0);
	sm_buf_reset(&text);
	proclog_print(l, 0, &text);
	sm_buf_chr(&text, '\0');
	ck_assert_ptr_nonnull(strstr(text.p, "exit: pid=5000 exit_code=0 (small)\n"));
}
END_TEST

static TCase *tc_log(void)
{
	TCase *tc = tcase_create("log");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, empty);
	tcase_add_test(tc, a_life);
	tcase_add_test(tc, how_it_ended);
	tcase_add_test(tc, threads);
	tcase_add_test(tc, main_thread_ends_first);
	tcase_add_test(tc, unknown);
	tcase_add_test(tc, exec_without_arguments);
	tcase_add_test(tc, kernel_thread);
	tcase_add_test(tc, reused_pid);
	tcase_add_test(tc, hostile_names);
	tcase_add_test(tc, lost);
	tcase_add_test(tc, other_events);
	tcase_add_test(tc, line_limit);
	tcase_add_test(tc, bounded);
	return tc;
}

UNIT_MAIN("proclog", tc_log)
