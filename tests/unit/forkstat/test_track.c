// SPDX-License-Identifier: GPL-2.0-or-later
#include "forkstat/facts.h"
#include "base/parse.h"
#include "track_rig.h"

/* --- the group --------------------------------------------------------------------- */

static struct facts facts;
static const struct opts facts_opts = {.facts = 1u << FACT_CGROUP};

static void follow_groups(void)
{
	facts = (struct facts){.opts = &facts_opts, .procs = &r.procs};
	t.facts = &facts;
	c.groups.followed = true;
	ck_assert_int_eq(groups_init(&c.groups, r.procs.names), 0);
}

/* The group /x has the key 'x'. */
static void in_group(pid_t pid, bool born, uint64_t time_ns, char name)
{
	struct {
		struct sm_cgroup_raw head;
		char names[2];
	} path = {{SM_CGROUP_RAW, 2, (uint64_t)name, 1}, {name, 0}};

	ck_assert(sm_cgroup_names_add(&c.groups.names, &path, sizeof(path.head) + 2));
	groups_note(&c.groups,
		&(struct execbpf_group){.pid = pid,
			.born = born,
			.time_ns = time_ns,
			.cgroup = (uint64_t)name},
		0);
}

static void check_group(const struct sm_task *p, const char *want)
{
	struct sm_str value;

	ck_assert_int_eq(facts_get(p, FACT_CGROUP, &value), want != NULL);
	if (want)
		ck_assert(sm_parse_eq(value, want));
}

START_TEST(group_of_a_birth)
{
	follow_groups();
	in_group(200, true, 9005, 'a');
	apply(ev_fork(9000, 200, 200, 100));
	check_group(row.p, "/a");
	ck_assert(!row.lacks_facts);
	apply(ev_fork(100000, 300, 300, 200)); /* its record is missing */
	check_group(row.p, NULL);
	ck_assert(row.lacks_facts);
	facts_fini(&facts);
}
END_TEST

START_TEST(group_of_a_process_that_moves)
{
	follow_groups();
	in_group(200, true, 9005, 'a');
	done(ev_fork(9000, 200, 200, 100));
	in_group(201, true, 9015, 'a');
	done(ev_fork(9010, 201, 200, 100));
	in_group(200, false, 40000, 'b');
	check_group(apply(ev_of(SM_PROC_SID, 200, 200))->p, "/a"); /* at 5000 */
	in_group(300, true, 50005, 'b');
	apply(ev_fork(50000, 300, 300, 200));
	check_group(row.p, "/b");
	check_group(row.parent, "/b");
	check_group(apply(ev_exit(60000, 201, 200, 0))->p, "/b");
	in_group(200, false, 70000, 'c');
	check_group(apply(ev_exit(80000, 200, 200, 0))->p, "/c");
	facts_fini(&facts);
}
END_TEST

START_TEST(group_at_an_exec)
{
	struct execbpf_record e = {.pid = 200, .time_ns = 50000, .cgroup = 'c'};

	follow_groups();
	in_group(200, true, 9005, 'a');
	in_group(999, false, 1, 'c');
	done(ev_fork(9000, 200, 200, 100));
	in_group(200, false, 40000, 'b');
	capture_exec(&c, &e);
	apply(ev_exec(50001, 200));
	check_group(row.p, "/c");
	ck_assert(!row.lacks_facts);
	apply(ev_exec(90000, 200)); /* its record is missing */
	check_group(row.p, NULL);
	ck_assert(row.lacks_facts);
	in_group(200, false, 95000, 'b');
	check_group(apply(ev_exit(99000, 200, 200, 0))->p, "/b");
	facts_fini(&facts);
}
END_TEST

/* --- fork, exit -------------------------------------------------------------------- */

START_TEST(fork_is_of_the_child)
{
	apply(ev_fork(9000, 200, 200, 100));
	ck_assert_int_eq(row.kind, EVENT_FORK);
	ck_assert_int_eq(row.p->pid, 200);
	ck_assert_int_eq(row.parent->pid, 100);
	ck_name(row.p, "bash");
	track_done(&t, &row);
	ck_assert_ptr_nonnull(sm_tasktable_get(&r.procs, 200));
}
END_TEST

