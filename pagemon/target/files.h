/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: opens the files of a target below the descriptor of its directory.  Private to target and
 * opener.
 */
#ifndef PAGEMON_FILES_H
#define PAGEMON_FILES_H

#include "target/target.h"

#define FILES_BIT(f) (1u << (f))
/* Files that end at exec. */
#define FILES_OF_MEMORY \
	(FILES_BIT(TARGET_MAPS) | FILES_BIT(TARGET_PAGEMAP) | FILES_BIT(TARGET_SMAPS) | \
		FILES_BIT(TARGET_ROLLUP) | FILES_BIT(TARGET_MEM))
#define FILES_ALL (FILES_BIT(TARGET_FILES) - 1)

/* Result of opening: fd -1 and the error, or the descriptor and 0. */
struct files {
	int fd[TARGET_FILES];
	int err[TARGET_FILES];
	bool sees_frames;
};

/* Returns whether the file gives access to contents of memory, or to writing.  File capabilities of the
 * program only let a user read page states, so such a file is opened with the user's own permissions. */
bool files_need_own_right(enum target_file f);
/* Opens the files of the set; those that flags exclude are -1 without an error. */
void files_open(struct files *f, const struct sm_root *root, int dir_fd, unsigned int set,
	unsigned int flags);
/* Moves the files of the set to the target, after closing the target's own files of this set. */
void files_take(struct target *t, const struct files *f, unsigned int set);
/* Returns whether the memory for which this maps was opened no longer exists. */
bool files_ended(int maps_fd);

#endif
