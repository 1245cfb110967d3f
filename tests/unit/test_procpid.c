// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procpid.h"
#include "unit.h"

static struct sm_root small, evil, live;

static void open_roots(void)
{
	ck_assert_int_eq(sm_root_open(&small, "tests/fixtures/small"), 0);
	ck_assert_int_eq(sm_root_open(&evil, "tests/fixtures/evil"), 0);
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
}

static void close_roots(void)
{
	sm_root_close(&small);
	sm_root_close(&evil);
	sm_root_close(&live);
}

#define FIELDS_AFTER_COMM                                                               \
	" S 7 8 9 34816 10 4194304 1 2 3 4 111 222 -5 -6 20 0 13 0 987654321 1 2 "      \
	"18446744073709551615 1 1 0 0 0 0 0 4096 1 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 " \
	"0\n"

/* From memory of exactly the text's size. */
static int parse_stat(const char *s, size_t n, struct sm_pidstat *st)
{
	char *mem = malloc(n ? n : 1);
	int ret;

	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	memset(st, 0x55, sizeof(*st));
	ret = sm_pidstat_parse(mem, n, st);
	free(mem);
	return ret;
}

static int parse_stat_text(const char *s, struct sm_pidstat *st)
{
	return parse_stat(s, strlen(s), st);
}

START_TEST(stat_fields)
{
	struct sm_pidstat st;

	ck_assert_int_eq(parse_stat_text("42 (a b)" FIELDS_AFTER_COMM, &st), 0);
	ck_assert_int_eq(st.pid, 42);
	ck_assert_str_eq(st.comm, "a b");
	ck_assert_uint_eq(st.comm_len, 3);
	ck_assert_int_eq(st.state, 'S');
	ck_assert_int_eq(st.ppid, 7);
	ck_assert_int_eq(st.pgrp, 8);
	ck_assert_int_eq(st.session, 9);
	ck_assert_int_eq(st.tty_nr, 34816);
	ck_assert_uint_eq(st.flags, 4194304);
	ck_assert_uint_eq(st.utime_ticks, 111);
	ck_assert_uint_eq(st.stime_ticks, 222);
	ck_assert_int_eq(st.cutime_ticks, -5);
	ck_assert_int_eq(st.cstime_ticks, -6);
	ck_assert_int_eq(st.num_threads, 13);
	ck_assert_uint_eq(st.start_ticks, 987654321);
	ck_assert_int_eq(st.processor, 3);
}
END_TEST

/* Whatever the name looks like, the last ')' ends it. */
START_TEST(stat_hostile_names)
{
	static const char *const names[] = {"", ")", "(", ") ", ") R 1 1 1 (", "a\nb",
		"\n", "\x1b[2J", " ", "\xff\xfe", "1 (x) S 1"};

	for (size_t i = 0; i < SM_ARRAY_SIZE(names); i++) {
		struct sm_pidstat st;
		char text[512];

		snprintf(text, sizeof(text), "42 (%s)%s", names[i], FIELDS_AFTER_COMM);
		ck_assert_int_eq(parse_stat_text(text, &st), 0);
		ck_assert_str_eq(st.comm, names[i]);
		ck_assert_uint_eq(st.comm_len, strlen(names[i]));
		ck_assert_int_eq(st.ppid, 7);
	}
}
END_TEST

START_TEST(stat_long_names_are_cut)
{
	for (size_t n = 63; n <= 66; n++) {
		size_t want = n < SM_PIDSTAT_COMM_MAX ? n : SM_PIDSTAT_COMM_MAX;
		struct sm_pidstat st;
		char text[512];

		snprintf(text, sizeof(text), "42 (%0*d)%s", (int)n, 0, FIELDS_AFTER_COMM);
		ck_assert_int_eq(parse_stat_text(text, &st), 0);
		ck_assert_uint_eq(st.comm_len, want);
		ck_assert_uint_eq(strlen(st.comm), want);
		ck_assert_int_eq(st.ppid, 7);
	}
}
END_TEST

