// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fixroot_rig.h"
#include "proc/memfree.h"

#define CG "sys/fs/cgroup"

START_TEST(the_least)
{
	uint64_t bytes = 7;

	ck_assert_int_eq(sm_memfree_read(&fix, &bytes), -ENODATA);
	fix_put("proc/meminfo",
		"MemTotal:  2000 kB\nMemFree:  10 kB\nMemAvailable:   1000 kB\n");
	ck_assert_int_eq(sm_memfree_read(&fix, &bytes), 0);
	ck_assert_uint_eq(bytes, 1024000);
	fix_put("proc/self/cgroup", "0::/a\n");
	fix_put(CG "/a/memory.max", "500000\n");
	fix_put(CG "/a/memory.current", "100000\n");
	ck_assert_int_eq(sm_memfree_read(&fix, &bytes), 0);
	ck_assert_uint_eq(bytes, 400000);
	fix_put("proc/meminfo", "MemAvailable:   100 kB\n");
	ck_assert_int_eq(sm_memfree_read(&fix, &bytes), 0);
	ck_assert_uint_eq(bytes, 102400);
	fix_put("proc/meminfo", "MemAvailable: many kB\n");
	ck_assert_int_eq(sm_memfree_read(&fix, &bytes), 0);
	ck_assert_uint_eq(bytes, 400000);
}
END_TEST

/* A kill anywhere else in the machine does not change the count of the own group. */
START_TEST(kills_v2)
{
	fix_put("proc/vmstat", "nr_free_pages 5\noom_kill 3\n");
	fix_put("proc/self/cgroup", "0::/a\n");
	fix_put(CG "/a/memory.events", "oom 1\noom_kill 2\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 2);
	fix_put("proc/vmstat", "nr_free_pages 5\noom_kill 4\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 2);
	fix_put(CG "/a/memory.events", "oom 2\noom_kill 3\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 3);
}
END_TEST

START_TEST(kills_v1)
{
	fix_put("proc/vmstat", "nr_free_pages 5\noom_kill 30\n");
	fix_put("proc/self/cgroup", "4:memory:/m\n1:cpu:/c\n0::/u\n");
	fix_put(CG "/unified/u/memory.events", "oom_kill 20\n");
	fix_put(CG "/memory/m/memory.oom_control",
		"oom_kill_disable 0\nunder_oom 0\noom_kill 7\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 7);
	/* The root has a count of its own. */
	fix_put("proc/self/cgroup", "4:memory:/\n0::/u\n");
	fix_put(CG "/memory/memory.oom_control", "under_oom 0\noom_kill 5\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 5);
	/* Before Linux 4.13 it had none. */
	fix_put(CG "/memory/memory.oom_control", "under_oom 0\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 30);
}
END_TEST

START_TEST(kills_root_of_v2)
{
	fix_put("proc/vmstat", "nr_free_pages 5\noom_kill_x 9\noom_kill 3\nlast 1\n");
	fix_put("proc/self/cgroup", "0::/\n");
	fix_put(CG "/a/memory.events", "oom 1\noom_kill 2\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 3);
}
END_TEST

START_TEST(kills_without_groups)
{
	ck_assert_uint_eq(sm_memfree_kills(&fix), 0);
	fix_put("proc/vmstat", "nr_free_pages 5\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 0);
	fix_put("proc/vmstat", "nr_free_pages 5\noom_kill 3\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 3);
	fix_put("proc/self/cgroup", "0::/gone\n");
	ck_assert_uint_eq(sm_memfree_kills(&fix), 3);
}
END_TEST

/* The kernel shows what was written. */
START_TEST(first)
{
	struct sm_root live;
	int wstatus;
	pid_t pid;

	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		int64_t adj = 0;
		bool ok = sm_memfree_end_first(&live) == 0 &&
			  sm_file_read_i64(live.proc, "self/oom_score_adj", &adj) == 0;

		_exit(ok && adj == 1000 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &wstatus, 0), pid);
	ck_assert_int_eq(wstatus, 0);
	sm_root_close(&live);
}
END_TEST

static TCase *tc_memfree(void)
{
	TCase *tc = tcase_create("memfree");

	tcase_add_checked_fixture(tc, fix_open, fix_close);
	tcase_add_test(tc, the_least);
	tcase_add_test(tc, kills_v2);
	tcase_add_test(tc, kills_v1);
	tcase_add_test(tc, kills_root_of_v2);
	tcase_add_test(tc, kills_without_groups);
	tcase_add_test(tc, first);
	return tc;
}

UNIT_MAIN("memfree", tc_memfree)