START_TEST(clone_is_of_the_thread)
{
	done(ev_fork(9000, 200, 200, 100));
	apply(ev_fork(9001, 201, 200, 100));
	ck_assert_int_eq(row.kind, EVENT_CLONE);
	ck_assert_int_eq(row.p->pid, 201);
	ck_assert_int_eq(row.p->tgid, 200);
	ck_assert_int_eq(row.parent->pid, 200); /* not the parent of the process */
}
END_TEST

START_TEST(exit_has_the_lifetime)
{
	done(ev_fork(9000, 200, 200, 100));
	apply(ev_exit(9123, 200, 200, 0));
	ck_assert_int_eq(row.kind, EVENT_EXIT);
	ck_assert(row.has_duration);
	ck_assert_uint_eq(row.duration_ns, 123);
	ck_assert(row.exit.process_end);
	ck_name(row.p, "bash");
	track_done(&t, &row);
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 200));
}
END_TEST

/* One exit of the process: with its pid, its lifetime and its name, whichever thread is
 * the last. */
START_TEST(process_ends_with_its_last_thread)
{
	done(ev_fork(9000, 200, 200, 100));
	done(ev_fork(9001, 201, 200, 100));
	done(ev_fork(9002, 202, 200, 100));
	apply(ev_exit(9100, 200, 200, 0));
	ck_assert(!row.exit.process_end);
	ck_assert_int_eq(row.p->pid, 200);
	ck_assert_uint_eq(row.duration_ns, 100);
	track_done(&t, &row);
	apply(ev_exit(9200, 202, 200, 9));
	ck_assert(!row.exit.process_end);
	ck_assert_int_eq(row.p->pid, 202);
	ck_assert_uint_eq(row.duration_ns, 198);
	ck_assert_uint_eq(row.exit.code, 9);
	track_done(&t, &row);
	apply(ev_exit(9300, 201, 200, 9));
	ck_assert(row.exit.process_end);
	ck_assert(row.exit.known);
	ck_assert_uint_eq(row.exit.code, 9);
	ck_assert_int_eq(row.p->pid, 200);
	ck_assert_uint_eq(row.duration_ns, 300);
	ck_name(row.p, "bash");
	track_done(&t, &row);
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 200));
	ck_assert_ptr_null(sm_tasktable_get(&r.procs, 201));
}
END_TEST

/* Suspended for 3 s since the boot: the stamps of events stand still meanwhile. */
START_TEST(lifetime_includes_a_suspend)
{
	r.procs.boot_offset_ns = 3 * (int64_t)SM_NSEC_PER_SEC;
	apply(ev_exit(401 * TICK_NS, 100, 100, 0)); /* started at 5 s after the boot */
	ck_assert_uint_eq(row.duration_ns, 2 * SM_NSEC_PER_SEC + TICK_NS);
	track_done(&t, &row);
	done(ev_fork(9000, 200, 200, 100));
	r.procs.boot_offset_ns += SM_NSEC_PER_SEC;
	apply(ev_exit(9123, 200, 200, 0));
	ck_assert_uint_eq(row.duration_ns, SM_NSEC_PER_SEC + 123);
}
END_TEST

START_TEST(exit_of_one_older_than_we_are)
{
	apply(ev_exit(501 * TICK_NS, 100, 100, 0));
	ck_assert_uint_eq(row.duration_ns, TICK_NS);
	ck_name(row.p, "bash");
	track_done(&t, &row);
	ck_assert_uint_eq(r.procs.map.used, 0);
}
END_TEST