START_TEST(stat_malformed)
{
	static const char *const bad[] = {
		"",
		"\n",
		")",
		"42",
		"42 ",
		"42 (",
		"42 )",
		"42 ()",
		"42()" FIELDS_AFTER_COMM,
		"(x)" FIELDS_AFTER_COMM,
		" 42 (x)" FIELDS_AFTER_COMM,
		"-42 (x)" FIELDS_AFTER_COMM,
		"0 (x)" FIELDS_AFTER_COMM,
		"2147483648 (x)" FIELDS_AFTER_COMM,
		"42\t(x)" FIELDS_AFTER_COMM,
		"42 (x) SS 7 8 9 0 0 0 0",
		"42 (x) 7 7 8 9 0 0 0 0",
		"42 (x) S\n7 8 9 0 0 0 0",
	};
	struct sm_pidstat st;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(parse_stat_text(bad[i], &st) == -EBADMSG, "'%s'", bad[i]);
	ck_assert_int_eq(parse_stat("42 (a\0b)" FIELDS_AFTER_COMM,
				 sizeof("42 (a\0b)" FIELDS_AFTER_COMM) - 1, &st),
		-EBADMSG);
}
END_TEST

/* "1 (x) S 1 1 ... 1", 39 fields, but for one. */
static int parse_with_field(int field, const char *value)
{
	struct sm_pidstat st;
	char text[512];
	size_t n = (size_t)snprintf(text, sizeof(text), "1 (x)");

	for (int i = 3; i <= 39; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %s",
			i == field ? value
			: i == 3   ? "S"
				   : "1");
	return parse_stat(text, n, &st);
}

START_TEST(stat_ranges)
{
	static const struct {
		int field;
		const char *good, *bad;
	} t[] = {
		{3, "x", "1"},
		{3, "Z", "["},
		{4, "0", "-1"},
		{4, "2147483647", "2147483648"},
		{5, "-1", "-2"},
		{6, "-1", "-2"},
		{7, "-2147483648", "-2147483649"},
		{7, "0", "x"},
		{9, "4294967295", "4294967296"},
		{9, "0", "-1"},
		{14, "18446744073709551615", "18446744073709551616"},
		{15, "0", "-1"},
		{16, "-9223372036854775808", "-9223372036854775809"},
		{17, "9223372036854775807", "9223372036854775808"},
		{20, "0", "-1"},
		{22, "18446744073709551615", "-1"},
		{39, "2147483647", "2147483648"},
		{39, "0", "-1"},
		{39, "00", "1x"},
	};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		ck_assert_int_eq(parse_with_field(t[i].field, t[i].good), 0);
		ck_assert_int_eq(parse_with_field(t[i].field, t[i].bad), -EBADMSG);
	}
	ck_assert_int_eq(parse_with_field(12, ""), -EBADMSG);
}
END_TEST

/* Up to the CPU field every shorter text is malformed, from there on none is. */
START_TEST(stat_cut_off_anywhere)
{
	static const char text[] = "42 (a b)" FIELDS_AFTER_COMM;
	const char *cpu = strstr(text, " 17 3 ");
	struct sm_pidstat st;

	ck_assert_ptr_nonnull(cpu);
	for (size_t n = 0; n < sizeof(text); n++) {
		int want = n >= (size_t)(cpu - text) + 5 ? 0 : -EBADMSG;

		ck_assert_int_eq(parse_stat(text, n, &st), want);
	}
}
END_TEST

