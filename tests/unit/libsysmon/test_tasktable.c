// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasktable_rig.h"

/* --- from /proc -------------------------------------------------------------------- */

START_TEST(find_reads_proc_once)
{
	struct sm_task *p;

	ck_assert_ptr_null(sm_tasktable_get(t, 100));
	p = sm_tasktable_find(t, 100, 0);
	ck_name(p, "bash\0-l");
	ck_assert_int_eq(sm_tasktable_source(p), SM_NAME_PROC);
	ck_assert_str_eq(p->comm, "bash");
	ck_assert_int_eq(p->pid, 100);
	ck_assert_int_eq(p->tgid, 100);
	ck_assert_int_eq(p->ppid, 1);
	ck_assert_int_eq(p->pgrp, 90);
	ck_assert_int_eq(p->tty_nr, 0x8803);
	ck_assert_uint_eq(p->start_ns, 500 * TICK_NS);
	rig_gone(&r, 100);
	ck_assert_ptr_eq(sm_tasktable_find(t, 100, 0), p);
	ck_assert_ptr_eq(sm_tasktable_get(t, 100), p);
}
END_TEST

START_TEST(unknown_task)
{
	struct sm_task *p = sm_tasktable_find(t, 4242, 0);

	ck_assert_ptr_null(p->cmd);
	ck_assert_int_eq(p->tgid, 4242);
	ck_assert_uint_eq(p->start_ns, 0);
	ck_assert_int_eq(p->comm[0], '\0');
	ck_assert_int_eq(sm_tasktable_source(p), SM_NAME_NONE);
	ck_assert(!(p->flags & SM_TASK_CREDS));
	p = sm_tasktable_find(t, 4243, 4242);
	ck_assert_int_eq(p->tgid, 4242);
	p = sm_tasktable_find(t, 0, 0);
	ck_assert_ptr_nonnull(p);
	p = sm_tasktable_find(t, -7, 0);
	ck_assert_int_eq(p->pid, -7);
}
END_TEST

/* A zombie and a kernel thread have no command line. */
START_TEST(comm_where_there_is_no_command_line)
{
	struct sm_task *p;

	rig_task(&r, (struct rig_task){.pid = 7, .comm = "defunct", .start_ticks = 9});
	p = sm_tasktable_find(t, 7, 0);
	ck_assert_ptr_null(p->cmd);
	ck_assert_int_eq(sm_tasktable_source(p), SM_NAME_COMM);
	ck_assert_str_eq(p->comm, "defunct");
	ck_assert_uint_eq(t->names_lost, 0);
	rig_task(&r, (struct rig_task){.pid = 57,
			     .comm = "kworker/u4:1-events_unbound",
			     .flags = SM_PF_KTHREAD});
	p = sm_tasktable_find(t, 57, 0);
	ck_assert_ptr_null(p->cmd);
	ck_assert(p->flags & SM_TASK_KTHREAD);
	ck_assert_str_eq(p->comm, "kworker/u4:1-ev");
	ck_assert_uint_eq(p->start_ns, 1); /* at the boot, but known */
}
END_TEST

START_TEST(creds_are_read_when_wanted)
{
	struct sm_task *p;

	ck_assert(!(sm_tasktable_find(t, 100, 100)->flags & SM_TASK_CREDS));
	t->want_creds = true;
	rig_task(&r,
		(struct rig_task){
			.pid = 101, .comm = "x", RIG_CMD("x\0"), .uid = 3, .euid = 4});
	p = sm_tasktable_find(t, 101, 101);
	ck_assert(p->flags & SM_TASK_CREDS);
	ck_assert_uint_eq(p->uid, 3);
	ck_assert_uint_eq(p->euid, 4);
	/* No status file: not known. */
	rig_task(&r, (struct rig_task){.pid = 102, .comm = "y", RIG_CMD("y\0")});
	ck_assert_int_eq(unlinkat(r.root.proc.fd, "102/status", 0), 0);
	p = sm_tasktable_find(t, 102, 0);
	ck_assert(!(p->flags & SM_TASK_CREDS));
	ck_assert_int_eq(p->tgid, 102);
}
END_TEST

