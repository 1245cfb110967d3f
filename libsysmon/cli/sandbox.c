// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/compat.h"
#include "kernel/bpf.h"

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

/* x32 calls come with the architecture of x86-64 and this bit in the number. */
#define X32_BIT 0x40000000u

/* The newer numbers are the same on every architecture; the headers may lack them. */
#define NR_PIDFD_SEND_SIGNAL 424u
#define NR_IO_URING_SETUP    425u
#define NR_OPEN_TREE	     428u
#define NR_MOVE_MOUNT	     429u
#define NR_FSPICK	     433u
#define NR_OPENAT2	     437u
#define NR_PIDFD_GETFD	     438u
#define NR_MOUNT_SETATTR     442u
#define NR_QUOTACTL_FD	     443u
#define NR_FCHMODAT2	     452u
#define NR_SETXATTRAT	     463u

/* Refused always.  Names of users (NSS) need sockets, and the real-time guard
 * sched_setscheduler. */
// clang-format off
static const unsigned int denied[] = {
	/* other programs and their memory */
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	NR_PIDFD_GETFD,
	/* file systems and namespaces */
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns,
	SYS_fsopen, SYS_fsconfig, SYS_fsmount, NR_FSPICK, NR_OPEN_TREE, NR_MOVE_MOUNT,
	NR_MOUNT_SETATTR, SYS_quotactl, NR_QUOTACTL_FD, SYS_open_by_handle_at,
	SYS_swapon, SYS_swapoff, SYS_acct,
	/* code and tables of the kernel */
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_bpf, SYS_perf_event_open,
	NR_IO_URING_SETUP, SYS_add_key, SYS_request_key, SYS_keyctl,
	/* ids and capabilities */
	SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
	SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset,
	/* files: what even a tool that replaces a file does not do; openat2's flags are in
	 * memory, which a filter does not see */
	NR_OPENAT2, SYS_mkdirat, SYS_mknodat, SYS_symlinkat, SYS_fchmodat, NR_FCHMODAT2, SYS_fchownat,
	SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, NR_SETXATTRAT,
	SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_memfd_create, SYS_fanotify_init,
	/* other processes, executable memory */
	NR_PIDFD_SEND_SIGNAL, SYS_personality,
#ifdef SYS_shmat
	SYS_shmat,
#endif
#ifdef __i386__
	SYS_mmap, /* arguments in memory; libraries use mmap2 */
#endif
	/* the machine */
	SYS_reboot, SYS_sethostname, SYS_setdomainname,
	/* not in every architecture, C library or kernel version */
#ifdef SYS_kexec_load
	SYS_kexec_load,
#endif
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_userfaultfd
	SYS_userfaultfd,
#endif
#ifdef SYS_settimeofday
	SYS_settimeofday,
#endif
#ifdef SYS_settimeofday_time32
	SYS_settimeofday_time32,
#endif
#ifdef SYS_stime
	SYS_stime,
#endif
#ifdef SYS_clock_settime
	SYS_clock_settime,
#endif
#ifdef SYS_clock_settime32
	SYS_clock_settime32,
#endif
#ifdef SYS_clock_settime64
	SYS_clock_settime64,
#endif
#ifdef SYS_adjtimex
	SYS_adjtimex,
#endif
#ifdef SYS_clock_adjtime
	SYS_clock_adjtime,
#endif
#ifdef SYS_clock_adjtime64
	SYS_clock_adjtime64,
#endif
#ifdef SYS_umount
	SYS_umount,
#endif
#ifdef SYS_create_module
	SYS_create_module,
#endif
#ifdef SYS_iopl
	SYS_iopl, SYS_ioperm,
#endif
#ifdef SYS_uselib
	SYS_uselib,
#endif
#ifdef SYS_mkdir
	SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_symlink, SYS_chmod, SYS_chown, SYS_lchown, SYS_utimes,
#endif
#ifdef SYS_chown32
	SYS_chown32, SYS_lchown32, SYS_truncate64,
#endif
#ifdef SYS_setuid32
	SYS_setuid32, SYS_setgid32, SYS_setreuid32, SYS_setregid32, SYS_setresuid32,
	SYS_setresgid32, SYS_setfsuid32, SYS_setfsgid32, SYS_setgroups32,
#endif
};

/* Refused to a tool that does not replace files. */
static const unsigned int changes[] = {
	SYS_unlinkat, SYS_linkat, SYS_renameat2, SYS_fchmod, SYS_fchown,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_creat, SYS_unlink, SYS_link, SYS_rename,
#endif
#ifdef SYS_fchown32
	SYS_fchown32,
#endif
};

/* Refused by an argument; rules for one call follow one another. */
struct rule {
	unsigned int nr, arg;
	enum { ANY_BIT, ALL_BITS, EQUAL, PASS_EQUAL, NOT_SELF } test;
	uint32_t value;
};

