// SPDX-License-Identifier: GPL-2.0-or-later
/* Each test changes its process for good, so it runs in a child that reports a line. */
#include <pwd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "bpf/bpf.h"
#include "priv_rig.h"

/* ---- drop ---- */

static void drop_plain_child(void)
{
	bool root = is_mighty();
	uid_t uid = root ? NOBODY : getuid();
	gid_t gid = root ? NOBODY : getgid();
	gid_t groups[64];

	clear_sudo();
	drop(0);
	must_be_user(uid, gid);
	must_be_bare();
	if (root) {
		MUST(getgroups(64, groups) == 0);
		MUST(status_field("CapBnd:") == 0);
		MUST(open("/etc/shadow", O_RDONLY | O_CLOEXEC) == -1 && errno == EACCES);
	}
}

static void drop_sudo_child(void)
{
	bool root = is_mighty();
	uid_t uid = root ? 54321 : getuid();
	gid_t gid = root ? 54322 : getgid();

	set_sudo("54321", "54322");
	drop(0);
	must_be_user(uid, gid);
	must_be_bare();
}

static void drop_keep_uid_child(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();

	set_sudo("54321", "54322");
	drop(SM_DROP_KEEP_UID);
	must_be_user(uid, gid);
	must_be_bare();
}

/* The bit of CAP_SYS_PTRACE in the capability sets of /proc/self/status. */
#define PTRACE_BIT (1ULL << CAP_SYS_PTRACE)

static void must_have_ptrace_only(bool had)
{
	MUST(status_field("CapInh:") == 0);
	MUST(status_field("CapPrm:") == (had ? PTRACE_BIT : 0));
	MUST(status_field("CapEff:") == (had ? PTRACE_BIT : 0));
	MUST(status_field("CapAmb:") == 0);
	MUST(status_field("NoNewPrivs:") == 1);
	MUST(prctl(PR_GET_DUMPABLE) == 0);
}

static bool has_ptrace(void)
{
	return status_field("CapEff:") & PTRACE_BIT;
}

static void drop_keep_ptrace_child(void)
{
	bool root = is_mighty(), had = has_ptrace();
	uid_t uid = root ? 54321 : getuid();
	gid_t gid = root ? 54322 : getgid();
	char *argv[] = {(char[]){"true"}, NULL}, link[256], path[32];
	int alive[2];
	pid_t other;

	MUST(pipe(alive) == 0);
	other = fork();
	MUST(other >= 0);
	if (other == 0) {
		close(alive[1]);
		_exit(read(alive[0], path, 1) != 0);
	}
	set_sudo("54321", "54322");
	drop(SM_DROP_KEEP_PTRACE);
	must_be_user(uid, gid);
	must_have_ptrace_only(had);
	if (root)
		MUST(status_field("CapBnd:") == 0);
	/* It is for looking, not for ptrace(2). */
	REFUSED(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	REFUSED(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
	REFUSED(execve("/bin/true", argv, argv));
	/* what only it lets us see of a process of root's */
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)other);
	MUST((readlink(path, link, sizeof(link)) > 0) == (had || !root));
	close(alive[1]);
	MUST(waitpid(other, NULL, 0) == other);
}

static void drop_keep_both_child(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();
	bool had = has_ptrace();

	set_sudo("54321", "54322");
	drop(SM_DROP_KEEP_UID | SM_DROP_KEEP_PTRACE);
	must_be_user(uid, gid);
	must_have_ptrace_only(had);
}

/* A CAP_SYS_PTRACE that is not in the effective set is not kept. */
static void drop_without_ptrace_child(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];

	clear_sudo();
	MUST(syscall(SYS_capget, &h, d) == 0);
	d[0].effective &= ~(uint32_t)PTRACE_BIT;
	MUST(syscall(SYS_capset, &h, d) == 0);
	drop(SM_DROP_KEEP_PTRACE);
	must_be_bare();
}

START_TEST(drop_keeps_ptrace)
{
	in_child(drop_keep_ptrace_child);
	in_child(drop_keep_both_child);
	in_child(drop_without_ptrace_child);
}
END_TEST

