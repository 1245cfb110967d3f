/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: how far the run is: a live line on a terminal (--progress), and rows of text (--interval).
 *
 * Both show rates since the line before, of all instances of a job.  The line is on standard error, is never
 * wider than the terminal, and is erased before other text.  Nothing is written here: the text is appended
 * to a buffer.
 */
#ifndef STRESSORS_RESULT_PROGRESS_H
#define STRESSORS_RESULT_PROGRESS_H

#include "base/buf.h"

struct progress_job {
	const char *name;
	uint64_t ops, before; /* of all instances: now, and at the line before */
	double dt_s;          /* between the two */
};

struct progress {
	double elapsed_s, total_s;    /* of the stage; total NAN or infinite: no limit */
	unsigned int stage, stages;   /* from 0; shown if there are several */
	const struct progress_job *job;
	size_t n;
	double celsius, watts;        /* NAN: not known */
};

/* Ops per second; NAN: no time has passed.  An instance that was started again counts from zero: not
 * negative. */
double progress_rate(const struct progress_job *job);
/* Appends the line, after the sequence that erases the one before; columns: of the terminal, 0 is 80.
 * Jobs without room are counted: "+3". */
void progress_line(const struct progress *p, unsigned int columns, unsigned int text_flags,
	struct sm_buf *b);
void progress_erase(struct sm_buf *b);
/* Appends a whole line with all jobs: "    1.00s cpu 2206.5/s, vm 120.0/s". */
void progress_interval(const struct progress *p, unsigned int text_flags, struct sm_buf *b);
/* Appends a whole line with what all jobs have done: "    1.00s so far: cpu 2207 ops (2206.5/s)". */
void progress_interim(const struct progress *p, unsigned int text_flags, struct sm_buf *b);

#endif