static const struct rule rules[] = {
	/* s390x: the arguments are in memory */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
	{SYS_mmap, 2, ALL_BITS, PROT_WRITE | PROT_EXEC},
#endif
#ifdef SYS_mmap2
	{SYS_mmap2, 2, ALL_BITS, PROT_WRITE | PROT_EXEC},
#endif
	{SYS_mprotect, 2, ANY_BIT, PROT_EXEC},
#ifdef SYS_pkey_mprotect
	{SYS_pkey_mprotect, 2, ANY_BIT, PROT_EXEC},
#endif
	/* signal 0 asks whether a process exists */
	{SYS_kill, 1, PASS_EQUAL, 0},
	{SYS_kill, 0, NOT_SELF, 0},
	{SYS_tkill, 0, NOT_SELF, 0},
	{SYS_tgkill, 0, NOT_SELF, 0},
	{SYS_rt_sigqueueinfo, 0, NOT_SELF, 0},
	{SYS_rt_tgsigqueueinfo, 0, NOT_SELF, 0},
	{SYS_prlimit64, 0, PASS_EQUAL, 0},
	{SYS_prlimit64, 0, NOT_SELF, 0},
#ifdef SYS_socket
	{SYS_socket, 0, PASS_EQUAL, AF_UNIX},
	{SYS_socket, 0, ANY_BIT, UINT32_MAX},
#endif
#ifdef SYS_socketcall
	{SYS_socketcall, 0, EQUAL, 1}, /* SYS_SOCKET of linux/net.h */
#endif
	{SYS_prctl, 0, EQUAL, PR_SET_DUMPABLE},
	/* These insert input into the terminal of the parent shell. */
	{SYS_ioctl, 1, EQUAL, TIOCSTI},
	{SYS_ioctl, 1, EQUAL, TIOCLINUX},
};

/* A tool whose BPF programs count: it reads and deletes elements of its maps.  What comes after the
 * rules that pass is refused; the command 0 is BPF_MAP_CREATE. */
static const struct rule maps[] = {
	{SYS_bpf, 0, PASS_EQUAL, SM_BPF_CMD_LOOKUP_BATCH},
	{SYS_bpf, 0, PASS_EQUAL, SM_BPF_CMD_LOOKUP_AND_DELETE},
	{SYS_bpf, 0, PASS_EQUAL, BPF_MAP_LOOKUP_ELEM}, /* with the next one before 5.14 */
	{SYS_bpf, 0, PASS_EQUAL, BPF_MAP_DELETE_ELEM},
	{SYS_bpf, 0, EQUAL, BPF_MAP_CREATE},
	{SYS_bpf, 0, ANY_BIT, UINT32_MAX},
};

#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC)
static const struct rule opens[] = {
	{SYS_openat, 2, ANY_BIT, WRITING},
#ifdef SYS_open
	{SYS_open, 1, ANY_BIT, WRITING},
#endif
};
// clang-format on

/* The low half of an argument: the kernel's int parameters have no more. */
static size_t arg_offset(unsigned int arg)
{
	size_t at = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? at + sizeof(uint32_t) : at;
}

#define RULE_LENGTH 6
struct filter {
	struct sock_filter
		code[2 * (SM_ARRAY_SIZE(denied) + SM_ARRAY_SIZE(changes)) +
			RULE_LENGTH * (SM_ARRAY_SIZE(rules) + SM_ARRAY_SIZE(opens) +
					      SM_ARRAY_SIZE(maps)) +
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

static void emit_return(struct filter *f, bool allow)
{
	emit(f, BPF_RET | BPF_K, allow ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM, 0,
		0);
}

static void emit_refuse_if(struct filter *f, unsigned int test, uint32_t k)
{
	emit(f, BPF_JMP | test | BPF_K, k, 0, 1);
	emit_return(f, false);
}

static void emit_denied(struct filter *f, const unsigned int *nr, size_t n)
{
	for (size_t i = 0; i < n; i++)
		emit_refuse_if(f, BPF_JEQ, nr[i]);
}

static void emit_test(struct filter *f, const struct rule *r)
{
	emit_load(f, arg_offset(r->arg));
	switch (r->test) {
	case ALL_BITS:
		emit(f, BPF_ALU | BPF_AND | BPF_K, r->value, 0, 0);
		emit_refuse_if(f, BPF_JEQ, r->value);
		break;
	case EQUAL:
		emit_refuse_if(f, BPF_JEQ, r->value);
		break;
	case ANY_BIT:
		emit_refuse_if(f, BPF_JSET, r->value);
		break;
	case PASS_EQUAL:
		emit(f, BPF_JMP | BPF_JEQ | BPF_K, r->value, 0, 1);
		emit_return(f, true);
		break;
	case NOT_SELF:
		emit(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0);
		emit_return(f, false);
		break;
	}
}

/* Each call's rules are one block, which other calls jump over. */
static void emit_rules(struct filter *f, const struct rule *r, size_t n)
{
	for (size_t i = 0; i < n;) {
		unsigned int nr = r[i].nr, jump = f->n;

		emit(f, BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 0);
		while (i < n && r[i].nr == nr)
			emit_test(f, &r[i++]);
		emit_return(f, true);
		f->code[jump].jf = (uint8_t)(f->n - jump - 1);
	}
}

static void build_filter(struct filter *f, unsigned int may)
{
	f->n = 0;
	/* A number means nothing before the architecture is known: int 0x80 on x86-64. */
	emit_load(f, offsetof(struct seccomp_data, arch));
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	emit_return(f, false);
	emit_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	emit_refuse_if(f, BPF_JGE, X32_BIT);
#endif
	/* opening first: it is frequent */
	if (!(may & SM_SANDBOX_WRITE)) {
		emit_rules(f, opens, SM_ARRAY_SIZE(opens));
		emit_denied(f, changes, SM_ARRAY_SIZE(changes));
	}
	if (may & SM_SANDBOX_READ_MAPS)
		emit_rules(f, maps, SM_ARRAY_SIZE(maps));
	emit_denied(f, denied, SM_ARRAY_SIZE(denied));
	emit_rules(f, rules, SM_ARRAY_SIZE(rules));
	emit_return(f, true);
}

static int load_filter(const struct sock_fprog *prog, unsigned long flags)
{
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, prog) == 0)
		return 0;
	return -errno;
}

/* The flag keeps speculation as it was, which the kernels of 4.17 to 5.15 otherwise slow
 * down.  ENOSYS, EINVAL: a kernel without filters. */
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
