// SPDX-License-Identifier: GPL-2.0-or-later
#include "priv.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "compat.h"
#include "num.h"

#define NOBODY	   65534u
#define GROUPS_MAX 1024

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

/* ---- who we are and for whom we work ---- */

unsigned int sm_priv_fds(void)
{
	unsigned int closed = 0;

	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		closed |= 1u << fd;
		/* open() gives the lowest free number, which is this one.  Without
		 * /dev, any object that takes the number is good. */
		if (open("/dev/null", O_RDWR | O_NOCTTY) < 0)
			(void)!open("/", O_PATH | O_DIRECTORY);
	}
	return closed;
}

bool sm_priv_elevated(void)
{
	return getauxval(AT_SECURE) != 0;
}

/* (uid_t)-1 means "leave it" to set*id(2), so it is not a user. */
static bool parse_id(const char *s, uint32_t *id)
{
	uint64_t v;

	if (!s || sm_num_u64(s, &v) < 0 || v >= UINT32_MAX)
		return false;
	*id = (uint32_t)v;
	return true;
}

static bool from_sudo(struct sm_priv_user *u)
{
	uint32_t uid, gid;

	if (sm_priv_elevated() || getuid() != 0 || geteuid() != 0)
		return false;
	if (!parse_id(getenv("SUDO_UID"), &uid) || !parse_id(getenv("SUDO_GID"), &gid))
		return false;
	if (uid == 0)
		return false;
	*u = (struct sm_priv_user){.uid = uid, .gid = gid, .from_sudo = true};
	return true;
}

void sm_priv_invoker(struct sm_priv_user *u)
{
	if (from_sudo(u))
		return;
	*u = (struct sm_priv_user){.uid = getuid(), .gid = getgid()};
	if (u->uid == 0)
		*u = (struct sm_priv_user){.uid = NOBODY, .gid = NOBODY};
}

/* ---- capabilities ---- */

struct caps {
	struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];
};

static int caps_get(struct caps *c)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};

	return syscall(SYS_capget, &h, c->d) < 0 ? -errno : 0;
}

static int caps_set(const struct caps *c)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};

	return syscall(SYS_capset, &h, c->d) < 0 ? -errno : 0;
}

static bool caps_effective(const struct caps *c, unsigned int cap)
{
	return c->d[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}

/* ---- opening a file with the invoking user's rights ---- */

/* The rights that a file access is checked with, and those to go back to. */
struct fsid {
	uid_t uid;
	gid_t gid;
	int ngroups;
	gid_t groups[GROUPS_MAX];
};

static int fsid_current(struct fsid *f)
{
	f->uid = geteuid();
	f->gid = getegid();
	f->ngroups = getgroups(GROUPS_MAX, f->groups);
	return f->ngroups < 0 ? -errno : 0;
}

static void fsid_of(struct fsid *f, const struct sm_priv_user *u)
{
	const struct passwd *pw = getpwuid(u->uid);

	f->uid = u->uid;
	f->gid = u->gid;
	f->ngroups = GROUPS_MAX;
	f->groups[0] = u->gid;
	if (!pw || getgrouplist(pw->pw_name, u->gid, f->groups, &f->ngroups) < 0)
		f->ngroups = 1;
}

/* setfsuid(2) and setfsgid(2) tell a failure only by a second call. */
static int fsid_set(const struct fsid *f)
{
	if (setgroups((size_t)f->ngroups, f->groups) < 0)
		return -errno;
	setfsgid(f->gid);
	setfsuid(f->uid);
	if ((gid_t)setfsgid((gid_t)-1) != f->gid || (uid_t)setfsuid((uid_t)-1) != f->uid)
		return -EPERM;
	return 0;
}

/* Output goes to a file, a pipe or a character device. */
static int check_opened(int fd)
{
	struct stat st;
	int r = 0;

	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISDIR(st.st_mode))
		r = -EISDIR;
	else if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode) && !S_ISCHR(st.st_mode))
		r = -EINVAL;
	if (r < 0) {
		close(fd);
		return r;
	}
	return fd;
}

static int open_checked(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);

	return fd < 0 ? -errno : check_opened(fd);
}

/* Without effective capabilities: CAP_DAC_OVERRIDE of a set-capability binary is not the
 * user's own right. */
