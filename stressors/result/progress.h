/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: the progress of a run: a live line on a terminal (--progress), and rows of text (--interval).
 *
 * Both show rates of all instances of a job since the previous line.  The live line is on standard error, is
 * never wider than the terminal, and is erased before other text.  These functions only append text to a
 * buffer.
 */
#ifndef STRESSORS_RESULT_PROGRESS_H
#define STRESSORS_RESULT_PROGRESS_H

#include "base/buf.h"

struct progress_job {
	const char *name;
	uint64_t ops, before; /* ops of all instances: now, and at the previous line */
	double dt_s;          /* time between the two */
};

struct progress {
	double elapsed_s, total_s;    /* times of the stage; total NAN or infinite: no limit */
	unsigned int stage, stages;   /* from 0; shown if there are several */
	const struct progress_job *job;
	size_t n;
	double celsius, watts;        /* NAN: unknown */
};

/* Returns ops per second; NAN: no time has passed.  A restarted instance counts from zero; the rate is then 0
 * rather than negative. */
double progress_rate(const struct progress_job *job);
/* Appends the live line, after the sequence that erases the previous one; columns: width of the terminal, 0
 * is 80.  Jobs that do not fit are counted: "+3". */
void progress_line(const struct progress *p, unsigned int columns, unsigned int text_flags,
	struct sm_buf *b);
void progress_erase(struct sm_buf *b);
/* Appends a whole line with all jobs: "    1.00s cpu 2206.5/s, vm 120.0/s". */
void progress_interval(const struct progress *p, unsigned int text_flags, struct sm_buf *b);
/* Appends a whole line with the ops of all jobs: "    1.00s so far: cpu 2207 ops (2206.5/s)". */
void progress_interim(const struct progress *p, unsigned int text_flags, struct sm_buf *b);

#endif
