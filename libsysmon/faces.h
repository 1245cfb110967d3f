/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faces: where a tool's rows go.  cli layer.
 *
 * First the table (or JSON, or CSV) on standard output or in a file, then the JSON and the CSV
 * file beside it.  Each is an out in front of a sink; files are opened with the invoking user's
 * rights.
 */
#ifndef SM_FACES_H
#define SM_FACES_H

#include "opt.h"
#include "out.h"
#include "outlet.h"
#include "tty.h"

#define SM_FACES_MAX 3

struct sm_faces {
	struct sm_out out[SM_FACES_MAX];
	struct sm_sink sink[SM_FACES_MAX];
	int file[SM_FACES_MAX]; /* that we opened; -1: none */
	unsigned int n;
};

struct sm_faces_want {
	struct sm_opt_to json, csv;
	const char *output;     /* NULL: standard output */
	size_t queue_bytes;     /* of each sink */
	/* Makes out what the tool wants in this face: sm_out_init() and the rest. */
	void (*set_up)(void *ctx, struct sm_out *out, enum sm_face face, struct sm_sink *sink);
	void *ctx;
};

/* -errno; *what then names the file.  What was opened until then is closed by
 * sm_faces_close(). */
int sm_faces_open(struct sm_faces *f, const struct sm_faces_want *w, const char **what) SM_MUST;
/* May the first face be coloured?  A file is only where the user insists. */
bool sm_faces_color(const struct sm_faces *f, enum sm_color when);
int sm_faces_outlet(struct sm_faces *f, struct sm_outlet *o) SM_MUST;
/* Rows refused because a reader was too slow, all faces. */
uint64_t sm_faces_dropped(const struct sm_faces *f);
void sm_faces_close(struct sm_faces *f);

#endif
