// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/compat.h"
#include "bpf/bpf.h"
#include "proc/pagemap.h"

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARMEL__)
#define NATIVE_ARCH AUDIT_ARCH_ARM
#elif defined(__i386__)
#define NATIVE_ARCH AUDIT_ARCH_I386
#elif defined(__riscv) && __riscv_xlen == 64
#define NATIVE_ARCH AUDIT_ARCH_RISCV64
#elif defined(__s390x__)
#define NATIVE_ARCH AUDIT_ARCH_S390X
#endif

#ifdef NATIVE_ARCH

/* x32 calls have the architecture of x86-64 and this bit in the number. */
#define X32_BIT 0x40000000u

/* Newer numbers are equal on all architectures; the headers may lack them. */
#define NR_CLOSE_RANGE	436u
#define NR_FACCESSAT2	439u
#define NR_EPOLL_PWAIT2 441u
#define NR_NEWEST	469u /* file_setattr(2), Linux 6.17 */

/* TCGETS2, TCSETS2, TCSETSW2 and TCSETSF2, which glibc 2.42 uses: their struct termios2
 * is in a header that <termios.h> excludes. */
#define TERMIOS2_BYTES	44u
#define GET_TERMIOS2	_IOC(_IOC_READ, 'T', 0x2a, TERMIOS2_BYTES)
#define SET_TERMIOS2(n) _IOC(_IOC_WRITE, 'T', 0x2b + (n), TERMIOS2_BYTES)

// clang-format off
/* Calls that are allowed with any arguments, frequent ones first: kernels before 5.11 run
 * the filter for each of them. */
static const unsigned int allowed[] = {
	SYS_read, SYS_close, SYS_pread64, SYS_write, SYS_getdents64, SYS_ppoll, SYS_recvmsg, SYS_recvmmsg,
	SYS_lseek, SYS_readlinkat, SYS_rt_sigprocmask,
#ifdef SYS_poll
	SYS_poll, SYS_readlink,
#endif
#ifdef SYS_stat
	SYS_stat, SYS_lstat,
#endif
#ifdef SYS_fstat
	SYS_fstat,
#endif
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_fstat64
	SYS_stat64, SYS_lstat64, SYS_fstat64, SYS_fstatat64,
#endif
#ifdef SYS__llseek
	SYS__llseek,
#endif
	/* time; musl renames calls whose time_t has 32 bits */
#ifdef SYS_clock_gettime
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_gettimeofday,
#endif
#ifdef SYS_clock_gettime32
	SYS_clock_gettime32, SYS_clock_getres_time32, SYS_clock_nanosleep_time32, SYS_gettimeofday_time32,
#endif
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64, SYS_clock_getres_time64, SYS_clock_nanosleep_time64, SYS_timerfd_settime64,
	SYS_ppoll_time64, SYS_pselect6_time64, SYS_recvmmsg_time64, SYS_futex_time64,
#endif
#ifdef SYS_time
	SYS_time,
#endif
	SYS_nanosleep, SYS_futex,
	/* files and descriptors */
	SYS_readv, SYS_writev, SYS_pwrite64, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, NR_FACCESSAT2,
	SYS_dup, SYS_getcwd, NR_CLOSE_RANGE, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
	NR_EPOLL_PWAIT2, SYS_timerfd_create,
#ifdef SYS_timerfd_settime
	SYS_timerfd_settime,
#endif
#ifdef SYS_timerfd_settime32
	SYS_timerfd_settime32,
#endif
#ifdef SYS_access
	SYS_access, SYS_getdents, SYS_epoll_wait,
#endif
#ifdef SYS_select
	SYS_select,
#endif
#ifdef SYS__newselect
	SYS__newselect,
#endif
#ifdef SYS_statfs64
	SYS_statfs64, SYS_fstatfs64,
#endif
	/* queries to a name service; sockets opened at startup */
#ifdef SYS_connect
	SYS_connect, SYS_sendto, SYS_sendmsg, SYS_recvfrom, SYS_getsockopt, SYS_setsockopt, SYS_getsockname,
	SYS_getpeername, SYS_shutdown,
#endif
#ifdef SYS_send
	SYS_send, SYS_recv,
#endif
	/* memory; the arguments of s390x's mmap are in memory, which a filter cannot read */
	SYS_munmap, SYS_brk, SYS_mremap, SYS_madvise,
#ifdef __s390x__
	SYS_mmap,
#endif
	/* this process and its children */
	SYS_rt_sigaction, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_exit_group, SYS_exit,
	SYS_wait4, SYS_waitid, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
	SYS_getegid, SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getrandom, SYS_getcpu, SYS_sched_yield,
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
#ifdef SYS_getpgrp
	SYS_getpgrp,
#endif
#ifdef SYS_getrlimit
	SYS_getrlimit,
#endif
#ifdef SYS_ugetrlimit
	SYS_ugetrlimit,
#endif
#ifdef SYS_getuid32
	SYS_getuid32, SYS_geteuid32, SYS_getgid32, SYS_getegid32, SYS_getresuid32, SYS_getresgid32,
	SYS_getgroups32,
#endif
	/* data about the machine and other processes */
	SYS_getpgid, SYS_getpriority, SYS_sched_getscheduler, SYS_sched_getparam, SYS_sched_getaffinity, SYS_sysinfo,
	SYS_uname,
};

