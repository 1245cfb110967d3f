/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outputs: the files and formats of a tool's rows.  cli layer.
 *
 * The first output is the table (or JSON, or CSV) on standard output or in a file.  The JSON and CSV
 * files that are written in addition follow.  Each output is a table in front of a sink.  Files are
 * opened with the permissions of the calling user.
 */
#ifndef SM_OUTPUTS_H
#define SM_OUTPUTS_H

#include "cli/opt.h"
#include "format/table.h"
#include "cli/writers.h"
#include "cli/tty.h"

#define SM_OUTPUTS_MAX 3

struct sm_outputs {
	struct sm_table out[SM_OUTPUTS_MAX];
	struct sm_sink sink[SM_OUTPUTS_MAX];
	int file[SM_OUTPUTS_MAX]; /* descriptor to close, or -1 */
	const char *name[SM_OUTPUTS_MAX];
	unsigned int n;
};

struct sm_outputs_want {
	struct sm_opt_to json, csv;
	const char *output;     /* NULL: standard output */
	size_t queue_bytes;     /* of each sink */
	/* Sets up the tool's table in this format: sm_table_init() and the rest. */
	void (*set_up)(void *ctx, struct sm_table *out, enum sm_format format, struct sm_sink *sink);
	void *ctx;
};

/* Opens all outputs.  Returns 0 or -errno; *what then names the file.  After an error,
 * sm_outputs_close() closes the outputs opened so far. */
int sm_outputs_open(struct sm_outputs *f, const struct sm_outputs_want *w, const char **what) SM_MUST;
/* Returns true if the path names a FIFO: opening it waits for a reader. */
bool sm_outputs_waits(const char *path);
/* Returns true if one of the files is a FIFO. */
bool sm_outputs_may_wait(const struct sm_outputs_want *w);
/* Returns true if the first output is coloured.  A file is coloured only with --color=always. */
bool sm_outputs_color(const struct sm_outputs *f, enum sm_color when);
/* Adds the sinks to o, which writes them in the loop. */
int sm_outputs_writers(struct sm_outputs *f, struct sm_writers *o) SM_MUST;
/* Returns the rows dropped over all outputs. */
uint64_t sm_outputs_dropped(const struct sm_outputs *f);
/* Reports lost rows on standard error.  After a write error, which is reported itself, no rows count as
 * lost to a slow reader.  has_row: the tool's own rows report slow readers, so only a lack of memory is
 * reported.  Returns SM_EXIT_RUNTIME (no memory), SM_EXIT_LOST (a slow reader) or SM_EXIT_OK. */
int sm_outputs_report_lost(const struct sm_outputs *f, const struct sm_writers *o, bool has_row);
void sm_outputs_close(struct sm_outputs *f);

#endif
