/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: opens the files of a target below the descriptor of its directory.  Private to target and
 * opener.
 */
#ifndef PAGEMON_FILES_H
#define PAGEMON_FILES_H

#include "target/target.h"

#define FILES_BIT(f) (1u << (f))
/* Files that end at exec, and are opened again.  mem ends as well, but is opened only if it is used. */
#define FILES_OF_PROGRAM \
	(FILES_BIT(TARGET_MAPS) | FILES_BIT(TARGET_PAGEMAP) | FILES_BIT(TARGET_SMAPS) | \
		FILES_BIT(TARGET_ROLLUP))
/* Files that are empty, or lack the memory, after the exit of their thread. */
#define FILES_OF_THREAD \
	(FILES_OF_PROGRAM | FILES_BIT(TARGET_MEM) | FILES_BIT(TARGET_STATUS) | FILES_BIT(TARGET_CLEAR_REFS))
#define FILES_AT_START \
	(FILES_OF_PROGRAM | FILES_BIT(TARGET_STAT) | FILES_BIT(TARGET_STATUS) | FILES_BIT(TARGET_OOM_SCORE))

/* Result of opening: fd -1 and the error, or the descriptor and 0. */
struct files {
	int fd[TARGET_FILES];
	int err[TARGET_FILES];
	uint64_t caps;       /* effective capabilities and user of the opening process */
	uid_t uid;
};

/* Returns whether the file gives access to contents of memory, or to writing.  File capabilities of the
 * program only let a user read page states, so such a file is opened with the user's own permissions. */
bool files_need_own_right(enum target_file f);
/* Returns whether flags exclude the file. */
bool files_exclude(enum target_file f, unsigned int flags);
/* Opens the files of the set; those that flags exclude are -1 without an error. */
void files_open(struct files *f, const struct sm_root *root, int dir_fd, unsigned int set,
	unsigned int flags);
/* Moves the files of the set to the target, after closing the target's own files of this set. */
void files_take(struct target *t, const struct files *f, unsigned int set);
/* Returns whether the memory for which this maps was opened no longer exists. */
bool files_ended(int maps_fd);

#endif
