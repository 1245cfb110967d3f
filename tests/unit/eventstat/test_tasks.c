// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "eventstat/counters.h"
#include "eventstat/tasks.h"
#include "proc/procpid.h"
#include "fixroot_rig.h"

#define SEC	SM_NSEC_PER_SEC
#define NOBODYS 0x7fffffffu /* above the highest pid */

static struct sm_root live;
static struct sm_strpool *names;
static struct tasks t;
static uint64_t self;
static const char no_name[SM_TASK_COMM_LEN];

static void setup(void)
{
	self = (uint64_t)getpid() << 32 | (uint64_t)gettid();
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	ck_assert_int_eq(sm_strpool_new(&names, 1u << 20), 0);
	ck_assert_int_eq(tasks_init(&t, &live, names), 0);
	ck_assert_int_eq(t.foreign, sm_procpid_foreign(&live));
	t.foreign = false; /* our own pid is that of /proc */
	tasks_begin(&t, 0);
}

static void teardown(void)
{
	tasks_fini(&t);
	sm_strpool_free(names);
	sm_root_close(&live);
}

/* A timer that the task armed first at that time, under that name. */
static struct counter armed(uint64_t owner, const char *comm, uint64_t seen_ns)
{
	struct counter c = {.key.owner.ids = owner, .named_ns = seen_ns};

	snprintf(c.comm, sizeof(c.comm), "%s", comm);
	return c;
}

static struct task *refreshed(struct task *k)
{
	ck_assert_ptr_nonnull(k);
	tasks_refresh(&t, k);
	return k;
}

/* In a pid namespace of its own what is known is what the kernel noted. */
START_TEST(of_another_namespace)
{
	struct counter c = armed(self, "noted", 5 * SEC);
	struct event e = {0};

	t.foreign = true;
	c.kthread = true;
	tasks_begin(&t, 10 * SEC);
	tasks_describe(refreshed(tasks_get(&t, &c)), &e);
	ck_assert_uint_eq(e.flags, EVENT_KTHREAD);
	ck_assert_str_eq(e.comm.p, "noted");
	ck_assert_ptr_null(e.cmd);
	ck_assert_ptr_null(e.cgroup);
	ck_assert(__builtin_isnan(e.cpu_pct));
}
END_TEST

static void learn(uint64_t owner, const char *comm, uint64_t seen_ns)
{
	struct counter c = armed(owner, comm, seen_ns);

	tasks_learn(&t, &c);
}

static const char *name_of(uint64_t owner, uint64_t now_ns)
{
	struct counter c = armed(owner, "none", 0);

	t.now_ns = now_ns;
	return refreshed(tasks_get(&t, &c))->comm;
}

/* A child has its parent's name until it sets its own; timers of the scheduler are armed
 * before. */
START_TEST(new_timer_after_a_look)
{
	prctl(PR_SET_NAME, "parent");
	ck_assert_str_eq(name_of(self, 10 * SEC), "parent");
	prctl(PR_SET_NAME, "child");
	tasks_begin(&t, 0);
	ck_assert_str_eq(name_of(self, 11 * SEC), "parent");
	learn(self, "child", 11 * SEC + 1);
	ck_assert_str_eq(name_of(self, 11 * SEC), "child");
	/* What was noted before the look is older than what was read. */
	tasks_begin(&t, 0);
	ck_assert_str_eq(name_of(self, 17 * SEC), "child");
	learn(self, "parent", 16 * SEC);
	ck_assert_str_eq(name_of(self, 17 * SEC), "child");
}
END_TEST

/* Of a task that is gone the newest timer knows the name, in whatever order they are
 * read. */
START_TEST(gone)
{
	learn(NOBODYS, "child", 7);
	learn(NOBODYS, "parent", 5);
	ck_assert_str_eq(name_of(NOBODYS, SEC), "child");
	learn(NOBODYS, "", 8);
	ck_assert_str_eq(name_of(NOBODYS, SEC), "child");
	learn(NOBODYS, "renamed", 9);
	ck_assert_str_eq(name_of(NOBODYS, SEC), "renamed");
}
END_TEST

/* In another pid namespace our number belongs to a stranger. */
START_TEST(foreign)
{
	t.foreign = true;
	ck_assert_int_eq(prctl(PR_SET_NAME, "stranger"), 0);
	learn(self, "counted", SEC);
	ck_assert_str_eq(name_of(self, 3 * SEC), "counted");
}
END_TEST

