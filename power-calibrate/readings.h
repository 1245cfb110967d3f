/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * readings: what was measured, a reading a second.  Each is a point of the regressions (model.h).
 *
 * own is the CPU time of the workers by their own clocks, other what the CPUs did beside that
 * (/proc/stat: all time but idle, iowait and steal, less own; its ticks are 10 ms, so it can be a
 * little below 0).  Both in busy CPUs: 1.5 is one CPU and a half.  An unknown figure is NAN.
 */
#ifndef POWER_CALIBRATE_READINGS_H
#define POWER_CALIBRATE_READINGS_H

#include "load/counts.h"

enum figure { /* what is shown of a reading and of a test; rates are per second */
	F_USER,       /* percent of all CPUs, from here */
	F_SYS,
	F_IDLE,       /* to here */
	F_RUN,        /* tasks */
	F_CTXT,
	F_IRQ,
	F_OPS,
	F_CYCLES,     /* of the workers, from here */
	F_INSTRUCTIONS,
	F_REF_CYCLES, /* to here */
	F_OWN,
	F_OTHER,
	F_WATTS,
	F_N
};

struct reading {
	double t_s;           /* its middle, since the start of the run */
	double dt_s;
	unsigned int test;    /* in the plan */
	unsigned int block;   /* index of the test among all: each is one run of one level */
	uint32_t ppm;
	unsigned int cpus;
	double v[F_N];
};

struct readings {
	struct reading *at;
	double *domain;       /* ndomains for each reading, W */
	unsigned int ndomains;
	size_t n, cap;
	unsigned int online;  /* CPUs, at the start */
	/* How the counts of all readings are known: the least exact of them. */
	enum sm_counts_method method[SM_COUNTS_N];
	bool known[SM_COUNTS_N]; /* method[] is set */
	uint64_t failed;      /* readings without all of the power */
};

/* Copies r and its ndomains watts.  -ENOMEM. */
int readings_add(struct readings *list, const struct reading *r, const double *domain) SM_MUST;
void readings_fini(struct readings *list);
/* The mean of the readings of a test from `first` on, weighted by time; returns how many. */
size_t readings_mean(const struct readings *list, size_t first, struct reading *mean);

#endif
