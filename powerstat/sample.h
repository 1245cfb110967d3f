/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: the values of one interval, an array with a number for each column (columns.h); NAN if
 * a value could not be read.
 *
 * Units of the numbers: percent, per second, counts, watts, joules, degrees Celsius, kHz.
 */
#ifndef POWERSTAT_SAMPLE_H
#define POWERSTAT_SAMPLE_H

#include "power/source.h"

enum column {
	/* Members of struct sample, not of v; all but the time are shown in machine formats only. */
	C_TIME, C_MONO, C_DT, C_KIND, C_ESTIMATE, C_INCOMPLETE, C_WINDOW, C_LOST,
	/* Fixed columns. */
	V_USER, V_NICE, V_SYS, V_IDLE, V_IO, /* percent of all CPU time */
	V_IRQ, V_SOFTIRQ, V_STEAL,           /* percent; machine formats only */
	V_RUN,                               /* tasks on a run queue */
	V_CTXT, V_INTR,                      /* per second */
	V_FORK, V_EXEC, V_EXIT,              /* in the interval */
	V_WATTS,
	V_JOULES,                            /* energy of the interval (-J) */
	V_FIXED,
	/* Columns of -f and -g, after domains and zones; struct columns has the index. */
	C_FREQ = V_FIXED, C_FREQ_MIN, C_FREQ_MAX, C_GPU, C_THROTTLE,
	C_N
};

struct sample {
	uint64_t t_ns;     /* end, CLOCK_MONOTONIC: time when the energy counters were read */
	uint64_t wall_ns;
	uint64_t dt_ns;
	uint64_t energy_ns; /* the time that V_JOULES covers */
	bool partial;      /* shorter than half an interval, as the last one before COMMAND exits */
	double retracted_j; /* energy of earlier samples that has been proved wrong */
	double *v;         /* a number for each column */
	const struct sm_source *power; /* source of the domains' columns */
	enum sm_figure kind;
	bool missing;      /* a part of the total had no value in this interval; see enum part (stats.h) */
	bool incomplete;   /* a part of the total cannot be read */
	uint64_t window_ns; /* time that the slope covers (SM_FIGURE_LEVEL, SM_FIGURE_ESTIMATE) */
	uint64_t core_throttles, package_throttles; /* events of thermal throttling in the interval */
	uint64_t events_lost; /* fork, exec, exit events that the kernel dropped */
};

/* Returns the mark after the watts: "E" for an estimate, "*" for an incomplete total, otherwise NULL. */
static inline const char *sample_mark(const struct sample *s)
{
	if (s->kind == SM_FIGURE_ESTIMATE)
		return "E";
	return s->incomplete ? "*" : NULL;
}

#endif
