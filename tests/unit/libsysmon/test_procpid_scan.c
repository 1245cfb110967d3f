// SPDX-License-Identifier: GPL-2.0-or-later
/* procpid: the directory scans, pid_max, and this very machine. */
#include "procpid_rig.h"

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

	ck_assert_int_eq(sm_procpid_scan(&small, collect, &s), 0);
	check_seen(&s, want, SM_ARRAY_SIZE(want));
	s.n = 0;
	ck_assert_int_eq(sm_procpid_scan(&evil, collect, &s), 0);
	check_seen(&s, want_evil, SM_ARRAY_SIZE(want_evil));
	s.n = 0;
	ck_assert_int_eq(sm_procpid_scan_threads(&small, 2048, collect, &s), 0);
	check_seen(&s, want_tids, SM_ARRAY_SIZE(want_tids));
	s.n = 0;
	ck_assert_int_eq(sm_procpid_scan_threads(&evil, 30, collect, &s), 0);
	check_seen(&s, want_evil_tids, SM_ARRAY_SIZE(want_evil_tids));
}
END_TEST

START_TEST(scan_stops_when_told)
{
	struct seen s = {.stop_at = 1203};

	ck_assert_int_eq(sm_procpid_scan(&small, collect, &s), 4711);
	ck_assert_int_eq(s.pids[s.n - 1], 1203);
}
END_TEST

START_TEST(scan_failures)
{
	struct sm_root none = SM_ROOT_INIT;
	struct seen s = {0};

	ck_assert_int_eq(sm_procpid_scan(&none, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_procpid_scan_threads(&none, 1, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_procpid_scan_threads(&small, 3, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_procpid_scan_threads(&small, 0, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_procpid_scan_threads(&small, -1, collect, &s), -ENOENT);
	ck_assert_int_eq(sm_procpid_scan_threads(&evil, 10, collect, &s), -ENOENT);
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
	char top[UNIT_DIR], path[64];
	struct sm_root r;

	unit_mkdtemp(top);
	snprintf(path, sizeof(path), "%s/proc", top);
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert_int_eq(sm_root_open(&r, top), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "%d", 1000 + i);
		ck_assert_int_eq(mkdirat(r.proc.fd, path, 0755), 0);
	}
	ck_assert_int_eq(sm_procpid_scan(&r, count, seen), 0);
	for (int i = 0; i < MANY; i++) {
		snprintf(path, sizeof(path), "%d", 1000 + i);
		unlinkat(r.proc.fd, path, AT_REMOVEDIR);
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
	uint32_t max = sm_procpid_max(&live);

	ck_assert_uint_eq(sm_procpid_max(&small), 32768);
	ck_assert_uint_eq(sm_procpid_max(&evil), 32768);
	ck_assert_uint_eq(sm_procpid_max(&none), 32768);
	ck_assert_uint_ge(max, (uint32_t)getpid());
	ck_assert_uint_le(max, 4194304);
}
END_TEST

START_TEST(pid_max_of_a_large_machine)
{
	static const char *const texts[] = {"4194304\n", "4194305\n", "0\n", "301\n"};
	static const uint32_t want[] = {4194304, 32768, 32768, 301};
	char top[UNIT_DIR], path[96];
	struct sm_root r;

	unit_mkdtemp(top);
	snprintf(path, sizeof(path), "mkdir -p %s/proc/sys/kernel", top);
	ck_assert_int_eq(system(path), 0);
	ck_assert_int_eq(sm_root_open(&r, top), 0);
	for (size_t i = 0; i < SM_ARRAY_SIZE(texts); i++) {
		int fd = openat(r.proc.fd, "sys/kernel/pid_max",
			O_WRONLY | O_CREAT | O_TRUNC, 0644);

		ck_assert_int_gt(write(fd, texts[i], strlen(texts[i])), 0);
		close(fd);
		ck_assert_uint_eq(sm_procpid_max(&r), want[i]);
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
	ck_assert_int_eq(sm_procpid_read_stat(&live, getpid(), &st), 0);
	ck_assert_int_eq(st.pid, getpid());
	ck_assert_int_eq(st.ppid, getppid());
	ck_assert_int_eq(st.session, getsid(0));
	ck_assert_int_eq(st.pgrp, getpgrp());
	ck_assert_str_eq(st.comm, hostile);
	ck_assert_int_eq(st.state, 'R');
	ck_assert_int_ge(st.num_threads, 1);
	ck_assert(!(st.flags & SM_PF_KTHREAD));
	ck_assert_int_eq(
		sm_procpid_read_comm(&live, getpid(), b, sizeof(b)), sizeof(hostile) - 1);
	ck_assert_str_eq(b, hostile);
	ck_assert_int_eq(sm_procpid_read_cred(&live, getpid(), &c), 0);
	ck_assert_int_eq(c.tgid, getpid());
	ck_assert_int_eq(c.ppid, getppid());
	ck_assert_uint_eq(c.ruid, getuid());
	ck_assert_uint_eq(c.euid, geteuid());
	ck_assert_uint_eq(c.rgid, getgid());
	ck_assert_uint_eq(c.egid, getegid());
	ck_assert_int_eq(sm_procpid_scan(&live, find_self, &found), 0);
	ck_assert_int_eq(found, 1);
	ck_assert_int_eq(sm_procpid_scan_threads(&live, getpid(), find_self, &found), 0);
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
	ck_assert_int_eq(sm_procpid_read_stat(&live, pid, &st), 0);
	ck_assert_int_eq(st.state, 'Z');
	ck_assert_int_eq(st.ppid, getpid());
	ck_assert_int_eq(sm_procpid_read_cmdline(&live, pid, b, sizeof(b)), 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(sm_procpid_read_stat(&live, pid, &st), -ENOENT);
	ck_assert_int_eq(sm_procpid_read_cmdline(&live, pid, b, sizeof(b)), -ENOENT);
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
		n = sm_procpid_read_cmdline(&live, pid, got, sizeof(got));
		usleep(10000);
	}
	ck_assert_int_eq(n, 3 + 3 + 15 + sizeof(arg));
	ck_assert_mem_eq(got, "sh\0-c\0read x; exit 0\0qqq", 24);
	ck_assert_int_eq(got[n - 1], '\0');
	ck_assert_int_eq(got[n - 2], 'q');
	ck_assert_int_eq(sm_procpid_read_cmdline(&live, pid, got, 65536), 65536);
	close(fds[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
}
END_TEST

static TCase *tc_scan(void)
{
	TCase *tc = tcase_create("scan");

	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, scan_fixtures);
	tcase_add_test(tc, scan_stops_when_told);
	tcase_add_test(tc, scan_failures);
	tcase_add_test(tc, scan_of_many);
	tcase_add_test(tc, pid_max);
	tcase_add_test(tc, pid_max_of_a_large_machine);
	return tc;
}

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_checked_fixture(tc, open_roots, close_roots);
	tcase_add_test(tc, live_self);
	tcase_add_test(tc, live_zombie_and_gone);
	tcase_add_test(tc, live_long_cmdline);
	return tc;
}

UNIT_MAIN("procpid_scan", tc_scan, tc_live)
