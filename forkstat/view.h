/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view: forkstat's one column table, and how an event becomes rows in each face.
 *
 * A fork is two rows for people (parent, child) and one record for machines.
 */
#ifndef FS_VIEW_H
#define FS_VIEW_H

#include "faces.h"
#include "opts.h"
#include "track.h"
#include "user.h"

struct view {
	const struct fs_opts *opts;
	struct sm_user users;
	struct sm_faces faces;
	bool color, glyphs_utf8;
	int64_t wall_offset_ns;  /* CLOCK_REALTIME - CLOCK_MONOTONIC */
	uint64_t offset_read_ns; /* when it was read */
	uint64_t rows;           /* events shown (a fork is one) */
};

/* Opens the output files with the invoking user's rights.  -errno, *what names the file. */
int view_open(struct view *v, const struct fs_opts *o, uint32_t pid_max, const char **what) SM_MUST;
/* The headings, and the header record of JSON. */
void view_start(struct view *v, const char *boot_id);
void view_row(struct view *v, const struct fs_row *row);
uint64_t view_wall_ns(struct view *v, uint64_t mono_ns);
/* A task's name as people see it (options -c -s -d applied), sanitised. */
void view_name(const struct fs_opts *o, const struct sm_proc *p, struct sm_buf *b);
void view_close(struct view *v);

#endif
