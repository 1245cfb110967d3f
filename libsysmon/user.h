/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * user: names of uids, gids and terminals, cached.  cli layer (NSS).
 * The strings live until sm_user_fini(); an unknown id is its decimal number.
 */
#ifndef SM_USER_H
#define SM_USER_H

#include "base.h"
#include "hash.h"

struct sm_user {
	struct sm_map users, groups, ttys;
};

int sm_user_init(struct sm_user *u) SM_MUST;
void sm_user_fini(struct sm_user *u);
const char *sm_user_name(struct sm_user *u, uid_t uid);
const char *sm_group_name(struct sm_user *u, gid_t gid);
/* tty_nr of /proc/PID/stat -> "pts/3", "tty1", "ttyS0" (Documentation/admin-guide/
 * devices.txt), "?" for none. */
const char *sm_tty_name(struct sm_user *u, int tty_nr);
/* A user by name or number; -ENOENT. */
int sm_user_lookup(const char *name, uid_t *uid) SM_MUST;

#endif
