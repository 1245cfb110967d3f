/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priv: open with privilege, then give it up.  cli layer.
 *
 * Order in every tool: parse options; sm_priv_fds(); open the output file with the
 * invoking user's rights; open what needs privilege; sm_realtime_enter(); sm_priv_drop(); loop.
 * The drop: supplementary groups, gid, uid (to --drop-to, or sm_priv_invoker()), all capabilities,
 * no_new_privs, PR_SET_DUMPABLE 0, and the seccomp filter of sandbox.h.
 */
#ifndef SM_PRIV_H
#define SM_PRIV_H

#include "base/base.h"

struct sm_priv_user {
	uid_t uid;
	gid_t gid;
	bool named;  /* the environment names the user, as sm_priv_invoker() describes */
};

/* Opens /dev/null for each of fds 0-2 that is closed, so that no socket or ring gets such a
 * number.  Returns a bit set: bit n = fd n was closed. */
unsigned int sm_priv_fds(void);
/* Does the tool run with more rights than its caller (AT_SECURE: set-user-id, file capabilities)?
 * Then paths that the caller supplies are not trusted. */
bool sm_priv_elevated(void);
/* The same, and the caller is not root: capabilities and effective ids are not the caller's own. */
bool sm_priv_raised(void);
/* A user of the system by name or number, with the group of the password file; -ENOENT. */
int sm_priv_user(const char *name, struct sm_priv_user *u) SM_MUST;
/*
 * The user on whose behalf the tool runs.  If all user ids are 0 and AT_SECURE is not set, it is the user
 * that the first of these variables names: SUDO_UID with SUDO_GID (sudo, and run0 of systemd), PKEXEC_UID
 * (pkexec), DOAS_USER (doas, a name).  The last two give the group of the password file.  A variable is
 * ignored if it names root, or with the last two no user.  Otherwise it is the real user, and nobody
 * instead of root.
 */
void sm_priv_invoker(struct sm_priv_user *u);
/* open(2) with O_CLOEXEC and the invoking user's file rights. */
int sm_priv_open_as_invoker(const char *path, int flags, mode_t mode) SM_MUST;
/* Calls fn with the invoking user's file rights.  Returns what fn returns: 0, a descriptor, or -errno. */
int sm_priv_as_invoker(int (*fn)(void *ctx), void *ctx) SM_MUST;
/* Calls open_it, which returns a descriptor or -errno.  If sm_priv_raised(), it has the caller's own
 * rights only: the real ids, and no effective capability. */
int sm_priv_open_unraised(int (*open_it)(void *ctx), void *ctx) SM_MUST;

/* For a program that the tool executes: becomes the invoker for good, under sudo with their HOME,
 * USER, LOGNAME and SHELL; root without sudo stays root.  -errno. */
int sm_priv_become_invoker(void) SM_MUST;

/* Drops all capabilities but these (bit n: capability n), as far as the process has them, for good: programs
 * that it executes have none.  Its ids stay.  0 or -errno. */
int sm_priv_keep(uint64_t caps) SM_MUST;

enum {
	SM_DROP_KEEP_UID = 1,  /* keep uid 0 (to write files later), without capabilities */
	SM_DROP_KEEP_PTRACE = 2, /* keep CAP_SYS_PTRACE, if present: it overrides hidepid */
	SM_DROP_MAY_WRITE = 4, /* files will be replaced */
	SM_DROP_READ_MAPS = 8, /* BPF maps will be read: before Linux 5.19 keep CAP_BPF */
};
/* To this user, or with NULL to the invoker.  0 or -errno of the step that failed; *step then names
 * it. */
int sm_priv_drop(unsigned int flags, const struct sm_priv_user *to, const char **step) SM_MUST;

#endif
