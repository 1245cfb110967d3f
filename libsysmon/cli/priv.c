// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/priv.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "base/compat.h"
#include "base/units.h"
#include "bpf/bpf.h"
#include "cli/ids.h"
#include "cli/sandbox.h"

#define NOBODY	   65534u
#define GROUPS_MAX 1024

/* ---- the tool and its user ---- */

unsigned int sm_priv_fds(void)
{
	unsigned int closed = 0;

	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		closed |= 1u << fd;
		/* open() returns the lowest free number, which is this one.  Without
		 * /dev, any object with that number will do. */
		if (open("/dev/null", O_RDWR | O_NOCTTY) < 0)
			(void)!open("/", O_PATH | O_DIRECTORY);
	}
	return closed;
}

bool sm_priv_elevated(void)
{
	return getauxval(AT_SECURE) != 0;
}

bool sm_priv_raised(void)
{
	return sm_priv_elevated() && getuid() != 0;
}

/* (uid_t)-1 means "unchanged" to set*id(2), so it is not a user. */
static bool parse_id(const char *s, uint32_t *id)
{
	uint64_t v;

	if (!s || sm_units_u64(s, &v) < 0 || v >= UINT32_MAX)
		return false;
	*id = (uint32_t)v;
	return true;
}

int sm_priv_user(const char *name, struct sm_priv_user *u)
{
	const struct passwd *pw;
	uid_t uid;
	int err = sm_ids_lookup(name, &uid);

	if (err < 0)
		return err;
	pw = getpwuid(uid);
	if (!pw)
		return -ENOENT;
	*u = (struct sm_priv_user){.uid = pw->pw_uid, .gid = pw->pw_gid};
	return 0;
}

static bool from_sudo(struct sm_priv_user *u)
{
	uint32_t uid, gid;

	if (!parse_id(getenv("SUDO_UID"), &uid) || !parse_id(getenv("SUDO_GID"), &gid))
		return false;
	*u = (struct sm_priv_user){.uid = uid, .gid = gid};
	return uid != 0;
}

static bool from_pkexec(struct sm_priv_user *u)
{
	const char *uid = getenv("PKEXEC_UID");
	uint32_t id;

	return parse_id(uid, &id) && sm_priv_user(uid, u) == 0 && u->uid != 0;
}

static bool from_doas(struct sm_priv_user *u)
{
	const char *name = getenv("DOAS_USER");

	return name && sm_priv_user(name, u) == 0 && u->uid != 0;
}

/* The environment of a process that is root for another reason was set by another
 * user. */
static bool may_trust_environment(void)
{
	uid_t real, effective, saved;

	return !sm_priv_elevated() && getresuid(&real, &effective, &saved) == 0 &&
	       real == 0 && effective == 0 && saved == 0;
}

void sm_priv_invoker(struct sm_priv_user *u)
{
	if (may_trust_environment() && (from_sudo(u) || from_pkexec(u) || from_doas(u))) {
		u->named = true;
		return;
	}
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

uint64_t sm_priv_effective(void)
{
	struct caps c;

	if (caps_get(&c) < 0)
		return 0;
	return c.d[0].effective | (uint64_t)c.d[1].effective << 32;
}

/* ---- opening a file with the invoking user's rights ---- */

/* The IDs that file access is checked against. */
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

/* Only a second call of setfsuid(2) and setfsgid(2) reveals a failure. */
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

/* Output may go to a file, a pipe or a character device. */
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

struct opening {
	const char *path;
	int flags;
	mode_t mode;
};

static int open_checked(void *ctx)
{
	const struct opening *o = ctx;
	int fd = open(o->path, o->flags | O_CLOEXEC | O_NOCTTY, o->mode);

	return fd < 0 ? -errno : check_opened(fd);
}

/* Calls fn without effective capabilities: CAP_DAC_OVERRIDE of a program with file
 * capabilities does not belong to the user. */
static int call_uncapped(int (*fn)(void *ctx), void *ctx)
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
	fd = fn(ctx);
	r = caps_set(&saved);
	if (r < 0 && fd > STDERR_FILENO)
		close(fd);
	return r < 0 ? r : fd;
}