START_TEST(thread_found_in_proc)
{
	struct sm_task *p;

	rig_task(&r, (struct rig_task){.pid = 103,
			     .tgid = 100,
			     .comm = "worker",
			     RIG_CMD("bash\0-l\0"),
			     .start_ticks = 600});
	p = sm_tasktable_find(t, 103, 0); /* status tells the process */
	ck_assert_int_eq(p->tgid, 100);
	ck_name(p, "bash\0-l");
	ck_assert_str_eq(p->comm, "worker");
}
END_TEST

START_TEST(thread_that_has_gone_is_named_as_its_process)
{
	struct sm_task *leader = sm_tasktable_find(t, 100, 100), *p;

	leader->user = 1;
	leader->uid = 77;
	leader->flags |= SM_TASK_CREDS;
	p = sm_tasktable_find(t, 104, 100);
	ck_name(p, "bash\0-l");
	ck_assert_str_eq(p->comm, "bash");
	ck_assert_int_eq(p->ppid, 1);
	ck_assert_int_eq(p->pgrp, 90);
	ck_assert_uint_eq(p->user, 1);
	ck_assert_uint_eq(p->uid, 77);
	ck_assert(p->flags & SM_TASK_CREDS);
}
END_TEST

START_TEST(seed_takes_all)
{
	ck_assert_int_eq(sm_tasktable_seed(t), 2);
	ck_name(sm_tasktable_get(t, 1), "/sbin/init");
	ck_name(sm_tasktable_get(t, 100), "bash\0-l");
	rig_task(&r, (struct rig_task){.pid = 9, .comm = "new", RIG_CMD("new\0")});
	/* Without a stat file it has exited in between. */
	rig_task(&r, (struct rig_task){.pid = 10, .comm = "gone"});
	ck_assert_int_eq(unlinkat(r.root.proc.fd, "10/stat", 0), 0);
	ck_assert_int_eq(sm_tasktable_seed(t), 3);
	ck_assert_ptr_null(sm_tasktable_get(t, 10));
}
END_TEST

START_TEST(seed_of_the_recorded_machine)
{
	struct sm_root small;
	struct sm_tasktable procs;

	ck_assert_int_eq(sm_root_open(&small, "tests/fixtures/small"), 0);
	ck_assert_int_eq(sm_tasktable_init(&procs, &small, 1u << 20, true), 0);
	ck_assert_int_eq(sm_tasktable_seed(&procs), 10); /* with two threads */
	ck_assert_uint_eq(sm_tasktable_get(&procs, 2048)->threads, 2);
	ck_name(sm_tasktable_get(&procs, 2048), "/usr/bin/java\0-jar\0a b.jar\0");
	ck_assert(sm_tasktable_get(&procs, 2)->flags & SM_TASK_KTHREAD);
	ck_assert_int_eq(sm_tasktable_get(&procs, 1204)->ppid, 1203);
	ck_assert(sm_tasktable_get(&procs, 914)->flags & SM_TASK_CREDS);
	sm_tasktable_fini(&procs);
	sm_root_close(&small);
}
END_TEST

START_TEST(seed_without_proc_fails)
{
	struct sm_root none = SM_ROOT_INIT;

	t->root = &none;
	ck_assert_int_eq(sm_tasktable_seed(t), -ENOENT);
	t->root = &r.root;
}
END_TEST

START_TEST(refresh)
{
	struct sm_task *p = sm_tasktable_find(t, 100, 100);

	rig_task(&r, (struct rig_task){.pid = 100,
			     .ppid = 2,
			     .pgrp = 100,
			     .comm = "zsh",
			     .tty = 0x8804,
			     .start_ticks = 500});
	ck_assert(sm_tasktable_refresh(t, p));
	ck_assert_str_eq(p->comm, "zsh");
	ck_assert_int_eq(p->pgrp, 100);
	ck_assert_int_eq(p->tty_nr, 0x8804);
	rig_gone(&r, 100);
	ck_assert(!sm_tasktable_refresh(t, p));
	ck_assert_str_eq(p->comm, "zsh");
}
END_TEST

/* --- names ------------------------------------------------------------------------- */

