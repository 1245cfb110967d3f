/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: JSON lines and CSV, and the times of the table.
 *
 * JSON has the records "header" (as in every tool of the suite) and "run", then "interval" and "interim"
 * while the stressors run, a "result" for each job, a "coverage" for each system call (--coverage), and a
 * "summary".  CSV has a row of keys, then rows of the types interval, interim, result, metric, figure, bin,
 * cpu, call and error; it lacks the data of the other records.
 *
 * The functions append whole lines; an error (out of memory) is set in the buffer.
 */
#ifndef STRESSORS_RESULT_ROWS_H
#define STRESSORS_RESULT_ROWS_H

#include "../opts.h"
#include "columns.h"
#include "facts.h"

struct rows {
	struct sm_table table; /* collects without a sink */
	struct sm_buf part;    /* an array of JSON */
	struct sm_buf number[2];
	uint64_t wall_ns;      /* time of the results */
};

/* A row of ops since the previous row. */
struct rows_interval {
	uint64_t wall_ns; /* time of the row */
	const char *stressor;
	unsigned int job; /* number of the job */
	int instance;     /* -1: all of them */
	double t_s;       /* time since the start of its stage */
	uint64_t ops;     /* ops since the start */
	double ops_per_s; /* NAN: unknown */
	bool interim;     /* since the start instead of since the previous row */
};

void rows_init(struct rows *w, enum sm_format format, const struct sm_app_opts *o);
void rows_fini(struct rows *w);
void rows_begin(struct rows *w, const struct config *c, const struct facts *f, struct sm_buf *b);
void rows_interval(struct rows *w, const struct rows_interval *i, struct sm_buf *b);
void rows_results(struct rows *w, const struct result *r, size_t n, uint64_t wall_ns, struct sm_buf *b);
/* Appends a time in the style of --timestamp, for lines of the report. */
void rows_time(struct rows *w, uint64_t wall_ns, struct sm_buf *b);
void rows_end(struct rows *w, const struct result *r, size_t n, const struct facts *f, struct sm_buf *b);

#endif
