// SPDX-License-Identifier: GPL-2.0-or-later
/* A filter stays for good, so each test loads it in a child, which reports a line. */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/sandbox.h"
#include "proc/pagemap.h"
#include "unit.h"

/* A call whose arguments are wrong: if it is allowed, it does nothing, and its error is
 * not EPERM. */
struct call {
	const char *name;
	long nr, arg[3];
};

#define BAD_FD	  (-1)
#define BAD_FLAGS 0x7fffffff
#define EFAULTS	  1 /* an address where no memory is */

// clang-format off
static const struct call refused[] = {
	/* processes */
	{"clone: thread", SYS_clone, {CLONE_THREAD}},
	{"clone: namespace", SYS_clone, {CLONE_NEWUSER | CLONE_FS}},
	{"clone3", 435, {0}},
	{"execve", SYS_execve, {EFAULTS}},
	{"execveat", SYS_execveat, {BAD_FD, EFAULTS}},
	{"ptrace", SYS_ptrace, {BAD_FLAGS}},
	{"process_vm_readv", SYS_process_vm_readv, {0x3fffffff}},
	{"process_madvise", 440, {BAD_FD}},
	{"pidfd_open", 434, {0}},
	{"pidfd_getfd", 438, {BAD_FD}},
	{"pidfd_send_signal", 424, {BAD_FD}},
	{"kcmp", SYS_kcmp, {0x3fffffff}},
	{"rt_sigqueueinfo", SYS_rt_sigqueueinfo, {1, 0, EFAULTS}},
	{"sched_setattr", SYS_sched_setattr, {0, 0, 0}},
	{"setpriority", SYS_setpriority, {99}},
	{"ioprio_set", SYS_ioprio_set, {99}},
	/* namespaces and file systems */
	{"unshare", SYS_unshare, {0}},
	{"setns", SYS_setns, {BAD_FD}},
	{"mount", SYS_mount, {EFAULTS, EFAULTS, EFAULTS}},
	{"fsopen", 430, {EFAULTS}},
	{"landlock_create_ruleset", 444, {0}},
	{"openat2", 437, {BAD_FD}},
	{"name_to_handle_at", SYS_name_to_handle_at, {BAD_FD, EFAULTS}},
	{"inotify_init1", SYS_inotify_init1, {BAD_FLAGS}},
	/* the kernel's own */
	{"bpf", SYS_bpf, {-1}},
	{"perf_event_open", SYS_perf_event_open, {EFAULTS}},
	{"io_uring_setup", 425, {0}},
	{"userfaultfd", SYS_userfaultfd, {BAD_FLAGS}},
	{"keyctl", SYS_keyctl, {BAD_FLAGS}},
	{"add_key", SYS_add_key, {EFAULTS, EFAULTS}},
	{"seccomp", SYS_seccomp, {99}},
#ifdef SYS_modify_ldt
	{"modify_ldt", SYS_modify_ldt, {99}},
#endif
	/* memory and objects that processes share */
	{"memfd_create", SYS_memfd_create, {EFAULTS}},
	{"memfd_secret", 447, {BAD_FLAGS}},
#ifdef SYS_shmget
	{"shmget", SYS_shmget, {0, 0, 0}},
	{"msgget", SYS_msgget, {0x12345678}},
	{"semget", SYS_semget, {0x12345678, -1}},
#endif
	{"mq_open", SYS_mq_open, {EFAULTS}},
	{"splice", SYS_splice, {BAD_FD}},
	{"vmsplice", SYS_vmsplice, {BAD_FD}},
#ifdef SYS_socket
	{"socket: inet", SYS_socket, {AF_INET, 99}},
	{"socket: netlink", SYS_socket, {AF_NETLINK, 99}},
	{"socket: vsock", SYS_socket, {AF_VSOCK, 99}},
	{"socketpair", SYS_socketpair, {AF_UNIX, 99}},
	{"bind", SYS_bind, {BAD_FD}},
#endif
	/* by their arguments */
	{"kill", SYS_kill, {1, BAD_FLAGS}},
	{"tgkill", SYS_tgkill, {1, 1, BAD_FLAGS}},
	{"prlimit64", SYS_prlimit64, {1, BAD_FLAGS}},
	{"sched_setscheduler", SYS_sched_setscheduler, {1, 0, 0}},
	{"fcntl: F_SETOWN", SYS_fcntl, {BAD_FD, F_SETOWN, 1}},
	{"fcntl: F_SETSIG", SYS_fcntl, {BAD_FD, 10, SIGKILL}},
	{"ioctl: TIOCSTI", SYS_ioctl, {BAD_FD, TIOCSTI}},
	{"ioctl: TIOCLINUX", SYS_ioctl, {BAD_FD, TIOCLINUX}},
	{"ioctl: FIOSETOWN", SYS_ioctl, {BAD_FD, 0x8901}},
	{"prctl: PR_SET_DUMPABLE", SYS_prctl, {PR_SET_DUMPABLE, 99}},
	{"prctl: PR_SET_MM", SYS_prctl, {PR_SET_MM, 99}},
	{"membarrier: registration", SYS_membarrier, {1 << 4, BAD_FLAGS}},
	{"mprotect", SYS_mprotect, {1, 0, PROT_EXEC}},
	{"openat: write", SYS_openat, {BAD_FD, EFAULTS, O_WRONLY}},
	{"openat: create", SYS_openat, {BAD_FD, EFAULTS, O_CREAT}},
	{"unlinkat", SYS_unlinkat, {BAD_FD, EFAULTS}},
	{"fchmod", SYS_fchmod, {BAD_FD}},
	{"ftruncate", SYS_ftruncate, {BAD_FD}},
};