START_TEST(exit_without_a_known_start)
{
	apply(ev_exit(1000, 4242, 4242, 0));
	ck_assert(!row.has_duration);
	ck_assert_ptr_null(row.p->cmd);
	track_done(&t, &row);
	/* Stamps that run backwards give no lifetime of 500 years. */
	done(ev_fork(9000, 200, 200, 100));
	apply(ev_exit(8999, 200, 200, 0));
	ck_assert(!row.has_duration);
	ck_assert_uint_eq(row.duration_ns, 0);
}
END_TEST

START_TEST(status_words)
{
	ck_assert_int_eq(row_exit_signal(0x8b), 11);
	ck_assert(row_exit_core(0x8b));
	ck_assert(!row_exit_core(0x0b));
	ck_assert(!row_exit_core(0x80)); /* no signal */
	ck_assert_uint_eq(row_exit_status(0x8b), 0);
	ck_assert_uint_eq(row_exit_status(0xff00), 255);
	ck_assert_int_eq(row_exit_signal(0xff00), 0);
}
END_TEST

START_TEST(kernel_thread_gets_its_name_at_the_exit)
{
	rig_task(&r,
		(struct rig_task){.pid = 2, .comm = "kthreadd", .flags = SM_PF_KTHREAD});
	done(ev_fork(10, 60, 60, 2));
	ck_assert_str_eq(sm_tasktable_get(&r.procs, 60)->comm, "kthreadd");
	rig_task(&r, (struct rig_task){
			     .pid = 60, .comm = "kworker/3", .flags = SM_PF_KTHREAD});
	apply(ev_exit(20, 60, 60, 0));
	ck_assert_str_eq(row.p->comm, "kworker/3");
	ck_assert(row.exit.process_end);
	ck_assert(row.p->flags & SM_TASK_KTHREAD);
}
END_TEST

/* The old leader's exit, then exec with its pid; the others disappear without an exit
 * event. */
START_TEST(exec_by_another_thread)
{
	done(ev_fork(1, 200, 200, 100));
	done(ev_fork(2, 201, 200, 100));
	done(ev_fork(3, 202, 200, 100));
	apply(ev_exit(4, 200, 200, 0));
	ck_assert_int_eq(row.p->pid, 200);
	ck_assert(!row.exit.process_end);
	track_done(&t, &row);
	captured(200, 5, "new", 4, false, 0);
	apply(ev_exec(5, 200));
	ck_name(row.p, "new");
	track_done(&t, &row);
	ck_assert_uint_eq(r.procs.map.used, 2);
	apply(ev_exit(6, 200, 200, 0));
	ck_assert(row.exit.process_end);
	ck_assert_uint_eq(row.duration_ns, 5);
	track_done(&t, &row);
	ck_assert_uint_eq(r.procs.map.used, 1);
}
END_TEST

/* --- the other kinds --------------------------------------------------------------- */

START_TEST(comm_has_the_old_one)
{
	struct sm_proc_event ev = ev_of(SM_PROC_COMM, 100, 100);

	strcpy(ev.comm, "new name");
	apply(ev);
	ck_assert_int_eq(row.kind, EVENT_COMM);
	ck_assert_str_eq(row.old_comm, "bash");
	ck_assert_str_eq(row.p->comm, "new name");
	ck_name(row.p, "bash");
}
END_TEST

START_TEST(ids)
{
	struct sm_proc_event ev = ev_of(SM_PROC_GID, 100, 100);

	ev.rid = 5;
	ev.eid = 6;
	apply(ev);
	ck_assert_int_eq(row.kind, EVENT_GID);
	ck_assert(!(row.p->flags & SM_TASK_CREDS));
	ck_assert_uint_eq(row.p->uid, 0);
	ev.what = SM_PROC_UID;
	apply(ev);
	ck_assert_int_eq(row.kind, EVENT_UID);
	ck_assert(row.p->flags & SM_TASK_CREDS);
	ck_assert_uint_eq(row.p->uid, 5);
	ck_assert_uint_eq(row.p->euid, 6);
}
END_TEST

