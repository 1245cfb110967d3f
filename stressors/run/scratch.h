/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch: the directory of a stage whose stressors need files with names.
 *
 * It is below --temp-path (the working directory), is called stressors-scratch-XXXXXX and has the mode 0700.
 * The supervisor makes it, with the rights of the invoking user, before the instances start, and removes it
 * with all that is in it after they have ended.  Each instance has a directory of its own in it.
 *
 * The supervisor and the instances hold a lock of it (flock(2)), which ends with the last of these processes
 * in whatever way it ends.  A directory of the same user and of that name and mode that nobody holds has lost
 * its owner: the next scratch_make() with the same path removes it.  A pid would prove nothing, because
 * processes of other namespaces are invisible.  Where the file system has no locks nothing is removed.
 */
#ifndef STRESSORS_RUN_SCRATCH_H
#define STRESSORS_RUN_SCRATCH_H

#include "plan.h"

struct scratch {
	int above_fd;            /* of --temp-path; -1: there is no directory */
	int fd;                  /* the directory, locked */
	char name[32];
};

#define SCRATCH_INIT {.above_fd = -1, .fd = -1}

/* -errno: none is made. */
int scratch_make(struct scratch *x, const char *path) SM_MUST;
/* Removes it.  -errno: something is left. */
int scratch_remove(struct scratch *x) SM_MUST;

/* For the jobs of a stage: makes the directory if one of them needs it.  If that fails, they are not run:
 * sets their why_not.  -ENOMEM. */
int scratch_make_for(struct scratch *x, const struct plan *p, struct job *j, size_t n) SM_MUST;

/* The directory of one instance, new and empty: a descriptor or -errno. */
int scratch_enter(int scratch_fd, const char *stressor, unsigned int instance) SM_MUST;

/* --temp-path, or what is used without it. */
const char *scratch_path(const struct plan *p);
/* Bytes that the invoking user may still write there. */
int scratch_free(const char *path, uint64_t *bytes) SM_MUST;

#endif
