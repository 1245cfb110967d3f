// SPDX-License-Identifier: GPL-2.0-or-later
#include "procpid_rig.h"

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
	ret = sm_procpid_parse_stat(mem, n, st);
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
	ck_assert_uint_eq(st.minflt, 1);
	ck_assert_uint_eq(st.majflt, 3);
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

	ck_assert_int_eq(sm_procpid_read_stat(&small, 57, &st), 0);
	ck_assert_str_eq(st.comm, "kworker/u4:1-events_unbound");
	ck_assert_uint_eq(st.comm_len, 27);
	ck_assert(st.flags & SM_PF_KTHREAD);
	ck_assert_int_eq(st.state, 'I');
	ck_assert_int_eq(st.ppid, 2);
	ck_assert_int_eq(sm_procpid_read_stat(&small, 1203, &st), 0);
	ck_assert(!(st.flags & SM_PF_KTHREAD));
	ck_assert_int_eq(st.tty_nr, 34819);
	ck_assert_uint_eq(st.start_ticks, 90211);
	ck_assert_int_eq(sm_procpid_read_stat(&small, 32767, &st), 0);
	ck_assert_int_eq(st.state, 'Z');
	ck_assert_int_eq(sm_procpid_read_stat(&small, 2048, &st), 0);
	ck_assert_int_eq(st.num_threads, 3);
}
END_TEST

START_TEST(stat_evil_fixtures)
{
	struct sm_pidstat st;

	ck_assert_int_eq(sm_procpid_read_stat(&evil, 10, &st), 0);
	ck_assert_str_eq(st.comm, ") R 1 1 1 (");
	ck_assert_int_eq(sm_procpid_read_stat(&evil, 11, &st), 0);
	ck_assert_str_eq(st.comm, "two\nlines\n)");
	ck_assert_int_eq(sm_procpid_read_stat(&evil, 13, &st), 0);
	ck_assert_uint_eq(st.comm_len, 64);
	ck_assert_int_eq(sm_procpid_read_stat(&evil, 22, &st), 0);
	ck_assert_uint_eq(st.utime_ticks, UINT64_MAX);
	ck_assert_int_eq(st.cutime_ticks, INT64_MIN);
	ck_assert_uint_eq(st.start_ticks, UINT64_MAX);
	ck_assert_int_eq(st.processor, INT_MAX);
	ck_assert_int_eq(st.tty_nr, INT_MIN);
	ck_assert_uint_eq(st.flags, UINT32_MAX);
	ck_assert_int_eq(sm_procpid_read_stat(&evil, 16, &st), -ENOENT);
	for (pid_t pid = 15; pid <= 25; pid++)
		if (pid != 16 && pid != 22)
			ck_assert_int_eq(sm_procpid_read_stat(&evil, pid, &st), -EBADMSG);
}
END_TEST

static int parse_cred(const char *s, struct sm_pidcred *c)
{
	size_t n = strlen(s);
	char *mem = malloc(n ? n : 1);
	int ret;

	ck_assert_ptr_nonnull(mem);
	memcpy(mem, s, n);
	ret = sm_procpid_parse_cred(mem, n, c);
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

	ck_assert_int_eq(sm_procpid_read_cred(&small, 1204, &c), 0);
	ck_assert_int_eq(c.tgid, 1204);
	ck_assert_int_eq(c.ppid, 1203);
	ck_assert_uint_eq(c.ruid, 1000);
	ck_assert_uint_eq(c.euid, 0);
	ck_assert_uint_eq(c.rgid, 1000);
	/* the kernel escapes newlines in Name:, and what follows Gid: is not looked at */
	ck_assert_int_eq(sm_procpid_read_cred(&evil, 10, &c), 0);
	ck_assert_uint_eq(c.ruid, 1000);
	ck_assert_uint_eq(c.rgid, 1000);
	ck_assert_int_eq(sm_procpid_read_cred(&evil, 22, &c), 0);
	ck_assert_int_eq(c.tgid, INT_MAX);
	ck_assert_uint_eq(c.euid, UINT32_MAX);
	ck_assert_int_eq(sm_procpid_read_cred(&evil, 16, &c), -ENOENT);
	for (pid_t pid = 17; pid <= 24; pid++)
		if (pid != 22)
			ck_assert_int_eq(sm_procpid_read_cred(&evil, pid, &c), -EBADMSG);
}
END_TEST

