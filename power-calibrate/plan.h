/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: the loads to be measured, their order and their times.  Pure: no input or output.
 *
 * A test is a level of load (parts per million) on the first n CPUs.  A block contains each test once, and
 * the idle machine once, in random order; a run consists of several blocks.  Of several random orders, the
 * plan uses the one in which the load is least correlated with time over the run so far.  Therefore drift,
 * such as heat, can be separated from the power of the load:
 *
 *	levels 0, 50, 100 % on 1 and 2 CPUs, 2 blocks:
 *	50%x2  0%  100%x1  100%x2  50%x1 | 100%x2  50%x1  0%  50%x2  100%x1
 *
 * By type of CPU, a test loads the CPUs of one type, or all CPUs, so that the loads of the types vary
 * independently.  The CPUs are ordered by type, so such a set is a range of them.
 *
 * The load that is set differs a little from the level, and in each block: by at most 5 % of a CPU and a
 * quarter of the distance of two levels, on both sides.  Full load is only reduced, and is full in the first
 * block; idle remains idle.  A meter with coarse steps would round equal loads equally in all blocks; with
 * different loads its errors are independent (fit/steps.h).  The regression uses the measured load.
 *
 * A test of a block lasts slot_ns, including settle_ns or the time until the power has settled, which is not
 * measured.  The duration of the run is therefore known before it starts.  Times are in nanoseconds.
 */
#ifndef POWER_CALIBRATE_PLAN_H
#define POWER_CALIBRATE_PLAN_H

#include "base/base.h"
#include "proc/topology.h"

#define PLAN_COUNTS_MAX 16
#define PLAN_BLOCKS_MAX 4
#define PLAN_TYPES_MAX  SM_TOPOLOGY_TYPES_MAX
#define PLAN_SLOT_MIN_NS (5 * SM_NSEC_PER_SEC / 2)

struct plan_want {
	unsigned int cpus;     /* number of usable CPUs, at least 1 */
	unsigned int levels;   /* at least 2 */
	bool every_count;      /* load 1, 2, 3 ... CPUs, at most PLAN_COUNTS_MAX numbers; otherwise one, */
	const unsigned int *step; /* half, all and these: increasing, below cpus, e.g. one CPU per core */
	unsigned int steps;
	const unsigned int *type_cpus; /* numbers of CPUs of each type, whose sum is cpus */
	unsigned int types;    /* 0: not by type */
	uint64_t test_ns;      /* time of each test, over all blocks */
	bool keep_total;       /* steps make the tests shorter, not the run longer */
	uint64_t slow_ns;      /* time over which the meter averages: a slot is twice as long */
	uint64_t settle_ns;    /* additional time before each test of a block */
	uint64_t interval_ns;  /* time of a reading; a slot contains at least two */
	uint64_t limit_ns;     /* maximum duration of the run; 0: unlimited */
	bool until_good;       /* plan as many blocks as fit in the limit */
	uint64_t seed;
};

struct plan_test {
	uint32_t ppm;          /* 0: idle */
	unsigned int cpus;     /* 0: idle */
	unsigned int first;    /* index of the first loaded CPU */
	unsigned int block;
};

struct plan_set {
	unsigned int first, cpus;
};

struct plan {
	struct plan_test *test;
	unsigned int n;
	unsigned int blocks, per_block;
	unsigned int count[PLAN_COUNTS_MAX], counts; /* numbers of CPUs, increasing */
	struct plan_set set[PLAN_COUNTS_MAX]; /* by type: of each type, then of all */
	unsigned int sets, types;
	unsigned int levels;
	unsigned int basic;    /* number of sets without the steps */
	uint64_t slot_ns;      /* time of a test of a block, including settling */
	uint64_t settle_ns;    /* as requested */
	uint64_t total_ns;     /* duration of the run: n slots */
	bool shortened;        /* shortened because of the limit */
};

/* Makes the plan.  -E2BIG: even the shortest tests exceed the limit, and total_ns is the time that they need;
 * -ENOMEM. */
int plan_make(struct plan *p, const struct plan_want *w) SM_MUST;
void plan_fini(struct plan *p);
/* Returns whether the test loads CPU number i of the plan, and the type of that CPU. */
bool plan_loads(const struct plan_test *t, unsigned int i);
unsigned int plan_type_of(const struct plan *p, unsigned int i);
/* Returns the type that the test loads alone, or -1: all types, or idle. */
int plan_only_type(const struct plan *p, const struct plan_test *t);
/* Returns the load to be set in a test, in ppm: its level, dithered. */
uint32_t plan_load(const struct plan *p, const struct plan_test *t);

#endif