START_TEST(cmdline_of_an_expected_length)
{
	struct sm_poolstr *s;

	s = sm_tasktable_read_cmdline(t, 100, 0);
	ck_assert_uint_eq(s->len, 8);
	ck_assert_uint_eq(s->tag, SM_NAME_PROC);
	sm_strpool_put(t->names, s);
	s = sm_tasktable_read_cmdline(t, 100, 8);
	ck_assert_uint_eq(s->len, 8);
	sm_strpool_put(t->names, s);
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 100, 7));
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 100, 9));
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 101, 0));
	rig_file(&r, 100, "cmdline", "", 0);
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 100, 0));
}
END_TEST

static char *long_name(size_t n)
{
	char *p = malloc(n);

	ck_assert_ptr_nonnull(p);
	memset(p, 'x', n);
	return p;
}

START_TEST(name_longer_than_the_bound)
{
	size_t max = SM_NAME_MAX_BYTES;
	char *p = long_name(max + 100);
	struct sm_poolstr *s = sm_tasktable_intern(t, p, max, SM_NAME_EXEC);

	ck_assert_uint_eq(s->len, max);
	ck_assert_uint_eq(s->tag, SM_NAME_EXEC);
	sm_strpool_put(t->names, s);
	s = sm_tasktable_intern(t, p, max + 1, SM_NAME_EXEC);
	ck_assert_uint_eq(s->len, max);
	ck_assert_uint_eq(s->tag, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	sm_strpool_put(t->names, s);
	rig_file(&r, 100, "cmdline", p, max + 100);
	s = sm_tasktable_read_cmdline(t, 100, max + 100);
	ck_assert_uint_eq(s->len, max);
	ck_assert_uint_eq(s->tag, SM_NAME_PROC | SM_NAME_TRUNCATED);
	sm_strpool_put(t->names, s);
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 100, max)); /* another's */
	free(p);
}
END_TEST

static struct sm_task *exec_of(pid_t pid, char *name, size_t n)
{
	struct sm_task *p = sm_tasktable_fresh(t, pid, pid);

	name[0] = (char)('a' + pid % 26); /* each name is another one */
	sm_tasktable_exec(
		t, p, sm_tasktable_intern(t, name, n, SM_NAME_EXEC), SM_STR("prog"));
	ck_assert_uint_eq(p->cmd->len, n); /* of the exec row, whatever is stored */
	sm_tasktable_keep(t, p);
	return p;
}

/* Whoever fills the budget with long names, everybody's short names are stored, and what
 * is cut is marked. */
START_TEST(names_beyond_the_budget)
{
	const size_t kept = SM_NAME_KEPT_BYTES;
	char *p = long_name(100000);
	struct sm_task *a;

	t->names_max_bytes = 150000;
	ck_assert_uint_eq(exec_of(200, p, 100000)->cmd->len, 100000);
	for (pid_t pid = 201; pid < 220; pid++) {
		a = exec_of(pid, p, 100000);
		ck_assert_uint_eq(a->cmd->len, kept);
		ck_assert_uint_eq(a->cmd->tag, SM_NAME_EXEC | SM_NAME_TRUNCATED);
	}
	ck_assert_uint_gt(sm_strpool_bytes(t->names), t->names_max_bytes);
	ck_assert_uint_eq(exec_of(220, p, kept)->cmd->len, kept);
	ck_assert_uint_eq(exec_of(220, p, kept)->cmd->tag, SM_NAME_EXEC);
	/* Those that are read from /proc too. */
	rig_task(&r,
		(struct rig_task){.pid = 300, .comm = "long", .cmd = p, .cmd_len = 5000});
	a = sm_tasktable_find(t, 300, 300);
	ck_assert_uint_eq(a->cmd->len, kept);
	ck_assert_uint_eq(a->cmd->tag, SM_NAME_PROC | SM_NAME_TRUNCATED);
	ck_assert_uint_eq(t->names_lost, 0);
	/* Room again. */
	for (pid_t pid = 200; pid < 221; pid++)
		sm_tasktable_exit(t, sm_tasktable_get(t, pid));
	ck_assert_uint_eq(exec_of(221, p, 100000)->cmd->len, 100000);
	free(p);
}
END_TEST

/* --- events ------------------------------------------------------------------------ */