START_TEST(stat_fixtures)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_pidstat_read(&small, 57, &st), 0);
	ck_assert_str_eq(st.comm, "kworker/u4:1-events_unbound");
	ck_assert_uint_eq(st.comm_len, 27);
	ck_assert(st.flags & SM_PF_KTHREAD);
	ck_assert_int_eq(st.state, 'I');
	ck_assert_int_eq(st.ppid, 2);
	ck_assert_int_eq(sm_pidstat_read(&small, 1203, &st), 0);
	ck_assert(!(st.flags & SM_PF_KTHREAD));
	ck_assert_int_eq(st.tty_nr, 34819);
	ck_assert_uint_eq(st.start_ticks, 90211);
	ck_assert_int_eq(sm_pidstat_read(&small, 32767, &st), 0);
	ck_assert_int_eq(st.state, 'Z');
	ck_assert_int_eq(sm_pidstat_read(&small, 2048, &st), 0);
	ck_assert_int_eq(st.num_threads, 3);
}
END_TEST

START_TEST(stat_evil_fixtures)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_pidstat_read(&evil, 10, &st), 0);
	ck_assert_str_eq(st.comm, ") R 1 1 1 (");
	ck_assert_int_eq(sm_pidstat_read(&evil, 11, &st), 0);
	ck_assert_str_eq(st.comm, "two\nlines\n)");
	ck_assert_int_eq(sm_pidstat_read(&evil, 13, &st), 0);
	ck_assert_uint_eq(st.comm_len, 64);
	ck_assert_int_eq(sm_pidstat_read(&evil, 22, &st), 0);
	ck_assert_uint_eq(st.utime_ticks, UINT64_MAX);
	ck_assert_int_eq(st.cutime_ticks, INT64_MIN);
	ck_assert_uint_eq(st.start_ticks, UINT64_MAX);
	ck_assert_int_eq(st.processor, INT_MAX);
	ck_assert_int_eq(st.tty_nr, INT_MIN);
	ck_assert_uint_eq(st.flags, UINT32_MAX);
	ck_assert_int_eq(sm_pidstat_read(&evil, 16, &st), -ENOENT);
	for (pid_t pid = 15; pid <= 25; pid++)
		if (pid != 16 && pid != 22)
			ck_assert_int_eq(sm_pidstat_read(&evil, pid, &st), -EBADMSG);
}
END_TEST

static int parse_cred(const char *s, struct sm_pidcred *c)
{
	size_t n = strlen(s);
	char *mem = malloc(n ? n : 1);
	int ret;

	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	ret = sm_pidcred_parse(mem, n, c);
	free(mem);
	return ret;
}

START_TEST(cred_fields)
{
	struct sm_pidcred c;

	ck_assert_int_eq(parse_cred("Name:\tx\nTgid:\t5\nPPid:\t0\nUid:\t1\t2\t3\t4\n"
				    "Gid:\t6\t4294967295\t8\t9",
				 &c),
		0);
	ck_assert_int_eq(c.tgid, 5);
	ck_assert_int_eq(c.ppid, 0);
	ck_assert_uint_eq(c.ruid, 1);
	ck_assert_uint_eq(c.euid, 2);
	ck_assert_uint_eq(c.rgid, 6);
	ck_assert_uint_eq(c.egid, 4294967295u);
}
END_TEST

START_TEST(cred_malformed)
{
	static const char *const bad[] = {
		"",
		"Tgid:\t5\nPPid:\t1\nUid:\t1\t2\t3\t4\n",
		"PPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t5\nUid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t5\nPPid:\t1\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t\nPPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t-5\nPPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t2147483648\nPPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t5\nPPid:\t1\nUid:\t1\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t5\nPPid:\t1\nUid:\t1\t4294967296\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:\t5\nPPid:\t1\nUid:\t-1\t2\t3\t4\nGid:\t1\t2\t3\t4\n",
		"Tgid:5\nPPid:1\nUid:1 2\nGid:1 2\n",
	};
	struct sm_pidcred c;

	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++)
		ck_assert_msg(parse_cred(bad[i], &c) == -EBADMSG, "'%s'", bad[i]);
}
END_TEST

