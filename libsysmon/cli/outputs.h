/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outputs: the files and formats of a tool's rows.  cli layer.
 *
 * First the table (or JSON, or CSV) on standard output or in a file, then the JSON and the CSV
 * file beside it.  Each is a table in front of a sink; files are opened with the invoking user's
 * rights.
 */
#ifndef SM_OUTPUTS_H
#define SM_OUTPUTS_H

#include "cli/opt.h"
#include "out/table.h"
#include "cli/writers.h"
#include "cli/tty.h"

#define SM_OUTPUTS_MAX 3

struct sm_outputs {
	struct sm_table out[SM_OUTPUTS_MAX];
	struct sm_sink sink[SM_OUTPUTS_MAX];
	int file[SM_OUTPUTS_MAX]; /* to be closed; -1: none */
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

/* -errno; *what then names the file.  What was opened until then is closed by
 * sm_outputs_close(). */
int sm_outputs_open(struct sm_outputs *f, const struct sm_outputs_want *w, const char **what) SM_MUST;
/* Does a path name a FIFO?  Its opening waits for a reader. */
bool sm_outputs_waits(const char *path);
/* One of the files is a FIFO. */
bool sm_outputs_may_wait(const struct sm_outputs_want *w);
/* Is the first output coloured?  A file is only with --color=always. */
bool sm_outputs_color(const struct sm_outputs *f, enum sm_color when);
/* Adds the sinks to o, which writes them in the loop. */
int sm_outputs_writers(struct sm_outputs *f, struct sm_writers *o) SM_MUST;
/* Rows dropped because of slow readers or for lack of memory, over all outputs; the latter alone. */
uint64_t sm_outputs_dropped(const struct sm_outputs *f);
uint64_t sm_outputs_no_memory(const struct sm_outputs *f);
/* Reports them on standard error; after a write error, which is reported, rows are not lost to a reader.
 * has_row: the tool's own rows tell of slow readers, so only a lack of memory is reported.  Returns
 * SM_EXIT_RUNTIME (no memory), SM_EXIT_LOST (a slow reader) or SM_EXIT_OK. */
int sm_outputs_report_lost(const struct sm_outputs *f, const struct sm_writers *o, bool has_row);
void sm_outputs_close(struct sm_outputs *f);

#endif
