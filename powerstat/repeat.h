/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat: the runs of COMMAND with --repeat: the figures of each run, their mean and standard
 * deviation over the runs that succeeded.
 */
#ifndef POWERSTAT_REPEAT_H
#define POWERSTAT_REPEAT_H

#include "base/buf.h"
#include "out/json.h"
#include "stats.h"

enum run_figure { RUN_SECONDS, RUN_JOULES, RUN_ABOVE_IDLE, RUN_WATTS, RUN_FIGURES };

struct repeat_run {
	unsigned int number;      /* from 1 */
	int status;               /* exit status */
	double v[RUN_FIGURES];    /* NAN: unknown */
};

struct repeat {
	struct repeat_run run;    /* the current one, or the last */
	uint64_t start_ns;        /* of it */
	double joules;            /* stats_joules() at its start */
	uint64_t covered_ns;
	struct sm_stats of[RUN_FIGURES];
};

void repeat_begin(struct repeat *r, const struct stats *s, uint64_t now_ns);
/* The samples of the run are in s.  idle_w: NAN without --baseline. */
void repeat_end(struct repeat *r, const struct stats *s, double idle_w, int status,
	uint64_t now_ns);
/* "Run 1: 2.003 seconds, 24.036 Joules, 12.00 Watts" */
void repeat_run_text(const struct repeat_run *run, struct sm_buf *b);
/* Members of an open record. */
void repeat_run_json(const struct repeat_run *run, struct sm_json *j);
/* For the summary; nothing if no run succeeded. */
void repeat_text(const struct repeat *r, struct sm_buf *b);
void repeat_json(const struct repeat *r, struct sm_json *j);

#endif