static int open_uncapped(const char *path, int flags, mode_t mode)
{
	struct caps saved, none;
	int fd, r = caps_get(&saved);

	if (r < 0)
		return r;
	none = saved;
	for (size_t i = 0; i < SM_ARRAY_SIZE(none.d); i++)
		none.d[i].effective = 0;
	r = caps_set(&none);
	if (r < 0)
		return r;
	fd = open_checked(path, flags, mode);
	r = caps_set(&saved);
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

static int open_as(const struct sm_priv_user *u, const char *path, int flags, mode_t mode)
{
	struct fsid own, theirs;
	int fd, r = fsid_current(&own);

	if (r < 0)
		return r;
	fsid_of(&theirs, u);
	fd = fsid_set(&theirs);
	if (fd == 0)
		fd = open_uncapped(path, flags, mode);
	r = fsid_set(&own);
	if (r < 0 && fd >= 0)
		close(fd);
	return r < 0 ? r : fd;
}

int sm_priv_open_as_invoker(const char *path, int flags, mode_t mode)
{
	struct sm_priv_user u;

	sm_priv_invoker(&u);
	if (getuid() == 0 && !u.from_sudo)
		return open_checked(path, flags, mode);
	if (u.uid != geteuid())
		return open_as(&u, path, flags, mode);
	return open_uncapped(path, flags, mode);
}

/* ---- the drop: ids and capabilities ---- */

struct drop {
	struct sm_priv_user user;
	struct caps had; /* before it all */
	bool keep_uid, keep_ptrace;
};

static int set_prctl(int option, unsigned long arg)
{
	return prctl(option, arg, 0, 0, 0) < 0 ? -errno : 0;
}

/* What no process of ours needs back.  Not privileged: nothing to take away. */
static int drop_bounding_set(const struct drop *d)
{
	(void)d;
	for (unsigned long cap = 0; set_prctl(PR_CAPBSET_READ, cap) >= 0; cap++) {
		int r = set_prctl(PR_CAPBSET_DROP, cap);

		if (r == -EPERM)
			return 0;
		if (r < 0)
			return r;
	}
	return 0;
}

/* An id without a mapping in our user namespace is -EINVAL: root there is no root
 * outside, and its capabilities go all the same. */
static int set_id(long r)
{
	return r < 0 && errno != EINVAL ? -errno : 0;
}

static int drop_groups(const struct drop *d)
{
	if (d->keep_uid || !caps_effective(&d->had, CAP_SETGID))
		return 0;
	/* EPERM with the capability: setgroups is denied in this user namespace. */
	return setgroups(0, NULL) < 0 && errno != EPERM ? -errno : 0;
}

static int drop_gid(const struct drop *d)
{
	gid_t gid = d->user.gid;

	if (d->keep_uid || (gid != getgid() && !caps_effective(&d->had, CAP_SETGID)))
		return 0;
	return set_id(setresgid(gid, gid, gid));
}

static int drop_uid(const struct drop *d)
{
	uid_t uid = d->user.uid;

	if (d->keep_uid || (uid != getuid() && !caps_effective(&d->had, CAP_SETUID)))
		return 0;
	if (d->keep_ptrace && set_prctl(PR_SET_KEEPCAPS, 1) < 0)
		return -errno;
	return set_id(setresuid(uid, uid, uid));
}

static int drop_caps(const struct drop *d)
{
	struct caps keep = {0};
	int r = set_prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);

	/* EINVAL: a kernel before 4.3 has no ambient set. */
	if (r < 0 && r != -EINVAL)
		return r;
	if (d->keep_ptrace && caps_effective(&d->had, CAP_SYS_PTRACE)) {
		keep.d[CAP_TO_INDEX(CAP_SYS_PTRACE)].permitted =
			CAP_TO_MASK(CAP_SYS_PTRACE);
		keep.d[CAP_TO_INDEX(CAP_SYS_PTRACE)].effective =
			CAP_TO_MASK(CAP_SYS_PTRACE);
	}
	return caps_set(&keep);
}

/* ---- the drop: system calls ---- */

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
#define NR_IO_URING_SETUP 425u
#define NR_OPEN_TREE	  428u
#define NR_MOVE_MOUNT	  429u
#define NR_FSPICK	  433u
#define NR_PIDFD_GETFD	  438u
#define NR_MOUNT_SETATTR  442u
#define NR_QUOTACTL_FD	  443u

/* What a tool that only reads never calls after the drop.  Reading names of users (NSS)
 * needs sockets, and the real-time guard sched_setscheduler: these stay. */
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
	SYS_iopl,
#endif
#ifdef SYS_ioperm
	SYS_ioperm,
#endif
#ifdef SYS_uselib
	SYS_uselib,