/* Not refused, with errors of the kernel. */
static const struct call allowed[] = {
	{"membarrier", SYS_membarrier, {MEMBARRIER_CMD_GLOBAL, BAD_FLAGS}},
	{"openat", SYS_openat, {BAD_FD, EFAULTS, O_RDONLY | O_CLOEXEC}},
	{"read", SYS_read, {BAD_FD}},
	{"pread64", SYS_pread64, {BAD_FD}},
	{"recvmsg", SYS_recvmsg, {BAD_FD}},
	{"statx", SYS_statx, {BAD_FD, EFAULTS}},
	{"faccessat2", 439, {BAD_FD, EFAULTS}},
	{"epoll_pwait2", 441, {BAD_FD}},
	{"kill: is it there?", SYS_kill, {0x3fffffff, 0}},
	{"sched_getparam", SYS_sched_getparam, {0x3fffffff, EFAULTS}},
	{"ioctl: PAGEMAP_SCAN", SYS_ioctl, {BAD_FD, (long)SM_PAGEMAP_SCAN}},
	{"ioctl: TIOCGWINSZ", SYS_ioctl, {BAD_FD, TIOCGWINSZ}},
	{"ioctl: TCSETSW", SYS_ioctl, {BAD_FD, TCSETSW}},
	{"ioctl: TCGETS2", SYS_ioctl, {BAD_FD, 0x802c542a}},
	{"ioctl: TCSETSW2", SYS_ioctl, {BAD_FD, 0x402c542c}},
	{"fcntl: F_DUPFD_CLOEXEC", SYS_fcntl, {BAD_FD, F_DUPFD_CLOEXEC}},
	{"prlimit64", SYS_prlimit64, {0, BAD_FLAGS}},
#ifdef SYS_socket
	{"socket: unix", SYS_socket, {AF_UNIX, 99}},
	{"connect", SYS_connect, {BAD_FD}},
	{"sendmsg", SYS_sendmsg, {BAD_FD}},
#endif
};

static const struct call writing[] = {
	{"openat: write", SYS_openat, {BAD_FD, EFAULTS, O_WRONLY}},
	{"openat: create", SYS_openat, {BAD_FD, EFAULTS, O_CREAT | O_EXCL | O_WRONLY}},
	{"unlinkat", SYS_unlinkat, {BAD_FD, EFAULTS}},
	{"renameat2", SYS_renameat2, {BAD_FD, EFAULTS, BAD_FD}},
	{"fchmod", SYS_fchmod, {BAD_FD}},
	{"fchown", SYS_fchown, {BAD_FD}},
	{"ftruncate", SYS_ftruncate, {BAD_FD}},
};
static const struct call not_for_writing[] = {
	{"linkat", SYS_linkat, {BAD_FD, EFAULTS, BAD_FD}},
	{"symlinkat", SYS_symlinkat, {EFAULTS, BAD_FD, EFAULTS}},
	{"mkdirat", SYS_mkdirat, {BAD_FD, EFAULTS}},
	{"mknodat", SYS_mknodat, {BAD_FD, EFAULTS}},
	{"fchmodat", SYS_fchmodat, {BAD_FD, EFAULTS}},
	{"fchownat", SYS_fchownat, {BAD_FD, EFAULTS}},
	{"utimensat", SYS_utimensat, {BAD_FD, EFAULTS}},
	{"fsetxattr", SYS_fsetxattr, {BAD_FD}},
	{"truncate", SYS_truncate, {EFAULTS}},
	{"fallocate", SYS_fallocate, {BAD_FD}},
	{"perf_event_open", SYS_perf_event_open, {EFAULTS}},
	{"bpf", SYS_bpf, {-1}},
	{"clone: thread", SYS_clone, {CLONE_THREAD}},
};

