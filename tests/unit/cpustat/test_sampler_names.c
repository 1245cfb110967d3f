// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of tasks, trees of them, and clocks of the living machine.  See rig.h. */
#include <signal.h>
#include <sys/wait.h>

#include "proc/cpuclock.h"
#include "cpustat/sampler/account.h"
#include "cpustat/sampler/names.h"
#include "cpustat_rig.h"

static struct fake a, b;

static void setup(void)
{
	rig_open();
	sampler = (struct sampler){0};
	fake_alpha_and_beta(&a, &b);
}

static void teardown(void)
{
	rig_close();
}

/* --- names -------------------------------------------------------------------------- */

START_TEST(comm_of_any_bytes)
{
	static const char kworker[] =
		"kworker/u512:12-flush-259:0-and-more-than-the-kernel-ever-writes";

	ck_assert_uint_eq(strlen(kworker), 64);
	a.comm = ") S 1 (x\n99";
	b.comm = kworker;
	b.flags = SM_PF_KTHREAD;
	fake(&a);
	fake(&b);
	begin();
	take();
	a.utime += 5;
	b.stime += 5;
	fake(&a);
	fake(&b);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 5);
	ck_assert(sm_parse_eq(row_of(ROW_PROCESS, 10)->comm, a.comm));
	ck_assert(sm_parse_eq(row_of(ROW_PROCESS, 20)->comm, kworker));
	ck_assert_uint_eq(row_of(ROW_PROCESS, 20)->flags, ROW_KTHREAD);
}
END_TEST

static void cmdline(pid_t pid, const char *text, size_t n)
{
	fake_file(pid, "cmdline", text, n);
}

static const char *cmd_of(pid_t pid)
{
	const struct row *row = row_of(ROW_PROCESS, pid);

	ck_assert_ptr_nonnull(row);
	return row->cmd ? row->cmd->s : "";
}

static void runs(uint64_t centi)
{
	a.utime++;
	fake(&a);
	take_at(centi);
}

START_TEST(exec_is_another_name)
{
	opts.comm = false;
	cmdline(10, "one\0x", 6);
	begin();
	take();
	runs(100100);
	ck_assert_str_eq(cmd_of(10), "one");
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, 6);
	/* The same program with other arguments: within seconds. */
	cmdline(10, "uno", 4);
	runs(100200);
	ck_assert_str_eq(cmd_of(10), "one");
	runs(100700);
	ck_assert_str_eq(cmd_of(10), "uno");
	/* Another program: at once. */
	a.comm = "two";
	cmdline(10, "two", 4);
	runs(100800);
	ck_assert_str_eq(cmd_of(10), "two");
	ck_assert(sm_parse_eq(row_of(ROW_PROCESS, 10)->comm, "two"));
}
END_TEST

/* A zombie has no arguments any more. */
START_TEST(last_row_keeps_its_name)
{
	opts.comm = false;
	cmdline(10, "one", 4);
	begin();
	take();
	runs(100100);
	cmdline(10, "", 0);
	a.state = 'Z';
	runs(101100);
	ck_assert_str_eq(cmd_of(10), "one");
	/* But another program's name is not its. */
	a.comm = "two";
	runs(101200);
	ck_assert_ptr_null(row_of(ROW_PROCESS, 10)->cmd);
}
END_TEST

/* Without memory for it, the name is read again in the next sample. */
START_TEST(no_memory_for_a_name)
{
	static char text[RIG_NAMES_BYTES - 16];
	struct sm_poolstr *big;

	opts.comm = false;
	cmdline(10, "a long name of a program", 25);
	begin();
	take();
	big = sm_strpool_get(names, text, sizeof(text), 0);
	ck_assert_ptr_nonnull(big);
	runs(100100);
	ck_assert_ptr_null(row_of(ROW_PROCESS, 10)->cmd);
	ck_assert_uint_eq(sampler.names_lost, 1);
	sm_strpool_put(names, big);
	runs(100200);
	ck_assert_str_eq(cmd_of(10), "a long name of a program");
	ck_assert_uint_eq(sampler.names_lost, 1);
}
END_TEST