/* SM_SANDBOX_WRITE */
static const unsigned int writing[] = {
	SYS_openat, SYS_unlinkat, SYS_fchmod, SYS_fchown, SYS_ftruncate, SYS_renameat2,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_open, SYS_unlink, SYS_rename,
#endif
#ifdef SYS_fchown32
	SYS_fchown32, SYS_ftruncate64,
#endif
};

/* SM_SANDBOX_OPEN_TARGETS: with the IDs and capabilities of the caller, or its own */
static const unsigned int opening[] = {
	SYS_perf_event_open, SYS_setfsuid, SYS_setfsgid, SYS_capget, SYS_capset,
#ifdef SYS_fork
	SYS_fork, /* musl */
#endif
#ifdef SYS_setfsuid32
	SYS_setfsuid32, SYS_setfsgid32,
#endif
};

/* Calls that are allowed or refused depending on their arguments.  The rules of a call
 * are adjacent, and the first that matches applies.  If no test matches, the opposite of the
 * call's last rule applies: the call is refused after a rule that allows. */
struct rule {
	unsigned int nr, arg;
	enum { REFUSE_ANY_BIT, REFUSE_ALL_BITS, REFUSE_EQUAL, ALLOW_EQUAL, ALLOW_SELF } test;
	uint32_t value;
};

#define DESCRIPTOR(NR)                            \
	{NR, 1, ALLOW_EQUAL, F_GETFD},            \
	{NR, 1, ALLOW_EQUAL, F_SETFD},            \
	{NR, 1, ALLOW_EQUAL, F_GETFL},            \
	{NR, 1, ALLOW_EQUAL, F_SETFL},            \
	{NR, 1, ALLOW_EQUAL, F_DUPFD},            \
	{NR, 1, ALLOW_EQUAL, F_DUPFD_CLOEXEC}

