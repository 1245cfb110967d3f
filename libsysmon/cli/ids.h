/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids: names of user IDs, group IDs and terminals, cached.  cli layer (NSS).  The strings are valid
 * until sm_ids_fini(); an unknown ID is returned as a decimal number.
 */
#ifndef SM_IDS_H
#define SM_IDS_H

#include "base/base.h"
#include "base/map.h"

struct sm_ids {
	struct sm_map users, groups, ttys;
};

/* Restricts all lookups of a static program to /etc/passwd and /etc/group: other sources are modules that
 * load the C library of the machine, which can differ from the program's.  For the start of a program. */
void sm_ids_static(void);
int sm_ids_init(struct sm_ids *u) SM_MUST;
void sm_ids_fini(struct sm_ids *u);
const char *sm_ids_user(struct sm_ids *u, uid_t uid);
const char *sm_ids_group(struct sm_ids *u, gid_t gid);
/* Converts tty_nr of /proc/PID/stat to "pts/3", "tty1" or "ttyS0"
 * (Documentation/admin-guide/devices.txt); "?" for no terminal. */
const char *sm_ids_tty(struct sm_ids *u, int tty_nr);
/* Finds a user by number or name; a number is not looked up as a name.  -ENOENT. */
int sm_ids_lookup(const char *name, uid_t *uid) SM_MUST;

#endif
