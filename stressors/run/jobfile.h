/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobfile: a file of options, one a line, as stress-ng's.
 *
 *	# a comment
 *	run sequential      or parallel
 *	vm 2                --vm 2; the two dashes may be there, and = instead of the blank
 *	vm-bytes 256m
 *	verify
 *
 * A value goes on to the end of its line, or to a blank and '#'.
 */
#ifndef STRESSORS_RUN_JOBFILE_H
#define STRESSORS_RUN_JOBFILE_H

#include "base/buf.h"

#define JOBFILE_MAX    (1u << 20) /* bytes */
#define JOBFILE_ERRORS 100u       /* as many are shown */

enum jobfile_run { JOBFILE_RUN_NOT_SAID, JOBFILE_RUN_PARALLEL, JOBFILE_RUN_SEQUENTIAL };

struct jobfile {
	const char *path;
	char *text;            /* of the lines, each with its NUL; values point into it */
	size_t n;
	enum jobfile_run run;
};

/* Reads all of it with the rights of the invoking user; -errno with "PATH: reason" in *why.  path stays
 * the caller's. */
int jobfile_open(struct jobfile *f, const char *path, struct sm_buf *why) SM_MUST;
/* Calls fn for each option, value NULL if it has none.  All lines are read: the errors of fn but the last are
 * written to standard error, and the last is in *why, each after "PATH:LINE: ".  fn's reason must not repeat
 * text of the file.  Only once: it changes the text. */
int jobfile_each(struct jobfile *f,
	int (*fn)(void *ctx, const char *name, const char *value, struct sm_buf *why), void *ctx,
	struct sm_buf *why) SM_MUST;
/* The values that fn was given end here. */
void jobfile_close(struct jobfile *f);

#endif
