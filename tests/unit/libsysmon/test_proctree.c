// SPDX-License-Identifier: GPL-2.0-or-later
#include "proc/proctree.h"
#include "target_rig.h"

static struct sm_proctree tree;
static struct child c;

static void setup(void)
{
	target_rig_open();
	tree = (struct sm_proctree){0};
}

static void teardown(void)
{
	sm_proctree_fini(&tree);
	target_rig_close();
}

/* The tool is 10, COMMAND is 20. */
START_TEST(table)
{
	static const struct {
		struct sm_proctree_task task;
		bool in;
	} row[] = {{{1, 0}, false}, {{5, 30}, true}, {{10, 1}, false}, {{11, 10}, true},
		{{20, 10}, false}, {{30, 20}, true}, {{40, 41}, false}, {{41, 40}, false},
		{{50, 51}, false}, {{60, 60}, false}, {{70, 5}, true}};
	static const struct sm_proctree_root of = {20, 10};
	struct sm_proctree_task tasks[SM_ARRAY_SIZE(row)];
	const struct sm_proctree t = {.tasks = tasks, .n = SM_ARRAY_SIZE(row)};

	for (size_t i = 0; i < t.n; i++)
		tasks[i] = row[i].task;
	for (size_t i = 0; i < t.n; i++)
		ck_assert_msg(
			sm_proctree_has(&t, i, &of) == row[i].in, "%d", tasks[i].pid);
}
END_TEST

/* Its child is orphaned and becomes a child of the test. */
static void leave_an_orphan(void)
{
	pid_t middle = fork();

	if (middle == 0) {
		pid_t pid = fork();

		if (pid == 0) {
			child_wait();
			_exit(0);
		}
		child_say(&pid, sizeof(pid));
		_exit(0);
	}
	waitpid(middle, NULL, 0);
	child_say(&middle, sizeof(middle));
}

static bool has(pid_t pid, const struct sm_proctree_root *of)
{
	for (size_t i = 0; i < tree.n; i++)
		if (tree.tasks[i].pid == pid)
			return sm_proctree_has(&tree, i, of);
	return false;
}

static bool opens(pid_t pid, const struct sm_proctree_root *of)
{
	int fd = sm_proctree_open(&live, pid, of);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

START_TEST(orphan)
{
	struct sm_proctree_root of = {.tool = getpid()};
	unsigned int fds;
	pid_t middle, pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	child_start(&c, leave_an_orphan);
	of.command = c.pid;
	child_hear(&c, &pid, sizeof(pid));
	child_hear(&c, &middle, sizeof(middle));
	fds = unit_open_fds();
	ck_assert_int_eq(sm_proctree_read(&tree, &live), 0);
	ck_assert(has(pid, &of));
	ck_assert(!has(c.pid, &of));
	ck_assert(!has(getppid(), &of));
	ck_assert(opens(pid, &of));
	ck_assert(opens(c.pid, &of));
	ck_assert(!opens(getpid(), &of));
	ck_assert(!opens(getppid(), &of));
	ck_assert(!opens(1, &of));
	ck_assert(!opens(middle, &of));
	of.tool = of.command;
	ck_assert(!opens(pid, &of));
	ck_assert_uint_eq(unit_open_fds(), fds);
	kill(pid, SIGKILL);
	child_end(&c);
}
END_TEST

static TCase *tc_tree(void)
{
	TCase *tc = tcase_create("proctree");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, table);
	tcase_add_test(tc, orphan);
	return tc;
}

UNIT_MAIN("proctree", tc_tree)