static const struct rule rules[] = {
	/* pages, and a terminal's size and modes; not TIOCSTI and TIOCLINUX, which insert input into the
	 * terminal of the parent shell */
	{SYS_ioctl, 1, ALLOW_EQUAL, SM_PAGEMAP_SCAN},
	{SYS_ioctl, 1, ALLOW_EQUAL, TIOCGWINSZ},
	{SYS_ioctl, 1, ALLOW_EQUAL, TCGETS},
	{SYS_ioctl, 1, ALLOW_EQUAL, TCSETS},
	{SYS_ioctl, 1, ALLOW_EQUAL, TCSETSW},
	{SYS_ioctl, 1, ALLOW_EQUAL, TCSETSF},
	{SYS_ioctl, 1, ALLOW_EQUAL, GET_TERMIOS2},
	{SYS_ioctl, 1, ALLOW_EQUAL, SET_TERMIOS2(0)},
	{SYS_ioctl, 1, ALLOW_EQUAL, SET_TERMIOS2(1)},
	{SYS_ioctl, 1, ALLOW_EQUAL, SET_TERMIOS2(2)},
	{SYS_ioctl, 1, ALLOW_EQUAL, TCFLSH},
	{SYS_ioctl, 1, ALLOW_EQUAL, TIOCGPGRP},
	{SYS_ioctl, 1, ALLOW_EQUAL, TIOCGPTN},
	{SYS_ioctl, 1, ALLOW_EQUAL, TIOCGDEV},
	/* memory; i386's SYS_mmap has its arguments in memory, and libraries use mmap2 */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
	{SYS_mmap, 2, REFUSE_ALL_BITS, PROT_WRITE | PROT_EXEC},
#endif
#ifdef SYS_mmap2
	{SYS_mmap2, 2, REFUSE_ALL_BITS, PROT_WRITE | PROT_EXEC},
#endif
	{SYS_mprotect, 2, REFUSE_ANY_BIT, PROT_EXEC},
	/* not F_SETOWN and F_SETSIG, which send signals to other processes */
	DESCRIPTOR(SYS_fcntl),
#ifdef SYS_fcntl64
	DESCRIPTOR(SYS_fcntl64),
#endif
	/* signal 0 tests whether a process exists */
	{SYS_kill, 1, ALLOW_EQUAL, 0},
	{SYS_kill, 0, ALLOW_SELF, 0},
	{SYS_tkill, 0, ALLOW_SELF, 0},
	{SYS_tgkill, 0, ALLOW_SELF, 0},
	{SYS_prlimit64, 0, ALLOW_EQUAL, 0},
	{SYS_prlimit64, 0, ALLOW_SELF, 0},
	/* the guard of real-time scheduling */
	{SYS_sched_setscheduler, 0, ALLOW_EQUAL, 0},
	/* the last records of a BPF program (cpustat) */
	{SYS_membarrier, 0, ALLOW_EQUAL, MEMBARRIER_CMD_GLOBAL},
	/* names of users */
#ifdef SYS_socket
	{SYS_socket, 0, ALLOW_EQUAL, AF_UNIX},
#endif
#ifdef SYS_socketcall /* numbers of linux/net.h; the other arguments are in memory */
	{SYS_socketcall, 0, REFUSE_EQUAL, 1}, /* SYS_SOCKET */
	{SYS_socketcall, 0, REFUSE_EQUAL, 2}, /* SYS_BIND */
	{SYS_socketcall, 0, REFUSE_EQUAL, 4}, /* SYS_LISTEN */
	{SYS_socketcall, 0, REFUSE_EQUAL, 5}, /* SYS_ACCEPT */
	{SYS_socketcall, 0, REFUSE_EQUAL, 8}, /* SYS_SOCKETPAIR */
	{SYS_socketcall, 0, REFUSE_EQUAL, 18}, /* SYS_ACCEPT4 */
#endif
	/* an event of its own, a worker's end with its parent, libcap's constructor */
	{SYS_prctl, 0, ALLOW_EQUAL, PR_GET_NAME},
	{SYS_prctl, 0, ALLOW_EQUAL, PR_SET_NAME},
	{SYS_prctl, 0, ALLOW_EQUAL, PR_SET_PDEATHSIG},
	{SYS_prctl, 0, ALLOW_EQUAL, PR_CAPBSET_READ},
	{SYS_prctl, 0, ALLOW_EQUAL, PR_GET_DUMPABLE},
};

