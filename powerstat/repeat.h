/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat: the runs of COMMAND (--repeat): time, energy and power of each run, and the mean and standard
 * deviation of the runs that succeeded.
 */
#ifndef POWERSTAT_REPEAT_H
#define POWERSTAT_REPEAT_H

#include "base/buf.h"
#include "format/json.h"
#include "stats.h"

enum run_figure { RUN_SECONDS, RUN_JOULES, RUN_ABOVE_IDLE, RUN_WATTS, RUN_FIGURES };

struct repeat_run {
	unsigned int number;      /* counted from 1 */
	int status;               /* exit status */
	double v[RUN_FIGURES];    /* NAN: unknown */
};

struct repeat {
	struct repeat_run run;    /* the current or last run */
	uint64_t start_ns;        /* start of run */
	double joules;            /* stats_joules() at the start of run */
	uint64_t covered_ns;      /* time that these joules cover */
	struct sm_stats of[RUN_FIGURES];
};

void repeat_begin(struct repeat *r, const struct stats *s, uint64_t now_ns);
/* s includes the samples of the run.  idle_w: power of the idle machine; NAN without --baseline. */
void repeat_end(struct repeat *r, const struct stats *s, double idle_w, int status,
	uint64_t now_ns);
/* Prints "Run 1: 2.003 seconds, 24.036 Joules, 12.00 Watts". */
void repeat_run_text(const struct repeat_run *run, struct sm_buf *b);
/* Adds members to an open record. */
void repeat_run_json(const struct repeat_run *run, struct sm_json *j);
/* Prints the line of the summary, nothing if no run succeeded. */
void repeat_text(const struct repeat *r, struct sm_buf *b);
void repeat_json(const struct repeat *r, struct sm_json *j);

#endif