/* A task that started before ours and had its number: /proc is about ours. */
START_TEST(the_number_of_another)
{
	const struct sm_timer_owner before = {self, 1};
	const struct sm_timer_owner ours = {self, sm_clock_ns(CLOCK_BOOTTIME)};
	const char other[SM_TASK_COMM_LEN] = "other";
	const struct task *k;
	struct sm_pidstat st;

	t.want_uid = true;
	ck_assert_int_eq(prctl(PR_SET_NAME, "ours"), 0);
	k = refreshed(tasks_of(&t, before, other));
	ck_assert_str_eq(k->comm, "other");
	ck_assert(!(k->flags & EVENT_HAS_UID));
	k = refreshed(tasks_of(&t, ours, no_name));
	ck_assert_str_eq(k->comm, "ours");
	ck_assert(k->flags & EVENT_HAS_UID);
	ck_assert_int_eq(tasks_read_stat(&live, before, &st), -ENOENT);
	ck_assert_int_eq(tasks_read_stat(&live, ours, &st), 0);
}
END_TEST

static void put_stat(void)
{
	fix_mkdir("proc/7/task/7");
	fix_put("proc/7/task/7/stat",
		"7 (moved) S 1 1 1 0 -1 0 5 0 0 0 1 2 3 4 20 0 1 0 5 4096 1 0 0 0 0 0 "
		"0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
}

/* %CPU of a thread with that schedstat at that time. */
static double use(uint64_t now_ns, const char *schedstat)
{
	fix_put("proc/7/task/7/schedstat", schedstat);
	tasks_begin(&t, now_ns);
	return (double)refreshed(
		tasks_of(&t, (struct sm_timer_owner){.ids = UINT64_C(7) << 32 | 7},
			no_name))
		->cpu_pct;
}

/* A thread runs on one CPU: a counter that grew by more than the time has jumped. */
START_TEST(cpu_time_that_jumps)
{
	fix_open();
	put_stat();
	t.root = &fix;
	t.want_use = true;
	t.own_pids = false;
	ck_assert(isnan(use(1 * SEC, "1000000000 5 1\n")));
	ck_assert_double_eq_tol(use(2 * SEC, "1250000000 5 1\n"), 25, 1e-4);
	ck_assert_double_eq_tol(use(3 * SEC, "2260000000 5 1\n"), 101, 1e-4);
	ck_assert(isnan(use(4 * SEC, "4260000000 5 1\n")));
	ck_assert_double_eq_tol(use(5 * SEC, "4760000000 5 1\n"), 50, 1e-4);
	ck_assert(isnan(use(6 * SEC, "9000000000000000000 5 1\n")));
	ck_assert(isnan(use(7 * SEC, "4860000000 5 1\n")));
	ck_assert_double_eq_tol(use(8 * SEC, "4870000000 5 1\n"), 1, 1e-4);
	fix_close();
}
END_TEST

/* A process of a tree in a control group. */
static void put_cgroup(const char *path)
{
	char text[128];

	snprintf(text, sizeof(text), "0::%s\n", path);
	fix_put("proc/7/cgroup", text);
}

static const char *cgroup_of(uint64_t owner, uint64_t now_ns)
{
	tasks_begin(&t, now_ns);
	return refreshed(tasks_of(&t, (struct sm_timer_owner){.ids = owner}, no_name))
		->cgroup->s;
}

/* Where rows are grouped by it, the cgroup is that of the sample; else it is 5 s old. */
START_TEST(moved_to_another_cgroup)
{
	const uint64_t owner = (uint64_t)7 << 32 | 7;

	fix_open();
	put_stat();
	t.root = &fix;
	t.own_pids = false;
	t.want_cgroup = true;
	put_cgroup("/a");
	ck_assert_str_eq(cgroup_of(owner, 10 * SEC), "/a");
	put_cgroup("/b");
	ck_assert_str_eq(cgroup_of(owner, 11 * SEC), "/a");
	t.follow_cgroup = true;
	ck_assert_str_eq(cgroup_of(owner, 12 * SEC), "/b");
	put_cgroup("/c");
	ck_assert_str_eq(cgroup_of(owner, 13 * SEC), "/c");
	fix_close();
}
END_TEST

static TCase *tc_tasks(void)
{
	TCase *tc = tcase_create("tasks");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, of_another_namespace);
	tcase_add_test(tc, new_timer_after_a_look);
	tcase_add_test(tc, gone);
	tcase_add_test(tc, foreign);
	tcase_add_test(tc, the_number_of_another);
	tcase_add_test(tc, cpu_time_that_jumps);
	tcase_add_test(tc, moved_to_another_cgroup);
	return tc;
}

UNIT_MAIN("tasks", tc_tasks)