static const struct call opening[] = {
	{"perf_event_open", SYS_perf_event_open, {EFAULTS}},
	{"openat: clear_refs", SYS_openat, {BAD_FD, EFAULTS, O_WRONLY}},
	{"capget", SYS_capget, {EFAULTS}},
	{"setfsuid", SYS_setfsuid, {-1}},
	{"sendmsg", SYS_sendmsg, {BAD_FD}},
};
static const struct call not_for_opening[] = {
	{"openat: create", SYS_openat, {BAD_FD, EFAULTS, O_CREAT | O_WRONLY}},
	{"openat: truncate", SYS_openat, {BAD_FD, EFAULTS, O_TRUNC | O_WRONLY}},
	{"openat: temporary", SYS_openat, {BAD_FD, EFAULTS, 020000000 | O_WRONLY}},
	{"openat: both", SYS_openat, {BAD_FD, EFAULTS, O_RDWR}},
	{"renameat2", SYS_renameat2, {BAD_FD, EFAULTS, BAD_FD}},
	{"setresuid", SYS_setresuid, {-1, -1, -1}},
	{"ptrace", SYS_ptrace, {BAD_FLAGS}},
	{"mount", SYS_mount, {EFAULTS, EFAULTS, EFAULTS}},
	{"fsopen", 430, {EFAULTS}},
	{"execve", SYS_execve, {EFAULTS}},
	{"bpf", SYS_bpf, {-1}},
	{"kill", SYS_kill, {1, BAD_FLAGS}},
};
// clang-format on

static void enter(unsigned int may)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || sm_sandbox_enter(may) < 0)
		_exit(3);
}

/* Prints the calls that have another answer. */
static bool answers(const struct call *c, size_t n, int err)
{
	bool as_expected = true;

	for (size_t i = 0; i < n; i++) {
		errno = 0;
		(void)syscall(c[i].nr, c[i].arg[0], c[i].arg[1], c[i].arg[2], 0, 0, 0);
		if ((errno == EPERM) == (err == EPERM))
			continue;
		as_expected = false;
		dprintf(2, "# %s: errno %d\n", c[i].name, errno);
	}
	return as_expected;
}

#define ALL(calls, err) answers(calls, SM_ARRAY_SIZE(calls), err)

static void in_child(bool (*fn)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(fn() ? 0 : 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child: status 0x%x",
		status);
}

static bool reads_only(void)
{
	bool ok;

	enter(0);
	ok = ALL(refused, EPERM);
	ok &= ALL(not_for_writing, EPERM);
	return ALL(allowed, 0) && ok;
}

START_TEST(refuses)
{
	in_child(reads_only);
}
END_TEST

static bool writes(void)
{
	bool ok;

	enter(SM_SANDBOX_WRITE);
	ok = ALL(not_for_writing, EPERM);
	return ALL(writing, 0) && ALL(allowed, 0) && ok;
}

START_TEST(writing_tool)
{
	in_child(writes);
}
END_TEST

static bool opens(void)
{
	bool ok;

	enter(SM_SANDBOX_OPEN_TARGETS);
	ok = ALL(not_for_opening, EPERM);
	return ALL(opening, 0) && ALL(allowed, 0) && ok;
}

START_TEST(opening_process)
{
	in_child(opens);
}
END_TEST

/* The lists are right for the kernel's calls until Linux 6.17; beyond them a C library
 * has to see that it needs another call. */
static bool newer(void)
{
	static const struct call known[] = {
		{"file_setattr", 469, {BAD_FD}}, {"cachestat", 451, {BAD_FD}}};
	bool ok = true;

	enter(0);
	for (long nr = 470; nr < 700; nr++) {
		errno = 0;
		ok &= syscall(nr, 0, 0, 0, 0, 0, 0) == -1 && errno == ENOSYS;
	}
	return ALL(known, EPERM) && ok;
}

START_TEST(newer_calls)
{
	in_child(newer);
}
END_TEST

static bool memory(void)
{
	size_t page = (size_t)getpagesize();
	int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *p;

	enter(0);
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p, page, PROT_READ) < 0)
		return false;
	if (mprotect(p, page, PROT_READ | PROT_EXEC) == 0 || errno != EPERM)
		return false;
#ifndef __s390x__
	if (mmap(NULL, page, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED ||
		errno != EPERM)
		return false;
#endif
	return mmap(NULL, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, program, 0) !=
	       MAP_FAILED;
}

START_TEST(executable_memory)
{
	in_child(memory);
}
END_TEST

static TCase *tc_sandbox(void)
{
	TCase *tc = tcase_create("sandbox");

	tcase_add_test(tc, refuses);
	tcase_add_test(tc, writing_tool);
	tcase_add_test(tc, opening_process);
	tcase_add_test(tc, newer_calls);
	tcase_add_test(tc, executable_memory);
	return tc;
}

UNIT_MAIN("sandbox", tc_sandbox)
