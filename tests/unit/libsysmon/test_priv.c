// SPDX-License-Identifier: GPL-2.0-or-later
/* Each test changes its process for good, so it runs in a child that reports a line. */
#include <pwd.h>
#include <sys/syscall.h>

#include "priv_rig.h"

/* ---- fds ---- */

static void fds_child(void)
{
	struct stat st, null;

	MUST(stat("/dev/null", &null) == 0);
	close(0);
	close(2);
	if (sm_priv_fds() != (1u << 0 | 1u << 2))
		_exit(2);
	if (fstat(0, &st) != 0 || st.st_rdev != null.st_rdev || fstat(2, &st) != 0 ||
		st.st_rdev != null.st_rdev)
		_exit(3);
	if (sm_priv_fds() != 0)
		_exit(4);
	close(0);
	close(1);
	close(2);
	_exit(sm_priv_fds() == 7 && open("/", O_RDONLY | O_CLOEXEC) > 2 ? 0 : 5);
}

START_TEST(fds)
{
	in_child(fds_child);
}
END_TEST

/* ---- invoker ---- */

static void expect_invoker(uid_t uid, gid_t gid, bool sudo)
{
	struct sm_priv_user u;

	sm_priv_invoker(&u);
	MUST(u.uid == uid);
	MUST(u.gid == gid);
	MUST(u.named == sudo);
}

static void invoker_child(void)
{
	static const char *const bad[] = {"", "x", "1000x", " 1000", "-1", "4294967295",
		"18446744073709551617", "0"};
	bool root = getuid() == 0;
	uid_t uid = root ? NOBODY : getuid();
	gid_t gid = root ? NOBODY : getgid();

	clear_sudo();
	expect_invoker(uid, gid, false);
	setenv("SUDO_UID", "1000", 1); /* one of the two is not enough */
	expect_invoker(uid, gid, false);
	for (size_t i = 0; i < SM_ARRAY_SIZE(bad); i++) {
		set_sudo(bad[i], "1000");
		expect_invoker(uid, gid, false);
	}
	set_sudo("1000", "4294967295");
	expect_invoker(uid, gid, false);
	set_sudo("1234", "4321");
	if (root)
		expect_invoker(1234, 4321, true);
	else
		expect_invoker(uid, gid, false); /* anybody can set variables */
}

START_TEST(invoker)
{
	in_child(invoker_child);
}
END_TEST

/* Sets only this variable. */
static void expect_by(
	const char *variable, const char *value, const struct passwd *user, bool named)
{
	bool root = getuid() == 0;

	clear_sudo();
	setenv(variable, value, 1);
	if (named && root)
		expect_invoker(user->pw_uid, user->pw_gid, true);
	else
		expect_invoker(root ? NOBODY : getuid(), root ? NOBODY : getgid(), false);
}

static void other_variables_child(void)
{
	const struct passwd *daemon = getpwnam("daemon");
	char uid[16];

	if (!daemon)
		return;
	snprintf(uid, sizeof(uid), "%u", daemon->pw_uid);
	expect_by("PKEXEC_UID", uid, daemon, true);
	expect_by("DOAS_USER", "daemon", daemon, true);
	expect_by("PKEXEC_UID", "daemon", daemon, false); /* a number only */
	expect_by("PKEXEC_UID", "0", daemon, false);
	expect_by("PKEXEC_UID", "54321", daemon, false); /* nobody has it */
	expect_by("PKEXEC_UID", "", daemon, false);
	expect_by("DOAS_USER", "root", daemon, false);
	expect_by("DOAS_USER", "no such user", daemon, false);
	expect_by("DOAS_USER", "", daemon, false);
	/* the order; one that is ignored gives way to the next */
	clear_sudo();
	setenv("PKEXEC_UID", uid, 1);
	setenv("DOAS_USER", "nobody", 1);
	set_sudo("1234", "4321");
	if (getuid() != 0)
		return;
	expect_invoker(1234, 4321, true);
	set_sudo("0", "0");
	expect_invoker(daemon->pw_uid, daemon->pw_gid, true);
	setenv("PKEXEC_UID", "0", 1);
	expect_invoker(NOBODY, getpwnam("nobody")->pw_gid, true);
	/* a saved id of another user */
	if (setresuid(0, 0, daemon->pw_uid) == 0)
		expect_invoker(NOBODY, NOBODY, false);
}

START_TEST(invoker_by_other_variables)
{
	in_child(other_variables_child);
}
END_TEST

/* ---- open ---- */