static int call_as(const struct sm_priv_user *u, int (*fn)(void *ctx), void *ctx)
{
	struct fsid own, invoker;
	int fd, r = fsid_current(&own);

	if (r < 0)
		return r;
	fsid_of(&invoker, u);
	fd = fsid_set(&invoker);
	if (fd == 0)
		fd = call_uncapped(fn, ctx);
	r = fsid_set(&own);
	if (r < 0 && fd > STDERR_FILENO)
		close(fd);
	return r < 0 ? r : fd;
}

int sm_priv_as_invoker(int (*fn)(void *ctx), void *ctx)
{
	struct sm_priv_user u;

	sm_priv_invoker(&u);
	if (getuid() == 0 && !u.named)
		return fn(ctx);
	if (u.uid != geteuid())
		return call_as(&u, fn, ctx);
	return call_uncapped(fn, ctx);
}

int sm_priv_open_as_invoker(const char *path, int flags, mode_t mode)
{
	struct opening o = {path, flags, mode};

	return sm_priv_as_invoker(open_checked, &o);
}

/* Sets the IDs that file access is checked against; no capability is needed to change
 * between the process's own. */
static void set_fsids(uid_t uid, gid_t gid)
{
	setfsgid(gid);
	setfsuid(uid);
}

int sm_priv_open_unraised(int (*open_it)(void *ctx), void *ctx)
{
	int fd;

	if (!sm_priv_raised())
		return open_it(ctx);
	set_fsids(getuid(), getgid());
	fd = call_uncapped(open_it, ctx);
	set_fsids(geteuid(), getegid());
	return fd;
}

/* ---- the program that a tool runs ---- */

static void take_environment(uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	if (!pw)
		return;
	setenv("HOME", pw->pw_dir, 1);
	setenv("USER", pw->pw_name, 1);
	setenv("LOGNAME", pw->pw_name, 1);
	setenv("SHELL", pw->pw_shell, 1);
}

int sm_priv_become_invoker(void)
{
	struct sm_priv_user u;
	struct fsid f;

	sm_priv_invoker(&u);
	if (getuid() == 0 && !u.named)
		return 0;
	if (u.uid == geteuid() && u.gid == getegid())
		return 0; /* exec drops the capabilities */
	if (u.named)
		take_environment(u.uid);
	fsid_of(&f, &u);
	if (setgroups((size_t)f.ngroups, f.groups) < 0 ||
		setresgid(u.gid, u.gid, u.gid) < 0 || setresuid(u.uid, u.uid, u.uid) < 0)
		return -errno;
	return 0;
}

/* ---- the drop: ids and capabilities ---- */

struct drop {
	struct sm_priv_user user;
	struct caps had;    /* capabilities before the drop */
	unsigned int flags; /* SM_DROP_* */
};

static int set_prctl(int option, unsigned long arg)
{
	return prctl(option, arg, 0, 0, 0) < 0 ? -errno : 0;
}

/* EINVAL: the number after the last capability; EPERM: not privileged, so there is
 * nothing to drop. */
static int drop_bounding_set(const struct drop *d)
{
	unsigned long cap = 0;
	int r;

	(void)d;
	do
		r = set_prctl(PR_CAPBSET_DROP, cap++);
	while (r == 0);
	return r == -EINVAL || r == -EPERM ? 0 : r;
}

/* EINVAL: the ID has no mapping in this user namespace, in which root is not root
 * outside; capabilities are dropped in any case. */
static int set_id(long r)
{
	return r < 0 && errno != EINVAL ? -errno : 0;
}

static int drop_groups(const struct drop *d)
{
	if ((d->flags & SM_DROP_KEEP_UID) || !caps_effective(&d->had, CAP_SETGID))
		return 0;
	/* EPERM with the capability: setgroups is denied in this user namespace. */
	return setgroups(0, NULL) < 0 && errno != EPERM ? -errno : 0;
}

static int drop_gid(const struct drop *d)
{
	gid_t gid = d->user.gid;

	if ((d->flags & SM_DROP_KEEP_UID) ||
		(gid != getgid() && !caps_effective(&d->had, CAP_SETGID)))
		return 0;
	return set_id(setresgid(gid, gid, gid));
}

static int drop_uid(const struct drop *d)
{
	uid_t uid = d->user.uid;

	if ((d->flags & SM_DROP_KEEP_UID) ||
		(uid != getuid() && !caps_effective(&d->had, CAP_SETUID)))
		return 0;
	if ((d->flags & (SM_DROP_KEEP_PTRACE | SM_DROP_READ_MAPS)) &&
		set_prctl(PR_SET_KEEPCAPS, 1) < 0)
		return -errno;
	return set_id(setresuid(uid, uid, uid));
}