#endif
#ifdef SYS_setuid32
	SYS_setuid32,
#endif
#ifdef SYS_setgid32
	SYS_setgid32,
#endif
#ifdef SYS_setreuid32
	SYS_setreuid32,
#endif
#ifdef SYS_setregid32
	SYS_setregid32,
#endif
#ifdef SYS_setresuid32
	SYS_setresuid32,
#endif
#ifdef SYS_setresgid32
	SYS_setresgid32,
#endif
#ifdef SYS_setfsuid32
	SYS_setfsuid32,
#endif
#ifdef SYS_setfsgid32
	SYS_setfsgid32,
#endif
#ifdef SYS_setgroups32
	SYS_setgroups32,
#endif
};
// clang-format on

/* The low half of the second argument: ioctl(2) ignores the rest. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ARG1_LOW (offsetof(struct seccomp_data, args[1]) + sizeof(uint32_t))
#else
#define ARG1_LOW offsetof(struct seccomp_data, args[1])
#endif

struct filter {
	struct sock_filter code[2 * SM_ARRAY_SIZE(denied) + 16];
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

static void emit_refuse(struct filter *f)
{
	emit(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM, 0, 0);
}

static void emit_refuse_if(struct filter *f, unsigned int test, uint32_t k)
{
	emit(f, BPF_JMP | test | BPF_K, k, 0, 1);
	emit_refuse(f);
}

static void build_filter(struct filter *f)
{
	f->n = 0;
	/* A number means nothing before the architecture is known: int 0x80 on x86-64. */
	emit_load(f, offsetof(struct seccomp_data, arch));
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	emit_refuse(f);
	emit_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	emit_refuse_if(f, BPF_JGE, X32_BIT);
#endif
	for (size_t i = 0; i < SM_ARRAY_SIZE(denied); i++)
		emit_refuse_if(f, BPF_JEQ, denied[i]);
	/* Typing into the terminal of the shell that started us. */
	emit(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5);
	emit_load(f, ARG1_LOW);
	emit_refuse_if(f, BPF_JEQ, TIOCSTI);
	emit_refuse_if(f, BPF_JEQ, TIOCLINUX);
	emit(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static int load_filter(const struct sock_fprog *prog, unsigned long flags)
{
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, prog) == 0)
		return 0;
	return -errno;
}

/* A kernel without seccomp filters (ENOSYS, EINVAL) has nothing to offer here.  The flag
 * keeps speculation as it was, which the kernels of 4.17 to 5.15 otherwise slow down. */
static int drop_syscalls(const struct drop *d)
{
	struct filter f;
	struct sock_fprog prog = {.filter = f.code};
	int r;

	(void)d;
	build_filter(&f);
	prog.len = f.n;
	r = load_filter(&prog, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
	if (r == -EINVAL)
		r = load_filter(&prog, 0);
	return r == -ENOSYS || r == -EINVAL ? 0 : r;
}

#else

static int drop_syscalls(const struct drop *d)
{
	(void)d;
	return 0;
}

#endif

/* ---- the drop: all of it, in order ---- */

static int drop_new_privs(const struct drop *d)
{
	(void)d;
	return set_prctl(PR_SET_NO_NEW_PRIVS, 1);
}

static int drop_dumpable(const struct drop *d)
{
	(void)d;
	return set_prctl(PR_SET_DUMPABLE, 0);
}

int sm_priv_drop(unsigned int flags, const char **step)
{
	/* Capabilities are needed to shrink the bounding set and to change ids, so they
	 * go after these; no_new_privs is what lets an ordinary process load a filter. */
	static const struct {
		const char *name;
		int (*fn)(const struct drop *d);
	} steps[] = {
		{"bounding set", drop_bounding_set},
		{"setgroups", drop_groups},
		{"setresgid", drop_gid},
		{"setresuid", drop_uid},
		{"capset", drop_caps},
		{"no_new_privs", drop_new_privs},
		{"seccomp", drop_syscalls},
		{"dumpable", drop_dumpable},
	};
	struct drop d = {.keep_uid = flags & SM_DROP_KEEP_UID,
		.keep_ptrace = flags & SM_DROP_KEEP_PTRACE};
	int r = caps_get(&d.had);

	*step = "capget";
	sm_priv_invoker(&d.user);
	for (size_t i = 0; r == 0 && i < SM_ARRAY_SIZE(steps); i++) {
		*step = steps[i].name;
		r = steps[i].fn(&d);
	}
	return r;
}
