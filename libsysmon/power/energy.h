/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * energy: the energy that the processor and its memory use, as one total: the counters of powercap
 * (rapl.h) or, if none can be read, those of the perf power PMU (powerpmu.h).  A program that needs
 * nothing else does not link the batteries and meters of source.h.
 *
 * The total is the sum of the packages and DRAMs.  It begins with 0 at sm_energy_begin().  Glitches
 * that a later reading has refuted are subtracted.  A counter whose reading fails adds nothing; its next
 * value covers the time.
 */
#ifndef SM_ENERGY_H
#define SM_ENERGY_H

#include "power/powerpmu.h"
#include "power/rapl.h"

struct sm_energy {
	bool by_pmu;
	struct sm_rapl rapl;
	struct sm_powerpmu pmu;
	/* Values of the last reading: */
	double uj;           /* since sm_energy_begin(); NAN: unknown */
	double uw;           /* mean power since the reading before it; NAN: unknown */
	bool lost;           /* a reading has failed: both are unknown until sm_energy_begin() */
	/* Private: sums of the counters, and the time that they cover. */
	double begin_uj, last_uj;
	uint64_t begin_ns, last_ns;
};

/* -ENOENT: no energy counters; -EACCES: they are for privileged users only; -ENOMEM.  Nothing is open
 * then. */
int sm_energy_open(struct sm_energy *e, const struct sm_root *root) SM_MUST;
/* Reads the counters: the total is 0 from here. */
void sm_energy_begin(struct sm_energy *e);
void sm_energy_read(struct sm_energy *e);
/* The longest time between two readings in which no counter can wrap unnoticed; UINT64_MAX: any. */
uint64_t sm_energy_gap_ns(const struct sm_energy *e);
void sm_energy_close(struct sm_energy *e);

#endif