START_TEST(cmdline)
{
	char b[64];

	memset(b, 'x', sizeof(b));
	ck_assert_int_eq(sm_procpid_read_cmdline(&small, 1, b, sizeof(b)), 18);
	ck_assert_mem_eq(b, "/sbin/init\0splash\0x", 19);
	ck_assert_int_eq(sm_procpid_read_cmdline(&small, 1, b, 18), 18);
	ck_assert_int_eq(sm_procpid_read_cmdline(&small, 1, b, 5), 5);
	ck_assert_mem_eq(b, "/sbin", 5);
	ck_assert_int_eq(sm_procpid_read_cmdline(&small, 2, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_procpid_read_cmdline(&small, 32767, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_procpid_read_cmdline(&evil, 14, b, sizeof(b)), 3);
	ck_assert_mem_eq(b, "\0\0\0", 3);
	ck_assert_int_eq(sm_procpid_read_cmdline(&evil, 16, b, sizeof(b)), -ENOENT);
}
END_TEST

/* Of the running kernel, where it has the file. */
START_TEST(kthreads)
{
	struct sm_pidstat st = {0};
	char b[4096], *p = b, *end;
	ssize_t n = sm_procpid_read_kthreads(&live, b, sizeof(b) - 1);

	if (sm_procpid_read_stat(&live, 2, &st) || !(st.flags & SM_PF_KTHREAD)) {
		ck_assert_int_eq(n, -ENOENT);
	} else if (n != -ENOENT) { /* CONFIG_PROC_CHILDREN */
		ck_assert_int_gt(n, 0);
		b[n] = '\0';
		ck_assert_int_eq(
			sm_procpid_read_stat(&live, (pid_t)strtol(p, &end, 10), &st), 0);
		ck_assert(end != p && *end == ' ');
		ck_assert_int_eq(st.ppid, 2);
		ck_assert(st.flags & SM_PF_KTHREAD);
	}
}
END_TEST

START_TEST(comm)
{
	char b[128];

	ck_assert_int_eq(sm_procpid_read_comm(&small, 914, b, sizeof(b)), 4);
	ck_assert_str_eq(b, "sshd");
	ck_assert_int_eq(sm_procpid_read_comm(&small, 914, b, 3), 2);
	ck_assert_str_eq(b, "ss");
	ck_assert_int_eq(sm_procpid_read_comm(&small, 914, b, 5), 4);
	ck_assert_str_eq(b, "sshd");
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 11, b, sizeof(b)), 11);
	ck_assert_str_eq(b, "two\nlines\n)");
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 13, b, sizeof(b)), 100);
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 14, b, sizeof(b)), 0);
	ck_assert_str_eq(b, "");
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 15, b, sizeof(b)), 10);
	ck_assert_mem_eq(b, "nul\0inside", 11);
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 16, b, sizeof(b)), 21);
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 17, b, sizeof(b)), 0);
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 18, b, sizeof(b)), -ENOENT);
	ck_assert_str_eq(b, "");
	ck_assert_int_eq(sm_procpid_read_comm(&evil, 18, b, 0), -EINVAL);
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
		ck_assert_int_eq(sm_procpid_read_stat(&small, pids[i], &st), -ENOENT);
		ck_assert_int_eq(sm_procpid_read_cred(&small, pids[i], &c), -ENOENT);
		ck_assert_int_eq(sm_procpid_read_cmdline(&small, pids[i], b, 8), -ENOENT);
		ck_assert_int_eq(sm_procpid_read_comm(&small, pids[i], b, 8), -ENOENT);
	}
	ck_assert_int_eq(sm_procpid_read_stat(&none, 1, &st), -ENOENT);
	ck_assert_int_eq(sm_procpid_read_comm(&none, 1, b, 8), -ENOENT);
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
	tcase_add_test(tc, kthreads);
	tcase_add_test(tc, comm);
	tcase_add_test(tc, no_such_pid);
	return tc;
}

UNIT_MAIN("procpid", tc_stat, tc_files)
