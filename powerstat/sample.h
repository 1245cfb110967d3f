/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: the figures of one interval, an array with a number for each column (columns.h); NAN if
 * a figure could not be read.
 *
 * Units of the numbers: percent, per second, counts, watts, joules, degrees Celsius, kHz.
 */
#ifndef POWERSTAT_SAMPLE_H
#define POWERSTAT_SAMPLE_H

#include "power/source.h"

enum column {
	/* Members of struct sample, not of v; except the time, in the machine formats only. */
	C_TIME, C_MONO, C_DT, C_KIND, C_ESTIMATE, C_INCOMPLETE, C_WINDOW, C_LOST,
	/* Fixed columns. */
	V_USER, V_NICE, V_SYS, V_IDLE, V_IO, /* percent of all CPU time */
	V_IRQ, V_SOFTIRQ, V_STEAL,           /* the same; machine formats only */
	V_RUN,                               /* tasks on a run queue */
	V_CTXT, V_INTR,                      /* per second */
	V_FORK, V_EXEC, V_EXIT,              /* in the interval */
	V_WATTS,
	V_JOULES,                            /* energy of the interval (-J) */
	V_FIXED,
	/* With -f and -g, after domains and zones: the index is in struct columns. */
	C_FREQ = V_FIXED, C_FREQ_MIN, C_FREQ_MAX, C_GPU,
	C_N
};

struct sample {
	uint64_t t_ns;     /* CLOCK_MONOTONIC at the end: when the energy counters were read */
	uint64_t wall_ns;
	uint64_t dt_ns;
	uint64_t energy_ns; /* the time that V_JOULES covers */
	bool partial;      /* shorter than half an interval: the rest before the end of COMMAND */
	double retracted_j; /* energy of earlier samples that has proved wrong */
	double *v;         /* a number for each column */
	const struct sm_source *power; /* of the columns of domains */
	enum sm_figure kind;
	bool missing;      /* a part of the total had no figure in this interval: in the statistics only
	                      if no sample is better (stats.h) */
	bool incomplete;   /* a part of the total cannot be read */
	uint64_t window_ns; /* SM_FIGURE_LEVEL, SM_FIGURE_ESTIMATE: the time that the slope covers */
	uint64_t events_lost; /* fork, exec, exit events that the kernel dropped */
};

/* The mark after the watts: "E" for an estimate, "*" for an incomplete total, or NULL. */
static inline const char *sample_mark(const struct sample *s)
{
	if (s->kind == SM_FIGURE_ESTIMATE)
		return "E";
	return s->incomplete ? "*" : NULL;
}

#endif