static void keep_cap(const struct drop *d, struct caps *keep, unsigned int cap)
{
	if (!caps_effective(&d->had, cap))
		return;
	keep->d[CAP_TO_INDEX(cap)].permitted |= CAP_TO_MASK(cap);
	keep->d[CAP_TO_INDEX(cap)].effective |= CAP_TO_MASK(cap);
}

/* Returns true if elements of a map may be read without CAP_BPF: always since Linux
 * 5.19. */
static bool may_read_maps(void)
{
	union bpf_attr attr = {.batch.map_fd = UINT32_MAX};

	return syscall(SYS_bpf, SM_BPF_CMD_LOOKUP_BATCH, &attr, sizeof(attr)) < 0 &&
	       errno != EPERM;
}

/* EINVAL: kernels before 4.3 have no ambient set. */
static int drop_ambient(void)
{
	int r = set_prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);

	return r == -EINVAL ? 0 : r;
}

static int drop_caps(const struct drop *d)
{
	struct caps keep = {0}, none;
	int r = drop_ambient();

	if (r < 0)
		return r;
	if (d->flags & SM_DROP_KEEP_PTRACE)
		keep_cap(d, &keep, CAP_SYS_PTRACE);
	none = keep;
	if (d->flags & SM_DROP_READ_MAPS)
		keep_cap(d, &keep, CAP_BPF);
	for (size_t i = 0; i < SM_ARRAY_SIZE(none.d); i++)
		none.d[i].permitted = keep.d[i].permitted;
	r = caps_set(&none);
	if (r < 0)
		return r;
	if (d->flags & SM_DROP_READ_MAPS && !may_read_maps())
		return caps_set(&keep);
	for (size_t i = 0; i < SM_ARRAY_SIZE(none.d); i++)
		none.d[i].permitted = none.d[i].effective;
	return caps_set(&none);
}

int sm_priv_keep(uint64_t caps)
{
	struct drop d = {0};
	struct caps keep = {0};
	int r = caps_get(&d.had);

	for (unsigned int cap = 0; cap < 64; cap++)
		if (caps >> cap & 1)
			keep_cap(&d, &keep, cap);
	if (r == 0)
		r = drop_bounding_set(&d);
	if (r == 0)
		r = drop_ambient();
	return r < 0 ? r : caps_set(&keep);
}

/* ---- the drop: all of it, in order ---- */

static int drop_new_privs(const struct drop *d)
{
	(void)d;
	return set_prctl(PR_SET_NO_NEW_PRIVS, 1);
}

/* Must precede the filter, which forbids this call. */
static int drop_dumpable(const struct drop *d)
{
	(void)d;
	return set_prctl(PR_SET_DUMPABLE, 0);
}

static int drop_syscalls(const struct drop *d)
{
	unsigned int may = 0;

	if (d->flags & SM_DROP_MAY_WRITE)
		may |= SM_SANDBOX_WRITE;
	if (d->flags & SM_DROP_READ_MAPS)
		may |= SM_SANDBOX_READ_MAPS;
	if (d->flags & SM_DROP_RUN_PROGRAMS)
		may |= SM_SANDBOX_RUN_PROGRAMS;
	return sm_sandbox_enter(may);
}

int sm_priv_drop(unsigned int flags, const struct sm_priv_user *to, const char **step)
{
	/* Capabilities are needed to shrink the bounding set and to change IDs, so they
	 * are dropped after these; no_new_privs allows an unprivileged process to load a
	 * filter. */
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
		{"dumpable", drop_dumpable},
		{"seccomp", drop_syscalls},
	};
	struct drop d = {.flags = flags};
	int r = caps_get(&d.had);

	*step = to ? "--drop-to" : "capget";
	if (to)
		d.user = *to;
	else
		sm_priv_invoker(&d.user);
	if (r == 0 && to && to->uid != getuid() && !caps_effective(&d.had, CAP_SETUID))
		r = -EPERM;
	for (size_t i = 0; r == 0 && i < SM_ARRAY_SIZE(steps); i++) {
		*step = steps[i].name;
		r = steps[i].fn(&d);
	}
	return r;
}