/* The first one is for SM_SANDBOX_RUN_PROGRAMS, the others are for SM_SANDBOX_READ_MAPS. */
static const struct rule bpf[] = {
	{SYS_bpf, 0, ALLOW_EQUAL, SM_BPF_CMD_PROG_RUN},
	{SYS_bpf, 0, ALLOW_EQUAL, SM_BPF_CMD_LOOKUP_BATCH},
	{SYS_bpf, 0, ALLOW_EQUAL, SM_BPF_CMD_LOOKUP_AND_DELETE},
	{SYS_bpf, 0, ALLOW_EQUAL, BPF_MAP_LOOKUP_ELEM}, /* before 5.14 together with the next one */
	{SYS_bpf, 0, ALLOW_EQUAL, BPF_MAP_DELETE_ELEM},
};

static const struct rule reads[] = {
	{SYS_openat, 2, REFUSE_ANY_BIT, O_ACCMODE | O_CREAT | O_TRUNC},
#ifdef SYS_open
	{SYS_open, 1, REFUSE_ANY_BIT, O_ACCMODE | O_CREAT | O_TRUNC},
#endif
};

/* clear_refs of a target is opened with O_WRONLY. */
#define MAKES_FILE (O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))
/* fork(3): a process that shares neither memory nor files, in these namespaces */
#ifdef __s390x__
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif
#define NOT_FORK (~(uint32_t)(CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD))
static const struct rule opens[] = {
	{SYS_clone, CLONE_FLAGS, REFUSE_ANY_BIT, NOT_FORK},
	{SYS_openat, 2, REFUSE_ANY_BIT, MAKES_FILE},
#ifdef SYS_open
	{SYS_open, 1, REFUSE_ANY_BIT, MAKES_FILE},
#endif
};
// clang-format on

/* Returns the offset of the low half of an argument: the kernel's int parameters use no
 * more. */
static size_t arg_offset(unsigned int arg)
{
	size_t at = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? at + sizeof(uint32_t) : at;
}

#define RULE_LENGTH 6 /* including the first and the last instruction of a block */
#define LIST_LENGTH 2 /* in addition to one instruction per number */

struct filter {
	struct sock_filter code[SM_ARRAY_SIZE(allowed) + SM_ARRAY_SIZE(writing) +
				SM_ARRAY_SIZE(opening) + 3 * LIST_LENGTH +
				RULE_LENGTH * (SM_ARRAY_SIZE(rules) + SM_ARRAY_SIZE(bpf) +
						      SM_ARRAY_SIZE(reads) +
						      SM_ARRAY_SIZE(opens)) +
				16];
	unsigned short n;
};

static void emit(struct filter *f, unsigned int code, uint32_t k, uint8_t jt, uint8_t jf)
{
	f->code[f->n++] = (struct sock_filter){(uint16_t)code, jt, jf, k};
}