/* Long command lines of some do not take the room for those of others. */
START_TEST(names_beyond_the_budget)
{
	static char line[3 * NAMES_KEPT];

	opts.comm = false;
	memset(line, 'x', sizeof(line));
	cmdline(10, line, sizeof(line));
	begin();
	sampler.names_budget = 2 * NAMES_KEPT;
	take();
	runs(100100);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, NAMES_KEPT);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->tag, ROW_CMD_CUT);
	sampler.names_budget = 0;
	cmdline(10, line, NAMES_KEPT);
	runs(100700);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, NAMES_KEPT);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->tag, 0);
	ck_assert_uint_eq(sampler.names_lost, 0);
}
END_TEST

START_TEST(names_go_with_their_process)
{
	opts.comm = false;
	cmdline(10, "a long name of a program", 25);
	begin();
	take();
	runs(100100);
	ck_assert_uint_eq(sm_strpool_count(names), 1);
	fake_exit(10);
	take_at(100200);
	take_at(100300);
	ck_assert_uint_eq(sm_strpool_count(names), 0);
}
END_TEST

START_TEST(user_and_cgroup)
{
	static const char status[] = "Name:\talpha\nTgid:\t10\nPPid:\t1\nUid:"
				     "\t1000\t0\t0\t0\nGid:\t5\t5\t5\t5\n";

	opts.cgroup = "/";
	opts.uids.n = 1;
	fake_file(10, "status", status, sizeof(status) - 1);
	fake_file(10, "cgroup", "0::/user.slice\n", 15);
	begin();
	take();
	runs(100100);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->flags, ROW_HAS_UID);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->uid, 1000);
	ck_assert_str_eq(row_of(ROW_PROCESS, 10)->cgroup->s, "/user.slice");
	ck_assert_ptr_null(row_of(ROW_PROCESS, 10)->cmd);
}
END_TEST

/* A cgroup that is asked for later (the screen's key G) is there at once. */
START_TEST(cgroup_wanted_later)
{
	fake_file(10, "cgroup", "0::/user.slice\n", 15);
	begin();
	take();
	runs(100100);
	ck_assert_ptr_null(row_of(ROW_PROCESS, 10)->cgroup);
	opts.group = GROUP_CGROUP;
	sampler_options(&sampler);
	runs(100200);
	ck_assert_ptr_nonnull(row_of(ROW_PROCESS, 10)->cgroup);
	ck_assert_str_eq(row_of(ROW_PROCESS, 10)->cgroup->s, "/user.slice");
	/* A process that was moved is in its new one in the next sample. */
	fake_file(10, "cgroup", "0::/other.slice\n", 16);
	runs(100300);
	ck_assert_str_eq(row_of(ROW_PROCESS, 10)->cgroup->s, "/other.slice");
}
END_TEST

/* One that is too long to be kept is marked, and what is kept is true. */
START_TEST(long_command_lines)
{
	static char line[2 * NAMES_BYTES];

	opts.comm = false;
	memset(line, 'x', sizeof(line));
	cmdline(10, line, NAMES_BYTES - 1);
	begin();
	take();
	runs(100100);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, NAMES_BYTES - 1);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->tag, 0);
	cmdline(10, line, NAMES_BYTES);
	runs(100700);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, NAMES_BYTES - 1);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->tag, ROW_CMD_CUT);
	cmdline(10, line, sizeof(line));
	runs(101300);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->len, NAMES_BYTES - 1);
	ck_assert_uint_eq(row_of(ROW_PROCESS, 10)->cmd->tag, ROW_CMD_CUT);
}
END_TEST

/* --- a tree ----------------------------------------------------------------------- */