static void open_own_child(void)
{
	int fd = sm_priv_open_as_invoker(
		in_dir("own"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	struct stat st;

	MUST(fd >= 0);
	MUST(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	MUST(fstat(fd, &st) == 0 && st.st_uid == geteuid());
	MUST(write(fd, "x", 1) == 1);
	MUST(sm_priv_open_as_invoker(in_dir("none/x"), O_WRONLY | O_CREAT, 0600) ==
		-ENOENT);
	MUST(sm_priv_open_as_invoker(dir, O_WRONLY, 0) == -EISDIR);
	MUST(sm_priv_open_as_invoker(dir, O_RDONLY, 0) == -EISDIR);
	MUST((fd = sm_priv_open_as_invoker("/dev/null", O_WRONLY, 0)) >= 0);
	/* Nothing is left open by a failure. */
	MUST(open("/dev/null", O_RDONLY | O_CLOEXEC) == fd + 1);
}

static void open_sudo_child(void)
{
	static const gid_t own_groups[] = {0, 7, 4242};
	gid_t groups[64];
	struct stat st;
	int fd;

	set_sudo("54321", "54322");
	MUST(setgroups(3, own_groups) == 0);
	MUST(mkdir(in_dir("secret"), 0700) == 0);
	MUST(mkdir(in_dir("group"), 0770) == 0 && chown(in_dir("group"), 0, 4242) == 0);
	MUST(sm_priv_open_as_invoker(in_dir("secret/x"), O_WRONLY | O_CREAT, 0600) ==
		-EACCES);
	/* not with the groups of root either */
	MUST(sm_priv_open_as_invoker(in_dir("group/x"), O_WRONLY | O_CREAT, 0600) ==
		-EACCES);
	MUST(sm_priv_open_as_invoker("/etc/shadow", O_RDONLY, 0) == -EACCES);
	MUST(mkdir(in_dir("theirs"), 0700) == 0 &&
		chown(in_dir("theirs"), 54321, 54322) == 0);
	fd = sm_priv_open_as_invoker(
		in_dir("theirs/x"), O_WRONLY | O_CREAT | O_EXCL, 0600);
	MUST(fd >= 0);
	MUST(fstat(fd, &st) == 0 && st.st_uid == 54321 && st.st_gid == 54322);
	/* and we are root again, with our groups and capabilities */
	must_be_user(0, 0);
	MUST(getgroups(64, groups) == 3 &&
		memcmp(groups, own_groups, sizeof(own_groups)) == 0);
	MUST(open(in_dir("secret/y"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0);
	MUST(stat(in_dir("secret/y"), &st) == 0 && st.st_uid == 0);
}

/* As in a set-capability binary: an ordinary user with all capabilities in effect. */
static void open_capable_child(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];

	MUST(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0);
	MUST(setgroups(0, NULL) == 0 && setresgid(54322, 54322, 54322) == 0);
	MUST(setresuid(54321, 54321, 54321) == 0);
	MUST(syscall(SYS_capget, &h, d) == 0);
	d[0].effective = d[0].permitted;
	MUST(syscall(SYS_capset, &h, d) == 0);
	MUST(access("/etc/shadow", F_OK) == 0 &&
		open("/etc/shadow", O_RDONLY | O_CLOEXEC) >= 0);
	MUST(sm_priv_open_as_invoker("/etc/shadow", O_RDONLY, 0) == -EACCES);
	MUST(open("/etc/shadow", O_RDONLY | O_CLOEXEC) >= 0); /* given back */
	drop(0);
	must_be_user(54321, 54322);
	must_be_bare();
	MUST(open("/etc/shadow", O_RDONLY | O_CLOEXEC) == -1 && errno == EACCES);
}

static void remove_dir(void)
{
	static const char *const files[] = {"own", "theirs/x", "secret/y"};
	static const char *const dirs[] = {"secret", "group", "theirs", ""};

	for (size_t i = 0; i < SM_ARRAY_SIZE(files); i++)
		unlink(in_dir(files[i]));
	for (size_t i = 0; i < SM_ARRAY_SIZE(dirs); i++)
		rmdir(in_dir(dirs[i]));
}

static int opens_nothing(void *ctx)
{
	return *(int *)ctx;
}

START_TEST(open_unraised)
{
	int fd = 17, err = -EACCES;

	ck_assert(!sm_priv_raised());
	ck_assert_int_eq(sm_priv_open_unraised(opens_nothing, &fd), 17);
	ck_assert_int_eq(sm_priv_open_unraised(opens_nothing, &err), -EACCES);
}
END_TEST

START_TEST(open_as_invoker)
{
	unit_mkdtemp(dir);
	ck_assert_int_eq(chmod(dir, 0755), 0);
	clear_sudo();
	in_child(open_own_child);
	if (is_mighty()) {
		in_child(open_sudo_child);
		in_child(open_capable_child);
	}
	remove_dir();
	ck_assert_int_eq(access(dir, F_OK), -1);
}
END_TEST

static TCase *tc_open(void)
{
	TCase *t = tcase_create("open");

	tcase_add_test(t, fds);
	tcase_add_test(t, invoker);
	tcase_add_test(t, invoker_by_other_variables);
	tcase_add_test(t, open_as_invoker);
	tcase_add_test(t, open_unraised);
	return t;
}

UNIT_MAIN("priv", tc_open)
