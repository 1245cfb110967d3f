/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobfile: a file of options, one per line, as in stress-ng.
 *
 *	# a comment
 *	run sequential      or parallel
 *	vm 2                --vm 2; the two dashes are permitted, and = instead of the space
 *	vm-bytes 256m
 *	verify
 *
 * A value extends to the end of its line, or to a space followed by '#'.
 */
#ifndef STRESSORS_RUN_JOBFILE_H
#define STRESSORS_RUN_JOBFILE_H

#include "base/buf.h"

#define JOBFILE_MAX    (1u << 20) /* bytes */
#define JOBFILE_ERRORS 100u       /* shown at most */

enum jobfile_run { JOBFILE_RUN_NOT_SAID, JOBFILE_RUN_PARALLEL, JOBFILE_RUN_SEQUENTIAL };

struct jobfile {
	const char *path;
	char *text;            /* lines, each ended by a NUL; values point into it */
	size_t n;
	enum jobfile_run run;
};

/* Reads the file with the permissions of the calling user.  0, or -errno with "PATH: reason" in *why. path
 * must outlive f. */
int jobfile_open(struct jobfile *f, const char *path, struct sm_buf *why) SM_MUST;
/* Calls fn for each option; value is NULL if the line has only a name.  All lines are read: the last error of
 * fn is in *why, earlier ones are written to standard error, each after "PATH:LINE: ". fn's reason must not
 * repeat text of the file.  May be called only once, because it changes the text. */
int jobfile_each(struct jobfile *f,
	int (*fn)(void *ctx, const char *name, const char *value, struct sm_buf *why), void *ctx,
	struct sm_buf *why) SM_MUST;
/* Frees the text, to which the values that fn received point. */
void jobfile_close(struct jobfile *f);

#endif