/* The ids stay, and what was kept can be dropped, too. */
static void keep_child(void)
{
	bool root = is_mighty(), had = has_ptrace();
	uid_t uid = getuid();
	gid_t gid = getgid();

	MUST(sm_priv_keep(PTRACE_BIT) == 0);
	MUST(getuid() == uid && geteuid() == uid && getgid() == gid);
	MUST(status_field("CapEff:") == (had ? PTRACE_BIT : 0));
	MUST(status_field("CapPrm:") == (had ? PTRACE_BIT : 0));
	MUST(status_field("CapInh:") == 0);
	if (root)
		MUST(status_field("CapBnd:") == 0);
	MUST(sm_priv_keep(UINT64_MAX) == 0);
	MUST(status_field("CapEff:") == (had ? PTRACE_BIT : 0));
	MUST(sm_priv_keep(0) == 0);
	MUST(status_field("CapPrm:") == 0);
}

START_TEST(keep_some)
{
	in_child(keep_child);
}
END_TEST

static void twice_child(void)
{
	const char *step;

	clear_sudo();
	drop(0);
	/* The first filter refuses what the second call would need. */
	MUST(sm_priv_drop(0, NULL, &step) == -EPERM);
	MUST(step != NULL);
}

START_TEST(drop_ids_and_capabilities)
{
	in_child(drop_plain_child);
	in_child(drop_sudo_child);
	in_child(drop_keep_uid_child);
	in_child(twice_child);
}
END_TEST

