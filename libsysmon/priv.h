/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priv: open with privilege, then give it up.  cli layer.
 *
 * Order in every tool: parse options; sm_priv_fds(); open the output file with the
 * invoking user's rights; open what needs privilege; sm_rt_enter(); sm_priv_drop(); loop.
 * The drop: supplementary groups, gid, uid (to SUDO_UID, the real user of a set-capability
 * binary, or nobody), all capabilities, no_new_privs, a seccomp deny list of what a tool
 * that only reads never calls (exec, ptrace, mount, bpf, module, keys, set*id ...: EPERM)
 * and PR_SET_DUMPABLE 0.
 */
#ifndef SM_PRIV_H
#define SM_PRIV_H

#include "base.h"

struct sm_priv_user {
	uid_t uid;
	gid_t gid;
	bool from_sudo;  /* SUDO_UID and SUDO_GID were valid and we are root */
};

/* Opens /dev/null for each of fds 0-2 that is closed, so that no socket or ring gets such a
 * number.  Returns a bit set: bit n = fd n was closed. */
unsigned int sm_priv_fds(void);
/* Do we run with more rights than our caller (AT_SECURE: set-user-id, file capabilities)?
 * Then what the caller can point us at is not to be trusted. */
bool sm_priv_elevated(void);
/* Whom we work for. */
void sm_priv_invoker(struct sm_priv_user *u);
/* open(2) with O_CLOEXEC and the invoking user's file rights. */
int sm_priv_open_as_invoker(const char *path, int flags, mode_t mode) SM_MUST;

enum {
	SM_DROP_KEEP_UID = 1,  /* stay root in name (writes files later); capabilities still go */
	SM_DROP_KEEP_PTRACE = 2, /* keep CAP_SYS_PTRACE, if we have it: it sees through hidepid */
};
/* 0 or -errno of the step that failed; *step then names it. */
int sm_priv_drop(unsigned int flags, const char **step) SM_MUST;

#endif
