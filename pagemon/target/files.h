/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files: opening the files of a target below the descriptor of its directory.  Private to target and
 * opener.
 */
#ifndef PAGEMON_FILES_H
#define PAGEMON_FILES_H

#include "target/target.h"

#define FILES_BIT(f) (1u << (f))
/* Those that end at exec. */
#define FILES_OF_MEMORY \
	(FILES_BIT(TARGET_MAPS) | FILES_BIT(TARGET_PAGEMAP) | FILES_BIT(TARGET_SMAPS) | \
		FILES_BIT(TARGET_ROLLUP) | FILES_BIT(TARGET_MEM))
#define FILES_ALL (FILES_BIT(TARGET_FILES) - 1)

/* What an opening gave: fd -1 and the error, or the descriptor and 0. */
struct files {
	int fd[TARGET_FILES];
	int err[TARGET_FILES];
	bool sees_frames;
};

/* The bytes of a memory, and writing: capabilities of the program's file show the state of pages to a
 * user, and no more than that.  These files are opened with the rights that the user has without them. */
bool files_need_own_right(enum target_file f);
/* Opens the files of the set; those that flags exclude are -1 without an error. */
void files_open(struct files *f, const struct sm_root *root, int dir_fd, unsigned int set,
	unsigned int flags);
/* They become those of the target, whose own of this set are closed. */
void files_take(struct target *t, const struct files *f, unsigned int set);
/* Has the memory that this maps was opened for ended? */
bool files_ended(int maps_fd);

#endif