START_TEST(only_the_tree)
{
	struct fake child = {.pid = 30, .comm = "child", .ppid = 10, .start = 100010};
	struct fake grandchild = {
		.pid = 40, .comm = "grand", .ppid = 30, .start = 100020};

	fake_machine(100, 100, 0, 0);
	begin();
	sampler.tree = 10;
	take();
	a.utime += 4;
	b.stime += 9;
	child.utime = 6;
	grandchild.utime = 7;
	fake(&a);
	fake(&b);
	fake(&child);
	fake(&grandchild);
	fake_machine(300, 100, 0, 0);
	take_at(100100);
	ck_assert_uint_eq(sample.nrows, 3);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 10), 4);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 30), 6);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 40), 7);
	ck_assert_uint_eq(sample.tasks_ns, 26 * TICK);
	ck_assert_uint_eq(sample.busy_ns, 200 * TICK);
	ck_assert(!sample.machine);
	/* The middle one goes; what it leaves stays of the tree. */
	fake_exit(30);
	grandchild.ppid = 1;
	grandchild.utime++;
	a.utime++;
	a.cutime = 6;
	fake(&grandchild);
	fake(&a);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 40), 1);
	ck_assert_uint_eq(sample.nrows, 2);
}
END_TEST

/* The pids have wrapped: the child's is below its parent's. */
START_TEST(tree_with_a_smaller_pid)
{
	struct fake child = {.pid = 30, .comm = "child", .ppid = 10, .start = 100010};
	struct fake small = {.pid = 5, .comm = "small", .ppid = 30, .start = 100020};

	begin();
	sampler.tree = 10;
	take();
	child.utime = 6;
	small.utime = 7;
	fake(&child);
	fake(&small);
	take_at(100100);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 5), 7);
	small.utime++;
	fake(&small);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 5), 1);
}
END_TEST

/* Processes that go in the same sample do not hide the parent. */
START_TEST(tree_beside_the_dead)
{
	struct fake child = {.pid = 99, .comm = "child", .ppid = 10, .start = 100010};

	for (pid_t pid = 11; pid < 19; pid++)
		fake(&(struct fake){.pid = pid, .comm = "x", .ppid = 1, .start = 99});
	for (pid_t pid = 1; pid < 9; pid++)
		fake(&(struct fake){.pid = pid, .comm = "x", .ppid = 1, .start = 99});
	begin();
	sampler.tree = 10;
	take();
	a.utime++;
	fake(&a);
	take_at(100100);
	for (pid_t pid = 11; pid < 19; pid++)
		fake_exit(pid);
	for (pid_t pid = 1; pid < 9; pid++)
		fake_exit(pid);
	child.utime = 6;
	fake(&child);
	take_at(100200);
	ck_assert_uint_eq(used_ticks(ROW_PROCESS, 99), 6);
	ck_assert_uint_eq(sample.nrows, 1);
}
END_TEST

/* --- by clocks, on the living machine --------------------------------------------- */

static struct sm_root live;
static pid_t child;

static bool begin_live(void)
{
	ck_assert_int_eq(sm_root_open(&live, NULL), 0);
	if (!sm_cpuclock_usable(&live)) {
		sm_root_close(&live);
		return false;
	}
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		for (;;)
			pause();
	ck_assert_int_eq(sampler_open(&sampler, &live, &opts, names), 0);
	ck_assert(sampler.clocks);
	take();
	return true;
}

static void end_live(void)
{
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	sm_root_close(&live);
}

static size_t index_of_child(void)
{
	ssize_t i = pidlist_find(&sampler.pids, child);

	ck_assert_int_ge(i, 0);
	return (size_t)i;
}

/* Less than before, but the same process: its pid was not reused. */
START_TEST(clock_that_goes_back)
{
	if (!begin_live())
		return;
	sampler.pids.ns[index_of_child()] += 3600 * SM_NSEC_PER_SEC;
	take();
	ck_assert_ptr_null(row_of(ROW_PROCESS, child));
	ck_assert_uint_lt(sampler.pids.ns[index_of_child()], 3600 * SM_NSEC_PER_SEC);
	end_live();
}
END_TEST