START_TEST(child_inherits)
{
	struct sm_task *from = sm_tasktable_find(t, 100, 100), *p;

	from->user = 5;
	from->uid = 8;
	from->flags |= SM_TASK_CREDS | SM_TASK_INHERITED;
	p = sm_tasktable_fork(t, 200, 200, 100, 7777);
	ck_assert_ptr_eq(p->cmd, from->cmd);
	ck_assert_uint_eq(from->cmd->refs, 2);
	ck_assert_str_eq(p->comm, "bash");
	ck_assert_int_eq(p->ppid, 100);
	ck_assert_int_eq(p->pgrp, 90);
	ck_assert_int_eq(p->tty_nr, 0x8803);
	ck_assert_uint_eq(p->start_ns, 7777);
	ck_assert_uint_eq(p->user, 5);
	ck_assert_uint_eq(p->uid, 8);
	ck_assert_uint_eq(p->flags, SM_TASK_INHERITED | SM_TASK_CREDS);
	ck_assert_uint_eq(from->threads, 0);
}
END_TEST

START_TEST(fork_looks_an_unknown_parent_up)
{
	ck_name(sm_tasktable_fork(t, 200, 200, 100, 1), "bash\0-l");
	ck_assert_ptr_nonnull(sm_tasktable_get(t, 100));
	ck_assert_ptr_null(sm_tasktable_fork(t, 300, 300, 299, 1)->cmd);
}
END_TEST

START_TEST(child_of_kthreadd)
{
	struct sm_task *p;

	rig_task(&r,
		(struct rig_task){.pid = 2, .comm = "kthreadd", .flags = SM_PF_KTHREAD});
	p = sm_tasktable_fork(t, 60, 60, 2, 5);
	ck_assert(p->flags & SM_TASK_KTHREAD);
	ck_assert(p->flags & SM_TASK_KCHILD);
	sm_tasktable_exec(t, p, rig_name(t, "/sbin/modprobe"), SM_STR("/sbin/modprobe"));
	/* a user mode helper */
	ck_assert_uint_eq(
		p->flags & (SM_TASK_KTHREAD | SM_TASK_KCHILD | SM_TASK_INHERITED), 0);
	ck_name(p, "/sbin/modprobe");
}
END_TEST

START_TEST(exec_replaces)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 1);

	sm_tasktable_exec(t, p, rig_name(t, "/usr/bin/a-name-of-more-than-15\0x"),
		SM_STR("/usr/bin/a-name-of-more-than-15"));
	ck_name(p, "/usr/bin/a-name-of-more-than-15\0x");
	ck_assert_str_eq(p->comm, "a-name-of-more-");
	ck_assert(!(p->flags & SM_TASK_INHERITED));
	ck_name(sm_tasktable_get(t, 100), "bash\0-l");
	sm_tasktable_exec(t, p, NULL, SM_STR("prog"));
	ck_assert_ptr_null(p->cmd);
	ck_assert_str_eq(p->comm, "prog");
	sm_tasktable_exec(t, p, NULL, SM_STR(""));
	ck_assert_str_eq(p->comm, "");
}
END_TEST

/* A table of names that has no room stands for malloc(3) that has none. */
START_TEST(name_without_memory_is_lost)
{
	struct sm_strpool *names = t->names, *full;
	struct sm_task *p;

	ck_assert_int_eq(sm_strpool_new(&full, 0), 0);
	t->names = full;
	rig_task(&r, (struct rig_task){.pid = 200, .comm = "x", RIG_CMD("x\0y\0")});
	p = sm_tasktable_find(t, 200, 200);
	ck_assert_ptr_null(p->cmd);
	ck_assert_uint_eq(t->names_lost, 1);
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 200, 0));
	ck_assert_uint_eq(t->names_lost, 2);
	ck_assert_ptr_null(sm_tasktable_read_cmdline(t, 200, 3)); /* another's */
	ck_assert_uint_eq(t->names_lost, 2);
	t->names = names;
	sm_strpool_free(full);
}
END_TEST