START_TEST(sid_leads_its_group_without_a_terminal)
{
	apply(ev_of(SM_PROC_SID, 100, 100));
	ck_assert_int_eq(row.kind, EVENT_SID);
	ck_assert_int_eq(row.p->pgrp, 100);
	ck_assert_int_eq(row.p->tty_nr, 0);
}
END_TEST

START_TEST(ptrace_has_the_tracer)
{
	struct sm_proc_event ev = ev_of(SM_PROC_PTRACE, 100, 100);

	apply(ev); /* detach */
	ck_assert_int_eq(row.kind, EVENT_PTRCE);
	ck_assert_ptr_null(row.parent);
	ev.ptgid = 300;
	rig_task(&r, (struct rig_task){.pid = 300, .comm = "gdb", RIG_CMD("gdb\0")});
	apply(ev);
	ck_name(row.parent, "gdb");
	ck_name(row.p, "bash");
	track_done(&t, &row);
	ck_assert_uint_eq(r.procs.map.used, 2);
}
END_TEST

START_TEST(core)
{
	apply(ev_of(SM_PROC_COREDUMP, 100, 100));
	ck_assert_int_eq(row.kind, EVENT_CORE);
}
END_TEST

START_TEST(unknown_kind_is_none_of_ours)
{
	now = ev_of(0x10, 100, 100);
	ck_assert(!track_apply(&t, &now, false, &row));
	track_done(&t, &row);
}
END_TEST

START_TEST(what_the_kernel_is_asked_for)
{
	uint32_t base =
		SM_PROC_FORK | SM_PROC_EXEC | SM_PROC_COMM | (uint32_t)SM_PROC_EXIT;

	ck_assert_uint_eq(
		track_kernel_mask(EVENT_BIT(EVENT_EXEC), true, false), SM_PROC_EXEC);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_EXIT), false, false), base);
	ck_assert_uint_eq(track_kernel_mask(0, false, true), base | SM_PROC_UID);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_UID), false, false),
		base | SM_PROC_UID);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_GID), false, false),
		base | SM_PROC_GID);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_SID), false, false),
		base | SM_PROC_SID);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_PTRCE), false, false),
		base | SM_PROC_PTRACE);
	ck_assert_uint_eq(track_kernel_mask(EVENT_BIT(EVENT_CORE), false, false),
		base | SM_PROC_COREDUMP);
	ck_assert_uint_eq(track_kernel_mask(EVENTS_ALL, false, false), SM_PROC_ALL);
}
END_TEST

static TCase *tc_life(void)
{
	TCase *tc = tcase_create("life");

	FIXTURE(tc);
	tcase_add_test(tc, fork_is_of_the_child);
	tcase_add_test(tc, clone_is_of_the_thread);
	tcase_add_test(tc, exit_has_the_lifetime);
	tcase_add_test(tc, process_ends_with_its_last_thread);
	tcase_add_test(tc, lifetime_includes_a_suspend);
	tcase_add_test(tc, exit_of_one_older_than_we_are);
	tcase_add_test(tc, exit_without_a_known_start);
	tcase_add_test(tc, status_words);
	tcase_add_test(tc, kernel_thread_gets_its_name_at_the_exit);
	tcase_add_test(tc, exec_by_another_thread);
	return tc;
}

static TCase *tc_others(void)
{
	TCase *tc = tcase_create("others");

	FIXTURE(tc);
	tcase_add_test(tc, comm_has_the_old_one);
	tcase_add_test(tc, ids);
	tcase_add_test(tc, sid_leads_its_group_without_a_terminal);
	tcase_add_test(tc, ptrace_has_the_tracer);
	tcase_add_test(tc, core);
	tcase_add_test(tc, unknown_kind_is_none_of_ours);
	tcase_add_test(tc, what_the_kernel_is_asked_for);
	return tc;
}

static TCase *tc_group(void)
{
	TCase *tc = tcase_create("group");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, group_of_a_birth);
	tcase_add_test(tc, group_of_a_process_that_moves);
	tcase_add_test(tc, group_at_an_exec);
	return tc;
}

UNIT_MAIN("track", tc_life, tc_others, tc_group)