/* The clock was read of one process, the stat of the next with its number. */
START_TEST(reused_between_clock_and_stat)
{
	struct sm_pidstat st;
	uint64_t used = 0;

	if (!begin_live())
		return;
	ck_assert_int_eq(sm_procpid_read_stat(&live, child, &st), 0);
	sampler.number++;
	sampler.pids.ns[index_of_child()] = 3600 * SM_NSEC_PER_SEC;
	st.start_ticks = sampler.t_ticks + 1;
	sampler.nrows = 0;
	account_process(
		&sampler, index_of_child(), &st, 3601 * SM_NSEC_PER_SEC, SM_NSEC_PER_SEC);
	if (sampler.nrows)
		used = sampler.rows[0].used_ns;
	ck_assert_uint_lt(used, 60 * SM_NSEC_PER_SEC);
	ck_assert_uint_lt(sampler.pids.ns[index_of_child()], 60 * SM_NSEC_PER_SEC);
	end_live();
}
END_TEST

/* No stat, and less than before: there is nothing but to take it for another one. */
START_TEST(unread_with_a_smaller_clock)
{
	struct sampler_moved moved = {.ns = SM_NSEC_PER_SEC, .dt_ns = SM_NSEC_PER_SEC};

	if (!begin_live())
		return;
	moved.i = index_of_child();
	sampler.pids.ns[moved.i] = 3600 * SM_NSEC_PER_SEC;
	sampler.nrows = 0;
	account_unread(&sampler, &moved);
	ck_assert_uint_eq(sampler.nrows, 1);
	ck_assert_uint_eq(sampler.rows[0].used_ns, SM_NSEC_PER_SEC);
	ck_assert_int_eq(sampler.rows[0].pid, child);
	ck_assert_uint_eq(sampler.now.unreadable, 1);
	end_live();
}
END_TEST

/* No CPU time so far, but older than the first sample: not new. */
START_TEST(first_time_of_the_old)
{
	struct sm_pidstat st;
	size_t i;

	if (!begin_live())
		return;
	i = index_of_child();
	ck_assert_int_eq(sm_procpid_read_stat(&live, child, &st), 0);
	sampler.number++;
	sampler.pids.ns[i] = 0;
	sampler.nrows = 0;
	account_process(&sampler, i, &st, 1000, SM_NSEC_PER_SEC);
	ck_assert_uint_eq(sampler.nrows, 1);
	ck_assert_uint_eq(sampler.rows[0].used_ns, 1000);
	ck_assert_uint_eq(sampler.rows[0].flags, 0);
	end_live();
}
END_TEST

static TCase *tc_names(void)
{
	TCase *tc = tcase_create("names");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, comm_of_any_bytes);
	tcase_add_test(tc, exec_is_another_name);
	tcase_add_test(tc, last_row_keeps_its_name);
	tcase_add_test(tc, no_memory_for_a_name);
	tcase_add_test(tc, names_beyond_the_budget);
	tcase_add_test(tc, names_go_with_their_process);
	tcase_add_test(tc, user_and_cgroup);
	tcase_add_test(tc, cgroup_wanted_later);
	tcase_add_test(tc, long_command_lines);
	tcase_add_test(tc, only_the_tree);
	tcase_add_test(tc, tree_with_a_smaller_pid);
	tcase_add_test(tc, tree_beside_the_dead);
	return tc;
}

static TCase *tc_clocks(void)
{
	TCase *tc = tcase_create("clocks");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, clock_that_goes_back);
	tcase_add_test(tc, reused_between_clock_and_stat);
	tcase_add_test(tc, unread_with_a_smaller_clock);
	tcase_add_test(tc, first_time_of_the_old);
	return tc;
}

UNIT_MAIN("names_read", tc_names, tc_clocks)