static void emit_load(struct filter *f, size_t offset)
{
	emit(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_allow(struct filter *f)
{
	emit(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void emit_refuse(struct filter *f, int err)
{
	emit(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)err, 0, 0);
}

static void emit_refuse_if(struct filter *f, unsigned int test, uint32_t k, int err)
{
	emit(f, BPF_JMP | test | BPF_K, k, 0, 1);
	emit_refuse(f, err);
}

static void emit_allow_if(struct filter *f, uint32_t k)
{
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
	emit_allow(f);
}

/* Emits one return for all numbers; a conditional jump has 8 bits. */
#define emit_list(f, list)                                                           \
	do {                                                                         \
		_Static_assert(SM_ARRAY_SIZE(list) <= UINT8_MAX, "too long a list"); \
		emit_numbers(f, list, SM_ARRAY_SIZE(list));                          \
	} while (0)

static void emit_numbers(struct filter *f, const unsigned int *nr, size_t n)
{
	for (size_t i = 0; i < n; i++)
		emit(f, BPF_JMP | BPF_JEQ | BPF_K, nr[i], (uint8_t)(n - i), 0);
	emit(f, BPF_JMP | BPF_JA, 1, 0, 0);
	emit_allow(f);
}

static void emit_test(struct filter *f, const struct rule *r)
{
	emit_load(f, arg_offset(r->arg));
	switch (r->test) {
	case REFUSE_ALL_BITS:
		emit(f, BPF_ALU | BPF_AND | BPF_K, r->value, 0, 0);
		emit_refuse_if(f, BPF_JEQ, r->value, EPERM);
		break;
	case REFUSE_EQUAL:
		emit_refuse_if(f, BPF_JEQ, r->value, EPERM);
		break;
	case REFUSE_ANY_BIT:
		emit_refuse_if(f, BPF_JSET, r->value, EPERM);
		break;
	case ALLOW_EQUAL:
		emit_allow_if(f, r->value);
		break;
	case ALLOW_SELF:
		emit_allow_if(f, (uint32_t)getpid());
		break;
	}
}

static bool allows(const struct rule *r)
{
	return r->test == ALLOW_EQUAL || r->test == ALLOW_SELF;
}

/* The rules of each call are one block, which other calls jump over. */
static void emit_rules(struct filter *f, const struct rule *r, size_t n)
{
	for (size_t i = 0; i < n;) {
		unsigned int nr = r[i].nr, jump = f->n;

		emit(f, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 0);
		while (i < n && r[i].nr == nr)
			emit_test(f, &r[i++]);
		if (allows(&r[i - 1]))
			emit_refuse(f, EPERM);
		else
			emit_allow(f);
		f->code[jump].jf = (uint8_t)(f->n - jump - 1);
	}
}

static void emit_bpf(struct filter *f, unsigned int may)
{
	size_t first = may & SM_SANDBOX_RUN_PROGRAMS ? 0 : 1;
	size_t end = may & SM_SANDBOX_READ_MAPS ? SM_ARRAY_SIZE(bpf) : 1;

	emit_rules(f, bpf + first, end - first);
}

static void build_filter(struct filter *f, unsigned int may)
{
	f->n = 0;
	/* The meaning of a number depends on the architecture: int 0x80 on x86-64. */
	emit_load(f, offsetof(struct seccomp_data, arch));
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	emit_refuse(f, EPERM);
	emit_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	emit_refuse_if(f, BPF_JGE, X32_BIT, EPERM);
#endif
	/* Opening is frequent.  Since 5.11 the kernel remembers which numbers are allowed
	 * with any arguments, so the calls with rules precede those. */
	if (may & SM_SANDBOX_WRITE)
		emit_list(f, writing);
	else if (may & SM_SANDBOX_OPEN_TARGETS)
		emit_rules(f, opens, SM_ARRAY_SIZE(opens));
	else
		emit_rules(f, reads, SM_ARRAY_SIZE(reads));
	if (may & SM_SANDBOX_OPEN_TARGETS)
		emit_list(f, opening);
	emit_bpf(f, may);
	emit_rules(f, rules, SM_ARRAY_SIZE(rules));
	emit_list(f, allowed);
	emit_refuse_if(f, BPF_JGT, NR_NEWEST, ENOSYS);
	emit_refuse(f, EPERM);
}

static int load_filter(const struct sock_fprog *prog, unsigned long flags)
{
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, prog) == 0)
		return 0;
	return -errno;
}

/* The flag leaves speculation unchanged, which kernels 4.17 to 5.15 otherwise slow down.
 * ENOSYS, EINVAL: a kernel without filters. */
int sm_sandbox_enter(unsigned int may)
{
	struct filter f;
	struct sock_fprog prog = {.filter = f.code};
	int r;

	build_filter(&f, may);
	prog.len = f.n;
	r = load_filter(&prog, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
	if (r == -EINVAL)
		r = load_filter(&prog, 0);
	return r == -ENOSYS || r == -EINVAL ? 0 : r;
}

#else

int sm_sandbox_enter(unsigned int may)
{
	(void)may;
	return 0;
}

#endif
