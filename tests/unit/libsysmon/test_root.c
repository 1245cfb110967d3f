// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/root.h"
#include "unit.h"

static char dir[UNIT_DIR];

static void make_dir(void)
{
	unit_mkdtemp(dir);
}

static void make(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ck_assert_int_eq(mkdir(path, 0755), 0);
}

static void remove_dir(void)
{
	char path[PATH_MAX];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, i ? "sys" : "proc");
		(void)remove(path);
	}
	ck_assert_int_eq(rmdir(dir), 0);
	memset(dir + sizeof(dir) - 7, 'X', 6);
}

static void check_cloexec(int fd)
{
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert(fcntl(fd, F_GETFL) & O_PATH);
}

START_TEST(live)
{
	static const char *const prefixes[] = {NULL, ""};

	for (int i = 0; i < 2; i++) {
		struct sm_root r;

		ck_assert_int_eq(sm_root_open(&r, prefixes[i]), 0);
		ck_assert(r.live);
		ck_assert(r.real_proc);
		check_cloexec(r.proc.fd);
		check_cloexec(r.sys.fd);
		ck_assert_int_eq(faccessat(r.proc.fd, "self/stat", R_OK, 0), 0);
		sm_root_close(&r);
	}
}
END_TEST

START_TEST(slash_is_the_real_proc_but_not_live)
{
	struct sm_root r;

	ck_assert_int_eq(sm_root_open(&r, "/"), 0);
	ck_assert(!r.live);
	ck_assert(r.real_proc);
	sm_root_close(&r);
}
END_TEST

START_TEST(close_closes_and_may_be_repeated)
{
	struct sm_root r;
	int fd;

	ck_assert_int_eq(sm_root_open(&r, NULL), 0);
	fd = r.proc.fd;
	sm_root_close(&r);
	ck_assert_int_eq(r.proc.fd, -1);
	ck_assert_int_eq(r.sys.fd, -1);
	ck_assert(!r.live);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	sm_root_close(&r);
}
END_TEST

START_TEST(only_proc)
{
	struct sm_root r;

	make("proc");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	ck_assert_int_ge(r.proc.fd, 0);
	ck_assert_int_eq(r.sys.fd, -1);
	ck_assert(!r.live);
	ck_assert(!r.real_proc);
	sm_root_close(&r);
}
END_TEST

START_TEST(files_of_proc)
{
	struct sm_root r;
	int fd;

	make("proc");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	fd = sm_root_open_proc(&r, ".", O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert(fcntl(fd, F_GETFL) & O_NONBLOCK);
	close(fd);
	ck_assert_int_eq(sm_root_open_proc(&r, "none", 0), -ENOENT);
	sm_root_close(&r);
	ck_assert_int_eq(sm_root_open_proc(&r, ".", 0), -ENOENT);
}
END_TEST

START_TEST(only_sys)
{
	struct sm_root r;
	int fd;

	make("sys");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	ck_assert_int_eq(r.proc.fd, -1);
	ck_assert_int_ge(r.sys.fd, 0);
	ck_assert(!r.real_proc);
	fd = sm_root_open_sys(&r, ".", O_DIRECTORY);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(sm_root_open_sys(&r, "none", 0), -ENOENT);
	ck_assert_int_eq(sm_root_open_proc(&r, ".", 0), -ENOENT);
	sm_root_close(&r);
}
END_TEST

START_TEST(neither)
{
	struct sm_root r = {.proc.fd = 77, .sys.fd = 77, .live = true};

	ck_assert_int_eq(sm_root_open(&r, dir), -ENOENT);
	ck_assert_int_eq(r.proc.fd, -1);
	ck_assert_int_eq(r.sys.fd, -1);
	ck_assert(!r.live);
}
END_TEST

START_TEST(a_file_is_no_tree)
{
	struct sm_root r;
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/proc", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(sm_root_open(&r, dir), -ENOTDIR);
	make("sys");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	ck_assert_int_eq(r.proc.fd, -1);
	ck_assert_int_ge(r.sys.fd, 0);
	sm_root_close(&r);
}
END_TEST

START_TEST(no_such_prefix)
{
	struct sm_root r;

	ck_assert_int_eq(sm_root_open(&r, "/tmp/sm-no-such-directory"), -ENOENT);
	ck_assert_int_eq(sm_root_open(&r, "/dev/null"), -ENOTDIR);
	ck_assert_int_eq(r.proc.fd, -1);
}
END_TEST

START_TEST(a_prepared_root_hides_nothing)
{
	struct sm_root r;

	make("proc");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	ck_assert(!sm_root_hidepid(&r));
	/* whatever it says */
	r.real_proc = true;
	ck_assert(!sm_root_hidepid(&r));
	sm_root_close(&r);
	ck_assert(!sm_root_hidepid(&r));
}
END_TEST

/* What this machine's /proc is mounted with, by another way. */
START_TEST(live_hidepid)
{
	char line[4096];
	struct sm_root r;
	bool want = false;
	FILE *f = fopen("/proc/self/mounts", "re");

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, " /proc proc "))
			want = strstr(line, "hidepid=") && !strstr(line, "hidepid=0") &&
			       !strstr(line, "hidepid=off");
	fclose(f);
	ck_assert_int_eq(sm_root_open(&r, NULL), 0);
	ck_assert_int_eq(sm_root_hidepid(&r), want);
	sm_root_close(&r);
}
END_TEST

