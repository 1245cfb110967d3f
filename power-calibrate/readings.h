/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * readings: the measured values, one reading per second.  Each is a point of the regressions (model.h).
 *
 * own is the CPU use of the workers, by their own CPU clocks.  other is all other CPU use (/proc/stat: all
 * time except idle, iowait and steal, minus own; its ticks are 10 ms, so it can be slightly below 0).  Both
 * are in busy CPUs: 1.5 is one and a half CPUs.  An unknown value is NAN.
 */
#ifndef POWER_CALIBRATE_READINGS_H
#define POWER_CALIBRATE_READINGS_H

#include "history.h"
#include "load/counts.h"
#include "proc/topology.h"

enum figure { /* values of a reading and of a test; rates are per second */
	F_USER,       /* percent of all CPUs */
	F_SYS,        /* percent of all CPUs */
	F_IDLE,       /* percent of all CPUs */
	F_RUN,        /* tasks */
	F_CTXT,
	F_IRQ,
	F_OPS,
	F_CYCLES,     /* cycles of the workers */
	F_INSTRUCTIONS, /* instructions of the workers */
	F_REF_CYCLES, /* reference cycles of the workers */
	F_OWN,
	F_OTHER,
	F_WATTS,
	F_N
};

struct reading {
	double t_s;           /* middle of the reading, since the start of the run */
	double dt_s;          /* its length */
	unsigned int test;    /* index of the test in the plan */
	unsigned int block;   /* block of the regression: the index of the test */
	uint32_t ppm;         /* requested level */
	uint32_t load_ppm;    /* load that was set: plan_load() */
	unsigned int cpus;
	unsigned int first;   /* index of the first loaded CPU */
	double own_of[SM_TOPOLOGY_TYPES_MAX]; /* F_OWN of each type of CPUs, if the run is by type */
	double v[F_N];
};

struct readings {
	struct reading *at;
	double *domain;       /* ndomains for each reading, W */
	unsigned int ndomains;
	size_t n, cap;
	unsigned int online;  /* number of online CPUs at the start */
	/* The least exact method of the counts of all readings. */
	enum sm_counts_method method[SM_COUNTS_N];
	bool known[SM_COUNTS_N]; /* method[] is set */
	struct history history;
	bool gauge;           /* the meter is a battery's gauge, which averages */
	double average_s;     /* averaging time of the meter, as the driver has it; 0: unknown */
	double coarse_s;      /* length of a test that the level of a battery needs; 0: long enough */
	uint64_t failed;      /* readings discarded because a part of the power was missing */
};

/* Appends r and its ndomains watts.  -ENOMEM. */
int readings_add(struct readings *list, const struct reading *r, const double *domain) SM_MUST;
void readings_fini(struct readings *list);
/* Computes the mean, weighted by time, of the readings of a test; `first` is its first one.  Returns their
 * number. */
size_t readings_mean(const struct readings *list, size_t first, struct reading *mean);

#endif
