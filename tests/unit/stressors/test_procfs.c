// SPDX-License-Identifier: GPL-2.0-or-later
/* Which files of a tree are drawn: all that may be read, and no others. */
#include <errno.h>

#include "fixroot_rig.h"
#include "stressors/procfs/draw.h"

#define DRAWS 2000 /* each of a few files is missed with a probability below 1e-100 */

static struct stress_board board;
static struct stress s;
static struct procfs_tree t;
static char path[PROCFS_PATH];

static void set_up(void)
{
	struct stat st;

	fix_open();
	memset(&board, 0, sizeof(board));
	s = (struct stress){.board = &board};
	t = (struct procfs_tree){.random = 1, .buf = malloc(PROCFS_BUF)};
	ck_assert_ptr_nonnull(t.buf);
	t.fd = sm_root_open_proc(&fix, ".", O_DIRECTORY);
	ck_assert_int_ge(t.fd, 0);
	ck_assert_int_eq(fstat(t.fd, &st), 0);
	t.device = st.st_dev;
}

static void tear_down(void)
{
	close(t.fd);
	free(t.buf);
	fix_close();
}

/* Draws many times: only files of the list, and each of them. */
static void draws(enum procfs_place place, const char *const *want)
{
	unsigned int seen = 0, all = 0;

	for (unsigned int i = 0; want[i]; i++)
		all |= 1u << i;
	for (unsigned int n = 0; n < DRAWS; n++) {
		int fd = procfs_draw(&t, &s, place, path);
		unsigned int i = 0;

		if (fd == -ENOENT)
			continue;
		ck_assert_int_ge(fd, 0);
		close(fd);
		while (want[i] && strcmp(want[i], path) != 0)
			i++;
		ck_assert_msg(want[i] != NULL, "%s was drawn", path);
		seen |= 1u << i;
	}
	ck_assert_uint_eq(seen, all);
}

START_TEST(names)
{
	static const char *const no[] = {"kmsg", "kcore", "mem", "trace_pipe",
		"stat_refresh", "pagetypeinfo", "channel", "event", "vmcore"};
	static const char *const yes[] = {
		"meminfo", "kmsg_redirect", "pipe-max-size", "memory", "pipe", "events"};

	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		ck_assert_msg(!procfs_may_read(no[i]), "%s", no[i]);
	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		ck_assert_msg(procfs_may_read(yes[i]), "%s", yes[i]);
}
END_TEST

START_TEST(at_the_top)
{
	static const char *const want[] = {"stat", "irq/7/spurious", NULL};

	fix_put("proc/stat", "x");
	fix_put("proc/kmsg", "x");
	fix_put("proc/irq/7/spurious", "x");
	fix_put("proc/bus/pci/00", "x");
	fix_put("proc/17/stat", "x");
	fix_put("proc/sys/kernel/ostype", "x");
	fix_link("proc/mounts", "stat");
	draws(PROCFS_TOP, want);
}
END_TEST

START_TEST(below_sys)
{
	static const char *const want[] = {
		"sys/kernel/ostype", "sys/kernel/random/uuid", "sys/fs/file-nr", NULL};

	fix_put("proc/sys/kernel/ostype", "x");
	fix_put("proc/sys/kernel/random/uuid", "x");
	fix_put("proc/sys/fs/file-nr", "x");
	fix_put("proc/sys/vm/stat_refresh", "x");
	fix_put("proc/sys/vm/compact_memory", "x");
	ck_assert_int_eq(chmod(fix_path("proc/sys/vm/compact_memory"), 0200), 0);
	fix_link("proc/sys/link", "kernel");
	ck_assert_int_eq(mkfifo(fix_path("proc/sys/fifo"), 0600), 0);
	draws(PROCFS_SYS, want);
}
END_TEST

START_TEST(of_processes)
{
	static const char *const own[] = {
		"self/maps", "self/task/1/stat", "self/net/tcp", NULL};
	static const char *const others[] = {"17/stat", "17/status", NULL};

	fix_put("proc/self/maps", "x");
	fix_put("proc/self/mem", "x");
	fix_put("proc/self/task/1/stat", "x");
	fix_put("proc/self/net/tcp", "x");
	draws(PROCFS_SELF, own);
	fix_put("proc/17/stat", "x");
	fix_put("proc/17/status", "x");
	fix_put("proc/17/smaps", "x");
	fix_put("proc/17/mem", "x");
	fix_put("proc/17a/stat", "x");
	draws(PROCFS_OTHERS, others);
}
END_TEST

/* What another file system has below it is not read. */
START_TEST(mounted)
{
	static const char *const want[] = {NULL};

	fix_put("proc/stat", "x");
	t.device++;
	draws(PROCFS_TOP, want);
}
END_TEST

START_TEST(nothing)
{
	ck_assert_int_eq(procfs_draw(&t, &s, PROCFS_SYS, path), -ENOENT);
	ck_assert_int_eq(procfs_draw(&t, &s, PROCFS_OTHERS, path), -ENOENT);
	fix_put("proc/sys/kernel/ostype", "x");
	board.stop = 1;
	ck_assert_int_eq(procfs_draw(&t, &s, PROCFS_SYS, path), -ENOENT);
}
END_TEST

static TCase *tc_procfs(void)
{
	TCase *tc = tcase_create("procfs");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, names);
	tcase_add_test(tc, at_the_top);
	tcase_add_test(tc, below_sys);
	tcase_add_test(tc, of_processes);
	tcase_add_test(tc, mounted);
	tcase_add_test(tc, nothing);
	return tc;
}

UNIT_MAIN("procfs", tc_procfs)