/* A procfs of its own in a pid and mount namespace of its own, never at /proc: options
 * belong to the instance, and that one is the whole machine's.  Exit codes: 0 good, 77
 * not allowed, 78 in a chroot, whose root is no mount point. */
static int mount_and_look(const char *options, bool want)
{
	char at[PATH_MAX], other[PATH_MAX];
	struct sm_root r;
	bool got;

	snprintf(at, sizeof(at), "%s/proc", dir);
	if (mount("proc", at, "proc", 0, options) < 0)
		return 77;
	/* a later line, about something else */
	snprintf(other, sizeof(other), "%s/sys", dir);
	if (mount("none", other, "tmpfs", 0, NULL) < 0)
		return 77;
	if (sm_root_open(&r, dir) < 0 || !r.real_proc)
		return 1;
	got = sm_root_hidepid(&r);
	sm_root_close(&r);
	return umount2(other, MNT_DETACH) < 0 || umount2(at, MNT_DETACH) < 0 ||
	       got != want;
}

static int look_at_each(void)
{
	static const struct {
		const char *options;
		bool hides;
	} t[] = {{"hidepid=0", false}, {"hidepid=1", true}, {"hidepid=2", true},
		{"hidepid=2,gid=12345", true}, {NULL, false}};

	for (size_t i = 0; i < SM_ARRAY_SIZE(t); i++) {
		int ret = mount_and_look(t[i].options, t[i].hides);

		if (ret)
			return ret == 77 && i == 0 ? 77 : 2 + (int)i;
	}
	return 0;
}

static int in_namespaces(void)
{
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWNS | CLONE_NEWPID) < 0)
		return 77;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return errno == EINVAL ? 78 : 77;
	pid = fork();
	if (pid == 0)
		_exit(look_at_each());
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

START_TEST(hidepid_of_its_own_instance)
{
	int status;
	pid_t pid;

	make("proc");
	make("sys");
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(in_namespaces());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == 78) {
		unit_skip("the root is no mount point, as in a chroot");
		return;
	}
	ck_assert_msg(WEXITSTATUS(status) == 0 ||
			      (WEXITSTATUS(status) == 77 && !unit_has_cap(CAP_SYS_ADMIN)),
		"status %d", WEXITSTATUS(status));
}
END_TEST

/* 36 characters (random(4)). */
START_TEST(boot_id)
{
	char id[SM_BOOT_ID_SIZE], want[64] = "";
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	struct sm_root r;

	ck_assert_ptr_nonnull(f);
	ck_assert_ptr_nonnull(fgets(want, sizeof(want), f));
	fclose(f);
	ck_assert_int_eq(sm_root_open(&r, NULL), 0);
	sm_root_boot_id(&r, id);
	ck_assert_uint_eq(strlen(id), 36);
	ck_assert_int_eq(strncmp(id, want, 36), 0);
	sm_root_close(&r);
	make("proc");
	ck_assert_int_eq(sm_root_open(&r, dir), 0);
	sm_root_boot_id(&r, id);
	ck_assert_str_eq(id, "");
	sm_root_close(&r);
}
END_TEST

START_TEST(no_fd_is_leaked)
{
	struct sm_root r;
	int before = dup(2), after;

	close(before);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(sm_root_open(&r, dir), -ENOENT);
		ck_assert_int_eq(sm_root_open(&r, NULL), 0);
		sm_root_close(&r);
	}
	after = dup(2);
	ck_assert_int_eq(after, before);
	close(after);
}
END_TEST

static TCase *tc_live(void)
{
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live);
	tcase_add_test(tc, slash_is_the_real_proc_but_not_live);
	tcase_add_test(tc, close_closes_and_may_be_repeated);
	tcase_add_test(tc, no_such_prefix);
	tcase_add_test(tc, live_hidepid);
	return tc;
}

static TCase *tc_prefix(void)
{
	TCase *tc = tcase_create("prefix");

	tcase_add_checked_fixture(tc, make_dir, remove_dir);
	tcase_add_test(tc, only_proc);
	tcase_add_test(tc, files_of_proc);
	tcase_add_test(tc, only_sys);
	tcase_add_test(tc, neither);
	tcase_add_test(tc, a_file_is_no_tree);
	tcase_add_test(tc, a_prepared_root_hides_nothing);
	tcase_add_test(tc, hidepid_of_its_own_instance);
	tcase_add_test(tc, boot_id);
	tcase_add_test(tc, no_fd_is_leaked);
	return tc;
}

UNIT_MAIN("root", tc_live, tc_prefix)
