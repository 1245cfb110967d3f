/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: the report after the statistic rows: the power and its kind, what it covers, what was
 * missed or lost, idle states, histograms.
 */
#ifndef POWERSTAT_SUMMARY_H
#define POWERSTAT_SUMMARY_H

#include "power/cpuidle.h"
#include "opts.h"
#include "power/source.h"
#include "repeat.h"
#include "sample.h"
#include "stats.h"

struct idle {
	double watts;     /* of --baseline; NAN: could not be measured */
	uint64_t of_ns;   /* the time that it is the mean of; 0: not requested */
};

struct summary {
	const struct opts *opts;
	const struct columns *columns;
	const struct stats *stats;
	const struct sm_source *power;      /* NULL: none */
	const struct sm_cpuidle *idle;  /* NULL: no idle states */
	unsigned int freq_unread;       /* CPUs whose frequency was not read in some sample */
	struct idle idle_power;
	const struct repeat *repeat;    /* NULL: no --repeat */
	bool command;                   /* a COMMAND was measured: report its energy without -J too */
	uint64_t missed, skipped;       /* missed deadlines; discarded samples */
	uint64_t lost_rows;
	uint64_t log_missing;           /* names, arguments and lines that the process log lacks */
};

/* Joules less those of an idle machine over the same time; NAN: unknown. */
double summary_above_idle(const struct summary *s);
void summary_text(const struct summary *s, struct sm_buf *b);
/* Members of an open record. */
void summary_json(const struct summary *s, struct sm_json *j);
/* "battery", "rapl", "perf", "hwmon", "none". */
const char *summary_source(const struct sm_source *p);
/* Why a zone is not in the total: "inside a package" ...; NULL: it is.  why: enum sm_rapl_why */
const char *summary_why(uint8_t why);
/* "of the whole machine" ... */
const char *summary_scope(enum sm_hwmon_scope scope);

#endif
