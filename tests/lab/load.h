/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load: the busy CPU time of the real machine, for meters (meter.h) that depend on it.
 *
 * Busy is what /proc/stat calls neither idle nor iowait, of all online CPUs together, since the load
 * was opened: in user, system, nice, irq and stolen time.  Source: the kernel's idle clocks in
 * /proc/timer_list (ns; root), of which the idle times of /proc/stat are the rounded copy.  A CPU that
 * entered idle without having stopped its tick is counted busy until its next tick at most (4 ms at
 * HZ=250), which the next sample corrects: the error does not add up.  Where that file cannot be read,
 * /proc/stat itself: 10 ms for each CPU, which does not add up either.
 *
 * A sample is taken at each reading of a file (the live one), and kept ten times a second: busy times
 * between kept samples are interpolated.  The square is the integral of (busy CPUs)^2 over time, with
 * the mean of the busy CPUs of each kept interval.
 */
#ifndef LAB_LOAD_H
#define LAB_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LOAD_EVERY_MS 100

struct load_sample {
	int64_t t_ns;                  /* since T = 0 */
	double busy_s, square;
};

struct load {
	FILE *file;                    /* NULL: the load is 0, or comes from a log */
	bool exact;                    /* from timer_list */
	unsigned int cpus;             /* online */
	int64_t start_ns;              /* CLOCK_MONOTONIC of T = 0 */
	double zero_s;                 /* busy at T = 0 */
	struct load_sample *kept;
	size_t n, cap;
	struct load_sample live;       /* the last one; not before kept[n - 1] */
};

/* The load that all meters of the process see. */
extern struct load the_load;

/* Begins at T = 0, which is CLOCK_MONOTONIC start_ns; 0 or -1. */
int load_open(struct load *l, int64_t start_ns);
/* Takes the live sample; its time since T = 0. */
int64_t load_take(struct load *l);
/* Keeps the live one. */
void load_keep(struct load *l);
/* A load from a log is kept, like a live one. */
void load_add(struct load *l, struct load_sample s);
/* At a time up to that of the live sample. */
struct load_sample load_at(const struct load *l, int64_t t_ns);

#endif