START_TEST(comm_is_cut)
{
	struct sm_task *p = sm_tasktable_find(t, 100, 100);

	sm_tasktable_comm(p, "short");
	ck_assert_str_eq(p->comm, "short");
	sm_tasktable_comm(p, "exactly-15-byte");
	ck_assert_str_eq(p->comm, "exactly-15-byte");
	sm_tasktable_comm(p, "more-than-15-bytes");
	ck_assert_str_eq(p->comm, "more-than-15-by");
	ck_name(p, "bash\0-l");
}
END_TEST

START_TEST(exit_forgets_and_gives_the_name_back)
{
	size_t names = sm_strpool_count(t->names);
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 1);

	sm_tasktable_exec(t, p, rig_name(t, "only-mine"), SM_STR("only-mine"));
	ck_assert_uint_eq(sm_strpool_count(t->names), names + 2);
	sm_tasktable_exit(t, p);
	ck_assert_ptr_null(sm_tasktable_get(t, 200));
	ck_assert_uint_eq(sm_strpool_count(t->names), names + 1);
	sm_tasktable_exit(t, sm_tasktable_get(t, 100));
	ck_assert_uint_eq(sm_strpool_count(t->names), names);
	ck_assert_uint_eq(t->map.used, 0);
}
END_TEST

START_TEST(reused_pid_has_no_stale_name)
{
	struct sm_task *p = sm_tasktable_fork(t, 200, 200, 100, 1);

	sm_tasktable_exec(t, p, rig_name(t, "old\0secret"), SM_STR("/bin/old"));
	p->user = 3;
	/* With its exit seen, or lost. */
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			sm_tasktable_exit(t, p);
		p = sm_tasktable_fork(t, 200, 200, 1, 900);
		ck_name(p, "/sbin/init");
		ck_assert_str_eq(p->comm, "init");
		ck_assert_uint_eq(p->start_ns, 900);
		ck_assert_uint_eq(p->user, 0);
		sm_tasktable_exec(t, p, rig_name(t, "other"), SM_STR("/bin/other"));
	}
}
END_TEST

/* --- which exit ends a process ------------------------------------------------------ */

START_TEST(fini_is_idempotent)
{
	struct sm_tasktable none;

	ck_assert_int_eq(sm_tasktable_init(&none, &r.root, 1000, false), 0);
	sm_tasktable_fini(&none);
	sm_tasktable_fini(&none);
	ck_assert_ptr_null(none.scratch);
}
END_TEST

#define FIXTURE(tc) tcase_add_checked_fixture(tc, setup, teardown)

static TCase *tc_proc(void)
{
	TCase *tc = tcase_create("proc");

	FIXTURE(tc);
	tcase_add_test(tc, find_reads_proc_once);
	tcase_add_test(tc, unknown_task);
	tcase_add_test(tc, comm_where_there_is_no_command_line);
	tcase_add_test(tc, creds_are_read_when_wanted);
	tcase_add_test(tc, thread_found_in_proc);
	tcase_add_test(tc, thread_that_has_gone_is_named_as_its_process);
	tcase_add_test(tc, seed_takes_all);
	tcase_add_test(tc, seed_of_the_recorded_machine);
	tcase_add_test(tc, seed_without_proc_fails);
	tcase_add_test(tc, refresh);
	return tc;
}

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	FIXTURE(tc);
	tcase_add_test(tc, cmdline_of_an_expected_length);
	tcase_add_test(tc, name_longer_than_the_bound);
	tcase_add_test(tc, names_beyond_the_budget);
	tcase_add_test(tc, fini_is_idempotent);
	return tc;
}

static TCase *tc_events(void)
{
	TCase *tc = tcase_create("events");

	FIXTURE(tc);
	tcase_add_test(tc, child_inherits);
	tcase_add_test(tc, fork_looks_an_unknown_parent_up);
	tcase_add_test(tc, child_of_kthreadd);
	tcase_add_test(tc, exec_replaces);
	tcase_add_test(tc, name_without_memory_is_lost);
	tcase_add_test(tc, comm_is_cut);
	tcase_add_test(tc, exit_forgets_and_gives_the_name_back);
	tcase_add_test(tc, reused_pid_has_no_stale_name);
	return tc;
}

UNIT_MAIN("procname", tc_proc, tc_names, tc_events)
