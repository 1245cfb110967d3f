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

/* NULL: not known */
static void check(const struct sm_task *p, const char *cgroup, const char *loginuid,
	const char *env)
{
	static const enum fact all[] = {FACT_CGROUP, FACT_LOGINUID, FACT_ENV};
	const char *want[] = {cgroup, loginuid, env};
	struct sm_str s;

	for (size_t i = 0; i < SM_ARRAY_SIZE(all); i++) {
		ck_assert_int_eq(facts_get(p, all[i], &s), want[i] != NULL);
		ck_assert_uint_eq(s.n, want[i] ? strlen(want[i]) : 0);
		ck_assert_mem_eq(s.p ? s.p : "", want[i] ? want[i] : "", s.n);
	}
}

static struct sm_task *task(void)
{
	struct sm_task *p = sm_tasktable_find(&r.procs, 100, 100);

	ck_assert_ptr_nonnull(p);
	facts_seed(&f);
	return p;
}

static struct sm_poolstr *pooled(const char *text)
{
	return sm_strpool_get(r.procs.names, text, strlen(text), 0);
}

START_TEST(values)
{
	check(task(), "/b c", "1000", "first");
	check(sm_tasktable_fresh(&r.procs, 7, 7), NULL, NULL, NULL);
}
END_TEST

START_TEST(only_what_is_wanted)
{
	o = (struct opts){.cgroup = "/b"}; /* a filter reads it, too */
	check(task(), "/b c", NULL, NULL);
}
END_TEST

START_TEST(not_set)
{
	put(100, "loginuid", "4294967295");
	o.env = "C";
	check(task(), "/b c", "", "");
}
END_TEST

START_TEST(not_readable)
{
	rig_gone(&r, 100);
	rig_task(&r, (struct rig_task){.pid = 100, .ppid = 1, .comm = "sh"});
	check(task(), NULL, NULL, NULL);
}
END_TEST

START_TEST(a_child_inherits)
{
	(void)!task();
	put(100, "loginuid", "7");
	check(sm_tasktable_fork(&r.procs, 200, 200, 100, 9000), "/b c", "1000", "first");
}
END_TEST

/* Whatever /proc shows by then. */
START_TEST(an_exec_has_those_of_its_record)
{
	struct exec_facts e = {
		.loginuid = 7, .has_loginuid = true, .env_state = EXECBPF_ENV_SET};
	struct sm_task *p = task();

	e.cgroup = pooled("/d");
	e.env = pooled("A=third");
	ck_assert(facts_exec(&f, p, &e));
	check(p, "/d", "7", "third");
	e.loginuid = UINT32_MAX;
	e.env_state = EXECBPF_ENV_NOT_SET;
	sm_strpool_put(r.procs.names, e.env);
	e.env = NULL;
	ck_assert(facts_exec(&f, p, &e));
	check(p, "/d", "", "");
	sm_strpool_put(r.procs.names, e.cgroup);
}
END_TEST

START_TEST(without_a_record_nothing_is_known)
{
	struct sm_task *p = task();

	ck_assert(!facts_exec(&f, p, NULL));
	check(p, NULL, NULL, NULL);
	check(sm_tasktable_fork(&r.procs, 200, 200, 100, 9000), NULL, NULL, NULL);
}
END_TEST

/* Each of them alone, and only if it is wanted. */
START_TEST(what_a_record_lacks_is_not_known)
{
	struct exec_facts e = {.cgroup = pooled("/d"), .env_state = EXECBPF_ENV_UNKNOWN};
	struct sm_task *p = task();

	ck_assert(!facts_exec(&f, p, &e));
	check(p, "/d", NULL, NULL);
	o.facts = 1u << FACT_CGROUP;
	ck_assert(facts_exec(&f, p, &e));
	sm_strpool_put(r.procs.names, e.cgroup);
	e = (struct exec_facts){.has_loginuid = true, .env_state = EXECBPF_ENV_NOT_SET};
	ck_assert(!facts_exec(&f, p, &e));
	check(p, NULL, "0", "");
	o.facts = 1u << FACT_LOGINUID | 1u << FACT_ENV;
	ck_assert(facts_exec(&f, p, &e));
}
END_TEST

/* The program compares the beginning of a long name alone. */
START_TEST(the_variable_of_another_name)
{
	struct exec_facts e = {.env_state = EXECBPF_ENV_SET};
	struct sm_task *p = task();

	e.env = pooled("AB=third");
	o.facts = 1u << FACT_ENV;
	ck_assert(!facts_exec(&f, p, &e));
	check(p, NULL, NULL, NULL);
	sm_strpool_put(r.procs.names, e.env);
}
END_TEST

/* In a hierarchy of version 1 the kernel shows a task that exits in the root, and it runs
 * for a while yet (state R) before it is a zombie. */
START_TEST(the_cgroup_of_an_exiting_task_is_not_known)
{
	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 1,
			     .comm = "sh",
			     .flags = SM_PF_EXITING,
			     .start_ticks = 5});
	put(100, "cgroup", "1:cpu:/\n");
	check(task(), NULL, "1000", "first");
}
END_TEST

START_TEST(another_group)
{
	struct sm_poolstr *path = pooled("/d");
	struct sm_task *p = task();

	facts_cgroup(&f, p, path);
	check(p, "/d", "1000", "first");
	facts_cgroup(&f, p, NULL);
	check(p, NULL, "1000", "first");
	ck_assert(!facts_exec(&f, p, NULL));
	facts_cgroup(&f, p, path);
	check(p, "/d", NULL, NULL);
	sm_strpool_put(r.procs.names, path);
}
END_TEST

static TCase *tc_facts(void)
{
	TCase *tc = tcase_create("facts");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, values);
	tcase_add_test(tc, only_what_is_wanted);
	tcase_add_test(tc, not_set);
	tcase_add_test(tc, not_readable);
	tcase_add_test(tc, a_child_inherits);
	tcase_add_test(tc, an_exec_has_those_of_its_record);
	tcase_add_test(tc, without_a_record_nothing_is_known);
	tcase_add_test(tc, what_a_record_lacks_is_not_known);
	tcase_add_test(tc, the_variable_of_another_name);
	tcase_add_test(tc, the_cgroup_of_an_exiting_task_is_not_known);
	tcase_add_test(tc, another_group);
	return tc;
}

UNIT_MAIN("facts", tc_facts)
