/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: which loads are measured, in which order, and how long that takes.  Pure.
 *
 * A test is a level of load (parts per million) on the first n of the CPUs.  A block holds each test
 * once, in a random order, and the idle machine once; a run is several blocks.  Of some random orders it
 * is the one in which the load of the run so far leans least to its begin or its end.  So time, heat and
 * the load have nothing to do with each other, and what drifts is told from what the load takes:
 *
 *	levels 0, 50, 100 % on 1 and 2 CPUs, 2 blocks:
 *	50%x2  0%  100%x1  100%x2  50%x1 | 100%x2  50%x1  0%  50%x2  100%x1
 *
 * A test of a block lasts slot_ns, of which settle_ns, or what it takes to settle, is not measured.
 * The time of the run is therefore known before it starts.  Times in nanoseconds.
 */
#ifndef POWER_CALIBRATE_PLAN_H
#define POWER_CALIBRATE_PLAN_H

#include "base/base.h"

#define PLAN_COUNTS_MAX 16
#define PLAN_BLOCKS_MAX 4
#define PLAN_SLOT_MIN_NS (5 * SM_NSEC_PER_SEC / 2)

struct plan_want {
	unsigned int cpus;     /* that can be loaded, at least 1 */
	unsigned int levels;   /* at least 2 */
	bool every_count;      /* 1, 2, 3 ... CPUs, at most PLAN_COUNTS_MAX numbers; else one, half, all, */
	const unsigned int *step; /* and these: increasing, below cpus, e.g. one CPU of each core */
	unsigned int steps;
	uint64_t test_ns;      /* of each test, over all blocks */
	bool keep_total;       /* steps make the tests shorter, not the run longer */
	uint64_t settle_ns;    /* before each test of a block, in addition */
	uint64_t interval_ns;  /* of a reading: a slot holds two */
	uint64_t limit_ns;     /* 0: none */
	bool until_good;       /* blocks up to the limit */
	uint64_t seed;
};

struct plan_test {
	uint32_t ppm;          /* 0: idle */
	unsigned int cpus;     /* 0: idle */
	unsigned int block;
};

struct plan {
	struct plan_test *test;
	unsigned int n;
	unsigned int blocks, per_block;
	unsigned int count[PLAN_COUNTS_MAX], counts; /* numbers of CPUs, increasing */
	unsigned int basic;    /* of them without the steps */
	uint64_t slot_ns;      /* of a test of a block, settling included */
	uint64_t settle_ns;    /* as wanted */
	uint64_t total_ns;     /* of the run: n slots */
	bool shortened;        /* by the limit */
};

/* -E2BIG: even with the shortest tests it takes longer than the limit; total_ns is then what is needed.
 * -ENOMEM. */
int plan_make(struct plan *p, const struct plan_want *w) SM_MUST;
void plan_fini(struct plan *p);
/* The idle machine has no number of CPUs: it is in all. */
bool plan_is_of_count(const struct plan_test *t, unsigned int cpus);

#endif
