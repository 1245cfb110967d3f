/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priv: opens sources with privileges, then drops the privileges.  cli layer.
 *
 * Order in every tool: parse options; sm_priv_fds(); open the output files with the permissions of the
 * calling user; open privileged sources; sm_realtime_enter(); sm_priv_drop(); loop.  The drop changes
 * supplementary groups, gid and uid (to --drop-to, or sm_priv_invoker()), drops all capabilities, sets
 * no_new_privs and PR_SET_DUMPABLE 0, and installs the seccomp filter of sandbox.h.
 */
#ifndef SM_PRIV_H
#define SM_PRIV_H

#include "base/base.h"

struct sm_priv_user {
	uid_t uid;
	gid_t gid;
	bool named;  /* the environment names the user, as sm_priv_invoker() describes */
};

/* Opens /dev/null for each of the descriptors 0-2 that is closed, so that no socket or ring gets its
 * number.  Returns a bit set: bit n is set if descriptor n was closed. */
unsigned int sm_priv_fds(void);
/* Returns true if the tool runs with more privileges than its caller (AT_SECURE: set-user-id, file
 * capabilities).  Paths that the caller supplies are then not trusted. */
bool sm_priv_elevated(void);
/* Returns true if that is so and the caller is not root: capabilities and effective IDs are not the
 * caller's own. */
bool sm_priv_raised(void);
/* Finds a user by name or number, with the group of the password file; -ENOENT. */
int sm_priv_user(const char *name, struct sm_priv_user *u) SM_MUST;
/* Finds the calling user.  If all user IDs are 0 and AT_SECURE is not set, it is the user named by the
 * first of these variables: SUDO_UID with SUDO_GID (sudo, and run0 of systemd), PKEXEC_UID (pkexec),
 * DOAS_USER (doas, a name).  For the last two, the group is that of the password file.  A variable is
 * ignored if it names root; the last two also if they name no user.  Otherwise the calling user is the
 * real user, or nobody if that is root. */
void sm_priv_invoker(struct sm_priv_user *u);
/* open(2) with O_CLOEXEC and the file permissions of the calling user. */
int sm_priv_open_as_invoker(const char *path, int flags, mode_t mode) SM_MUST;
/* Calls fn with the file permissions of the calling user.  Returns fn's result: 0, a descriptor, or
 * -errno. */
int sm_priv_as_invoker(int (*fn)(void *ctx), void *ctx) SM_MUST;
/* Calls open_it, which returns a descriptor or -errno.  If sm_priv_raised(), open_it runs with the
 * caller's own privileges: the real IDs, and no effective capability. */
int sm_priv_open_unraised(int (*open_it)(void *ctx), void *ctx) SM_MUST;

/* Changes permanently to the calling user, for a program that the tool executes; under sudo also sets
 * HOME, USER, LOGNAME and SHELL of that user.  Root without sudo stays root.  0 or -errno. */
int sm_priv_become_invoker(void) SM_MUST;

/* Returns the effective capabilities of this process (bit n: capability n). */
uint64_t sm_priv_effective(void);
/* Permanently drops all capabilities except these (bit n: capability n), of which the process keeps
 * those that it has; programs that it executes get no capabilities.  The IDs are unchanged.  0 or -errno. */
int sm_priv_keep(uint64_t caps) SM_MUST;

enum {
	SM_DROP_KEEP_UID = 1,  /* keep uid 0 (to write files later), without capabilities */
	SM_DROP_KEEP_PTRACE = 2, /* keep CAP_SYS_PTRACE, if present: it overrides hidepid */
	SM_DROP_MAY_WRITE = 4, /* files will be replaced */
	SM_DROP_RUN_PROGRAMS = 16, /* BPF programs that are loaded will be run */
	SM_DROP_READ_MAPS = 8, /* BPF maps will be read: before Linux 5.19 keep CAP_BPF */
};
/* Drops to this user, or with NULL to the calling user.  Returns 0, or -errno of the step that failed,
 * which *step then names. */
int sm_priv_drop(unsigned int flags, const struct sm_priv_user *to, const char **step) SM_MUST;

#endif
