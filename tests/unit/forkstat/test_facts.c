// SPDX-License-Identifier: GPL-2.0-or-later
#include "forkstat/facts.h"
#include "forkstat_rig.h"

static struct rig r;
static struct facts f;
static struct opts o;

static void put(pid_t pid, const char *name, const char *text)
{
	rig_file(&r, pid, name, text, strlen(text));
}

static void setup(void)
{
	static const char env[] = "AB=no\0A=first\0A=second\0C=\0";

	rig_open(&r, 1u << 20, false);
	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .comm = "sh",
			     RIG_CMD("sh\0"),
			     .start_ticks = 5});
	put(100, "cgroup", "1:name=systemd:/a\n0::/b c\n");
	put(100, "loginuid", "1000");
	rig_file(&r, 100, "environ", env, sizeof(env) - 1);
	o = (struct opts){.facts = (1u << FACTS) - 1, .env = "A"};
	f = (struct facts){.opts = &o, .procs = &r.procs};
}

static void teardown(void)
{
	facts_fini(&f);
	rig_close(&r);
}

static void check(const struct sm_task *p, const char *cgroup, const char *loginuid,
	const char *env)
{
	static const enum fact all[] = {FACT_CGROUP, FACT_LOGINUID, FACT_ENV};
	const char *want[] = {cgroup, loginuid, env};

	for (size_t i = 0; i < SM_ARRAY_SIZE(all); i++) {
		struct sm_str s = facts_get(p, all[i]);

		ck_assert_uint_eq(s.n, strlen(want[i]));
		ck_assert_mem_eq(s.p, want[i], s.n);
	}
}

static struct sm_task *task(void)
{
	struct sm_task *p = sm_tasktable_find(&r.procs, 100, 100);

	ck_assert_ptr_nonnull(p);
	facts_read(&f, p);
	return p;
}

START_TEST(values)
{
	check(task(), "/b c", "1000", "first");
	ck_assert_uint_eq(facts_get(sm_tasktable_fresh(&r.procs, 7, 7), FACT_ENV).n, 0);
}
END_TEST

START_TEST(only_what_is_wanted)
{
	o = (struct opts){.cgroup = "/b"}; /* a filter reads it, too */
	check(task(), "/b c", "", "");
}
END_TEST

START_TEST(not_set)
{
	put(100, "loginuid", "4294967295");
	o.env = "C";
	check(task(), "/b c", "", "");
	o.env = "NONE";
	facts_read_exec(&f, task());
	facts_exec(&f, task(), false);
	check(task(), "/b c", "", "");
}
END_TEST

START_TEST(a_child_inherits)
{
	struct sm_task *p = task(), *child;

	put(100, "loginuid", "7");
	child = sm_tasktable_fork(&r.procs, 200, 200, 100, 9000);
	facts_inherit(&f, child, p);
	check(child, "/b c", "1000", "first");
}
END_TEST

START_TEST(an_exec_reads_again)
{
	struct sm_task *p = task();

	put(100, "cgroup", "0::/d\n");
	put(100, "environ", "A=third");
	facts_read_exec(&f, p);
	facts_exec(&f, p, false);
	check(p, "/d", "1000", "third");
}
END_TEST

/* /proc shows what a further exec has, or nothing. */
START_TEST(too_late_at_an_exec)
{
	struct sm_task *p = task();

	put(100, "cgroup", "0::/d\n");
	put(100, "environ", "A=third");
	facts_read_exec(&f, p);
	facts_exec(&f, p, true);
	check(p, "/b c", "1000", "");
	rig_gone(&r, 100);
	facts_read_exec(&f, p);
	facts_exec(&f, p, false);
	check(p, "/b c", "1000", "");
}
END_TEST

/* In a hierarchy of version 1 the kernel shows a task that exits in the root, and it runs
 * for a while yet (state R) before it is a zombie. */
START_TEST(an_exiting_task_keeps_its_cgroup)
{
	struct sm_task *p = task();

	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .comm = "sh",
			     .flags = SM_PF_EXITING,
			     .start_ticks = 5});
	put(100, "cgroup", "1:cpu:/\n");
	facts_read_exec(&f, p);
	facts_exec(&f, p, false);
	check(p, "/b c", "1000", "first");
}
END_TEST

static TCase *tc_facts(void)
{
	TCase *tc = tcase_create("facts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, values);
	tcase_add_test(tc, only_what_is_wanted);
	tcase_add_test(tc, not_set);
	tcase_add_test(tc, a_child_inherits);
	tcase_add_test(tc, an_exec_reads_again);
	tcase_add_test(tc, too_late_at_an_exec);
	tcase_add_test(tc, an_exiting_task_keeps_its_cgroup);
	return tc;
}

UNIT_MAIN("facts", tc_facts)
