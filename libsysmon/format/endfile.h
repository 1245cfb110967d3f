/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * endfile: a file whose content is known only at the end of a run.
 *
 * FILE is opened or created at the start, without changing its content, to report errors early.  At the
 * end it is replaced (replace.h), so that an interrupted run leaves the old content.  If the directory
 * is not writable (after the drop of privileges), FILE is overwritten instead.  A FILE that is not a
 * regular file (a FIFO, /dev/stdout), or that is also standard output or error, is written directly.
 */
#ifndef SM_ENDFILE_H
#define SM_ENDFILE_H

#include "base/base.h"

struct sm_endfile {
	const char *path; /* borrowed */
	int fd;
	bool straight;    /* written directly: writes may block (a FIFO, a terminal) */
};

/* Allows sm_endfile_close() before sm_endfile_open(). */
#define SM_ENDFILE_INIT { .fd = -1 }

/* open_it: open(2) with the permissions with which FILE is to be written, such as
 * sm_priv_open_as_invoker().  Returns 0 or -errno. */
int sm_endfile_open(struct sm_endfile *f, const char *path,
	int (*open_it)(const char *path, int flags, mode_t mode)) SM_MUST;
/* fill() writes the content to fd.  Returns 0 or -errno. */
int sm_endfile_write(const struct sm_endfile *f, int (*fill)(void *ctx, int fd), void *ctx) SM_MUST;
void sm_endfile_close(struct sm_endfile *f);

#endif
