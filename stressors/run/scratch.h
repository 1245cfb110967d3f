/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch: the directory of a stage whose stressors need files with names.
 *
 * It is below --temp-path (default: the working directory), is called stressors-scratch-XXXXXX and has the
 * mode 0700.  The supervisor creates it with the permissions of the calling user before the instances start,
 * and removes it with its contents after they have ended.  Each instance has its own directory in it.
 *
 * The supervisor and the instances hold a lock on it (flock(2)), which is released when the last of these
 * processes has ended, for any reason.  A directory with such a name and mode, owned by this user and not
 * locked, has lost its owner: the next scratch_make() in that path removes it.  A pid would prove nothing,
 * because processes of other namespaces are invisible.  On a file system without locks, nothing is removed.
 */
#ifndef STRESSORS_RUN_SCRATCH_H
#define STRESSORS_RUN_SCRATCH_H

#include "plan.h"

struct scratch {
	int above_fd;            /* of --temp-path; -1: the directory does not exist */
	int fd;                  /* the directory, locked */
	char name[32];
};

#define SCRATCH_INIT {.above_fd = -1, .fd = -1}

/* Creates the directory, and removes others that have lost their owner.  0 or -errno. */
int scratch_make(struct scratch *x, const char *path) SM_MUST;
/* Removes the directory.  -errno: a part of it is left. */
int scratch_remove(struct scratch *x) SM_MUST;

/* Creates the directory if a job of the stage needs it.  If that fails, sets why_not of the jobs that need
 * it, which are then skipped.  0 or -ENOMEM. */
int scratch_make_for(struct scratch *x, const struct plan *p, struct job *j, size_t n) SM_MUST;

/* Creates the directory of one instance, which is empty.  Returns a descriptor or -errno. */
int scratch_enter(int scratch_fd, const char *stressor, unsigned int instance) SM_MUST;

/* Returns --temp-path or its default. */
const char *scratch_path(const struct plan *p);
/* Reads the number of bytes that the calling user may still write there.  0 or -errno. */
int scratch_free(const char *path, uint64_t *bytes) SM_MUST;

#endif