START_TEST(cred_fixtures)
{
	struct sm_pidcred c;

	ck_assert_int_eq(sm_pidcred_read(&small, 1204, &c), 0);
	ck_assert_int_eq(c.tgid, 1204);
	ck_assert_int_eq(c.ppid, 1203);
	ck_assert_uint_eq(c.ruid, 1000);
	ck_assert_uint_eq(c.euid, 0);
	ck_assert_uint_eq(c.rgid, 1000);
	/* the kernel escapes newlines in Name:, and what follows Gid: is not looked at */
	ck_assert_int_eq(sm_pidcred_read(&evil, 10, &c), 0);
	ck_assert_uint_eq(c.ruid, 1000);
	ck_assert_uint_eq(c.rgid, 1000);
	ck_assert_int_eq(sm_pidcred_read(&evil, 22, &c), 0);
	ck_assert_int_eq(c.tgid, INT_MAX);
	ck_assert_uint_eq(c.euid, UINT32_MAX);
	ck_assert_int_eq(sm_pidcred_read(&evil, 16, &c), -ENOENT);
	for (pid_t pid = 17; pid <= 24; pid++)
		if (pid != 22)
			ck_assert_int_eq(sm_pidcred_read(&evil, pid, &c), -EBADMSG);
}
END_TEST