static void denied_child(void)
{
	char *argv[] = {(char[]){"true"}, NULL};
	char byte = 'x';

	clear_sudo();
	drop(0);
	REFUSED(execve("/bin/true", argv, argv));
	REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", argv, argv, 0));
	REFUSED(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	REFUSED(syscall(SYS_process_vm_readv, getpid(), NULL, 0, NULL, 0, 0));
	REFUSED(syscall(438 /* pidfd_getfd */, -1, 0, 0));
	REFUSED(unshare(CLONE_NEWUSER));
	REFUSED(setns(-1, 0));
	REFUSED(chroot("/"));
	REFUSED(syscall(SYS_mount, "a", "b", "c", 0, NULL));
	REFUSED(syscall(428 /* open_tree */, -1, "", 0));
	REFUSED(syscall(SYS_bpf, -1, NULL, 0));
	REFUSED(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
	REFUSED(syscall(425 /* io_uring_setup */, 1, NULL));
	REFUSED(syscall(SYS_keyctl, 0, 0, 0, 0, 0));
	REFUSED(syscall(SYS_userfaultfd, 0));
	REFUSED(syscall(SYS_capset, NULL, NULL));
	REFUSED(setresuid(getuid(), getuid(), getuid())); /* harmless, but not needed */
	REFUSED(setgid(getgid()));
	REFUSED(syscall(SYS_sethostname, "x", 1));
	REFUSED(syscall(SYS_reboot, 0, 0, 0, NULL));
	REFUSED(syscall(SYS_settimeofday, NULL, NULL));
	REFUSED(ioctl(0, TIOCSTI, &byte));
	REFUSED(ioctl(0, TIOCLINUX, &byte));
#if defined(__x86_64__)
	REFUSED(syscall(0x40000000 | SYS_getpid)); /* x32 */
#endif
}

START_TEST(denied)
{
	in_child(denied_child);
}
END_TEST

static int map_call(unsigned int cmd, int fd)
{
	union bpf_attr attr = {0};

	if (cmd == SM_BPF_CMD_LOOKUP_BATCH)
		attr.batch.map_fd = (uint32_t)fd;
	else
		attr.map_fd = (uint32_t)fd;
	return syscall(SYS_bpf, cmd, &attr, sizeof(attr)) < 0 ? errno : 0;
}

/* EPERM is the filter's answer alone: where the kernel wants CAP_BPF for reading, it
 * stays. */
static void maps_child(void)
{
	clear_sudo();
	drop(SM_DROP_READ_MAPS);
	MUST(map_call(SM_BPF_CMD_LOOKUP_AND_DELETE, -1) == EBADF);
	MUST(map_call(BPF_MAP_LOOKUP_ELEM, -1) == EBADF);
	MUST(map_call(SM_BPF_CMD_LOOKUP_BATCH, -1) == EBADF);
	MUST(map_call(BPF_MAP_DELETE_ELEM, -1) == EBADF);
	MUST(map_call(BPF_MAP_UPDATE_ELEM, -1) == EPERM);
	MUST(map_call(BPF_MAP_CREATE, -1) == EPERM);
	MUST(map_call(BPF_PROG_LOAD, -1) == EPERM);
	REFUSED(syscall(SYS_bpf, -1, NULL, 0));
	REFUSED(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
}

START_TEST(maps_may_be_read)
{
	if (geteuid() == 0)
		in_child(maps_child);
}
END_TEST

/* A program that is loaded may be run, and nothing else of bpf(2) may be called. */
static void programs_child(void)
{
	union bpf_attr attr = {.test.prog_fd = UINT32_MAX};

	clear_sudo();
	drop(SM_DROP_RUN_PROGRAMS);
	MUST(syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)) < 0);
	MUST(errno == EBADF);
	MUST(map_call(BPF_MAP_LOOKUP_ELEM, -1) == EPERM);
	MUST(map_call(BPF_MAP_CREATE, -1) == EPERM);
	MUST(map_call(BPF_PROG_LOAD, -1) == EPERM);
	MUST(map_call(BPF_PROG_GET_FD_BY_ID, -1) == EPERM);
	REFUSED(syscall(SYS_bpf, -1, NULL, 0));
}

/* Both of them. */
static void both_child(void)
{
	clear_sudo();
	drop(SM_DROP_RUN_PROGRAMS | SM_DROP_READ_MAPS);
	MUST(map_call(BPF_PROG_TEST_RUN, -1) == EBADF);
	MUST(map_call(SM_BPF_CMD_LOOKUP_BATCH, -1) == EBADF);
	MUST(map_call(BPF_MAP_DELETE_ELEM, -1) == EBADF);
	MUST(map_call(BPF_MAP_UPDATE_ELEM, -1) == EPERM);
	MUST(map_call(BPF_PROG_LOAD, -1) == EPERM);
}

START_TEST(programs_may_be_run)
{
	if (geteuid())
		return;
	in_child(programs_child);
	in_child(both_child);
}
END_TEST

/* Nothing outside the process is changed. */
static void changes_child(void)
{
	void *page = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t parent = getppid();

	clear_sudo();
	MUST(page != MAP_FAILED);
	drop(0);
	REFUSED(open(in_dir("x"), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
	REFUSED(open(in_dir("mine"), O_WRONLY | O_CLOEXEC));
	REFUSED(open(in_dir("mine"), O_RDONLY | O_TRUNC | O_CLOEXEC));
	REFUSED(openat(AT_FDCWD, dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
	REFUSED(syscall(437 /* openat2 */, AT_FDCWD, "/", NULL, 0));
	REFUSED(creat(in_dir("x"), 0600));
	REFUSED(unlink(in_dir("mine")));
	REFUSED(rename(in_dir("mine"), in_dir("x")));
	REFUSED(link(in_dir("mine"), in_dir("x")));
	REFUSED(symlink("mine", in_dir("x")));
	REFUSED(mkdir(in_dir("x"), 0700));
	REFUSED(rmdir(in_dir("x")));
	REFUSED(chmod(in_dir("mine"), 0777));
	REFUSED(truncate(in_dir("mine"), 0));
	REFUSED(kill(parent, SIGTERM));
	REFUSED(kill(-1, SIGTERM));
	REFUSED(kill(0, SIGTERM));
	REFUSED(syscall(SYS_tgkill, parent, parent, SIGTERM));
	REFUSED(syscall(SYS_rt_sigqueueinfo, parent, SIGTERM, NULL));
	REFUSED(syscall(424 /* pidfd_send_signal */, 0, SIGTERM, NULL, 0));
	REFUSED(prlimit(parent, RLIMIT_CPU, NULL, NULL));
	REFUSED(socket(AF_INET, SOCK_STREAM, 0));
	REFUSED(socket(AF_INET6, SOCK_DGRAM, 0));
	REFUSED(socket(AF_NETLINK, SOCK_RAW, 0));
	REFUSED(mprotect(page, 4096, PROT_READ | PROT_EXEC));
	MUST(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
		errno == EPERM);
	REFUSED(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
	REFUSED(syscall(SYS_memfd_create, "x", 0));
}

/* A tool that replaces a file may write; the rest stays refused. */
static void may_write_child(void)
{
	int fd;

	clear_sudo();
	drop(SM_DROP_KEEP_UID | SM_DROP_MAY_WRITE);
	fd = open(in_dir("new"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	MUST(fd >= 0 && fchmod(fd, 0644) == 0);
	MUST(rename(in_dir("new"), in_dir("mine")) == 0 && unlink(in_dir("mine")) == 0);
	REFUSED(mkdir(in_dir("x"), 0700));
	REFUSED(kill(getppid(), SIGTERM));
	REFUSED(socket(AF_INET, SOCK_STREAM, 0));
}

START_TEST(changes)
{
	unit_mkdtemp(dir);
	close(open(in_dir("mine"), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
	ck_assert_int_eq(chmod(in_dir("mine"), 0666), 0);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	in_child(changes_child);
	ck_assert_int_eq(access(in_dir("mine"), F_OK), 0);
	in_child(may_write_child);
	ck_assert_int_eq(rmdir(dir), 0); /* empty: nothing else was made */
}
END_TEST

/* As tcpdump's -Z. */
static void drop_to_child(void)
{
	struct sm_priv_user u;
	const char *step;

	set_sudo("54321", "54322");
	MUST(sm_priv_user("no such user", &u) == -ENOENT);
	MUST(sm_priv_user("nobody", &u) == 0 && u.uid == NOBODY);
	MUST(sm_priv_user("65534", &u) == 0 && u.uid == NOBODY);
	if (!is_mighty()) {
		MUST(getuid() == NOBODY || sm_priv_drop(0, &u, &step) == -EPERM);
		return;
	}
	MUST(sm_priv_drop(0, &u, &step) == 0);
	must_be_user(u.uid, u.gid);
	must_be_bare();
}

START_TEST(drop_to_a_user)
{
	in_child(drop_to_child);
}
END_TEST

/* i386 calls have numbers of their own: getpid is 20.  ENOSYS where the kernel has none.
 */
static void foreign_child(void)
{
#if defined(__x86_64__)
	long r;

	clear_sudo();
	drop(0);
	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(20L)
			 : "memory", "r8", "r9", "r10", "r11");
	MUST((int)r == -EPERM || (int)r == -ENOSYS);
#endif
}

START_TEST(foreign_architecture)
{
	in_child(foreign_child);
}
END_TEST

static void allowed_child(void)
{
	int pipe_fds[2], null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct sched_param param = {0};
	struct winsize size;
	int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char byte = 0;

	clear_sudo();
	MUST(pipe(pipe_fds) == 0);
	drop(0);
	MUST(write(null, "x", 1) == 1);
	MUST(write(pipe_fds[1], "y", 1) == 1 && read(pipe_fds[0], &byte, 1) == 1 &&
		byte == 'y');
	MUST(open("/proc/self/stat", O_RDONLY | O_CLOEXEC) >= 0);
	MUST(syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &param) == 0);
	MUST(kill(getpid(), 0) == 0);
	MUST(kill(getpid(), SIGWINCH) == 0 && raise(SIGWINCH) == 0);
	MUST(kill(1, 0) == 0 || errno == EPERM);
	MUST(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0);
	MUST(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, program, 0) !=
		MAP_FAILED);
	MUST(ioctl(pipe_fds[0], TIOCGWINSZ, &size) == -1 && errno == ENOTTY);
	errno = 0;
	MUST(getpwuid(12345678) == NULL && errno != EPERM);
	MUST(getpwuid(0) != NULL && strcmp(getpwuid(0)->pw_name, "root") == 0);
}

START_TEST(allowed)
{
	in_child(allowed_child);
}
END_TEST

static TCase *tc_drop(void)
{
	TCase *t = tcase_create("drop");

	tcase_add_test(t, drop_ids_and_capabilities);
	tcase_add_test(t, drop_keeps_ptrace);
	tcase_add_test(t, keep_some);
	tcase_add_test(t, drop_to_a_user);
	tcase_add_test(t, denied);
	tcase_add_test(t, maps_may_be_read);
	tcase_add_test(t, programs_may_be_run);
	tcase_add_test(t, changes);
	tcase_add_test(t, foreign_architecture);
	tcase_add_test(t, allowed);
	return t;
}

UNIT_MAIN("priv drop", tc_drop)