START_TEST(cmdline)
{
	char b[64];

	memset(b, 'x', sizeof(b));
	ck_assert_int_eq(sm_pidcmdline_read(&small, 1, b, sizeof(b)), 18);
	ck_assert_mem_eq(b, "/sbin/init\0splash\0x", 19);
	ck_assert_int_eq(sm_pidcmdline_read(&small, 1, b, 18), 18);
	ck_assert_int_eq(sm_pidcmdline_read(&small, 1, b, 5), 5);
	ck_assert_mem_eq(b, "/sbin", 5);
	ck_assert_int_eq(sm_pidcmdline_read(&small, 2, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_pidcmdline_read(&small, 32767, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_pidcmdline_read(&evil, 14, b, sizeof(b)), 3);
	ck_assert_mem_eq(b, "\0\0\0", 3);
	ck_assert_int_eq(sm_pidcmdline_read(&evil, 16, b, sizeof(b)), -ENOENT);
}
END_TEST

START_TEST(comm)
{
	char b[128];

	ck_assert_int_eq(sm_pidcomm_read(&small, 914, b, sizeof(b)), 4);
	ck_assert_str_eq(b, "sshd");
	ck_assert_int_eq(sm_pidcomm_read(&small, 914, b, 3), 2);
	ck_assert_str_eq(b, "ss");
	ck_assert_int_eq(sm_pidcomm_read(&small, 914, b, 5), 4);
	ck_assert_str_eq(b, "sshd");
	ck_assert_int_eq(sm_pidcomm_read(&evil, 11, b, sizeof(b)), 11);
	ck_assert_str_eq(b, "two\nlines\n)");
	ck_assert_int_eq(sm_pidcomm_read(&evil, 13, b, sizeof(b)), 100);
	ck_assert_int_eq(sm_pidcomm_read(&evil, 14, b, sizeof(b)), 0);
	ck_assert_str_eq(b, "");
	ck_assert_int_eq(sm_pidcomm_read(&evil, 15, b, sizeof(b)), 10);
	ck_assert_mem_eq(b, "nul\0inside", 11);
	ck_assert_int_eq(sm_pidcomm_read(&evil, 16, b, sizeof(b)), 21);
	ck_assert_int_eq(sm_pidcomm_read(&evil, 17, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_pidcomm_read(&evil, 18, b, sizeof(b)), -ENOENT);
	ck_assert_str_eq(b, "");
	ck_assert_int_eq(sm_pidcomm_read(&evil, 18, b, 0), -EINVAL);
}
END_TEST

START_TEST(no_such_pid)
{
	static const pid_t pids[] = {0, -1, INT_MIN, 3, INT_MAX};
	struct sm_root none = SM_ROOT_INIT;
	struct sm_pidstat st;
	struct sm_pidcred c;
	char b[8];

	for (size_t i = 0; i < SM_ARRAY_SIZE(pids); i++) {
		ck_assert_int_eq(sm_pidstat_read(&small, pids[i], &st), -ENOENT);
		ck_assert_int_eq(sm_pidcred_read(&small, pids[i], &c), -ENOENT);
		ck_assert_int_eq(sm_pidcmdline_read(&small, pids[i], b, 8), -ENOENT);
		ck_assert_int_eq(sm_pidcomm_read(&small, pids[i], b, 8), -ENOENT);
	}
	ck_assert_int_eq(sm_pidstat_read(&none, 1, &st), -ENOENT);
	ck_assert_int_eq(sm_pidcomm_read(&none, 1, b, 8), -ENOENT);
}
END_TEST

struct seen {
	pid_t pids[64];
	size_t n;
	pid_t stop_at;
};

static int collect(void *ctx, pid_t pid)
{
	struct seen *s = ctx;

	ck_assert_uint_lt(s->n, SM_ARRAY_SIZE(s->pids));
	s->pids[s->n++] = pid;
	return pid == s->stop_at ? 4711 : 0;
}

static int by_pid(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static void check_seen(struct seen *s, const pid_t *want, size_t n)
{
	ck_assert_uint_eq(s->n, n);
	qsort(s->pids, s->n, sizeof(pid_t), by_pid);
	ck_assert_mem_eq(s->pids, want, n * sizeof(pid_t));
}

START_TEST(scan_fixtures)
{
	static const pid_t want[] = {1, 2, 57, 914, 1203, 1204, 2048, 32767};
	static const pid_t want_evil[] = {
		10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 30};
	static const pid_t want_tids[] = {2048, 2049, 2051};
	static const pid_t want_evil_tids[] = {30, 31};
	struct seen s = {0};

	ck_assert_int_eq(sm_pid_scan(&small, collect, &s), 0);
	check_seen(&s, want, SM_ARRAY_SIZE(want));
	s.n = 0;
	ck_assert_int_eq(sm_pid_scan(&evil, collect, &s), 0);
	check_seen(&s, want_evil, SM_ARRAY_SIZE(want_evil));
	s.n = 0;
	ck_assert_int_eq(sm_tid_scan(&small, 2048, collect, &s), 0);
	check_seen(&s, want_tids, SM_ARRAY_SIZE(want_tids));
	s.n = 0;
	ck_assert_int_eq(sm_tid_scan(&evil, 30, collect, &s), 0);
	check_seen(&s, want_evil_tids, SM_ARRAY_SIZE(want_evil_tids));
}
END_TEST

START_TEST(scan_stops_when_told)
{
	struct seen s = {.stop_at = 1203};

	ck_assert_int_eq(sm_pid_scan(&small, collect, &s), 4711);
	ck_assert_int_eq(s.pids[s.n - 1], 1203);
}
END_TEST

START_TEST(scan_failures)
{
	struct sm_root none = SM_ROOT_INIT;
	struct seen s = {0};

	ck_assert_int_eq(sm_pid_scan(&none, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_tid_scan(&none, 1, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_tid_scan(&small, 3, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_tid_scan(&small, 0, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_tid_scan(&small, -1, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_tid_scan(&evil, 10, collect, &s), -ENOENT);
	ck_assert_uint_eq(s.n, 0);
}
END_TEST

#define MANY 3000

static int count(void *ctx, pid_t pid)
{
	unsigned char *seen = ctx;

	ck_assert_int_ge(pid, 1000);
	ck_assert_int_lt(pid, 1000 + MANY);
	seen[pid - 1000]++;
	return 0;
}

/* More entries than fit into one buffer: each exactly once. */
START_TEST(scan_of_many)
{
	static unsigned char seen[MANY];
	char top[] = "/tmp/sm-procpid-XXXXXX", path[64];
	struct sm_root r;

	ck_assert_ptr_nonnull(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/proc", top);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert_int_eq(sm_root_open(&r, top), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "%d", 1000 + i);
		ck_assert_int_eq(mkdirat(r.proc_fd, path, 0755), 0);
	}
	ck_assert_int_eq(sm_pid_scan(&r, count, seen), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "%d", 1000 + i);
		unlinkat(r.proc_fd, path, AT_REMOVEDIR);
	}
	sm_root_close(&r);
	snprintf(path, sizeof(path), "%s/proc", top);
	rmdir(path);
	rmdir(top);
	for (int i = 0; i < MANY; i++)
		ck_assert_int_eq(seen[i], 1);
}
END_TEST

START_TEST(pid_max)
{
	struct sm_root none = SM_ROOT_INIT;
	uint32_t max = sm_pid_max(&live);

	ck_assert_uint_eq(sm_pid_max(&small), 32768);
	ck_assert_uint_eq(sm_pid_max(&evil), 32768);
	ck_assert_uint_eq(sm_pid_max(&none), 32768);
	ck_assert_uint_ge(max, (uint32_t)getpid());
	ck_assert_uint_le(max, 4194304);
}
END_TEST

START_TEST(pid_max_of_a_large_machine)
{
	static const char *const texts[] = {"4194304\n", "4194305\n", "0\n", "301\n"};
	static const uint32_t want[] = {4194304, 32768, 32768, 301};
	char top[] = "/tmp/sm-procpid-XXXXXX", path[96];
	struct sm_root r;

	ck_assert_ptr_nonnull(mkdtemp(top));
	snprintf(path, sizeof(path), "mkdir -p %s/proc/sys/kernel", top);
	ck_assert_int_eq(system(path), 0);
	ck_assert_int_eq(sm_root_open(&r, top), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(texts); i++) {
		int fd = openat(r.proc_fd, "sys/kernel/pid_max",
			O_WRONLY | O_CREAT | O_TRUNC, 0644);

		ck_assert_int_gt(write(fd, texts[i], strlen(texts[i])), 0);
		close(fd);
		ck_assert_uint_eq(sm_pid_max(&r), want[i]);
	}
	sm_root_close(&r);
	snprintf(path, sizeof(path), "rm -r %s", top);
	ck_assert_int_eq(system(path), 0);
}
END_TEST

static int find_self(void *ctx, pid_t pid)
{
	*(int *)ctx += pid == getpid();
	return 0;
}

START_TEST(live_self)
{
	static const char hostile[] = "a) R 1\n\x1b(";
	struct sm_pidstat st;
	struct sm_pidcred c;
	char b[SM_TASK_COMM_LEN];
	int found = 0;

	ck_assert_int_eq(prctl(PR_SET_NAME, hostile), 0);
	ck_assert_int_eq(sm_pidstat_read(&live, getpid(), &st), 0);
	ck_assert_int_eq(st.pid, getpid());
	ck_assert_int_eq(st.ppid, getppid());
	ck_assert_int_eq(st.session, getsid(0));
	ck_assert_int_eq(st.pgrp, getpgrp());
	ck_assert_str_eq(st.comm, hostile);
	ck_assert_int_eq(st.state, 'R');
	ck_assert_int_ge(st.num_threads, 1);
	ck_assert(!(st.flags & SM_PF_KTHREAD));
	ck_assert_int_eq(
		sm_pidcomm_read(&live, getpid(), b, sizeof(b)), sizeof(hostile) - 1);
	ck_assert_str_eq(b, hostile);
	ck_assert_int_eq(sm_pidcred_read(&live, getpid(), &c), 0);
	ck_assert_int_eq(c.tgid, getpid());
	ck_assert_int_eq(c.ppid, getppid());
	ck_assert_uint_eq(c.ruid, getuid());
	ck_assert_uint_eq(c.euid, geteuid());
	ck_assert_uint_eq(c.rgid, getgid());
	ck_assert_uint_eq(c.egid, getegid());
	ck_assert_int_eq(sm_pid_scan(&live, find_self, &found), 0);
	ck_assert_int_eq(found, 1);
	ck_assert_int_eq(sm_tid_scan(&live, getpid(), find_self, &found), 0);
	ck_assert_int_eq(found, 2);
}
END_TEST

START_TEST(live_zombie_and_gone)
{
	struct sm_pidstat st;
	siginfo_t info;
	char b[16];
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(sm_pidstat_read(&live, pid, &st), 0);
	ck_assert_int_eq(st.state, 'Z');
	ck_assert_int_eq(st.ppid, getpid());
	ck_assert_int_eq(sm_pidcmdline_read(&live, pid, b, sizeof(b)), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_pidstat_read(&live, pid, &st), -ENOENT);
	ck_assert_int_eq(sm_pidcmdline_read(&live, pid, b, sizeof(b)), -ENOENT);
}
END_TEST

/* A command line of many pages comes whole, also through a small buffer's full length. */
START_TEST(live_long_cmdline)
{
	static char arg[100000], got[200000];
	char *argv[] = {
		(char[]){"sh"}, (char[]){"-c"}, (char[]){"read x; exit 0"}, arg, NULL};
	int fds[2];
	ssize_t n = 0;
	pid_t pid;

	memset(arg, 'q', sizeof(arg) - 1);
	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fds[0], 0);
		execv("/bin/sh", argv);
		_exit(127);
	}
	ck_assert_int_gt(pid, 0);
	for (int i = 0; i < 500 && n < (ssize_t)sizeof(arg); i++) {
		n = sm_pidcmdline_read(&live, pid, got, sizeof(got));
		usleep(10000);
	}
	ck_assert_int_eq(n, 3 + 3 + 15 + sizeof(arg));
	ck_assert_mem_eq(got, "sh\0-c\0read x; exit 0\0qqq", 24);
	ck_assert_int_eq(got[n - 1], '\0');
	ck_assert_int_eq(got[n - 2], 'q');
	ck_assert_int_eq(sm_pidcmdline_read(&live, pid, got, 65536), 65536);
	close(fds[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
}
END_TEST

static TCase *tc_stat(void)
{
	TCase *tc = tcase_create("stat");

	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, stat_fields);
	tcase_add_test(tc, stat_hostile_names);
	tcase_add_test(tc, stat_long_names_are_cut);
	tcase_add_test(tc, stat_malformed);
	tcase_add_test(tc, stat_ranges);
	tcase_add_test(tc, stat_cut_off_anywhere);
	tcase_add_test(tc, stat_fixtures);
	tcase_add_test(tc, stat_evil_fixtures);
	return tc;
}

static TCase *tc_files(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, cred_fields);
	tcase_add_test(tc, cred_malformed);
	tcase_add_test(tc, cred_fixtures);
	tcase_add_test(tc, cmdline);
	tcase_add_test(tc, comm);
	tcase_add_test(tc, no_such_pid);
	tcase_add_test(tc, pid_max);
	tcase_add_test(tc, pid_max_of_a_large_machine);
	return tc;
}

static TCase *tc_scan(void)
{
	TCase *tc = tcase_create("scan");

	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, scan_fixtures);
	tcase_add_test(tc, scan_stops_when_told);
	tcase_add_test(tc, scan_failures);
	tcase_add_test(tc, scan_of_many);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_set_timeout(tc, 20);
	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, live_self);
	tcase_add_test(tc, live_zombie_and_gone);
	tcase_add_test(tc, live_long_cmdline);
	return tc;
}

UNIT_MAIN("procpid", tc_stat, tc_files, tc_scan, tc_live)
